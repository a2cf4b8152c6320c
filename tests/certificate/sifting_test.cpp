// Sifted diagrams against those that they were made from.
#include "checker/certificate/sifting.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "checker/certificate/diagram_builder.h"
#include "tests/engines/naive_search.h"
#include "tests/engines/random_system.h"

namespace oncecheck {
namespace {

constexpr std::size_t kMostStates = 1500;

std::vector<VariableId> all_variables(const TransitionSystem& system) {
    std::vector<VariableId> all(system.variables.size());
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

TransitionSystem bits(std::size_t count) {
    TransitionSystem system;
    system.variables.assign(count, {"bit", 1, 0, false});
    return system;
}

// The states in which bits i and i + pairs are equal for all i < pairs.
Diagram equal_pairs(const TransitionSystem& system, std::size_t pairs) {
    DiagramBuilder builder(system, all_variables(system));
    for (Value left = 0; left < (Value{1} << pairs); ++left) {
        State state;
        for (std::size_t bit = 0; bit < 2 * pairs; ++bit) {
            state.push_back((left >> (bit % pairs)) & 1U);
        }
        builder.add(state);
    }
    return builder.set();
}

TEST(Sifting, PutsTogetherWhatDependsOnEachOther) {
    const TransitionSystem system = bits(16);
    const Diagram set = equal_pairs(system, 8);
    EXPECT_GT(set.nodes.size(), 500U);
    EXPECT_EQ(sifted(set, all_variables(system), system).nodes.size(), 3U * 8U);
}

TEST(Sifting, KeepsASetThatStaysLargeInEveryOrder) {
    constexpr Value kStates = 1U << 15U;
    const TransitionSystem system = bits(15);
    const auto state_of = [](Value number) {
        State state;
        for (unsigned bit = 0; bit < 15; ++bit) {
            state.push_back((number >> bit) & 1U);
        }
        return state;
    };
    std::mt19937 random(5);
    std::vector<bool> chosen;
    DiagramBuilder builder(system, all_variables(system));
    for (Value number = 0; number < kStates; ++number) {
        chosen.push_back(random() % 2 == 0);
        if (chosen.back()) {
            builder.add(state_of(number));
        }
    }
    const Diagram set = builder.set();
    const Diagram other = sifted(set, all_variables(system), system);
    ASSERT_EQ(check(other, system), "");
    EXPECT_GT(other.nodes.size(), 3'000U);
    EXPECT_LE(other.nodes.size(), set.nodes.size());
    for (Value number = 0; number < kStates; ++number) {
        ASSERT_EQ(other.at(state_of(number)) == kInside, chosen[number]) << number;
    }
}

TEST(Sifting, OfASiftedDiagramChangesNothingInItsSize) {
    const TransitionSystem system = bits(16);
    const Diagram once = sifted(equal_pairs(system, 8), all_variables(system), system);
    EXPECT_EQ(sifted(once, order_of(once, 16), system).nodes.size(), once.nodes.size());
}

TEST(Sifting, LeavesATerminalAsItIs) {
    const TransitionSystem system = bits(2);
    const Diagram everything{{}, {true, kInside}};
    EXPECT_EQ(sifted(everything, all_variables(system), system), everything);
}

TEST(Sifting, MakesOneNodeOfTwoThatAreOnlyWrittenDifferently) {
    const TransitionSystem system = bits(2);
    const DiagramTarget in{true, kInside};
    const DiagramTarget out{true, kOutside};
    const Diagram twice{{{1, {{0, out}}, in}, {1, {{1, in}}, out}, {0, {{0, {false, 0}}}, {false, 1}}}, {false, 2}};
    ASSERT_EQ(check(twice, system), "");
    EXPECT_EQ(sifted(twice, all_variables(system), system), (Diagram{{{1, {{1, in}}, out}}, {false, 0}}));
}

// The state, and one for each variable in which alone it differs.
std::vector<State> around(const TransitionSystem& system, const State& state) {
    std::vector<State> found{state};
    for (VariableId id = 0; id < system.variables.size(); ++id) {
        found.push_back(state);
        found.back()[id] = state[id] == system.variables[id].largest ? 0 : state[id] + 1;
    }
    return found;
}

TEST(Sifting, KeepsSetsAndFunctions) {
    std::size_t smaller = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const TransitionSystem system = RandomSystem(seed, seed % 3).make();
        const NaiveSearch search(system, std::nullopt, kMostStates);
        if (search.too_large()) {
            continue;
        }
        DiagramBuilder builder(system, all_variables(system));
        std::vector<std::uint32_t> values;
        for (const auto& [state, level] : search.levels()) {
            builder.add(state);
            values.push_back(static_cast<std::uint32_t>(level.first * 3 + level.second));
        }
        for (const Diagram& diagram : {builder.set(), builder.function(values)}) {
            const Diagram other = sifted(diagram, all_variables(system), system);
            ASSERT_EQ(check(other, system), "") << seed;
            ASSERT_LE(other.nodes.size(), diagram.nodes.size()) << seed;
            smaller += other.nodes.size() < diagram.nodes.size() ? 1 : 0;
            for (const auto& [reached, unused] : search.levels()) {
                for (const State& state : around(system, reached)) {
                    ASSERT_EQ(other.at(state), diagram.at(state)) << seed;
                }
            }
        }
    }
    EXPECT_GT(smaller, 30U);
}

}  // namespace
}  // namespace oncecheck

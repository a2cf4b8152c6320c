// Diagrams of random systems' reachable states against the states themselves.
#include "checker/certificate/diagram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

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

// The state after it in the order of all states whose values are in range, as long as one variable is changed.
std::vector<State> neighbours(const TransitionSystem& system, const State& state) {
    std::vector<State> found;
    for (VariableId id = 0; id < system.variables.size(); ++id) {
        State other = state;
        other[id] = other[id] == system.variables[id].largest ? 0 : other[id] + 1;
        found.push_back(other);
    }
    return found;
}

TEST(Diagram, HoldsExactlyTheStatesThatItWasBuiltFrom) {
    std::size_t states = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const TransitionSystem system = RandomSystem(seed, seed % 3).make();
        const NaiveSearch search(system, std::nullopt, kMostStates);
        if (search.too_large()) {
            continue;
        }
        DiagramBuilder builder(system, all_variables(system));
        for (const auto& [state, unused] : search.levels()) {
            builder.add(state);
        }
        const Diagram set = builder.set();
        ASSERT_EQ(check(set, system), "") << seed;
        for (const auto& [state, unused] : search.levels()) {
            ASSERT_EQ(set.at(state), kInside) << seed;
            for (const State& other : neighbours(system, state)) {
                ASSERT_EQ(set.at(other), search.levels().contains(other) ? kInside : kOutside) << seed;
            }
            ++states;
        }
    }
    EXPECT_GT(states, 2000U);
}

TEST(Diagram, OfAFunctionHasItsValuesWhereTheyWereGiven) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const TransitionSystem system = RandomSystem(seed, seed % 3).make();
        const NaiveSearch search(system, std::nullopt, kMostStates);
        if (search.too_large()) {
            continue;
        }
        std::vector<VariableId> order = all_variables(system);
        std::reverse(order.begin(), order.end());
        DiagramBuilder builder(system, order);
        std::vector<std::uint32_t> values;
        for (const auto& [state, level] : search.levels()) {
            builder.add(state);
            values.push_back(static_cast<std::uint32_t>(level.first * 3 + level.second));
        }
        const Diagram function = builder.function(values);
        ASSERT_EQ(check(function, system), "") << seed;
        auto value = values.begin();
        for (const auto& [state, unused] : search.levels()) {
            ASSERT_EQ(function.at(state), *value++) << seed;
        }
    }
}

TEST(Diagram, IsReduced) {
    TransitionSystem system;
    system.variables = {{"a", 1, 0, false}, {"any", 2, 0, false}, {"b", 1, 0, false}};
    DiagramBuilder builder(system, {0, 1, 2});
    for (Value any = 0; any <= 2; ++any) {  // a = b
        builder.add({0, any, 0});
        builder.add({1, any, 1});
    }
    const Diagram set = builder.set();
    EXPECT_EQ(set.nodes.size(), 3U);
    for (const DiagramNode& node : set.nodes) {
        EXPECT_NE(node.variable, 1U);
    }
}

TEST(Diagram, OfNoStateIsEmpty) {
    TransitionSystem system;
    system.variables = {{"a", 1, 0, false}};
    EXPECT_EQ(DiagramBuilder(system, {0}).set(), Diagram{});
}

TEST(Diagram, IsRefusedIfAPathDoesNotEndOrLeadsOutOfTheSystem) {
    TransitionSystem system;
    system.variables = {{"a", 1, 0, false}};
    const DiagramTarget inside{true, kInside};
    const DiagramTarget first{false, 0};
    const auto one = [&](const DiagramNode& node) { return check({{node}, first}, system); };
    EXPECT_EQ(one({0, {{1, inside}}, {}}), "");
    EXPECT_NE(one({1, {{1, inside}}, {}}), "");               // no such variable
    EXPECT_NE(one({0, {{2, inside}}, {}}), "");               // no such value
    EXPECT_NE(one({0, {{1, inside}, {0, inside}}, {}}), "");  // out of order
    EXPECT_NE(one({0, {{1, first}}, {}}), "");                // a circle
    EXPECT_NE(one({0, {{1, inside}}, first}), "");            // another
    EXPECT_NE(one({0, {}, inside}), "");
    EXPECT_NE(check({{}, first}, system), "");
}

TEST(Diagram, IsRefusedIfItAsksForVariablesOutOfOrder) {
    TransitionSystem system;
    system.variables = {{"a", 1, 0, false}, {"b", 1, 0, false}, {"c", 1, 0, false}};
    const DiagramTarget inside{true, kInside};
    // One node for each variable; each leads to inside and to the one before it.
    const auto chain = [&](const std::vector<VariableId>& variables) {
        Diagram diagram;
        for (const VariableId variable : variables) {
            diagram.nodes.push_back({variable, {{0, inside}}, diagram.root});
            diagram.root = {false, static_cast<std::uint32_t>(diagram.nodes.size() - 1)};
        }
        return diagram;
    };
    EXPECT_EQ(check(chain({0, 1, 2}), system), "");
    EXPECT_EQ(check(chain({2, 0}), system), "");
    EXPECT_EQ(check(chain({1, 0, 2}), system), "");
    EXPECT_EQ(order_of(chain({1, 0, 2}), 3), (std::vector<VariableId>{2, 0, 1}));
    EXPECT_EQ(order_of(chain({2, 0}), 3), (std::vector<VariableId>{0, 1, 2}));
    EXPECT_NE(check(chain({0, 0}), system), "");
    EXPECT_NE(check(chain({0, 1, 0}), system), "");
    Diagram both = chain({0, 1, 2});  // and a before b on a path of its own
    both.nodes.push_back({1, {{0, inside}}, {}});
    both.nodes.push_back({0, {{0, inside}}, {false, 3}});
    EXPECT_NE(check(both, system), "");
}

}  // namespace
}  // namespace oncecheck

#include "checker/smt/value_sets.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engines/naive_search.h"
#include "tests/smt/systems.h"

namespace oncecheck {
namespace {

using testing::RandomSystem;
using testing::set;
using testing::SystemBuilder;

TEST(ValueSets, HoldWhatGuardsAllowOnly) {
    SystemBuilder build;
    const VariableId count = build.variable("count", 9);
    const VariableId mark = build.variable("mark", 9);
    build.action(ActionKind::kStep, "counts", {less(Expression::variable(count), Expression::constant(3))},
                 {{count, add({Expression::variable(count), truth()}, 9)}});
    build.action(ActionKind::kStep, "never", {equals(count, 4)}, {set(mark, 9)});
    build.action(ActionKind::kFault, "marks", {equals(count, 3)}, {set(mark, 2)});
    const std::optional<ValueSets> sets = reachable_values(build.system(), 100);
    ASSERT_TRUE(sets);
    EXPECT_EQ(*sets, ValueSets({{0, 1, 2, 3}, {0, 2}}));
}

TEST(ValueSets, AreGivenUpWhereOneIsTooLarge) {
    SystemBuilder build;
    const VariableId count = build.variable("count", 1'000'000);
    build.action(ActionKind::kStep, "counts", {}, {{count, add({Expression::variable(count), truth()}, 1'000'000)}});
    EXPECT_EQ(reachable_values(build.system(), 100), std::nullopt);
}

TEST(ValueSets, HoldEveryReachableStateOfRandomSystems) {
    std::size_t strict = 0;
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        const TransitionSystem system = RandomSystem(seed).make();
        const std::optional<ValueSets> sets = reachable_values(system, 100);
        ASSERT_TRUE(sets);
        const NaiveSearch search(system, std::nullopt, 10'000);
        for (const auto& [state, unused] : search.levels()) {
            for (VariableId variable = 0; variable < state.size(); ++variable) {
                EXPECT_TRUE(std::binary_search((*sets)[variable].begin(), (*sets)[variable].end(), state[variable]));
            }
        }
        for (VariableId variable = 0; variable < sets->size(); ++variable) {
            strict += (*sets)[variable].size() <= system.variables[variable].largest ? 1 : 0;
        }
    }
    EXPECT_GT(strict, 50U);
}

}  // namespace
}  // namespace oncecheck

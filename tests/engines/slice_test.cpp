#include "checker/engines/slice.h"

#include <gtest/gtest.h>

namespace oncecheck {
namespace {

Expression variable(VariableId id) { return Expression::variable(id); }

TEST(Slice, KeepsWhatPropertiesReadAndWhatTheseAreComputedFrom) {
    TransitionSystem system;
    system.variables = {{"read", 3, 0, false}, {"source", 3, 0, false}, {"log", 3, 0, false}};
    system.actions = {{ActionKind::kStep, {}, {{0, variable(1)}, {2, variable(0)}}, {}},
                      {ActionKind::kStep, {}, {{1, Expression::constant(2)}}, {}},
                      {ActionKind::kStep, {}, {{2, Expression::constant(1)}}, {}}};
    system.properties = {{"not two", equals(0, 2)}};
    const Slice result = slice(system);
    EXPECT_EQ(result.kept, (std::vector<bool>{true, true, false}));
    ASSERT_EQ(result.actions.size(), 2U);
    EXPECT_EQ(result.actions[0].index, 0U);
    EXPECT_EQ(result.actions[0].assignments.size(), 1U);
    EXPECT_EQ(result.actions[1].index, 1U);
}

TEST(Slice, FreezesVariablesThatNoActionChangesAndDropsWhatCanThenNeverHappen) {
    TransitionSystem system;
    system.variables = {{"mode", 3, 2, false}, {"next", 1, 0, false}, {"count", 3, 0, false}};
    system.actions = {{ActionKind::kStep, {equals(0, 1)}, {{1, Expression::constant(1)}}, {}},
                      {ActionKind::kStep, {equals(1, 1)}, {{2, Expression::constant(3)}}, {}},
                      {ActionKind::kStep, {!equals(0, 3)}, {{2, variable(0)}}, {}}};
    system.properties = {{"count is small", less(variable(0), variable(2))}};
    const Slice result = slice(system);
    EXPECT_EQ(result.kept, (std::vector<bool>{false, false, true}));
    ASSERT_EQ(result.actions.size(), 1U);
    EXPECT_TRUE(result.actions.front().guard.front().is_constant(1));
    EXPECT_TRUE(result.actions.front().assignments.front().value.is_constant(2));
    EXPECT_EQ(result.bad.front(), less(Expression::constant(2), variable(2)));
}

TEST(Slice, TakesAnyConstantButZeroForTrue) {
    TransitionSystem system;
    system.variables = {{"mode", 3, 2, false}, {"count", 1, 0, false}};
    system.actions = {{ActionKind::kStep, {variable(0)}, {{1, Expression::constant(1)}}, {}}};
    system.properties = {{"no count", conjunction({variable(0), variable(1)})}};
    const Slice result = slice(system);
    ASSERT_EQ(result.actions.size(), 1U);
    EXPECT_EQ(result.bad.front(), variable(1));
}

TEST(Slice, KeepsNothingOfASystemThatNobodyAsksAbout) {
    TransitionSystem system;
    system.variables = {{"count", 3, 0, false}};
    system.actions = {{ActionKind::kStep, {}, {{0, Expression::constant(1)}}, {}}};
    const Slice result = slice(system);
    EXPECT_EQ(result.kept, std::vector<bool>{false});
    EXPECT_TRUE(result.actions.empty());
}

}  // namespace
}  // namespace oncecheck

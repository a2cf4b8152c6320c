#include "model/transition/system.h"

#include <gtest/gtest.h>

namespace oncecheck {
namespace {

TransitionSystem valid_system() {
    TransitionSystem system;
    system.variables = {{"a", 3, 2, false}, {"b", 1, 0, false}};
    system.actions = {{ActionKind::kStep, {equals(0, 1)}, {{0, Expression::constant(3)}}, {}}};
    system.properties = {{"never", equals(1, 1)}};
    return system;
}

TEST(TransitionSystem, BeginsWithTheInitialValues) { EXPECT_EQ(valid_system().initial(), (State{2, 0})); }

TEST(TransitionSystem, AcceptsWhatIsInRange) { EXPECT_NO_THROW(validate(valid_system())); }

TEST(TransitionSystem, RefusesAnInitialValueOutOfRange) {
    TransitionSystem system = valid_system();
    system.variables[0].initial = 4;
    EXPECT_THROW(validate(system), InternalError);
}

TEST(TransitionSystem, RefusesVariablesThatDoNotExist) {
    TransitionSystem system = valid_system();
    system.actions[0].guard = {equals(2, 0)};
    EXPECT_THROW(validate(system), InternalError);
    system = valid_system();
    system.properties[0].bad = conjunction({equals(0, 1), equals(7, 0)});
    EXPECT_THROW(validate(system), InternalError);
    system = valid_system();
    system.complete = Expression::variable(2);
    EXPECT_THROW(validate(system), InternalError);
    system = valid_system();
    system.actions[0].assignments[0].variable = 2;
    EXPECT_THROW(validate(system), InternalError);
}

TEST(TransitionSystem, RefusesAssignmentsThatContradictEachOtherOrAreTooLargeOrMissing) {
    TransitionSystem system = valid_system();
    system.actions[0].assignments.push_back({0, Expression::constant(1)});
    EXPECT_THROW(validate(system), InternalError);
    system = valid_system();
    system.actions[0].assignments[0].value = Expression::constant(4);
    EXPECT_THROW(validate(system), InternalError);
    system = valid_system();
    system.actions[0].assignments.clear();
    EXPECT_THROW(validate(system), InternalError);
}

}  // namespace
}  // namespace oncecheck

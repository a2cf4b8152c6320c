#include "checker/smt/unroller.h"

#include <gtest/gtest.h>

#include "tests/smt/systems.h"

namespace oncecheck {
namespace {

using testing::set;
using testing::SystemBuilder;

// Two switches that know nothing of each other, and a lamp that needs both; a bell that nothing needs.
TransitionSystem switches() {
    SystemBuilder build;
    const VariableId left = build.variable("left", 1);
    const VariableId right = build.variable("right", 1);
    const VariableId lamp = build.variable("lamp", 1);
    const VariableId bell = build.variable("bell", 1);
    build.action(ActionKind::kStep, "left", {equals(left, 0)}, {set(left, 1)});
    build.action(ActionKind::kStep, "right", {equals(right, 0)}, {set(right, 1), set(bell, 1)});
    build.action(ActionKind::kStep, "lamp", {equals(left, 1), equals(right, 1), equals(lamp, 0)}, {set(lamp, 1)});
    build.action(ActionKind::kFault, "bell", {equals(lamp, 1)}, {set(bell, 1)});
    build.property("dark", equals(lamp, 1));
    return build.system();
}

TEST(Unroller, TakesIndependentNeighboursInOneOrderOnly) {
    const TransitionSystem system = switches();
    Solver solver(Theory::kFiniteDomain, {});
    Unroller runs(system, solver, 0);
    ASSERT_TRUE(runs.extend());
    ASSERT_TRUE(runs.extend());
    ASSERT_EQ(solver.check(), Answer::kSat);
    EXPECT_EQ(runs.actions_of_model(), (std::vector<std::size_t>{0, 1}));
    TransitionSystem reversed = system;
    std::swap(reversed.actions[0], reversed.actions[1]);
    Solver second(Theory::kFiniteDomain, {});
    Unroller others(reversed, second, 0);
    ASSERT_TRUE(others.extend());
    ASSERT_TRUE(others.extend());
    ASSERT_EQ(second.check(), Answer::kSat);
    EXPECT_EQ(others.actions_of_model(), (std::vector<std::size_t>{0, 1}));
}

TEST(Unroller, LeavesOutWhatNoPropertyDependsOn) {
    const TransitionSystem system = switches();
    EXPECT_EQ(cone_of_influence(system, {system.properties[0].bad}), (VariableSet{true, true, true, false}));
    Solver solver(Theory::kFiniteDomain, {});
    Unroller runs(system, solver, 5);
    while (runs.extend() && solver.check() == Answer::kSat) {
        ASSERT_LE(runs.depth(), 3);
    }
    EXPECT_FALSE(runs.budget_matters());
}

TEST(Unroller, EncodesNoActionBeforeItIsPossible) {
    const TransitionSystem system = switches();
    Solver solver(Theory::kFiniteDomain, {});
    Unroller runs(system, solver, 0);
    EXPECT_TRUE(runs.last(system.properties[0].bad).is_false());
    ASSERT_TRUE(runs.extend());
    EXPECT_TRUE(runs.last(system.properties[0].bad).is_false());
}

TEST(Unroller, TellsWhenTheBudgetKeepsAFaultFromHappening) {
    SystemBuilder build;
    const VariableId count = build.variable("count", 3);
    build.action(ActionKind::kFault, "fails", {}, {{count, add({Expression::variable(count), truth()}, 3)}});
    build.property("few", equals(count, 3));
    Solver none(Theory::kFiniteDomain, {});
    Unroller without(build.system(), none, 0);
    EXPECT_FALSE(without.extend());
    EXPECT_TRUE(without.budget_matters());
    Solver solver(Theory::kFiniteDomain, {});
    Unroller runs(build.system(), solver, 2);
    ASSERT_TRUE(runs.extend());
    ASSERT_TRUE(runs.extend());
    ASSERT_EQ(solver.check(), Answer::kSat);
    EXPECT_TRUE(solver.is_true(runs.faults_at_least(2)));
    EXPECT_TRUE(!runs.extend() || solver.check() == Answer::kUnsat);
}

TEST(Unroller, RulesOutRepetitionsOnRequest) {
    SystemBuilder build;
    const VariableId light = build.variable("light", 1);
    build.action(ActionKind::kStep, "switches", {}, {{light, !Expression::variable(light)}});
    build.property("dark", equals(light, 1));
    Solver solver(Theory::kFiniteDomain, {});
    Unroller runs(build.system(), solver, 0);
    ASSERT_TRUE(runs.extend());
    ASSERT_TRUE(runs.extend());
    ASSERT_EQ(solver.check(), Answer::kSat);
    runs.forbid_repetition(0, 2);
    EXPECT_EQ(solver.check(), Answer::kUnsat);
}

TEST(Unroller, TakesIndependentActionsInAnyOrderFromAnyState) {
    SystemBuilder build;
    const VariableId first = build.variable("first", 1);
    const VariableId second = build.variable("second", 1);
    build.action(ActionKind::kFault, "first", {equals(first, 0)}, {{first, truth()}});
    build.action(ActionKind::kFault, "second", {equals(second, 0)}, {{second, truth()}});
    build.property("both", conjunction({equals(first, 1), equals(second, 1)}));
    Solver solver(Theory::kFiniteDomain, {});
    Unroller runs(build.system(), solver, ValueSets(2, ValueSet{0, 1}));
    ASSERT_TRUE(runs.extend());
    ASSERT_TRUE(runs.extend());
    solver.add(runs.at(1, equals(second, 1)));
    ASSERT_EQ(solver.check(), Answer::kSat);
    EXPECT_EQ(runs.state_of_model(0), State({0, 0}));
    EXPECT_EQ(runs.state_of_model(1), State({0, 1}));
    EXPECT_EQ(runs.actions_of_model(), std::vector<std::size_t>({1, 0}));
}

TEST(Footprint, ActionsThatTouchTheSameVariableAreDependent) {
    const TransitionSystem system = switches();
    const VariableSet all(4, true);
    std::vector<Footprint> prints;
    for (const Action& action : system.actions) {
        prints.push_back(footprint(action, all));
    }
    EXPECT_TRUE(independent(prints[0], prints[1]));
    EXPECT_FALSE(independent(prints[0], prints[2]));
    EXPECT_FALSE(independent(prints[1], prints[3]));
    EXPECT_FALSE(independent(prints[2], prints[3]));
}

}  // namespace
}  // namespace oncecheck

#include "model/transition/evaluator.h"

#include <gtest/gtest.h>

namespace oncecheck {
namespace {

const Expression kA = Expression::variable(0);
const Expression kB = Expression::variable(1);

TEST(Evaluator, ComputesEveryOperator) {
    const State state{2, 5, 0, 1};
    const Expression zero = Expression::variable(2);
    const Expression one = Expression::variable(3);
    EXPECT_EQ(evaluate(Expression::constant(7), state), 7U);
    EXPECT_EQ(evaluate(kB, state), 5U);
    EXPECT_EQ(evaluate(!zero, state), 1U);
    EXPECT_EQ(evaluate(conjunction({one, zero}), state), 0U);
    EXPECT_EQ(evaluate(disjunction({one, zero}), state), 1U);
    EXPECT_EQ(evaluate(equal(kA, kB), state), 0U);
    EXPECT_EQ(evaluate(less(kA, kB), state), 1U);
    EXPECT_EQ(evaluate(less(kB, kA), state), 0U);
    EXPECT_EQ(evaluate(choose(one, kA, kB), state), 2U);
    EXPECT_EQ(evaluate(choose(zero, kA, kB), state), 5U);
    EXPECT_EQ(evaluate(add({kA, kB}, 9), state), 7U);
    EXPECT_EQ(evaluate(add({kA, kB}, 6), state), 6U);
}

// Two steps: count, then swap.
TransitionSystem counting_system() {
    TransitionSystem system;
    system.variables = {{"a", 3, 0, false}, {"b", 3, 1, false}};
    system.actions = {
        {ActionKind::kStep, {less(kA, kB)}, {{0, add({kA, Expression::constant(2)}, 3)}}, {}},
        {ActionKind::kFault, {less(kB, kA)}, {{0, kB}, {1, kA}}, {}},
    };
    return system;
}

TEST(Evaluator, DoesAllAssignmentsAtOnce) {
    const TransitionSystem system = counting_system();
    EXPECT_EQ(perform(system.actions[1], State{2, 1}), (State{1, 2}));
}

TEST(Evaluator, ReplaysARunOfTheSystem) {
    const TransitionSystem system = counting_system();
    const Trace trace{.initial = {0, 1}, .steps = {{0, {2, 1}}, {1, {1, 2}}, {0, {3, 2}}}};
    EXPECT_EQ(replay(system, trace), std::nullopt);
    EXPECT_EQ(fault_count(system, trace), 1U);
    EXPECT_EQ(trace.last(), (State{3, 2}));
}

TEST(Evaluator, RefusesWhatIsNoRunOfTheSystem) {
    const TransitionSystem system = counting_system();
    EXPECT_TRUE(replay(system, {.initial = {1, 1}, .steps = {}}));
    EXPECT_TRUE(replay(system, {.initial = {0, 1}, .steps = {{1, {1, 0}}}}));
    EXPECT_TRUE(replay(system, {.initial = {0, 1}, .steps = {{0, {1, 1}}}}));
    EXPECT_TRUE(replay(system, {.initial = {0, 1}, .steps = {{2, {2, 1}}}}));
}

}  // namespace
}  // namespace oncecheck

#include "checker/smt/encoder.h"

#include <gtest/gtest.h>

#include "checker/smt/solver.h"
#include "model/transition/evaluator.h"
#include "tests/smt/systems.h"

namespace oncecheck {
namespace {

using testing::RandomSystem;

// Calls `visit` with every state of the system's variables.
template <typename Visit>
void for_all_states(const TransitionSystem& system, const Visit& visit) {
    State state(system.variables.size());
    while (true) {
        visit(state);
        std::size_t variable = 0;
        while (variable < state.size() && state[variable] == system.variables[variable].largest) {
            state[variable++] = 0;
        }
        if (variable == state.size()) {
            return;
        }
        ++state[variable];
    }
}

// Every value of every variable, each with a literal of its own.
std::vector<Cases> free_cases(const TransitionSystem& system, z3::context& context) {
    std::vector<Cases> result;
    for (std::size_t variable = 0; variable < system.variables.size(); ++variable) {
        Cases& cases = result.emplace_back();
        for (Value value = 0; value <= system.variables[variable].largest; ++value) {
            const std::string name = std::to_string(variable) + "=" + std::to_string(value);
            cases.push_back({value, context.bool_const(name.c_str())});
        }
    }
    return result;
}

TEST(Encoder, FoldsConstantStatesToWhatTheEvaluatorSays) {
    z3::context context;
    const Encoder encoder(context);
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        RandomSystem random(seed);
        const TransitionSystem system = random.make();
        const Expression condition = random.condition(3);
        const Expression value = random.value(3, 3);
        for_all_states(system, [&](const State& state) {
            std::vector<Cases> cases;
            for (const Value now : state) {
                cases.push_back({{now, context.bool_val(true)}});
            }
            const Valuation valuation(cases);
            const z3::expr truth = encoder.truth(condition, valuation);
            EXPECT_TRUE(evaluate(condition, state) != 0 ? truth.is_true() : truth.is_false()) << condition;
            const Cases encoded = encoder.cases(value, valuation);
            ASSERT_EQ(encoded.size(), 1U) << value;
            EXPECT_EQ(encoded[0].value, evaluate(value, state)) << value;
        });
    }
}

TEST(Encoder, GivesExactlyTheCaseThatTheEvaluatorSaysInEveryState) {
    for (std::uint32_t seed = 100; seed < 115; ++seed) {
        RandomSystem random(seed);
        const TransitionSystem system = random.make();
        const Expression value = random.value(3, 3);
        Solver solver(Theory::kFiniteDomain, {});
        const Encoder encoder(solver.terms());
        const std::vector<Cases> variables = free_cases(system, solver.terms());
        const Cases encoded = encoder.cases(value, Valuation(variables));
        for_all_states(system, [&](const State& state) {
            std::vector<z3::expr> assumptions;
            for (std::size_t variable = 0; variable < state.size(); ++variable) {
                for (const Case& candidate : variables[variable]) {
                    assumptions.push_back(candidate.value == state[variable] ? candidate.when : !candidate.when);
                }
            }
            ASSERT_EQ(solver.check(assumptions), Answer::kSat);
            for (const Case& candidate : encoded) {
                EXPECT_EQ(solver.is_true(candidate.when), candidate.value == evaluate(value, state)) << value;
            }
        });
    }
}

TEST(Encoder, FoldsWhatCannotBeAway) {
    z3::context context;
    const Encoder encoder(context);
    const z3::expr a = context.bool_const("a");
    EXPECT_TRUE(encoder.both(a, encoder.negation(a)).is_false());
    EXPECT_TRUE(encoder.either(a, encoder.negation(a)).is_true());
    EXPECT_TRUE(z3::eq(encoder.both(a, encoder.constant(true)), a));
    EXPECT_TRUE(encoder.any({}).is_false());
    const std::vector<Cases> variables{{{1, a}, {4, encoder.negation(a)}}};
    EXPECT_TRUE(encoder.truth(equals(0, 3), Valuation(variables)).is_false());
    EXPECT_TRUE(encoder.truth(!equals(0, 0), Valuation(variables)).is_true());
}

TEST(Encoder, KeepsTheValuesThatSatisfyACondition) {
    z3::context context;
    const Encoder encoder(context);
    const std::vector<Cases> variables{
        {{0, context.bool_const("a")}, {2, context.bool_const("b")}, {5, context.bool_const("c")}}};
    const Expression condition = less(Expression::constant(1), Expression::variable(0));
    const Cases left = encoder.satisfying(condition, 0, Valuation(variables));
    ASSERT_EQ(left.size(), 2U);
    EXPECT_EQ(left[0].value, 2U);
    EXPECT_EQ(left[1].value, 5U);
}

}  // namespace
}  // namespace oncecheck

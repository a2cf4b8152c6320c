#include "checker/smt/solver.h"

#include <gtest/gtest.h>

namespace oncecheck {
namespace {

// One more pigeon than holes: unsatisfiable, and hard for a SAT solver.
void add_pigeons(Solver& solver, int holes) {
    const auto sits = [&](int pigeon, int hole) {
        return solver.terms().bool_const((std::to_string(pigeon) + "in" + std::to_string(hole)).c_str());
    };
    for (int pigeon = 0; pigeon <= holes; ++pigeon) {
        z3::expr_vector somewhere(solver.terms());
        for (int hole = 0; hole < holes; ++hole) {
            somewhere.push_back(sits(pigeon, hole));
            for (int other = 0; other < pigeon; ++other) {
                solver.add(!sits(pigeon, hole) || !sits(other, hole));
            }
        }
        solver.add(z3::mk_or(somewhere));
    }
}

TEST(Solver, AnswersSatWithAModel) {
    Solver solver(Theory::kFiniteDomain, {});
    const z3::expr a = solver.terms().bool_const("a");
    const z3::expr b = solver.terms().bool_const("b");
    solver.add(a && !b);
    ASSERT_EQ(solver.check(), Answer::kSat);
    EXPECT_TRUE(solver.is_true(a));
    EXPECT_FALSE(solver.is_true(b));
}

TEST(Solver, AnswersUnsatWithTheAssumptionsThatContradict) {
    Solver solver(Theory::kFiniteDomain, {});
    const z3::expr a = solver.terms().bool_const("a");
    const z3::expr b = solver.terms().bool_const("b");
    const z3::expr c = solver.terms().bool_const("c");
    solver.add(!a || !c);
    const std::vector<z3::expr> assumptions{a, b, c};
    ASSERT_EQ(solver.check(assumptions), Answer::kUnsat);
    EXPECT_EQ(solver.core(), (std::vector<std::size_t>{0, 2}));
    EXPECT_EQ(solver.check(), Answer::kSat);
}

TEST(Solver, AnswersUnknownWhenItsResourcesAreSpent) {
    for (const unsigned resources : {1U, 10U, 1000U}) {
        Solver solver(Theory::kFiniteDomain, {resources, {}, 0});
        add_pigeons(solver, 9);
        EXPECT_EQ(solver.check(), Answer::kUnknown) << resources;
        EXPECT_NE(solver.reason(), "");
    }
}

TEST(Solver, AnswersUnknownAfterATimeOut) {
    Solver solver(Theory::kFiniteDomain, {0, std::chrono::milliseconds(50), 0});
    add_pigeons(solver, 14);
    EXPECT_EQ(solver.check(), Answer::kUnknown);
}

TEST(Solver, AnswersAgainOnceTheLimitsAreLifted) {
    Solver solver(Theory::kFiniteDomain, {1, {}, 0});
    add_pigeons(solver, 4);
    EXPECT_EQ(solver.check(), Answer::kUnknown);
    solver.limit({});
    EXPECT_EQ(solver.check(), Answer::kUnsat);
}

TEST(Solver, TurnsWhatZ3ThrowsIntoASolverError) {
    Solver solver(Theory::kFiniteDomain, {});
    EXPECT_THROW(translating_errors([&] { return solver.terms().parse_string("(assert undeclared)"); }), SolverError);
}

TEST(Solver, ReadsIntegersThatFit) {
    Solver solver(Theory::kArithmetic, {});
    const z3::expr x = solver.terms().int_const("x");
    const z3::expr y = solver.terms().int_const("y");
    solver.add(x == solver.terms().int_val(std::int64_t{604'800'000}) && y == x * x * x);
    ASSERT_EQ(solver.check(), Answer::kSat);
    EXPECT_EQ(solver.integer(x), 604'800'000);
    EXPECT_EQ(solver.integer(y), std::nullopt);
}

}  // namespace
}  // namespace oncecheck

#include "checker/smt/formula_solver.h"

#include <gtest/gtest.h>

namespace oncecheck {
namespace {

std::vector<Claim> claims(std::initializer_list<const char*> texts) {
    std::vector<Claim> result;
    for (const char* text : texts) {
        result.push_back({Formula::parse(text), true});
    }
    return result;
}

TEST(FormulaSolver, TakesNamesForTimesThatAreNotNegative) {
    FormulaSolver solver;
    EXPECT_EQ(solver.check(claims({"a < 0"})), Answer::kUnsat);
    EXPECT_EQ(solver.check(claims({"a <= 0"})), Answer::kSat);
    EXPECT_EQ(solver.value("a"), 0);
}

TEST(FormulaSolver, CombinesWhatIsRequiredWithClaims) {
    FormulaSolver solver;
    solver.require({Formula::parse("a < b and b < 10"), true});
    solver.require({Formula::parse("a = 3"), false});
    EXPECT_EQ(solver.check(claims({"a > 7"})), Answer::kSat);
    EXPECT_EQ(solver.check(claims({"a > 8"})), Answer::kUnsat);
    EXPECT_EQ(solver.check(claims({"a = 3"})), Answer::kUnsat);
    EXPECT_EQ(solver.check(), Answer::kSat);
}

TEST(FormulaSolver, NamesOnlyClaimsThatContradict) {
    FormulaSolver solver;
    const std::vector<Claim> all = claims({"c > 1", "a > 5", "b = 2", "a + b < 7", "a < 100"});
    ASSERT_EQ(solver.check(all), Answer::kUnsat);
    EXPECT_EQ(solver.minimal_core(all), (std::vector<std::size_t>{1, 2, 3}));
}

TEST(FormulaSolver, FindsTheLeastTimeExactly) {
    FormulaSolver solver;
    const std::vector<Claim> wanted = claims({"a * 3 > 1814400000", "a != 604800001"});
    const FormulaSolver::Least least = solver.least("a", wanted);
    EXPECT_EQ(least.answer, Answer::kSat);
    EXPECT_EQ(least.value, 604'800'002);
    EXPECT_EQ(solver.least("a", claims({"a < 0"})).answer, Answer::kUnsat);
}

TEST(FormulaSolver, HasNoOrderAndNoEqualityBetweenKinds) {
    FormulaSolver solver;
    for (const char* text : {"a = 'x'", "a < 'x'", "a >= unset", "a = unset", "a starts_with 'x'", "a in ('x', 'y')",
                             "a = true", "a > true"}) {
        EXPECT_EQ(solver.check(claims({text})), Answer::kUnsat) << text;
    }
    EXPECT_EQ(solver.check(claims({"a != 'x'", "a != unset", "a in ('x', 4)", "(a > 3) = true"})), Answer::kSat);
    EXPECT_EQ(solver.value("a"), 4);
    EXPECT_FALSE(solver.is_open());
}

TEST(FormulaSolver, SaysThatATruthIsOpen) {
    for (const char* text : {"a", "a + 'x' < 3", "not a", "a or b < 0"}) {
        FormulaSolver solver;
        EXPECT_EQ(solver.check(claims({text})), Answer::kSat) << text;
        EXPECT_TRUE(solver.is_open()) << text;
    }
}

TEST(FormulaSolver, DoesNotAnswerWhatItCannotDecide) {
    FormulaSolver solver({200'000, std::chrono::milliseconds(300), 0});
    const std::vector<Claim> cubes = claims({"a > 0", "b > 0", "a * a * a + b * b * b = c * c * c"});
    EXPECT_EQ(solver.check(cubes), Answer::kUnknown);
    EXPECT_NE(solver.reason(), "");
    EXPECT_EQ(solver.least("c", cubes).answer, Answer::kUnknown);
}

}  // namespace
}  // namespace oncecheck

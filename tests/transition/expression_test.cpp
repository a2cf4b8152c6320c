#include "model/transition/expression.h"

#include <gtest/gtest.h>

#include <sstream>

namespace oncecheck {
namespace {

const Expression kA = Expression::variable(0);
const Expression kB = Expression::variable(1);
const Expression kC = Expression::variable(2);

std::string text(const Expression& expression) {
    std::ostringstream out;
    out << expression;
    return out.str();
}

TEST(Expression, DropsNeutralAndRepeatedOperandsAndFlattens) {
    EXPECT_EQ(conjunction({kA, truth(), kA}), kA);
    EXPECT_EQ(text(conjunction({kA, conjunction({kB, kC})})), "(and v0 v1 v2)");
    EXPECT_EQ(text(disjunction({kA, disjunction({kB, kC}), falsity()})), "(or v0 v1 v2)");
    EXPECT_EQ(conjunction({}), truth());
    EXPECT_EQ(disjunction({}), falsity());
}

TEST(Expression, FoldsAbsorbingOperands) {
    EXPECT_EQ(conjunction({kA, falsity(), kB}), falsity());
    EXPECT_EQ(disjunction({kA, truth(), kB}), truth());
}

TEST(Expression, FoldsNegationsAndComparisons) {
    EXPECT_EQ(!!kA, kA);
    EXPECT_EQ(!truth(), falsity());
    EXPECT_EQ(equal(kA, kA), truth());
    EXPECT_EQ(equal(Expression::constant(1), Expression::constant(2)), falsity());
    EXPECT_EQ(less(kA, kA), falsity());
    EXPECT_EQ(less(kA, Expression::constant(0)), falsity());
    EXPECT_EQ(less(Expression::constant(1), Expression::constant(2)), truth());
}

TEST(Expression, FoldsChoicesThatAreNone) {
    EXPECT_EQ(choose(truth(), kA, kB), kA);
    EXPECT_EQ(choose(falsity(), kA, kB), kB);
    EXPECT_EQ(choose(kC, kA, kA), kA);
}

TEST(Expression, AddsConstantsUpToTheCap) {
    EXPECT_EQ(add({Expression::constant(2), Expression::constant(2)}, 3), Expression::constant(3));
    EXPECT_EQ(add({equals(0, 2), Expression::constant(0)}, 3), equals(0, 2));
    EXPECT_EQ(text(add({kA, Expression::constant(0)}, 3)), "(add v0)");
    EXPECT_EQ(text(add({Expression::constant(1), kA, Expression::constant(1)}, 3)), "(add v0 2)");
    EXPECT_EQ(text(add({kA, kA}, 3)), "(add v0 v0)");
}

TEST(Expression, ComparesByStructure) {
    EXPECT_EQ(equals(0, 2), equals(0, 2));
    EXPECT_FALSE(equals(0, 2) == equals(0, 1));
    EXPECT_FALSE(add({kA, kB}, 2) == add({kA, kB}, 3));
}

TEST(Expression, NamesItsVariablesSortedAndOnce) {
    EXPECT_EQ(variables_of(choose(equal(kC, kA), kC, kA)), (std::vector<VariableId>{0, 2}));
    EXPECT_TRUE(variables_of(truth()).empty());
}

}  // namespace
}  // namespace oncecheck

#include "model/catalogue/formula.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace oncecheck {
namespace {

FormulaOperator root(const std::string& text) { return Formula::parse(text).node().op; }

// The message of the refusal, or an empty string if the text parses.
std::string refusal(const std::string& text) {
    try {
        (void)Formula::parse(text);
        return {};
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

TEST(FormulaGrammar, BindsOrLooserThanAndLooserThanNot) {
    const Formula formula = Formula::parse("a or not b and c");
    ASSERT_EQ(formula.node().op, FormulaOperator::kOr);
    const Formula& conjunction = formula.node().operands[1];
    ASSERT_EQ(conjunction.node().op, FormulaOperator::kAnd);
    EXPECT_EQ(conjunction.node().operands[0].node().op, FormulaOperator::kNot);
}

TEST(FormulaGrammar, BindsComparisonsLooserThanSumsLooserThanProducts) {
    const Formula formula = Formula::parse("a + b * 2 < c");
    ASSERT_EQ(formula.node().op, FormulaOperator::kLess);
    const Formula& sum = formula.node().operands[0];
    ASSERT_EQ(sum.node().op, FormulaOperator::kAdd);
    EXPECT_EQ(sum.node().operands[1].node().op, FormulaOperator::kMultiply);
}

TEST(FormulaGrammar, PutsTheOperandsOfOneChainSideBySide) {
    EXPECT_EQ(Formula::parse("a and b and c").node().operands.size(), 3U);
    EXPECT_EQ(Formula::parse("a or b or c or d").node().operands.size(), 4U);
}

TEST(FormulaGrammar, SubtractsFromTheLeft) {
    const Formula formula = Formula::parse("10 - 3 - 2");
    EXPECT_EQ(formula.node().operands[0].node().op, FormulaOperator::kSubtract);
    EXPECT_EQ(std::get<std::int64_t>(formula.node().operands[1].node().constant), 2);
}

TEST(FormulaGrammar, ReadsEveryComparison) {
    EXPECT_EQ(root("a = 1"), FormulaOperator::kEqual);
    EXPECT_EQ(root("a != 1"), FormulaOperator::kNotEqual);
    EXPECT_EQ(root("a < 1"), FormulaOperator::kLess);
    EXPECT_EQ(root("a <= 1"), FormulaOperator::kLessEqual);
    EXPECT_EQ(root("a > 1"), FormulaOperator::kGreater);
    EXPECT_EQ(root("a >= 1"), FormulaOperator::kGreaterEqual);
    EXPECT_EQ(root("a starts_with 'hdfs:'"), FormulaOperator::kStartsWith);
    EXPECT_EQ(root("a in ('x', 'y')"), FormulaOperator::kIn);
}

TEST(FormulaGrammar, ReadsVendorNamesWithDotsDashesAndUnderscores) {
    const Formula formula = Formula::parse("spark.task.maxFailures = 1 and a_b-c.d");
    EXPECT_EQ(formula.names(), (std::vector<std::string>{"a_b-c.d", "spark.task.maxFailures"}));
}

TEST(FormulaGrammar, ReadsConstantsOfEveryKind) {
    EXPECT_EQ(Formula::parse("-1").node().constant, FormulaValue(std::int64_t{-1}));
    EXPECT_EQ(Formula::parse("'it is'").node().constant, FormulaValue(std::string("it is")));
    EXPECT_EQ(Formula::parse("true").node().constant, FormulaValue(true));
    EXPECT_EQ(Formula::parse("unset").node().constant, FormulaValue(std::monostate{}));
}

TEST(FormulaGrammar, ListsEachNameOnceInOrder) {
    EXPECT_EQ(Formula::parse("b > 1 or (a and b < 3)").names(), (std::vector<std::string>{"a", "b"}));
}

TEST(FormulaGrammar, KeepsTheTextOfEveryPart) {
    const Formula formula = Formula::parse("a > 1 and (b or c)");
    EXPECT_EQ(formula.text(), "a > 1 and (b or c)");
    EXPECT_EQ(formula.node().operands[0].text(), "a > 1");
    EXPECT_EQ(formula.node().operands[1].text(), "b or c");
}

TEST(FormulaGrammar, NamesTheColumnOfAMistake) {
    EXPECT_EQ(refusal("a and"), "column 6: expected a value");
    EXPECT_EQ(refusal("a < b < c"), "column 7: expected an operator or the end");
    EXPECT_EQ(refusal("(a or b"), "column 8: expected ')'");
    EXPECT_EQ(refusal("a = 'x"), "column 7: expected a closing quote");
    EXPECT_EQ(refusal("a in b"), "column 6: expected '('");
    EXPECT_EQ(refusal("a < 5min"), "column 6: expected a number without a suffix");
    EXPECT_EQ(refusal("a < 99999999999999999999"), "column 5: expected a number of at most 64 bits");
}

TEST(FormulaGrammar, RefusesWhatIsNoFormula) {
    for (const char* const text :
         {"", " ", "and", "a b", "a = = b", "not", "a in ()", "a in ('x'", "#", "a ! b", "1 +"}) {
        EXPECT_NE(refusal(text), "") << text;
    }
}

TEST(FormulaGrammar, BoundsNestingAndChains) {
    EXPECT_EQ(refusal(std::string(20, '(') + "a" + std::string(20, ')')), "");
    EXPECT_NE(refusal(std::string(100'000, '(') + "a" + std::string(100'000, ')')), "");
    std::string negations;
    std::string sum = "1";
    for (int i = 0; i < 10'000; ++i) {
        negations += "not ";
        sum += " + 1";
    }
    EXPECT_NE(refusal(negations + "a"), "");
    EXPECT_NE(refusal(sum + " = 1"), "");
}

}  // namespace
}  // namespace oncecheck

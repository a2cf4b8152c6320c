#include <gtest/gtest.h>

#include <map>

#include "model/catalogue/formula.h"

namespace oncecheck {
namespace {

// t and f are known truth values, u is unknown, gone is unset, n is 10, s is 'abc', v is '3.10'.
std::optional<FormulaValue> sample(const std::string& name) {
    static const std::map<std::string, FormulaValue> kValues = {{"t", true},
                                                                {"f", false},
                                                                {"gone", std::monostate{}},
                                                                {"n", std::int64_t{10}},
                                                                {"s", std::string("abc")},
                                                                {"v", std::string("3.10")}};
    const auto value = kValues.find(name);
    return value == kValues.end() ? std::nullopt : std::optional<FormulaValue>(value->second);
}

char truth(const std::string& text) {
    const std::optional<bool> value = holds(Formula::parse(text), sample);
    return value ? (*value ? 't' : 'f') : 'u';
}

// The table of an operator over t, f, u, row by row.
std::string table(const std::string& op) {
    std::string result;
    for (const char* const left : {"t", "f", "u"}) {
        for (const char* const right : {"t", "f", "u"}) {
            result += truth(std::string(left) + " " + op + " " + right);
        }
    }
    return result;
}

TEST(FormulaEvaluation, ConjunctionIsFalseWhereOneSideIsFalse) { EXPECT_EQ(table("and"), "tfufffufu"); }

TEST(FormulaEvaluation, DisjunctionIsTrueWhereOneSideIsTrue) { EXPECT_EQ(table("or"), "ttttfutuu"); }

TEST(FormulaEvaluation, NegationKeepsTheUnknown) {
    EXPECT_EQ(truth("not t"), 'f');
    EXPECT_EQ(truth("not f"), 't');
    EXPECT_EQ(truth("not u"), 'u');
}

TEST(FormulaEvaluation, AComparisonWithAnUnknownIsUnknown) {
    for (const char* const text :
         {"u = 1", "1 != u", "u < 3", "3 >= u", "u starts_with 'a'", "n < u + 1", "u = unset"}) {
        EXPECT_EQ(truth(text), 'u') << text;
    }
}

TEST(FormulaEvaluation, ComparesNumbers) {
    EXPECT_EQ(truth("n = 10 and n < 11 and n <= 10 and n > 9 and n >= 10 and n != 11"), 't');
    EXPECT_EQ(truth("n < 10 or n > 10 or n != 10"), 'f');
}

TEST(FormulaEvaluation, OrdersTextsAsVersions) {
    EXPECT_EQ(truth("v > '3.9'"), 't');
    EXPECT_EQ(truth("v >= '3.10' and v <= '3.10'"), 't');
    EXPECT_EQ(truth("v < '4'"), 't');
}

TEST(FormulaEvaluation, NoOrderHoldsBetweenKinds) {
    for (const char* const text : {"gone < 3", "gone >= 3", "s < 3", "s >= 3", "t < 3", "t <= f", "gone <= gone"}) {
        EXPECT_EQ(truth(text), 'f') << text;
    }
}

TEST(FormulaEvaluation, EqualityComparesKindsToo) {
    EXPECT_EQ(truth("gone = unset"), 't');
    EXPECT_EQ(truth("n = unset"), 'f');
    EXPECT_EQ(truth("n != unset"), 't');
    EXPECT_EQ(truth("n = '10'"), 'f');
    EXPECT_EQ(truth("s = 'abc'"), 't');
}

TEST(FormulaEvaluation, FindsPrefixesOfTextsOnly) {
    EXPECT_EQ(truth("s starts_with 'ab'"), 't');
    EXPECT_EQ(truth("s starts_with 'b'"), 'f');
    EXPECT_EQ(truth("gone starts_with 'a'"), 'f');
}

TEST(FormulaEvaluation, MembershipIsDecidedByAMatchAndElseByWhatIsKnown) {
    EXPECT_EQ(truth("s in ('x', 'abc')"), 't');
    EXPECT_EQ(truth("s in ('x', 'y')"), 'f');
    EXPECT_EQ(truth("s in (u, 'abc')"), 't');
    EXPECT_EQ(truth("s in (u, 'x')"), 'u');
    EXPECT_EQ(truth("u in ('x')"), 'u');
}

TEST(FormulaEvaluation, Calculates) {
    EXPECT_EQ(truth("n * 2 + 1 = 21"), 't');
    EXPECT_EQ(truth("n - 3 - 2 = 5"), 't');
    EXPECT_EQ(truth("2 * (n - 3) = 14"), 't');
}

TEST(FormulaEvaluation, ArithmeticOnAnythingButNumbersIsUnknown) {
    EXPECT_EQ(truth("s + 1 = 2"), 'u');
    EXPECT_EQ(truth("gone * 2 > 0"), 'u');
    EXPECT_EQ(truth("9223372036854775807 + n > 0"), 'u');
}

TEST(FormulaEvaluation, AValueThatIsNoTruthValueCountsAsUnknown) {
    EXPECT_EQ(truth("n"), 'u');
    EXPECT_EQ(truth("s and t"), 'u');
    EXPECT_EQ(truth("s and f"), 'f');
}

TEST(FormulaEvaluation, KnowsNothingWithoutAnEnvironment) {
    EXPECT_EQ(holds(Formula::parse("a"), FormulaEnvironment()), std::nullopt);
    EXPECT_EQ(holds(Formula::parse("1 < 2"), FormulaEnvironment()), true);
}

}  // namespace
}  // namespace oncecheck

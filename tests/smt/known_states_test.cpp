#include "checker/smt/known_states.h"

#include <gtest/gtest.h>

#include "tests/smt/systems.h"

namespace oncecheck {
namespace {

using testing::set;
using testing::SystemBuilder;

// Three variables of three values, all of them in the cone.
TransitionSystem three_by_three() {
    SystemBuilder build;
    std::vector<Expression> bad;
    for (const std::string name : {"a", "b", "c"}) {
        const VariableId variable = build.variable(name, 2);
        build.action(ActionKind::kStep, "any", {}, {set(variable, 2)});
        build.action(ActionKind::kStep, "any", {}, {set(variable, 1)});
        bad.push_back(equals(variable, 2));
    }
    build.property("p", conjunction(bad));
    return build.system();
}

class KnownStatesTest : public ::testing::Test {
  protected:
    KnownStatesTest()
        : system_(three_by_three()),
          vocabulary_(system_, VariableSet(3, true), ValueSets(3, ValueSet{0, 1, 2})),
          known_(vocabulary_) {}

    [[nodiscard]] std::vector<Cube> around(const State& state, std::size_t most_literals) const {
        return known_.excluded_around(vocabulary_.literals_of(state), most_literals, 10);
    }
    void know(const State& state) { (void)known_.add(vocabulary_.literals_of(state)); }

    TransitionSystem system_;
    Vocabulary vocabulary_;
    KnownStates known_;
};

TEST_F(KnownStatesTest, ExcludeAValueThatNoneOfThemHas) {
    know({0, 0, 0});
    know({1, 1, 0});
    EXPECT_EQ(around({2, 0, 0}, 3), std::vector<Cube>{{vocabulary_.literals_of({2, 0, 0})[0]}});
}

TEST_F(KnownStatesTest, ExcludeOnlyCubesOfTheFewestLiterals) {
    know({0, 0, 0});
    know({1, 1, 0});
    const Cube state = vocabulary_.literals_of({0, 1, 0});
    EXPECT_EQ(around({0, 1, 0}, 1), std::vector<Cube>{});
    EXPECT_EQ(around({0, 1, 0}, 3), std::vector<Cube>({{state[0], state[1]}}));
}

TEST_F(KnownStatesTest, ExcludeNothingAroundOneOfThem) {
    know({0, 1, 2});
    EXPECT_EQ(around({0, 1, 2}, 3), std::vector<Cube>{});
}

TEST_F(KnownStatesTest, AreToldFromNewOnes) {
    EXPECT_TRUE(known_.add({0, 3, 6}));
    EXPECT_FALSE(known_.add({0, 3, 6}));
    EXPECT_EQ(known_.size(), 1U);
}

TEST_F(KnownStatesTest, BeyondAWordOfBitsAreSeen) {
    for (Value value = 0; value < 100; ++value) {
        know({value % 3, (value / 3) % 3, (value / 9) % 2});
    }
    EXPECT_EQ(around({2, 2, 1}, 3), std::vector<Cube>{});
    EXPECT_EQ(around({2, 2, 2}, 3), std::vector<Cube>{{vocabulary_.literals_of({2, 2, 2})[2]}});
}

TEST(Vocabulary, HasComparisonsBetweenVariablesAndBoundsOfLargeOnes) {
    SystemBuilder build;
    const VariableId a = build.variable("a", 9);
    const VariableId b = build.variable("b", 9);
    const VariableId small = build.variable("small", 1);
    const VariableId outside = build.variable("outside", 5);
    const Expression between = less(Expression::variable(a), Expression::variable(b));
    const Expression bound = less(Expression::variable(a), Expression::constant(7));
    build.action(ActionKind::kStep, "step", {bound, less(Expression::variable(small), truth())}, {set(b, 3)});
    build.action(ActionKind::kStep, "away", {less(Expression::variable(outside), Expression::constant(3))},
                 {set(outside, 1)});
    build.property("p", between);
    ValueSet digits{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const Vocabulary vocabulary(build.system(), {true, true, true, false},
                                {digits, digits, {0, 1}, {0, 1, 2, 3, 4, 5}});
    EXPECT_EQ(vocabulary.feature_count(), 5U);  // a, b, small, a < b, a < 7
    const Cube literals = vocabulary.literals_of({4, 5, 0, 0});
    EXPECT_EQ(literals.size(), 5U);
    EXPECT_EQ(vocabulary.literal(literals[3]), between);
    EXPECT_EQ(vocabulary.literal(literals[4]), bound);
    EXPECT_EQ(vocabulary.clause({literals[0], literals[3]}), disjunction({!equals(a, 4), !between}));
}

}  // namespace
}  // namespace oncecheck

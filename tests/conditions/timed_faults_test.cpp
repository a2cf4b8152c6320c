#include "checker/conditions/timed_faults.h"

#include <gtest/gtest.h>

namespace oncecheck {
namespace {

using Values = std::map<std::string, FormulaValue>;

FormulaEnvironment known(const Values& values) {
    return [values](const std::string& name) -> std::optional<FormulaValue> {
        const auto place = values.find(name);
        return place == values.end() ? std::nullopt : std::optional(place->second);
    };
}

constexpr std::int64_t kWeek = 604'800'000;

TimedAnswer ask(const std::string& exclusion, const Values& values = {}, const SolverLimits& limits = {}) {
    return decide({Formula::parse(exclusion), known(values), facts_about_times()}, limits);
}

TimeBound bound(const std::string& name, const std::string& relation, std::int64_t value, const std::string& text) {
    return {name, relation, value, text};
}

TEST(TimedFaults, AreExcludedByStatedTimesThatSuffice) {
    const std::string formula = "retention > assume.max_outage";
    EXPECT_EQ(ask(formula, {{"retention", kWeek}, {"assume.max_outage", kWeek - 1}}).exclusion, Exclusion::kExcluded);
    EXPECT_EQ(ask(formula, {{"retention", kWeek}, {"assume.max_outage", kWeek}}).exclusion, Exclusion::kEnabled);
    EXPECT_EQ(ask("retention >= assume.max_outage", {{"retention", kWeek}, {"assume.max_outage", kWeek}}).exclusion,
              Exclusion::kExcluded);
}

TEST(TimedFaults, AreExcludedWhateverAnOpenTimeIs) {
    EXPECT_EQ(ask("assume.max_outage >= 0").exclusion, Exclusion::kExcluded);
    EXPECT_EQ(ask("retention < 0 or assume.max_pause * 2 >= assume.max_pause", {{"retention", kWeek}}).exclusion,
              Exclusion::kExcluded);
}

TEST(TimedFaults, AreEnabledWhateverAnOpenTimeIs) {
    EXPECT_EQ(ask("assume.max_outage < 0").exclusion, Exclusion::kEnabled);
    EXPECT_EQ(ask("timeout > 0 and timeout < assume.min_restart_delay", {{"timeout", std::int64_t{0}}}).exclusion,
              Exclusion::kEnabled);
}

TEST(TimedFaults, HaveAnUpperBoundThatIsExact) {
    const TimedAnswer strict = ask("retention > assume.max_outage", {{"retention", kWeek}});
    EXPECT_EQ(strict.exclusion, Exclusion::kConditional);
    EXPECT_EQ(strict.bound, bound("assume.max_outage", "<", kWeek, "assume.max_outage < 7 d"));
    const TimedAnswer weak = ask("retention >= assume.max_outage", {{"retention", kWeek}});
    EXPECT_EQ(weak.bound, bound("assume.max_outage", "<=", kWeek, "assume.max_outage <= 7 d"));
}

TEST(TimedFaults, HaveALowerBoundThatIsExact) {
    const TimedAnswer answer =
        ask("timeout > 0 and timeout < assume.min_restart_delay", {{"timeout", std::int64_t{30'000}}});
    EXPECT_EQ(answer.exclusion, Exclusion::kConditional);
    EXPECT_EQ(answer.bound, bound("assume.min_restart_delay", ">", 30'000, "assume.min_restart_delay > 30 s"));
    EXPECT_EQ(ask("assume.max_pause != 0").bound, bound("assume.max_pause", ">", 0, "assume.max_pause > 0 ms"));
}

// At the bound itself and next to it, the answer for the stated time is the one that the bound promises.
TEST(TimedFaults, KeepTheirBoundsWhenTheTimeIsStated) {
    for (const char* text :
         {"assume.max_outage * 3 + 500 < retention", "retention - assume.max_outage >= 805000",
          "not (assume.max_outage * 7 <= retention)", "assume.max_outage > 17 or assume.max_outage = 17"}) {
        SCOPED_TRACE(text);
        const TimedAnswer answer = ask(text, {{"retention", kWeek}});
        ASSERT_EQ(answer.exclusion, Exclusion::kConditional);
        const TimeBound& limit = answer.bound;
        for (std::int64_t value = std::max<std::int64_t>(0, limit.value - 2); value <= limit.value + 2; ++value) {
            const bool inside = limit.relation == "<"    ? value < limit.value
                                : limit.relation == "<=" ? value <= limit.value
                                : limit.relation == ">"  ? value > limit.value
                                                         : value >= limit.value;
            EXPECT_EQ(ask(text, {{"retention", kWeek}, {"assume.max_outage", value}}).exclusion,
                      inside ? Exclusion::kExcluded : Exclusion::kEnabled)
                << value;
        }
    }
}

TEST(TimedFaults, ReadStatedTimesAsBoundsOnOpenOnes) {
    // The outage is at least the restart delay.
    EXPECT_EQ(ask("assume.max_outage < 5000", {{"assume.min_restart_delay", std::int64_t{5'000}}}).exclusion,
              Exclusion::kEnabled);
    EXPECT_EQ(ask("assume.min_restart_delay <= 5000", {{"assume.max_outage", std::int64_t{5'000}}}).exclusion,
              Exclusion::kExcluded);
}

TEST(TimedFaults, ShowTheFormulaWhereOneBoundDoesNotSayIt) {
    const TimedAnswer two = ask("assume.max_outage + assume.max_pause < retention", {{"retention", kWeek}});
    EXPECT_EQ(two.exclusion, Exclusion::kConditional);
    EXPECT_EQ(two.bound, bound("", "", 0, "assume.max_outage + assume.max_pause < 7 d"));
    const TimedAnswer between = ask("assume.max_pause > 1000 and assume.max_pause < 2000");
    EXPECT_EQ(between.bound, bound("", "", 0, "assume.max_pause > 1 s and assume.max_pause < 2 s"));
}

TEST(TimedFaults, AreNotDecidedUnderInconsistentTimes) {
    try {
        (void)ask("assume.max_outage < 1",
                  {{"assume.max_outage", std::int64_t{1'000}}, {"assume.min_restart_delay", std::int64_t{2'000}}});
        FAIL() << "no error";
    } catch (const InputError& error) {
        ASSERT_EQ(error.problems().size(), 1U);
        EXPECT_EQ(error.problems()[0].code, "inconsistent-times");
        EXPECT_NE(error.problems()[0].message.find("assume.max_outage = 1 s"), std::string::npos);
        EXPECT_NE(error.problems()[0].message.find("assume.min_restart_delay = 2 s"), std::string::npos);
    }
}

TEST(TimedFaults, StayUndecidedWhereTheSolverGivesUp) {
    const SolverLimits few{200'000, std::chrono::milliseconds(300), 0};
    const TimedAnswer answer = ask("not (a > 0 and b > 0 and a * a * a + b * b * b = c * c * c)", {}, few);
    EXPECT_EQ(answer.exclusion, Exclusion::kUnknown);
    EXPECT_NE(answer.reason, "");
}

TEST(TimedFaults, NeverTurnAResourceLimitIntoAnAnswer) {
    const std::string formula = "assume.max_outage * 3 + assume.max_pause < retention and assume.max_pause > 10";
    for (unsigned resources = 1; resources < 200'000; resources = resources * 2 + 1) {
        const TimedAnswer answer = ask(formula, {{"retention", kWeek}}, {resources, {}, 0});
        EXPECT_TRUE(answer.exclusion == Exclusion::kConditional || answer.exclusion == Exclusion::kUnknown);
    }
}

TEST(TimedFaults, StayUndecidedWhereTheFormulaHasNoValue) {
    EXPECT_EQ(ask("assume.max_outage + 'x' < 3").exclusion, Exclusion::kUnknown);
    EXPECT_EQ(ask("assume.max_outage").exclusion, Exclusion::kUnknown);
    EXPECT_EQ(ask("retention", {{"retention", kWeek}}).exclusion, Exclusion::kUnknown);
}

TEST(Timeline, GivesTimesUnderWhichNoneOfTheFaultsIsExcluded) {
    const std::vector<Formula> exclusions{Formula::parse("retention > assume.max_outage"),
                                          Formula::parse("timeout < assume.min_restart_delay")};
    const Values values{{"retention", kWeek}, {"timeout", std::int64_t{30'000}}};
    const Timeline timeline = find_timeline(exclusions, known(values), facts_about_times());
    ASSERT_EQ(timeline.answer, Answer::kSat);
    EXPECT_EQ(timeline.times,
              (std::map<std::string, std::int64_t>{{"assume.max_outage", kWeek}, {"assume.min_restart_delay", 0}}));
}

TEST(Timeline, IncludesTheStatedTimesThatItUses) {
    const std::vector<Formula> exclusions{Formula::parse("retention > assume.max_outage + assume.max_pause")};
    const Values values{{"retention", kWeek}, {"assume.max_outage", kWeek - 10}};
    const Timeline timeline = find_timeline(exclusions, known(values), {});
    ASSERT_EQ(timeline.answer, Answer::kSat);
    EXPECT_EQ(timeline.times,
              (std::map<std::string, std::int64_t>{{"assume.max_outage", kWeek - 10}, {"assume.max_pause", 10}}));
}

TEST(Timeline, DoesNotExistForFaultsThatNeedContraryTimes) {
    const std::vector<Formula> exclusions{Formula::parse("assume.max_pause < 1000"),
                                          Formula::parse("assume.max_pause > 500")};
    const Timeline timeline = find_timeline(exclusions, known({}), {});
    EXPECT_EQ(timeline.answer, Answer::kUnsat);
    EXPECT_TRUE(timeline.times.empty());
}

}  // namespace
}  // namespace oncecheck

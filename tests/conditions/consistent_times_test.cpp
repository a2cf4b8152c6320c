#include "checker/conditions/consistent_times.h"

#include <gtest/gtest.h>

namespace oncecheck {
namespace {

SourcePosition at(int line) { return {"pipeline.json", line, 5, "/assume/time" + std::to_string(line)}; }

TEST(ConsistentTimes, AllowsARestartDelayUpToTheOutage) {
    std::vector<TimeStatement> statements = facts_about_times();
    statements.push_back(stated_time("assume.max_outage", 60'000, at(1)));
    statements.push_back(stated_time("assume.min_restart_delay", 60'000, at(2)));
    EXPECT_EQ(check_consistency(statements).answer, Answer::kSat);
    statements.back() = stated_time("assume.min_restart_delay", 60'001, at(2));
    EXPECT_EQ(check_consistency(statements).answer, Answer::kUnsat);
}

TEST(ConsistentTimes, NamesTheTimesThatContradictAndNoOthers) {
    std::vector<TimeStatement> statements{stated_time("assume.max_pause", 1'000, at(1)),
                                          stated_time("assume.max_outage", 2'700'000, at(2)),
                                          stated_time("assume.min_restart_delay", 3'600'000, at(3))};
    statements.push_back(facts_about_times().front());
    const Consistency result = check_consistency(statements);
    ASSERT_TRUE(result.problem.has_value());
    EXPECT_EQ(result.problem->code, "inconsistent-times");
    EXPECT_EQ(result.problem->where, at(2));
    EXPECT_NE(result.problem->message.find("assume.max_outage = 45 min"), std::string::npos);
    EXPECT_NE(result.problem->message.find("assume.min_restart_delay = 1 h"), std::string::npos);
    EXPECT_NE(result.problem->message.find("pipeline.json:3:5"), std::string::npos);
    EXPECT_EQ(result.problem->message.find("max_pause"), std::string::npos);
}

TEST(ConsistentTimes, RefusesNegativeTimes) {
    const std::vector<TimeStatement> statements{stated_time("assume.max_outage", -1, at(1))};
    EXPECT_EQ(check_consistency(statements).answer, Answer::kUnsat);
}

TEST(ConsistentTimes, DoesNotKnowWhatTheSolverDoesNotKnow) {
    const std::vector<TimeStatement> statements{
        {Formula::parse("a > 0 and b > 0 and a * a * a + b * b * b = c * c * c"), {}}};
    const Consistency result = check_consistency(statements, {200'000, std::chrono::milliseconds(300), 0});
    EXPECT_EQ(result.answer, Answer::kUnknown);
    EXPECT_FALSE(result.problem.has_value());
}

}  // namespace
}  // namespace oncecheck

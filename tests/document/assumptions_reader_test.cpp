#include "model/document/assumptions_reader.h"

#include <gtest/gtest.h>

#include "tests/document/reading_fixture.h"

namespace oncecheck {
namespace {

Assumptions assumed(const std::string& members) {
    return read_one(with_members("\"assume\": {" + members + "}")).assume;
}

Codes assume_codes(const std::string& members) { return codes_of(with_members("\"assume\": {" + members + "}")); }

TEST(Assumptions, FaultsAreAList) {
    const std::vector<Fault> all(std::begin(kDefaultFaults), std::end(kDefaultFaults));
    EXPECT_EQ(assumed(R"("faults": ["crash", "zombie", "detached", "lost-ack", "task-retry", "redelivery"])").faults,
              all);
    EXPECT_EQ(assumed(R"("faults": [])").faults, std::vector<Fault>{});
    EXPECT_EQ(assumed(R"("faults": ["crash", "crash"])").faults, std::vector<Fault>{Fault::kCrash});
}

TEST(Assumptions, UnknownFaultsGetASuggestion) {
    EXPECT_EQ(assume_codes(R"("faults": ["zombi", 1])"), (Codes{"value /assume/faults/0", "type /assume/faults/1"}));
    EXPECT_NE(problems_of(with_members(R"("assume": {"faults": ["zombi"]})")).front().hint.find("zombie"),
              std::string::npos);
    EXPECT_EQ(assume_codes(R"("faults": "crash")"), Codes{"type /assume/faults"});
}

TEST(Assumptions, NamedFaultsAreNotSupported) {
    EXPECT_EQ(assume_codes(R"("faults": ["late-message", {"failover": "w"}])"),
              (Codes{"unsupported /assume/faults/0", "unsupported /assume/faults/1"}));
    EXPECT_EQ(assume_codes(R"("except": [{"late-message": "r"}])"), Codes{"unsupported /assume/except/0/late-message"});
}

TEST(Assumptions, RuledOutFaultsHaveAReason) {
    for (const char* except :
         {R"([{"zombie": "r"}])", R"([{"fault": "zombie", "reason": "r"}])", R"({"zombie": "r"})"}) {
        const Assumptions assume = assumed("\"except\": " + std::string(except));
        ASSERT_EQ(assume.except.size(), 1U) << except;
        EXPECT_EQ(assume.except[0].fault, Fault::kZombie);
        EXPECT_EQ(assume.except[0].reason, "r");
        EXPECT_EQ(assume.except[0].where.line, 1);
    }
}

TEST(Assumptions, ARuledOutFaultWithoutAReasonIsAProblem) {
    EXPECT_EQ(assume_codes(R"("except": ["zombie"])"), Codes{"type /assume/except/0"});
    EXPECT_EQ(assume_codes(R"("except": [{"zombie": ""}])"), Codes{"value /assume/except/0/zombie"});
    EXPECT_EQ(assume_codes(R"("except": {"zombie": true})"), Codes{"type /assume/except/zombie"});
    EXPECT_EQ(assume_codes(R"("except": [{"fault": "zombie"}])"), Codes{"missing-key /assume/except/0"});
    EXPECT_EQ(assume_codes(R"("except": [{"reason": "r"}])"), Codes{"missing-key /assume/except/0"});
}

TEST(Assumptions, OtherShapesOfExceptAreProblems) {
    EXPECT_EQ(assume_codes(R"("except": "zombie")"), Codes{"type /assume/except"});
    EXPECT_EQ(assume_codes(R"("except": [{}])"), Codes{"value /assume/except/0"});
    EXPECT_EQ(assume_codes(R"("except": [{"zombie": "r", "crash": "s"}])"), Codes{"value /assume/except/0"});
    EXPECT_EQ(assume_codes(R"("except": [{"zombi": "r"}])"), Codes{"unknown-key /assume/except/0/zombi"});
    EXPECT_EQ(assume_codes(R"("except": [{"fault": "zombi", "reason": "r"}])"), Codes{"value /assume/except/0/fault"});
}

TEST(Assumptions, TimesAreDurations) {
    const Assumptions assume = assumed(R"("max_outage": "45m", "min_restart_delay": "2s", "max_pause": "1ms",
        "max_retry_horizon": "1h", "max_checkpoint_duration": "0s", "max_event_age": "7d")");
    EXPECT_EQ(assume.times.size(), 6U);
    EXPECT_EQ(assume.times.at("max_outage").milliseconds, 2'700'000);
    EXPECT_EQ(assume.times.at("max_event_age").where.pointer, "/assume/max_event_age");
}

TEST(Assumptions, ATimeWithoutAUnitIsAProblemWithAHint) {
    const std::vector<Problem> problems = problems_of(with_members(R"("assume": {"max_outage": 45})"));
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems[0].code, "type");
    EXPECT_NE(problems[0].hint.find("45ms"), std::string::npos);
    EXPECT_EQ(assume_codes(R"("max_pause": "45")"), Codes{"value /assume/max_pause"});
    EXPECT_EQ(assume_codes(R"("max_outrage": "45m")"), Codes{"unknown-key /assume/max_outrage"});
}

TEST(Assumptions, TimesMayComeFromLet) {
    const Document document = read_one(with_members(R"("let": {"t": "5m"}, "assume": {"max_outage": "$t"})"));
    EXPECT_EQ(document.assume.times.at("max_outage").milliseconds, 300'000);
}

}  // namespace
}  // namespace oncecheck

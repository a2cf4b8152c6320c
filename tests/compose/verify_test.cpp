// Whole verifications: which faults are possible, what a verdict rests on, how hops and producers are put together.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cases/support/documents.h"
#include "tests/cases/support/verdicts.h"

namespace oncecheck {

namespace {

const std::string kKeyed = R"({ "payments": { "primary_key": ["payment_id"] } })";
const std::string kStagingByBatch =
    R"([ { "truncate": "db.stg_{query}_{batch}" }, { "append": "db.stg_{query}_{batch}" },
    { "merge": "db.payments", "using": "db.stg_{query}_{batch}", "on": ["payment_id"] } ])";

QueryDocument retaining_seven_days(const std::string& times) {
    QueryDocument document;
    document.faults = R"("crash")";
    document.tables = kKeyed;
    document.program = R"([ { "merge": "db.payments" } ])";
    document.topic = R"("retention.ms": 604800000)";
    document.times = times;
    return document;
}

TEST(Outage, ThatNobodyBoundsMakesTheVerdictConditional) {
    const Report report = verified(retaining_seven_days("").text());
    const RequirementReport& requirement = requirement_of(report, "exactly-once");
    EXPECT_EQ(requirement.verdict, kHolds);
    ASSERT_EQ(requirement.provided.size(), 1U);
    const ReportedBound& bound = requirement.provided.front();
    EXPECT_EQ(bound.time, "max_outage");
    EXPECT_EQ(bound.relation, "<");
    EXPECT_EQ(bound.milliseconds, 604800000);
    EXPECT_NE(bound.text.find("outages shorter than 7 d"), std::string::npos) << bound.text;
    EXPECT_NE(bound.setting.find("retention.ms"), std::string::npos) << bound.setting;
    EXPECT_TRUE(report.met(false));
    EXPECT_FALSE(report.met(true));
}

TEST(Outage, ThatIsShorterThanTheRetentionIsHarmless) {
    const Report report = verified(retaining_seven_days(R"(, "max_outage": "45m")").text());
    EXPECT_EQ(report.verdict, kHolds);
    EXPECT_TRUE(report.met(true));
}

TEST(Outage, ThatCanLastAsLongAsTheRetentionStopsTheQuery) {
    EXPECT_EQ(verified(retaining_seven_days(R"(, "max_outage": "7d")").text()).verdict, kViolated);
    EXPECT_EQ(verified(retaining_seven_days(R"(, "max_outage": "8d")").text()).verdict, kViolated);
}

TEST(Times, ThatContradictEachOtherAreRefused) {
    EXPECT_EQ(refusal_of(retaining_seven_days(R"(, "max_outage": "1m", "min_restart_delay": "2m")").text()),
              "inconsistent-times");
    EXPECT_EQ(refusal_of(retaining_seven_days(R"(, "max_outage": "2m", "min_restart_delay": "2m")").text()), "");
}

TEST(DetachedStatement, IsExcludedByAServerTimeoutBelowTheRestartDelay) {
    QueryDocument document;
    document.tables = kKeyed;
    document.program = R"([ { "merge": "db.payments" } ])";
    document.require = R"({ "no-stale": "db.payments", "from": "payments_topic" })";
    document.faults = R"("crash", "detached")";
    document.database = R"("statement_timeout": 30000)";
    document.times = R"(, "min_restart_delay": "1m")";
    EXPECT_EQ(verdict_of(verified(document.text()), "no-stale"), kHolds);
    document.times = R"(, "min_restart_delay": "30s")";  // not below: both at once is possible
    EXPECT_EQ(verdict_of(verified(document.text()), "no-stale"), kViolated);
}

QueryDocument on_kubernetes(const std::string& kind) {
    QueryDocument document;
    document.faults = R"("crash", "zombie")";
    document.tables = kKeyed;
    document.program = kStagingByBatch;
    document.query = R"(, "run_by": "kubernetes")";
    document.components = R"(, "kubernetes": { "type": "kubernetes", "config": { "kind": ")" + kind + R"(" } })";
    return document;
}

TEST(StatefulSet, ExcludesTheZombieThatADeploymentAllows) {
    EXPECT_EQ(verified(on_kubernetes("StatefulSet").text()).verdict, kHolds);
    EXPECT_EQ(verified(on_kubernetes("Deployment").text()).verdict, kViolated);
}

TEST(TwoQueries, WithOneStagingTableAreOneHop) {
    TwoQueriesDocument document;
    document.tables = kKeyed;
    document.program = R"([ { "truncate": "db.stg" }, { "append": "db.stg" },
                            { "merge": "db.payments", "using": "db.stg", "on": ["payment_id"] } ])";
    const Report together = verified(document.text());
    EXPECT_TRUE(has_flaw(together, "exactly-once", "loss"));
    EXPECT_EQ(requirement_of(together, "exactly-once").category, "staging isolation");
}

TEST(TwoQueries, AreCleanEachByItself) {
    QueryDocument document;
    document.tables = kKeyed;
    document.program = R"([ { "truncate": "db.stg" }, { "append": "db.stg" },
                            { "merge": "db.payments", "using": "db.stg", "on": ["payment_id"] } ])";
    EXPECT_EQ(verified(document.text()).verdict, kHolds);
}

// A gateway before the topic, with these settings.
QueryDocument produced(const std::string& settings, const std::string& program) {
    QueryDocument document;
    document.faults = R"("lost-ack")";
    document.program = program;
    document.components = R"(, "gateway": { "type": "kafka-producer", "version": "3.7", "writes": "payments_topic",
        "config": { )" + settings +
                          " } }";
    document.require = R"({ "no-duplicate": "db.payments", "from": "gateway" },
                          { "no-loss": "db.payments", "from": "gateway" })";
    return document;
}

const std::string kAppends = R"([ { "transaction": [ { "claim": "db.applied", "key": ["{batch}"] },
                                                     { "append": "db.payments", "by": "driver" } ] } ])";
const std::string kLedger = R"({ "applied": { "primary_key": ["batch_id"] } })";

TEST(Producer, WithoutIdempotenceDoublesRecordsOfAnAppendedTarget) {
    QueryDocument document = produced(R"("enable.idempotence": false)", kAppends);
    document.tables = kLedger;
    EXPECT_EQ(verdict_of(verified(document.text()), "no-duplicate"), kViolated);
}

TEST(Producer, WithIdempotenceDoublesNothing) {
    QueryDocument document = produced(R"("enable.idempotence": true)", kAppends);
    document.tables = kLedger;
    const Report report = verified(document.text());
    EXPECT_EQ(report.verdict, kHolds) << show_unmet(report);
}

TEST(Producer, WithoutIdempotenceIsAbsorbedByAKeyedTarget) {
    QueryDocument document =
        produced(R"("enable.idempotence": false)",
                 R"([ { "merge": "db.payments", "on": ["payment_id"], "dedupe_by": "event_time" } ])");
    document.tables = kKeyed;
    const Report report = verified(document.text());
    EXPECT_EQ(verdict_of(report, "no-duplicate"), kHolds) << show_unmet(report);
}

TEST(Producer, ThatDoesNotWaitForTheBrokerLosesRecords) {
    QueryDocument document = produced(R"("acks": "0", "enable.idempotence": false)", kAppends);
    document.tables = kLedger;
    EXPECT_EQ(verdict_of(verified(document.text()), "no-loss"), kViolated);
}

TEST(Report, NamesTheFaultsThatAreNotAssumed) {
    QueryDocument document;
    document.faults = R"("crash")";
    document.program = R"([ { "append": "db.payments" } ])";
    const Report report = verified(document.text());
    ASSERT_FALSE(report.faults.empty());
    EXPECT_NE(report.faults.front().find("not assumed: zombie"), std::string::npos) << report.faults.front();
}

TEST(Report, SaysThatAVerdictIsForAnyBatchSizeOnlyWhereNoStepLooksAtOtherRecords) {
    QueryDocument document;
    document.program = R"([ { "append": "db.payments" } ])";
    EXPECT_NE(requirement_of(verified(document.text()), "exactly-once").strength.find("any batch size"),
              std::string::npos);
    document.program = R"([ { "merge": "db.payments", "on": ["payment_id"] } ])";
    EXPECT_EQ(requirement_of(verified(document.text()), "exactly-once").strength, "in this universe");
}

TEST(FaultBudget, LimitsTheRunsThatAreSearched) {
    QueryDocument document;
    document.faults = R"("crash")";
    document.program = R"([ { "append": "db.payments" } ])";
    VerifyOptions options;
    options.fault_budget = 0;
    EXPECT_NE(verdict_of(verified(document.text(), options), "no-duplicate"), kViolated);
    options.fault_budget = 1;
    EXPECT_EQ(verdict_of(verified(document.text(), options), "no-duplicate"), kViolated);
}

QueryDocument deduplicating() {
    QueryDocument document;
    document.faults = R"("crash", "zombie")";
    document.tables = kLedger;
    document.program = kAppends;
    return document;
}

TEST(Memory, ThatDoesNotSufficeLeavesTheVerdictOpenAndSaysWhatWasSearched) {
    VerifyOptions options;
    options.engine = EngineChoice::kExplicit;
    options.memory_bytes = std::size_t{64} << 10;
    options.slice = false;
    options.size.records = 4;
    options.size.batches = 4;
    const auto file = std::filesystem::path(ONCECHECK_TESTS) / "cases" / "staging" / "s20-zplus.json";
    const Report report = verified(resolve(read_documents(file, {}).front(), catalogue()), options);
    EXPECT_EQ(report.verdict, kUndecided);
    const RequirementReport& requirement = requirement_of(report, "no-loss");
    EXPECT_NE(requirement.undecided.find("memory limit"), std::string::npos) << requirement.undecided;
    EXPECT_NE(requirement.undecided.find("searched: all runs with fewer than"), std::string::npos)
        << requirement.undecided;
}

TEST(Induction, ReportsItsInvariantInWordsOfTheDocument) {
    VerifyOptions options;
    options.engine = EngineChoice::kInduction;
    const Report report = verified(deduplicating().text(), options);
    const RequirementReport& requirement = requirement_of(report, "no-loss");
    EXPECT_EQ(requirement.verdict, kHolds) << show_unmet(report);
    EXPECT_EQ(requirement.engine, "induction");
    ASSERT_FALSE(requirement.invariants.empty());
    const ReportedInvariant& invariant = requirement.invariants.front();
    EXPECT_EQ(invariant.property, "loss");
    EXPECT_GT(invariant.clauses, 1U);
    ASSERT_FALSE(invariant.examples.empty());
    EXPECT_NE(invariant.examples.front().find("enrich"), std::string::npos) << invariant.examples.front();
    EXPECT_EQ(verdict_of(report, "progress"), kUndecided);  // only explicit search decides it
    EXPECT_TRUE(report.engines.empty());
}

TEST(Report, SaysWhichEngineAutoHasTaken) {
    const Report report = verified(deduplicating().text());
    ASSERT_EQ(report.engines.size(), 1U);
    EXPECT_NE(report.engines.front().find("explicit search"), std::string::npos) << report.engines.front();
}

// The second step fails at every attempt.
QueryDocument stuck() {
    QueryDocument document;
    document.program = R"([ { "create": "db.stg", "if_exists": "fail" }, { "create": "db.stg", "if_exists": "fail" },
                            { "append": "db.payments" } ])";
    return document;
}

TEST(Vacuity, LeavesLossesOpenWhereNoRunCompletes) {
    const Report report = verified(stuck().text());
    EXPECT_EQ(verdict_of(report, "no-loss"), kUndecided);
    EXPECT_NE(requirement_of(report, "no-loss").undecided.find("no complete state is reachable"), std::string::npos);
    EXPECT_EQ(verdict_of(report, "progress"), kViolated);
    EXPECT_EQ(verdict_of(report, "exactly-once"), kViolated);
}

TEST(Coverage, FindsStepsThatNeverHappen) {
    const Report report = verified(stuck().text());
    const auto found = std::find_if(report.findings.begin(), report.findings.end(),
                                    [](const Finding& finding) { return finding.rule == "never-happens"; });
    ASSERT_NE(found, report.findings.end());
    EXPECT_NE(found->where.pointer.find("/foreachBatch/2"), std::string::npos) << found->where.pointer;
}

TEST(Coverage, FindsNothingWhereEveryStepHappens) {
    const Report report = verified(deduplicating().text());
    EXPECT_TRUE(std::none_of(report.findings.begin(), report.findings.end(),
                             [](const Finding& finding) { return finding.rule == "never-happens"; }));
    EXPECT_TRUE(report.coverage.whole);
    EXPECT_EQ(report.coverage.occurring + report.coverage.never.size(), report.coverage.kinds);
    EXPECT_EQ(report.coverage.faults, std::vector<std::string>({"enrich: crash", "enrich: purge", "enrich: zombie"}));
}

TEST(Coverage, NamesFaultsToWhichNothingIsExposed) {
    QueryDocument document = deduplicating();  // the driver loads in one statement: no task, no retry
    document.faults = R"("crash", "task-retry")";
    const Report report = verified(document.text());
    EXPECT_EQ(report.coverage.idle_faults, std::vector<std::string>({"enrich: task-retry"}));
}

TEST(Coverage, IsNotKnownWhereNoSearchSawEveryState) {
    VerifyOptions options;
    options.engine = EngineChoice::kInduction;
    const Report report = verified(deduplicating().text(), options);
    EXPECT_FALSE(report.coverage.whole);
    EXPECT_TRUE(report.coverage.never.empty());
}

}  // namespace

}  // namespace oncecheck

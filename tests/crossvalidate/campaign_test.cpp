#include "checker/crossvalidate/campaign.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "tests/cases/support/pipelines.h"

namespace oncecheck {

namespace {

CampaignOptions small_campaign(int jobs) {
    CampaignOptions options;
    options.pipelines = 6;
    options.jobs = jobs;
    options.examiner.schedules = 10;
    options.examiner.verify.memory_bytes = std::size_t{64} << 20;
    return options;
}

std::vector<std::string> lines_of(const CampaignOptions& options) {
    std::vector<std::string> lines;
    (void)run_campaign(catalogue(), options, [&](const ExaminedPipeline& examined, const CampaignTotals&) {
        lines.push_back(json_line(examined));
    });
    return lines;
}

TEST(Campaign, FindsModelAndRuntimeToAgree) {
    const CampaignTotals totals = run_campaign(catalogue(), small_campaign(1), [](const auto& examined, const auto&) {
        EXPECT_FALSE(examined.disagreement) << json_line(examined);
    });
    EXPECT_EQ(totals.outcomes.at("agrees"), 6);
    EXPECT_GE(totals.schedules, 60);
    EXPECT_GT(totals.events, totals.schedules);
}

// A merge that a doubled row makes fail in a snapshot; a retried task that fails; a failure whose acknowledgement is
// lost, and one that took effect and is ignored; threads of a laggard that commits a batch again; a view that is
// replaced after the client has read it; rows of one key that an insert ignores; names that are cut inside a UUID; a
// merge that inserts a record twice; a load that is sent again; what a dead attempt has left in a table of its own;
// rows of a view, which are read before anything is sent.
TEST(Campaign, FindsThemToAgreeWhereTheyOnceDidNot) {
    for (const std::uint64_t seed :
         {44, 501, 504, 500016, 500040, 500129, 500161, 500263, 20261242, 20261335, 20261468, 20270345}) {
        CampaignOptions options = small_campaign(1);
        options.seed = seed;
        options.pipelines = 1;
        options.examiner.schedules = 30;
        (void)run_campaign(catalogue(), options, [](const auto& examined, const auto&) {
            EXPECT_FALSE(examined.disagreement) << json_line(examined);
        });
    }
}

TEST(Campaign, GivesTheSameLinesWhateverTheNumberOfJobs) {
    EXPECT_EQ(lines_of(small_campaign(1)), lines_of(small_campaign(2)));
}

TEST(Campaign, WritesALineOfJsonForEachPipeline) {
    for (const std::string& line : lines_of(small_campaign(1))) {
        const auto record = nlohmann::json::parse(line);
        EXPECT_TRUE(record.contains("seed") && record.contains("outcome") && record.contains("verdicts")) << line;
    }
}

TEST(Examiner, SaysWhyADocumentIsRefused) {
    const Examiner examiner(catalogue(), {});
    const ExaminedPipeline examined = examiner.examine(R"({"pipeline": 1})", "test.json", 1);
    EXPECT_EQ(examined.outcome, ExaminedPipeline::Outcome::kRefused);
    EXPECT_FALSE(examined.reason.empty());
}

const char* const kTopicAndTable = R"({ "pipeline": "agreed", "assume": { "faults": ["crash"] }, "components": {
    "payments_topic": { "type": "kafka-topic", "config": { "retention.ms": -1 },
        "records": { "id": "event_id", "key": "payment_id", "version": "event_time", "ordered_by": "event_time" } },
    "db": { "type": "postgresql", "tables": { "payments": { "primary_key": ["event_id"] } } },)";

void expect_agreement(const std::string& text) {
    ExaminerOptions options;
    options.schedules = 20;
    options.shrink = false;
    const ExaminedPipeline examined = Examiner(catalogue(), options).examine(text, "test.json", 1);
    EXPECT_EQ(examined.outcome, ExaminedPipeline::Outcome::kAgrees) << json_line(examined);
}

// It is at the end as soon as it starts: what was there before is lost, and nothing is stuck.
TEST(Examiner, AgreesOnAQueryThatStartsBehindAllRecords) {
    expect_agreement(std::string(kTopicAndTable) + R"(
        "enrich": { "type": "spark-structured-streaming", "reads": "payments_topic",
            "foreachBatch": [ { "merge": "db.payments", "on": ["event_id"] } ] } },
        "require": [ { "no-loss": "db.payments" }, { "progress": "enrich" } ] })");
}

// A table that another query fills is no staging object of the query that reads it.
TEST(Examiner, AgreesOnATableThatOneQueryFillsAndAnotherReads) {
    expect_agreement(std::string(kTopicAndTable) + R"(
        "load": { "type": "spark-structured-streaming", "reads": "payments_topic",
            "config": { "checkpointLocation": "hdfs://nn/load", "startingOffsets": "earliest" },
            "foreachBatch": [ { "append": "db.stg" } ] },
        "apply": { "type": "spark-structured-streaming", "reads": "payments_topic",
            "config": { "checkpointLocation": "hdfs://nn/apply", "startingOffsets": "earliest" },
            "foreachBatch": [ { "merge": "db.payments", "using": "db.stg", "dedupe_by": "event_id" } ] } },
        "require": [ { "isolated-staging": "*" }, { "progress": "*" } ] })");
}

// A late DROP and a late CREATE of two dead drivers, while a third one loads: one incarnation more than by default.
TEST(Examiner, AsksALargerUniverseAboutWhatOnlyALargerOneHolds) {
    ExaminerOptions options;
    options.schedules = 130;
    options.shrink = false;
    const char* const text = R"({ "pipeline": "agreed", "assume": { "faults": ["lost-ack"] }, "components": {
        "cards_topic": { "type": "kafka-topic", "config": { "retention.ms": -1 },
            "records": { "id": "event_id", "key": "payment_id", "version": "event_time", "ordered_by": "event_time",
                "key_repeats": "across-batches" } },
        "cards": { "type": "spark-structured-streaming", "reads": "cards_topic",
            "config": { "checkpointLocation": "hdfs://nn/cards", "startingOffsets": "earliest" },
            "foreachBatch": [ { "drop": "db.stg_{batch}" }, { "create": "db.stg_{batch}" }, { "append": "db.stg_{batch}" },
                { "transaction": [ { "check": "db.fence_{query}" },
                                   { "merge": "db.payments", "using": "db.stg_{batch}" } ] } ],
            "on_start": [ { "acquire": "db.fence_{query}" } ] },
        "db": { "type": "postgresql", "tables": { "payments": { "primary_key": ["payment_id"] } } } },
        "require": [ { "no-loss": "db.payments" }, { "progress": "cards" } ] })";
    const ExaminedPipeline examined = Examiner(catalogue(), options).examine(text, "test.json", 20261317);
    EXPECT_EQ(examined.outcome, ExaminedPipeline::Outcome::kAgrees) << json_line(examined);
    EXPECT_EQ(examined.verdicts.at("no-loss db.payments from cards_topic"), Verdict::kHolds);
    EXPECT_GT(examined.violated_beyond, 0);
}

TEST(Examiner, ShowsTheViolationsThatTheCheckerFinds) {
    ExaminerOptions options;
    options.schedules = 100;
    const Examiner examiner(catalogue(), options);
    const std::filesystem::path file = std::filesystem::path(ONCECHECK_EXAMPLES) / "staging-by-batch" / "pipeline.json";
    const ExaminedPipeline examined = examiner.examine(text_of(file), file.string(), 1);
    EXPECT_FALSE(examined.disagreement) << json_line(examined);
    EXPECT_GT(examined.shown, 0);
}

}  // namespace

}  // namespace oncecheck

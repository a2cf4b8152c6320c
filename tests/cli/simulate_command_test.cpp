// `oncecheck simulate`: counts, exit codes, files.

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace oncecheck {
namespace {

using Json = nlohmann::json;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string example(const std::string& name) { return std::string(ONCECHECK_EXAMPLES) + '/' + name + "/pipeline.json"; }

class SimulateCommand : public ProgramTest {};

TEST_F(SimulateCommand, CountsViolationsAsText) {
    const Outcome outcome = run({"simulate", "--runs", "200", "--fault-rate", "0.1", example("card-payments")});
    EXPECT_EQ(outcome.code, 0) << "every violation is one that the document expects";
    EXPECT_TRUE(contains(outcome.out, "card-payments: 200 runs on SQLite")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "violated           no-loss warehouse.ledger")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "not seen violated  no-duplicate warehouse.ledger")) << outcome.out;
}

TEST_F(SimulateCommand, CountsViolationsAsJson) {
    const Outcome outcome =
        run({"simulate", "--runs", "60", "--fault-rate", "0.1", "--format", "json", example("card-payments")});
    const Json json = Json::parse(outcome.out);
    EXPECT_EQ(json["runs"], 60);
    EXPECT_EQ(json["requirements"][0]["kind"], "exactly-once");
    EXPECT_EQ(json["requirements"][0]["expect"], "violated");
    EXPECT_GT(json["faults"]["crash"], 0);
}

const std::string kReconciled = std::string(ONCECHECK_TESTS) + "/cases/beyond/reconciliation-by-count.json";

TEST_F(SimulateCommand, SaysWhatReconciliationsNoticeAndMiss) {
    const Outcome outcome = run({"simulate", "--runs", "400", "--fault-rate", "0.1", "--format", "json", kReconciled});
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    const Json json = Json::parse(outcome.out);
    ASSERT_EQ(json["reconciliations"].size(), 2U);
    const Json& count = json["reconciliations"][0];
    const Json& key = json["reconciliations"][1];
    EXPECT_EQ(count["component"], "count_audit");
    EXPECT_EQ(count["by"], "count");
    EXPECT_EQ(key["compares"], Json({"payments_topic", "db.payments"}));
    ASSERT_EQ(key["detections"].size(), 2U);
    for (const Json& detection : key["detections"]) {
        EXPECT_GT(detection["runs"], 0);
        EXPECT_EQ(detection["noticed"], detection["runs"]) << detection;
        EXPECT_TRUE(detection["first_missed_seed"].is_null());
        EXPECT_GE(detection["most_moves"], detection["median_moves"]);
    }
    EXPECT_GT(key["detections"][0]["most_moves"], 0);
    const Json& loss = count["detections"][1];
    EXPECT_EQ(loss["flaw"], "loss");
    EXPECT_EQ(loss["from"], "payments_topic");
    EXPECT_LT(loss["noticed"], loss["runs"]) << "some are made up for by a duplicate";
    EXPECT_TRUE(loss["first_missed_seed"].is_number());
}

TEST_F(SimulateCommand, SaysTheSameOfReconciliationsAsText) {
    const Outcome outcome = run({"simulate", "--runs", "400", "--fault-rate", "0.1", kReconciled});
    EXPECT_TRUE(contains(outcome.out, "Reconciliation count_audit, payments_topic with db.payments by count"))
        << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "first missed with seed")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "loss (from payments_topic): noticed in ")) << outcome.out;
}

TEST_F(SimulateCommand, EndsWithOneIfSomethingUnexpectedIsViolated) {
    const std::string text = R"({ "pipeline": "p", "assume": { "faults": ["crash"] }, "components": {
        "t": { "type": "kafka-topic", "version": "3.7", "config": { "retention.ms": -1 },
               "records": { "id": "i", "key": "k", "version": "v" } },
        "q": { "type": "spark-structured-streaming", "version": "3.5.1", "reads": "t",
               "config": { "checkpointLocation": "hdfs://nn/chk", "startingOffsets": "earliest" },
               "foreachBatch": [{ "append": "db.out" }] },
        "db": { "type": "postgresql", "version": "15" } },
        "require": [{ "no-duplicate": "db.out", "from": "t" }] })";
    write("p.json", text);
    const Outcome outcome = run({"simulate", "--runs", "50", "--fault-rate", "0.1", "--run", "run.json", "p.json"});
    EXPECT_EQ(outcome.code, 1) << outcome.error;
    const Json json = Json::parse(file_text(path("run.json")));
    EXPECT_FALSE(json["events"].empty());
    EXPECT_EQ(run({"simulate", "--runs", "50", "--fault-rate", "0", "p.json"}).code, 0);
}

TEST_F(SimulateCommand, RefusesBadUsage) {
    EXPECT_EQ(run({"simulate", "--format", "xml", example("card-payments")}).code, 2);
    EXPECT_EQ(run({"simulate", "--store", "mysql://x", example("card-payments")}).code, 2);
    EXPECT_EQ(run({"simulate", "--fault-rate", "2", example("card-payments")}).code, 2);
    const Outcome unreachable =
        run({"simulate", "--store", "postgresql://nobody@127.0.0.1:1/none", example("card-payments")});
    EXPECT_EQ(unreachable.code, 2);
    EXPECT_FALSE(unreachable.error.empty());
}

}  // namespace
}  // namespace oncecheck

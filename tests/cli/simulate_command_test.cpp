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

// What follows from the shape of a pipeline: origins, ends and hops, and the requirements that a document without any
// has by them.
#include <gtest/gtest.h>

#include "model/pipeline/graph.h"
#include "tests/cases/support/documents.h"
#include "tests/cases/support/pipelines.h"

namespace oncecheck {

namespace {

std::size_t hops_of(const TwoQueriesDocument& document) { return hops(resolved(document.text())).size(); }

TwoQueriesDocument apart() {
    TwoQueriesDocument document;
    document.program = R"([ { "append": "db.cards_ledger" } ])";
    document.second_program = R"([ { "append": "db.transfers_ledger" } ])";
    document.require = R"({ "progress": "*" })";
    return document;
}

TEST(Hops, KeepApartWhatSharesNoObject) { EXPECT_EQ(hops_of(apart()), 2U); }

TEST(Hops, JoinQueriesThatShareATable) {
    TwoQueriesDocument document = apart();
    document.program = R"([ { "append": "db.payments" } ])";
    document.second_program = R"([ { "append": "db.PAYMENTS" } ])";
    EXPECT_EQ(hops_of(document), 1U);
}

TEST(Hops, JoinQueriesOneOfWhichReadsWhatTheOtherWrites) {
    TwoQueriesDocument document = apart();
    document.second_program = R"([ { "insert": "db.transfers_ledger", "from": "db.cards_ledger" } ])";
    EXPECT_EQ(hops_of(document), 1U);
}

TEST(Hops, JoinQueriesThatShareAFence) {
    TwoQueriesDocument document = apart();
    document.cards = R"(, "on_start": [ { "acquire": "db.fence" } ])";
    document.transfers = document.cards;
    EXPECT_EQ(hops_of(document), 1U);
    document.cards = R"(, "on_start": [ { "acquire": "db.fence_{query}" } ])";
    document.transfers = document.cards;
    EXPECT_EQ(hops_of(document), 2U);
}

TEST(Hops, JoinQueriesThatShareALock) {
    TwoQueriesDocument document = apart();
    document.program = R"([ { "lock": "db.writer" }, { "append": "db.cards_ledger" } ])";
    document.second_program = R"([ { "lock": "db.writer" }, { "append": "db.transfers_ledger" } ])";
    EXPECT_EQ(hops_of(document), 1U);
}

TEST(Hops, DoNotJoinQueriesThatReadOneLog) {
    QueryDocument document;
    document.program = R"([ { "append": "db.payments" } ])";
    document.components = R"(, "archive": { "type": "spark-structured-streaming", "version": "3.5.1",
        "reads": "payments_topic", "config": { "checkpointLocation": "hdfs://nn/chk/archive" },
        "foreachBatch": [ { "append": "db.archived" } ] })";
    EXPECT_EQ(hops(resolved(document.text())).size(), 2U);
}

TEST(Hops, JoinQueriesOfOneApplicationThatShareAView) {
    TwoQueriesDocument document = apart();
    document.program = R"([ { "create": "global_temp.updates", "as": "batch", "if_exists": "replace" } ])";
    document.second_program = document.program;
    EXPECT_EQ(hops_of(document), 2U);
    document.cards = R"(, "application": "app")";
    document.transfers = document.cards;
    EXPECT_EQ(hops_of(document), 1U);
}

std::string produced(const std::string& require) {
    QueryDocument document;
    document.program =
        R"([ { "truncate": "db.stg" }, { "append": "db.stg" }, { "claim": "db.applied", "key": ["{batch}"] },
                            { "insert": "db.payments", "from": "db.stg" } ])";
    document.components = R"(, "gateway": { "type": "kafka-producer", "version": "3.7", "writes": "payments_topic" })";
    document.require = "";
    std::string text = document.text();
    const std::string empty = ", \"require\": []";
    text.replace(text.find(empty), empty.size(), require);
    return text;
}

TEST(Origins, AreProcessesThatReadNothing) {
    const Pipeline pipeline = resolved(produced(""));
    EXPECT_EQ(origins(pipeline), std::vector<ComponentId>{pipeline.find("gateway").value()});
}

TEST(Origins, AreStoresThatNobodyWrites) {
    QueryDocument document;
    document.program = R"([ { "append": "db.payments" } ])";
    const Pipeline pipeline = resolved(document.text());
    EXPECT_EQ(origins(pipeline), std::vector<ComponentId>{pipeline.find("payments_topic").value()});
}

TEST(Ends, AreNeitherStagingObjectsNorLedgers) {
    const Pipeline pipeline = resolved(produced(""));
    const std::vector<EndObject> found = ends(pipeline);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().object.name.text, "payments");
}

TEST(Requirements, AreExactlyOnceAtEveryEndIsolatedStagingAndProgressByDefault) {
    std::vector<std::string> names;
    for (const ResolvedRequirement& requirement : resolved(produced("")).requirements) {
        EXPECT_TRUE(requirement.is_default);
        names.push_back(std::string(to_string(requirement.kind)) + ' ' + requirement.target);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"exactly-once db.payments", "isolated-staging *", "progress *"}));
}

TEST(Requirements, ThatAreGivenReplaceTheDefaults) {
    const Pipeline pipeline = resolved(produced(R"(, "require": [ { "progress": "enrich" } ])"));
    ASSERT_EQ(pipeline.requirements.size(), 1U);
    EXPECT_FALSE(pipeline.requirements.front().is_default);
}

}  // namespace

}  // namespace oncecheck

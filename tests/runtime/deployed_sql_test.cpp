#include "model/runtime/deployed_sql.h"

#include <gtest/gtest.h>

#include "tests/runtime/store_bed.h"

namespace oncecheck {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* kAttempt = "0a0a0a0a-0b0b-0c0c-0d0d-0e0e0e0e0e0e";
constexpr const char* kStaged = R"([{ "append": "db.stg_{attempt}", "by": "driver" },
    { "insert": "db.payments", "from": "db.stg_{attempt}", "set": { "batch_id": "{batch}", "note": "n" } }])";

// The text that is sent for the first step, had it been read from this SQL; "-" if its own SQL is sent.
std::string sent(const std::string& sql, Dialect dialect = Dialect::kPostgresql) {
    const Pipeline pipeline = query_pipeline(kStaged);
    const SchemaOfRun schema(pipeline, dialect);
    PlaceholderValues values;
    values.attempt = kAttempt;
    values.batch = 7;
    Step step = pipeline.component(*pipeline.find("enrich")).document.steps.front();
    step.sql = sql;
    const StatementStyle style{&schema, &values, dialect};
    return deployed_statement(style, step, {record(0, "it's", 1)}).value_or("-");
}

TEST(DeployedSql, PlaceholdersStandInNamesValuesAndStrings) {
    EXPECT_EQ(sent("TRUNCATE stg_{batch}"), "TRUNCATE stg_7");
    EXPECT_EQ(sent("TRUNCATE Stg_{attempt}"), std::string("TRUNCATE \"stg_") + kAttempt + '"');
    EXPECT_EQ(sent("TRUNCATE \"Stg_{batch}\""), "TRUNCATE \"Stg_7\"");
    EXPECT_EQ(sent("DELETE FROM t WHERE a = {batch} AND b = {attempt} AND c = 'run {batch} it''s'"),
              std::string("DELETE FROM t WHERE a = 7 AND b = '") + kAttempt + "' AND c = 'run 7 it''s'");
}

TEST(DeployedSql, StoresAndCommentsAreTakenOff) {
    EXPECT_EQ(sent("-- batch\nTRUNCATE db.t /* one /* after */ the other */"), "\nTRUNCATE t  ");
    EXPECT_EQ(sent("DELETE FROM t WHERE t.batch = 'batch -- no comment'"),
              "DELETE FROM t WHERE t.batch = 'batch -- no comment'");
}

TEST(DeployedSql, BatchIsTheRowsOfTheBatch) {
    EXPECT_EQ(
        sent("INSERT INTO stg SELECT * FROM batch"),
        "WITH batch (topic, \"partition\", \"offset\", event_id, payment_id, event_time) AS (VALUES ('payments', 0, "
        "0, 'e0', 'it''s', 1)) INSERT INTO stg SELECT * FROM batch");
}

TEST(DeployedSql, WhereTheTextCannotBeUsedTheStepsOwnSqlIs) {
    EXPECT_EQ(sent("INSERT INTO stg SELECT * FROM batch", Dialect::kSqlite), "-");
    EXPECT_EQ(sent(""), "-");
}

using Deployed = StoreBed;
INSTANTIATE_TEST_SUITE_P(On, Deployed, testing::Values(Driver::kSqlite, Driver::kPostgresql), driver_name);

TEST_P(Deployed, TheExampleLoadsItsLedger) {
    const std::string folder = std::string(ONCECHECK_EXAMPLES) + "/ledger-sql/";
    open(resolve(read_documents(folder + "pipeline.json", {}).front(), catalogue()));
    StepContext context;
    context.schema = &stores().schema();
    for (ComponentId id = 0; id < pipeline_.components.size(); ++id) {
        context.process = pipeline_.component(id).type->protocol == Protocol::kMicroBatch ? id : context.process;
    }
    context.values.query = kAttempt;
    std::unique_ptr<StoreConnection> connection;
    Place place;
    for (int attempt = 0; attempt < 2; ++attempt) {
        context.values.attempt = std::string("0a0a0a0a-0b0b-0c0c-0d0d-00000000000") + std::to_string(attempt);
        context.rows = {record(0, "a", 1), record(1, "b", 5), record(2, "a", 3 + attempt)};
        for (const Step& step : pipeline_.component(context.process).document.steps) {
            StepPlan plan(context, step);
            while (plan.outcome() == StepOutcome::kGoesOn) {
                place = plan.statement().place;
                connection = connection ? std::move(connection) : stores().connect(place);
                plan.take(connection->execute(plan.statement()));
            }
            EXPECT_EQ(plan.outcome(), StepOutcome::kDone) << plan.message() << " in " << step.sql;
        }
    }
    Texts found;
    for (const auto& row : stores().query(place, "SELECT payment_id, event_time FROM ledger ORDER BY 1").rows) {
        found.push_back(*row[0] + ' ' + *row[1]);
    }
    EXPECT_EQ(found, (Texts{"a 4", "b 5"}));
    EXPECT_EQ(stores().content().size(), 1U);
}

}  // namespace
}  // namespace oncecheck

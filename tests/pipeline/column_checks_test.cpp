// Columns and keys: what steps compare exists, and statements of SQL agree with the keys that the document declares.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/cases/support/documents.h"
#include "tests/cases/support/pipelines.h"

namespace oncecheck {

namespace {

// The codes of what is wrong with the document.
std::vector<std::string> codes(const std::string& text, const std::string& file = "test.json") {
    std::vector<std::string> found;
    try {
        (void)resolve(parse_documents(text, file, {}).front(), catalogue());
    } catch (const InputError& error) {
        for (const Problem& problem : error.problems()) {
            found.push_back(problem.code);
        }
    }
    return found;
}

std::vector<std::string> codes_of_steps(const std::string& steps) {
    QueryDocument document;
    document.program = steps;
    return codes(document.text());
}

// The same of a program in SQL; `tables` are those of the database.
std::vector<std::string> codes_of_sql(const std::string& sql, const std::string& tables, const char* version = "15") {
    const std::string folder = testing::TempDir();
    std::ofstream(folder + "program.sql") << sql;
    QueryDocument document;
    document.tables = tables;
    document.query = R"(, "writes": "db", "sql": "program.sql")";
    std::string text = document.text();
    const std::string steps = "\"foreachBatch\": ,";
    text.erase(text.find(steps), steps.size());
    const std::string declared = R"("version": "15")";
    text.replace(text.find(declared), declared.size(), std::string(R"("version": ")") + version + '"');
    return codes(text, folder + "test.json");
}

using Codes = std::vector<std::string>;

const char* const kKeyed = R"({ "payments": { "primary_key": ["payment_id"] } })";
const char* const kMerge =
    "MERGE INTO payments p USING batch ON p.payment_id = batch.payment_id "
    "WHEN MATCHED THEN UPDATE SET event_id = batch.event_id "
    "WHEN NOT MATCHED THEN INSERT (payment_id, event_id) VALUES (batch.payment_id, batch.event_id)";

TEST(ColumnChecks, RefuseAConditionOnAColumnThatNoStepFills) {
    EXPECT_EQ(codes_of_steps(R"([ { "append": "db.stg", "set": { "run": "{batch}" } },
                                  { "insert": "db.payments", "from": "db.stg", "where": { "run": "{batch}" } } ])"),
              Codes{});
    EXPECT_EQ(codes_of_steps(R"([ { "append": "db.stg" },
                                  { "insert": "db.payments", "from": "db.stg", "where": { "run": "{batch}" } } ])"),
              Codes{"unknown-column"});
}

TEST(ColumnChecks, RefuseAVersionThatIsNone) {
    const std::string merge = R"([ { "merge": "db.payments", "on": ["payment_id"], "newer_by": ")";
    EXPECT_EQ(codes_of_steps(merge + R"(event_time" } ])"), Codes{});
    EXPECT_EQ(codes_of_steps(merge + R"(loaded_at" } ])"), Codes{"unknown-column"});
}

// The rows of the batch are records: no step has filled a column of theirs.
TEST(ColumnChecks, RefuseAConditionOnRowsOfTheBatch) {
    const std::string append = R"([ { "append": "db.stg", "set": { "run": "{batch}" } }, )";
    const std::string where = R"("where": { "run": "{batch}" } } ])";
    EXPECT_EQ(codes_of_steps(append + R"({ "insert": "db.payments", )" + where), Codes{"where-without-source"});
    EXPECT_EQ(codes_of_steps(append + R"({ "merge": "db.payments", "on": ["payment_id"], )" + where),
              Codes{"where-without-source"});
    EXPECT_EQ(codes_of_steps(append + R"({ "insert": "db.payments", "from": "db.stg", )" + where), Codes{});
}

TEST(ColumnChecks, RefuseToChooseBetweenRowsByAColumnThatOrdersNoRecords) {
    const auto merge = [](const std::string& on, const std::string& column) {
        return codes_of_steps(R"([ { "merge": "db.payments", "on": [")" + on + R"("], "dedupe_by": ")" + column +
                              R"(" } ])");
    };
    EXPECT_EQ(merge("payment_id", "event_time"), Codes{});
    EXPECT_EQ(merge("payment_id", "offset"), Codes{"dedupe-order"});
    EXPECT_EQ(merge("payment_id", "event_id"), Codes{"dedupe-order"});
    EXPECT_EQ(merge("event_id", "offset"), Codes{});  // of copies any one
    const std::string insert =
        R"([ { "append": "db.stg" }, { "insert": "db.payments", "from": "db.stg", "dedupe_by": ")";
    EXPECT_EQ(codes_of_steps(insert + R"(event_id" } ])"), Codes{});
    EXPECT_EQ(codes_of_steps(insert + R"(payment_id" } ])"), Codes{"dedupe-order"});
}

TEST(ColumnChecks, RefuseASwapThatExchangesKeys) {
    QueryDocument document;
    document.program = R"([ { "append": "db.payments" }, { "swap": ["db.payments", "db.spare"] } ])";
    EXPECT_EQ(codes(document.text()), Codes{});
    document.tables = kKeyed;
    EXPECT_EQ(codes(document.text()), Codes{"swapped-keys"});
    document.tables =
        R"({ "payments": { "primary_key": ["payment_id"] }, "spare": { "primary_key": ["payment_id"] } })";
    EXPECT_EQ(codes(document.text()), Codes{});
}

TEST(ColumnChecks, RefuseMergeWhereTheStoreHasNone) {
    EXPECT_EQ(codes_of_sql(kMerge, kKeyed), Codes{});
    EXPECT_EQ(codes_of_sql(kMerge, kKeyed, "14"), Codes{"no-merge"});
}

TEST(ColumnChecks, RefuseConflictsThatAreNotAboutTheDeclaredKey) {
    const std::string insert = "INSERT INTO payments (payment_id, event_id) SELECT payment_id, event_id FROM batch ";
    const std::string update = "DO UPDATE SET event_id = excluded.event_id";
    EXPECT_EQ(codes_of_sql(insert + "ON CONFLICT (payment_id) " + update, kKeyed), Codes{});
    EXPECT_EQ(codes_of_sql(insert + "ON CONFLICT (payment_id) " + update, "{}"), Codes{"no-unique-key"});
    EXPECT_EQ(codes_of_sql(insert + "ON CONFLICT (payment_id) DO NOTHING", kKeyed), Codes{});
    EXPECT_EQ(codes_of_sql(insert + "ON CONFLICT (event_id) DO NOTHING", kKeyed), Codes{"no-unique-key"});
    EXPECT_EQ(codes_of_sql(insert + "ON CONFLICT DO NOTHING", "{}"), Codes{});
}

TEST(ColumnChecks, RefuseTablesThatAreCreatedWithOtherKeysThanDeclared) {
    const std::string insert = "INSERT INTO payments SELECT * FROM batch; ";
    EXPECT_EQ(codes_of_sql(insert + "CREATE TABLE a (payment_id int PRIMARY KEY)", "{}"), Codes{"undeclared-key"});
    EXPECT_EQ(codes_of_sql(insert + "CREATE TABLE a AS SELECT * FROM batch", R"({"a": {"primary_key": "event_id"}})"),
              Codes{"undeclared-key"});
    EXPECT_EQ(codes_of_sql(insert + "CREATE TABLE a (e int, UNIQUE (e))", R"({"a": {"primary_key": "e"}})"), Codes{});
}

TEST(ColumnChecks, RefuseRowsWithoutColumnsThatMatter) {
    EXPECT_EQ(codes_of_sql("INSERT INTO payments (event_id) SELECT event_id FROM batch", kKeyed),
              Codes{"column-not-filled"});
    EXPECT_EQ(codes_of_sql("INSERT INTO payments (payment_id) SELECT event_id FROM batch", kKeyed),
              Codes{"column-not-filled"});
    const std::string stage = "INSERT INTO stg (payment_id, run) SELECT payment_id, {batch} FROM batch; ";
    EXPECT_EQ(codes_of_sql(stage + "INSERT INTO payments SELECT * FROM stg WHERE run = {batch}", "{}"), Codes{});
    EXPECT_EQ(codes_of_sql(stage + "CREATE TABLE mine AS SELECT payment_id FROM stg; "
                                   "INSERT INTO payments SELECT * FROM mine WHERE run = {batch}",
                           "{}"),
              Codes{"column-not-filled"});
}

TEST(ColumnChecks, RefuseGroupsThatAreNeitherRecordsNorKeys) {
    const std::string query = "INSERT INTO payments (payment_id, event_id, event_time) SELECT DISTINCT ON (";
    const std::string rest = ") payment_id, event_id, event_time FROM stg ORDER BY ";
    EXPECT_EQ(codes_of_sql(query + "payment_id" + rest + "payment_id, event_time DESC", "{}"), Codes{});
    EXPECT_EQ(codes_of_sql(query + "event_id" + rest + "event_id, event_time DESC", "{}"), Codes{});
    EXPECT_EQ(codes_of_sql(query + "payment_id" + rest + "payment_id, loaded DESC", "{}"), Codes{"unknown-column"});
    EXPECT_EQ(codes_of_sql(query + "amount" + rest + "amount, event_time DESC", "{}"), Codes{"unknown-column"});
}

}  // namespace

}  // namespace oncecheck

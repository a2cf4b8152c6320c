// SQL as steps: what each statement becomes, and that everything else is refused at its place.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "model/document/names.h"
#include "model/document/sql_reader.h"
#include "model/document/sql_text.h"
#include "tests/document/reading_fixture.h"

namespace oncecheck {
namespace {

struct Parsed {
    Program program;
    std::vector<Problem> problems;
};

// Bare names are tables of "w"; "x" is another component.
Parsed parsed(const std::string& text, const std::string& store = "w") {
    int steps_left = 1'000;
    Parsed result;
    result.program = read_sql_program(text, "a.sql", {store, {"w", "x"}, "/sql", steps_left}, result.problems);
    return result;
}

Step step_of(const std::string& statement) {
    const Parsed result = parsed(statement);
    EXPECT_TRUE(result.problems.empty()) << statement << '\n' << to_string(result.problems.front());
    return result.program.empty() ? Step{} : result.program.back();
}

// "code line:column" of the problems.
std::vector<std::string> refusals(const std::string& text, const std::string& store = "w") {
    std::vector<std::string> found;
    for (const Problem& problem : parsed(text, store).problems) {
        EXPECT_FALSE(problem.expected.empty() && problem.code == "sql") << problem.message;
        found.push_back(problem.code + ' ' + std::to_string(problem.where.line) + ':' +
                        std::to_string(problem.where.column));
    }
    return found;
}

std::map<std::string, std::string> texts(const std::map<std::string, Template>& columns) {
    std::map<std::string, std::string> result;
    for (const auto& [column, value] : columns) {
        result.emplace(column, value.text);
    }
    return result;
}

using Names = std::vector<std::string>;
using Columns = std::map<std::string, std::string>;

const std::string kMerge =
    "MERGE INTO ledger t USING stg s ON t.id = s.id "
    "WHEN MATCHED AND s.v > t.v THEN UPDATE SET v = s.v, a = s.a "
    "WHEN NOT MATCHED THEN INSERT (id, v, a) VALUES (s.id, s.v, s.a)";

// ---- statements

TEST(SqlStatements, CreateATable) {
    const Step step = step_of("create table Stg_{batch}X (Id int primary key, v text not null, unique (v, id))");
    EXPECT_EQ(step.verb, Verb::kCreate);
    EXPECT_EQ(step.if_exists, IfExists::kFail);
    EXPECT_EQ(step.keys, (std::vector<Names>{{"id"}, {"v", "id"}}));
    EXPECT_FALSE(step.filled);
    EXPECT_EQ(step_of("create table if not exists a (b int)").if_exists, IfExists::kKeep);
}

TEST(SqlStatements, CreateATableFromRows) {
    const Step step =
        step_of("CREATE TABLE a AS SELECT id, v, 'x' AS tag, upper(v) AS loud FROM b WHERE run = {batch}");
    EXPECT_TRUE(step.filled);
    EXPECT_EQ(step.source->text, "w.b");
    EXPECT_EQ(texts(step.where), (Columns{{"run", "{batch}"}}));
    EXPECT_EQ(texts(step.set), (Columns{{"tag", "x"}}));
    EXPECT_EQ(step.columns, (Names{"id", "v"}));
    EXPECT_FALSE(step_of("CREATE TABLE a AS SELECT * FROM b").columns.has_value());
    EXPECT_FALSE(step_of("CREATE TABLE a AS SELECT * FROM b WITH NO DATA").filled);
}

TEST(SqlStatements, CreateTemporaryTablesInTheSession) {
    const Parsed result = parsed("CREATE TEMP TABLE mine AS SELECT * FROM batch; TRUNCATE mine; TRUNCATE yours");
    ASSERT_EQ(result.program.size(), 3U);
    EXPECT_TRUE(result.program[0].temporary);
    EXPECT_EQ(result.program[0].target.text, "mine");
    EXPECT_FALSE(result.program[0].source.has_value());
    EXPECT_EQ(result.program[1].target.text, "mine");
    EXPECT_EQ(result.program[2].target.text, "w.yours");
    const Parsed dropped = parsed("DROP TABLE IF EXISTS mine; CREATE TEMP TABLE mine (a int)");
    EXPECT_EQ(dropped.program[0].target.text, "mine");
    EXPECT_EQ(refusals("CREATE TEMP TABLE x.mine (a int)"), Names{"sql 1:19"});
}

TEST(SqlStatements, TruncateAndDrop) {
    EXPECT_EQ(step_of("TRUNCATE TABLE a").verb, Verb::kTruncate);
    EXPECT_TRUE(step_of("DROP TABLE a").must_exist);
    EXPECT_FALSE(step_of("DROP TABLE IF EXISTS a CASCADE").must_exist);
    EXPECT_EQ(step_of("DROP TABLE x.\"a_{batch}\"").target.text, "x.a_{batch}");
    EXPECT_EQ(step_of("DROP TABLE x.\"a_{batch}\"").sql, "DROP TABLE \"a_{batch}\"");
}

TEST(SqlStatements, DeleteRows) {
    const Step constants = step_of("DELETE FROM a WHERE run = '{batch}' AND 5 = a.kind AND n = -1 AND ok = true");
    EXPECT_EQ(texts(constants.where), (Columns{{"run", "{batch}"}, {"kind", "5"}, {"n", "-1"}, {"ok", "true"}}));
    EXPECT_TRUE(step_of("DELETE FROM a").where.empty());
    for (const char* text :
         {"DELETE FROM a USING b AS s WHERE a.id = s.id", "DELETE FROM a AS t WHERE t.id IN (SELECT id FROM b)"}) {
        const Step step = step_of(text);
        EXPECT_EQ(step.source->text, "w.b");
        EXPECT_EQ(step.on, Names{"id"});
    }
}

TEST(SqlStatements, InsertConstants) {
    for (const char* text : {"INSERT INTO a (run, n, at) VALUES ('r-{batch}', {batch}::bigint, now())",
                             "INSERT INTO a (run, n, at) SELECT 'r-{batch}', {batch}, CURRENT_TIMESTAMP"}) {
        const Step step = step_of(text);
        EXPECT_EQ(step.verb, Verb::kInsert);
        EXPECT_TRUE(step.has_values);
        EXPECT_EQ(texts(step.set), (Columns{{"run", "r-{batch}"}, {"n", "{batch}"}, {"at", "{now}"}}));
    }
}

TEST(SqlStatements, InsertRows) {
    const Step step = step_of(
        "INSERT INTO a (id, run, w) SELECT s.id, '{batch}', s.v FROM b s WHERE s.run = '{batch}' ON CONFLICT DO "
        "NOTHING");
    EXPECT_EQ(step.source->text, "w.b");
    EXPECT_EQ(texts(step.set), (Columns{{"run", "{batch}"}}));
    EXPECT_EQ(texts(step.where), (Columns{{"run", "{batch}"}}));
    EXPECT_EQ(step.columns, Names{"id"});  // w is another column than v
    EXPECT_EQ(step.on_conflict, OnConflict::kIgnore);
    EXPECT_FALSE(step_of("INSERT INTO a SELECT * FROM batch").source.has_value());
    EXPECT_EQ(step_of("INSERT INTO a SELECT * FROM b ON CONFLICT (id) DO NOTHING").on, Names{"id"});
}

TEST(SqlStatements, TakeTheNewestRowOfEachKey) {
    for (const char* query :
         {"SELECT DISTINCT ON (k) id, k, v FROM b ORDER BY k, v DESC",
          "SELECT id, k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS r FROM b) x WHERE r = "
          "1",
          "SELECT id, k, v FROM (SELECT b.*, row_number() OVER (PARTITION BY b.k ORDER BY b.v DESC, id) r FROM b) x "
          "WHERE x.r = 1"}) {
        const Step step = step_of(std::string("INSERT INTO a (id, k, v) ") + query);
        EXPECT_EQ(step.dedupe_by, "v") << query;
        EXPECT_EQ(step.grouped_by, Names{"k"}) << query;
    }
    EXPECT_EQ(step_of("INSERT INTO a (id) SELECT DISTINCT ON (id) id FROM b").dedupe_by, "id");
}

TEST(SqlStatements, Merge) {
    const Step step = step_of(kMerge);
    EXPECT_EQ(step.verb, Verb::kMerge);
    EXPECT_FALSE(step.upsert);
    EXPECT_EQ(step.source->text, "w.stg");
    EXPECT_EQ(step.on, Names{"id"});
    EXPECT_EQ(step.newer_by, "v");
    EXPECT_EQ(step.only, MergeOnly::kBoth);
    EXPECT_EQ(step.columns, (Names{"id", "v", "a"}));
    EXPECT_EQ(step.sql, kMerge);
}

TEST(SqlStatements, MergeOneSideOnly) {
    EXPECT_EQ(
        step_of("MERGE INTO t USING batch ON t.id = batch.id WHEN NOT MATCHED THEN INSERT (id) VALUES (batch.id)").only,
        MergeOnly::kUnmatched);
    const Step matched = step_of("MERGE INTO t USING s ON s.id = t.id WHEN MATCHED THEN UPDATE SET (v, n) = (s.v, 5)");
    EXPECT_EQ(matched.only, MergeOnly::kMatched);
    EXPECT_EQ(matched.columns, (Names{"v", "id"}));
    EXPECT_EQ(texts(matched.set), (Columns{{"n", "5"}}));
}

TEST(SqlStatements, MergeThatAddsUp) {
    const Step step = step_of(
        "MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET total = t.total + s.total "
        "WHEN NOT MATCHED THEN INSERT (id, total) VALUES (s.id, s.total)");
    EXPECT_EQ(step.add, Names{"total"});
    EXPECT_EQ(step.columns, Names{"id"});
}

TEST(SqlStatements, UpsertIsAMerge) {
    const Step step = step_of(
        "INSERT INTO ledger AS l (id, v, made) SELECT id, v, now() FROM batch "
        "ON CONFLICT (id) DO UPDATE SET v = excluded.v WHERE l.v < excluded.v");
    EXPECT_EQ(step.verb, Verb::kMerge);
    EXPECT_TRUE(step.upsert);
    EXPECT_EQ(step.on, Names{"id"});
    EXPECT_EQ(step.newer_by, "v");
    EXPECT_EQ(step.columns, (Names{"id", "v"}));
    EXPECT_TRUE(step.set.empty());  // `made` is of the first row, then of none
}

TEST(SqlStatements, SwapByRenames) {
    const Step step =
        step_of("BEGIN; ALTER TABLE a RENAME TO old; ALTER TABLE b RENAME TO a; ALTER TABLE old RENAME TO b; COMMIT");
    ASSERT_EQ(step.body.size(), 1U);
    EXPECT_EQ(step.body[0].verb, Verb::kSwap);
    EXPECT_EQ(step.body[0].target.text, "w.a");
    EXPECT_EQ(step.body[0].partner.text, "w.b");
    EXPECT_EQ(refusals("BEGIN; ALTER TABLE a RENAME TO old; ALTER TABLE b RENAME TO a; DROP TABLE old; COMMIT"),
              Names{"sql 1:8"});
    EXPECT_EQ(refusals("ALTER TABLE a RENAME TO old"), Names{"sql 1:1"});
    EXPECT_EQ(
        refusals("BEGIN; ALTER TABLE a RENAME TO o; ALTER TABLE b RENAME TO a; ALTER TABLE o RENAME TO c; COMMIT"),
        Names{"sql 1:8"});
    EXPECT_EQ(refusals("BEGIN; ALTER TABLE a RENAME TO o; ALTER TABLE b RENAME TO a; ALTER TABLE o RENAME TO b; COMMIT;"
                       "TRUNCATE o"),
              Names{"sql 1:96"});
}

// ---- programs

TEST(SqlPrograms, TransactionsHaveTheirStatementsAndIsolation) {
    const Parsed result = parsed(
        "TRUNCATE a; BEGIN ISOLATION LEVEL SERIALIZABLE; TRUNCATE b; TRUNCATE c; COMMIT; START TRANSACTION; "
        "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED; TRUNCATE d; END; BEGIN; TRUNCATE e; COMMIT");
    ASSERT_TRUE(result.problems.empty()) << to_string(result.problems.front());
    ASSERT_EQ(result.program.size(), 4U);
    EXPECT_EQ(result.program[1].isolation, Isolation::kSerializable);
    EXPECT_EQ(result.program[1].body.size(), 2U);
    EXPECT_EQ(result.program[2].isolation, Isolation::kReadCommitted);
    EXPECT_EQ(result.program[3].isolation, std::nullopt);
    EXPECT_EQ(refusals("BEGIN; TRUNCATE a"), Names{"sql 1:1"});
    EXPECT_EQ(refusals("COMMIT"), Names{"sql 1:1"});
    EXPECT_EQ(refusals("BEGIN; BEGIN; COMMIT"), Names{"sql 1:8"});
    EXPECT_EQ(refusals("BEGIN; TRUNCATE a; SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; COMMIT"), Names{"sql 1:20"});
    EXPECT_EQ(refusals("BEGIN READ ONLY; COMMIT"), Names{"sql 1:7"});
    EXPECT_EQ(refusals("BEGIN; ROLLBACK; COMMIT"), Names{"sql 1:8"});
}

TEST(SqlPrograms, KnowTheFileAndLineOfEachStep) {
    const Parsed result = parsed("-- first\n\n  TRUNCATE a;\r\n/* ; */ TRUNCATE\n  b;");
    ASSERT_EQ(result.program.size(), 2U);
    EXPECT_EQ(result.program[0].position, (SourcePosition{"a.sql", 3, 3, "/sql"}));
    EXPECT_EQ(result.program[1].position, (SourcePosition{"a.sql", 4, 9, "/sql"}));
    EXPECT_EQ(result.program[1].sql, "TRUNCATE\n  b");
}

TEST(SqlPrograms, ReportEachBadStatementAtItsPlace) {
    EXPECT_EQ(refusals("TRUNCATE a;\nSELCT 1;\n  UPDATE a SET b = 1;\nINSERT INTO ä SELECT é.* FROM b x"),
              (Names{"syntax 2:1", "sql 3:3", "sql 4:22"}));
    EXPECT_EQ(refusals(""), Names{"empty 1:1"});
    EXPECT_EQ(refusals("-- nothing; here"), Names{"empty 1:1"});
}

TEST(SqlPrograms, LeaveOutTheNameOfTheStoreFromWhatItExecutes) {
    const Step step = step_of("INSERT INTO x.a SELECT * FROM x.b_{batch} AS b WHERE b.run = 'x.a'");
    EXPECT_EQ(step.target.text, "x.a");
    EXPECT_EQ(step.source->text, "x.b_{batch}");
    EXPECT_EQ(step.sql, "INSERT INTO a SELECT * FROM b_{batch} AS b WHERE b.run = 'x.a'");
}

TEST(SqlPrograms, RefuseNamesThatMayMeanAnotherTable) {
    EXPECT_EQ(refusals("TRUNCATE public.a"), Names{"sql 1:10"});
    EXPECT_EQ(refusals("TRUNCATE a.b.c"), Names{"sql 1:10"});
    EXPECT_EQ(refusals("TRUNCATE \"A\""), Names{"sql 1:10"});
    EXPECT_EQ(refusals("TRUNCATE \"a.b\""), Names{"sql 1:10"});
    EXPECT_EQ(refusals("TRUNCATE batch"), Names{"sql 1:10"});
    EXPECT_EQ(refusals("TRUNCATE a", ""), Names{"sql 1:10"});
    EXPECT_EQ(refusals("TRUNCATE x /* . */ . a"), Names{"sql 1:1"});
}

TEST(SqlPrograms, ObeyDirectivesAndRefuseOthers) {
    EXPECT_EQ(step_of("-- oncecheck: by executors\nINSERT INTO a SELECT * FROM batch").verb, Verb::kAppend);
    EXPECT_EQ(step_of("TRUNCATE a -- oncecheck: on_error ignore\n").on_error, OnError::kIgnore);
    EXPECT_EQ(refusals("-- oncecheck: by executors\nINSERT INTO a SELECT * FROM b"), Names{"sql 1:1"});
    EXPECT_EQ(refusals("CREATE TEMP TABLE a (b int);\n-- oncecheck: by executors\nINSERT INTO a SELECT * FROM batch"),
              Names{"sql 2:1"});
    EXPECT_EQ(refusals("-- oncecheck: by magic\nTRUNCATE a"), Names{"sql 1:1"});
    EXPECT_EQ(refusals("BEGIN;\n-- oncecheck: on_error ignore\nTRUNCATE a; COMMIT"), Names{"sql 2:1"});
    EXPECT_EQ(refusals("TRUNCATE a;\n-- oncecheck: by executors"), Names{"sql 2:1"});
}

TEST(SqlPrograms, KeepPlaceholdersOfNamesThatTheParserWouldCut) {
    const std::string name = "a_name_that_is_longer_than_the_sixty_three_bytes_of_the_parser_{query}_{batch}";
    EXPECT_EQ(step_of("TRUNCATE " + name).target.text, "w." + name);
    EXPECT_EQ(step_of("TRUNCATE \"" + name + "\"").target.text, "w." + name);
    EXPECT_EQ(step_of("TRUNCATE STG_{batch}_X").target.text, "w.stg_{batch}_x");
    EXPECT_EQ(refusals("TRUNCATE a_{bach}"), Names{"template 1:10"});
    EXPECT_EQ(refusals("TRUNCATE a_{batch"), Names{"template 1:12"});
    EXPECT_EQ(refusals("TRUNCATE {}"), Names{"template 1:10"});
}

TEST(SqlPrograms, KnowStringsFromStatements) {
    EXPECT_EQ(texts(step_of("INSERT INTO a (b) VALUES ('x; -- it''s')").set), (Columns{{"b", "x; -- it's"}}));
    EXPECT_EQ(texts(step_of("INSERT INTO a (b) VALUES (E'\\';')").set), (Columns{{"b", "';"}}));
    EXPECT_EQ(texts(step_of("INSERT INTO a (b) VALUES ($q$;'$q$)").set), (Columns{{"b", ";'"}}));
    EXPECT_EQ(refusals("TRUNCATE a; INSERT INTO a (b) VALUES ('x"), Names{"syntax 1:39"});
    EXPECT_EQ(refusals("/* /* */ TRUNCATE a"), Names{"syntax 1:1"});
}

// ---- what no step expresses

class Inexpressible : public testing::TestWithParam<const char*> {};

TEST_P(Inexpressible, IsRefusedOnce) {
    const Parsed result = parsed(GetParam());
    ASSERT_EQ(result.problems.size(), 1U) << GetParam();
    EXPECT_EQ(result.problems.front().code, "sql") << to_string(result.problems.front());
    EXPECT_EQ(result.problems.front().where.line, 1);
    EXPECT_FALSE(result.problems.front().expected.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Every, Inexpressible,
    testing::Values(
        "SELECT count(*) FROM a", "UPDATE a SET b = 1", "COPY a FROM STDIN", "LOCK TABLE a", "CREATE INDEX ON a (b)",
        "SET search_path = x", "VACUUM a", "CREATE VIEW a AS SELECT * FROM b", "CREATE TABLE a (b int REFERENCES c)",
        "CREATE TABLE a (b int CHECK (b > 0))", "CREATE TABLE a (LIKE b INCLUDING ALL)",
        "CREATE TABLE a (b int) PARTITION BY RANGE (b)", "CREATE TABLE a () INHERITS (b)",
        "CREATE TEMP TABLE a (b int) ON COMMIT DROP", "CREATE TEMP TABLE a (b int PRIMARY KEY)",
        "CREATE TABLE a AS SELECT random() AS x FROM b", "CREATE TABLE a AS VALUES (1)", "TRUNCATE a, b",
        "TRUNCATE a CASCADE", "DROP TABLE a, b", "DROP VIEW a", "DELETE FROM a WHERE b > 1",
        "DELETE FROM a WHERE b = c", "DELETE FROM a WHERE b = 1 OR c = 2", "DELETE FROM a WHERE b = 1 AND b = 2",
        "DELETE FROM a WHERE b IS NULL", "DELETE FROM a WHERE b = NULL", "DELETE FROM a WHERE b = 'now'::timestamp",
        "DELETE FROM a WHERE b IN (1, 2)", "DELETE FROM a WHERE b NOT IN (SELECT b FROM c)",
        "DELETE FROM a WHERE b IN (SELECT c FROM d)", "DELETE FROM a WHERE b IN (SELECT b FROM c WHERE d = 1)",
        "DELETE FROM a USING b", "DELETE FROM a USING b, c", "DELETE FROM a USING b WHERE a.id = b.id AND b.run = 1",
        "DELETE FROM a WHERE b = 1 RETURNING b", "INSERT INTO a DEFAULT VALUES", "INSERT INTO a VALUES (1)",
        "INSERT INTO a (b) VALUES (1), (2)", "INSERT INTO a (b) VALUES (random())", "INSERT INTO a (b) VALUES (NULL)",
        "INSERT INTO a SELECT b FROM c", "INSERT INTO a (b) SELECT * FROM c",
        "INSERT INTO a SELECT * FROM b JOIN c USING (d)", "INSERT INTO a SELECT * FROM b, c",
        "INSERT INTO a SELECT * FROM b UNION ALL SELECT * FROM c", "INSERT INTO a SELECT * FROM b LIMIT 1",
        "INSERT INTO a (b) SELECT b FROM c GROUP BY b", "INSERT INTO a SELECT DISTINCT * FROM b",
        "INSERT INTO a SELECT * FROM b WHERE NOT EXISTS (SELECT 1 FROM c)", "INSERT INTO a SELECT * FROM b FOR UPDATE",
        "WITH c AS (SELECT * FROM b) INSERT INTO a SELECT * FROM c",
        "INSERT INTO a (k) SELECT DISTINCT ON (k) k FROM b ORDER BY k, v",
        "INSERT INTO a (k) SELECT DISTINCT ON (k, j) k FROM b",
        "INSERT INTO a (k) SELECT k FROM (SELECT *, row_number() OVER (PARTITION BY k ORDER BY v DESC) r FROM b) x",
        "INSERT INTO a (k) SELECT k FROM (SELECT *, row_number() OVER (PARTITION BY k ORDER BY v DESC) r FROM b) x "
        "WHERE r = 2",
        "INSERT INTO a (k) SELECT k FROM (SELECT *, row_number() OVER (ORDER BY v DESC) r FROM b) x WHERE r = 1",
        "INSERT INTO a (k) SELECT k FROM (SELECT *, rank() OVER (PARTITION BY k ORDER BY v DESC) r FROM b) x WHERE r = "
        "1",
        "INSERT INTO a (k) SELECT k FROM (SELECT DISTINCT ON (k) * FROM b ORDER BY k, v DESC) x WHERE x.run = 1",
        "INSERT INTO a (k) SELECT DISTINCT ON (k) k FROM (SELECT lower(k) AS k FROM b) x",
        "INSERT INTO a SELECT * FROM b ON CONFLICT ON CONSTRAINT c DO NOTHING",
        "INSERT INTO a SELECT * FROM b ON CONFLICT (lower(k)) DO NOTHING",
        "INSERT INTO a (k, v) VALUES (1, 2) ON CONFLICT (k) DO UPDATE SET v = excluded.v",
        "INSERT INTO a SELECT * FROM b ON CONFLICT (k) DO UPDATE SET v = excluded.v",
        "INSERT INTO a (k, v, w) SELECT k, v, w FROM b ON CONFLICT (k) DO UPDATE SET v = excluded.v",
        "INSERT INTO a (k, v) SELECT k, v FROM b ON CONFLICT (k) DO UPDATE SET v = excluded.v WHERE a.v <= excluded.v",
        "INSERT INTO a (k, v) SELECT lower(k), v FROM b ON CONFLICT (k) DO UPDATE SET v = excluded.v",
        "MERGE INTO a USING b ON a.k = b.k WHEN MATCHED THEN DELETE",
        "MERGE INTO a USING b ON a.k = b.k WHEN MATCHED THEN DO NOTHING",
        "MERGE INTO a USING b ON a.k = b.j WHEN MATCHED THEN UPDATE SET v = b.v",
        "MERGE INTO a USING b ON k = b.k WHEN MATCHED THEN UPDATE SET v = b.v",
        "MERGE INTO a USING b ON a.k = b.k AND b.run = 1 WHEN MATCHED THEN UPDATE SET v = b.v",
        "MERGE INTO a USING b ON a.k = b.k WHEN MATCHED THEN UPDATE SET v = v",
        "MERGE INTO a USING b ON a.k = b.k WHEN MATCHED THEN UPDATE SET v = a.v + b.w",
        "MERGE INTO a USING b ON a.k = b.k WHEN MATCHED THEN UPDATE SET v = v + 1",
        "MERGE INTO a USING b ON a.k = b.k WHEN MATCHED AND b.v >= a.v THEN UPDATE SET v = b.v",
        "MERGE INTO a USING b ON a.k = b.k WHEN MATCHED AND b.v > a.v THEN UPDATE SET w = b.w",
        "MERGE INTO a USING b ON a.k = b.k WHEN MATCHED AND b.gone THEN UPDATE SET v = b.v WHEN MATCHED THEN DELETE",
        "MERGE INTO a USING b ON a.k = b.k WHEN NOT MATCHED THEN INSERT VALUES (b.k)",
        "MERGE INTO a USING b ON a.k = b.k WHEN MATCHED THEN UPDATE SET v = b.v WHEN NOT MATCHED THEN INSERT (v) "
        "VALUES "
        "(b.v)",
        "MERGE INTO a USING b ON a.k = b.k WHEN MATCHED THEN UPDATE SET v = b.v WHEN NOT MATCHED THEN INSERT (k, v, w) "
        "VALUES (b.k, b.v, b.w)",
        "MERGE INTO a USING (SELECT lower(k) AS k FROM b) b ON a.k = b.k WHEN MATCHED THEN UPDATE SET v = 1",
        "MERGE INTO a USING b JOIN c ON b.k = c.k ON a.k = b.k WHEN MATCHED THEN UPDATE SET v = b.v"));

// ---- bytes that are no SQL

TEST(SqlRobustness, NestingAndChainsAreBounded) {
    const auto repeated = [](const std::string& text, int times) {
        std::string result;
        for (int count = 0; count < times; ++count) {
            result += text;
        }
        return result;
    };
    for (const int times : {100, 1'900, 3'000, 20'000}) {
        for (const std::string& text :
             {"DELETE FROM a WHERE b = " + repeated("(", times) + "1" + repeated(")", times),
              "DELETE FROM a WHERE b = " + repeated("- ", times) + "1",
              "DELETE FROM a WHERE b = 1" + repeated("+1", times),
              "INSERT INTO a " + repeated("(SELECT * FROM ", times),
              "INSERT INTO a SELECT * FROM b" + repeated(" UNION SELECT 1", times),
              "DELETE FROM a WHERE " + repeated("NOT ", times) + "b",
              "DELETE FROM a WHERE b = CASE WHEN c THEN " + repeated("f(", times), repeated("/*", times)}) {
            if (text.size() < kMaxSqlBytes) {
                (void)parsed(text);
            }
        }
    }
    EXPECT_EQ(parsed(repeated("TRUNCATE a;", 2'000)).problems.front().code, "size");
    EXPECT_EQ(parsed(std::string(kMaxSqlBytes + 1, ' ')).problems.front().code, "size");
    EXPECT_EQ(parsed("DELETE FROM a WHERE b = 1" + repeated("+1", 5'000)).problems.front().code, "nesting");
}

TEST(SqlRobustness, AFileCutAnywhereOrWithAChangedByteNeverCrashes) {
    const std::string text = file_text(ONCECHECK_TESTS "/document/statements.sql");
    ASSERT_EQ(refusals(text), Names{});
    for (std::size_t length = 0; length < text.size(); ++length) {
        (void)parsed(text.substr(0, length));
    }
    std::mt19937 random(19);
    int refused = 0;
    for (int round = 0; round < 3'000; ++round) {
        std::string changed = text;
        for (int count = 0; count < 1 + round % 4; ++count) {
            changed[random() % changed.size()] = static_cast<char>(static_cast<unsigned char>(random()));
        }
        refused += parsed(changed).problems.empty() ? 0 : 1;
    }
    EXPECT_GT(refused, 1'000);
}

TEST(SqlRobustness, RandomTokensNeverCrash) {
    const char* const tokens[] = {
        "MERGE",  "INTO",  "a",   "USING", "(",  ")",      "SELECT",   "*",       "FROM",     "WHERE",
        "=",      "ON",    "'x'", "WHEN",  ",",  ".",      "1",        "MATCHED", "THEN",     "UPDATE",
        "SET",    "b",     ";",   "BEGIN", "::", "INSERT", "NOT",      "VALUES",  "{batch}",  "-",
        "DELETE", "\"c\"", "AND", "AS",    "$1", "COMMIT", "DISTINCT", "OVER",    "ORDER BY", "[",
    };
    std::mt19937 random(23);
    for (int round = 0; round < 5'000; ++round) {
        std::string text;
        for (int count = 0; count < 30; ++count) {
            text += tokens[random() % std::size(tokens)];
            text += ' ';
        }
        (void)parsed(text);
    }
}

TEST(SqlRobustness, CharactersWithoutAPlaceAreRefused) {
    EXPECT_EQ(refusals("TRUNCATE \xEE\x80\x80"), Names{"syntax 1:10"});
    EXPECT_EQ(refusals(std::string("TRUNCATE a\0b", 12)), Names{"syntax 1:11"});
    EXPECT_EQ(refusals("TRUNCATE \xFF"), Names{"utf-8 1:10"});
    EXPECT_EQ(refusals("INSERT INTO a (b) VALUES (E'\\xff')"), Names{"syntax 1:1"});
    EXPECT_EQ(step_of("\xEF\xBB\xBFTRUNCATE a").verb, Verb::kTruncate);
}

// ---- in a document

TEST(SqlDocuments, ReadTheFileBesideThem) {
    const std::vector<Document> documents =
        parse_documents(file_text(ONCECHECK_TESTS "/document/full.json"), ONCECHECK_TESTS "/document/full.json", {});
    for (const Component& component : documents.front().components) {
        if (component.name == "deployed") {
            EXPECT_EQ(component.steps_key, "sql");
            EXPECT_EQ(component.sql_file, ONCECHECK_TESTS "/document/full.sql");
            EXPECT_EQ(component.steps.front().target.text, "warehouse.stg_{batch}");
            EXPECT_EQ(component.steps.front().position.line, 2);
            return;
        }
    }
    FAIL() << "no component 'deployed'";
}

TEST(SqlDocuments, RefuseFilesThatAreNone) {
    EXPECT_EQ(codes_of(with_component(R"("sql": "x.txt")")), Codes{"unsupported /components/c/sql"});
    EXPECT_EQ(codes_of(with_component(R"("sql": "not-there.sql")")), Codes{"file /components/c/sql"});
    EXPECT_EQ(codes_of(with_component(R"("sql": "-")")), Codes{"unsupported /components/c/sql"});
    EXPECT_EQ(codes_of(with_component(R"("sql": 5)")), Codes{"type /components/c/sql"});
}

}  // namespace
}  // namespace oncecheck

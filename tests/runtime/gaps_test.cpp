#include "model/runtime/gaps.h"

#include <gtest/gtest.h>

#include "tests/runtime/store_bed.h"

namespace oncecheck {
namespace {

constexpr const char* kMysql = R"("type": "mysql", "version": "8.0")";
constexpr const char* kPostgresql = R"("type": "postgresql", "version": "15")";

std::vector<std::string> gaps(const std::string& steps, Dialect dialect, const std::string& database = kPostgresql,
                              const std::string& tables = "{}") {
    const Pipeline pipeline = query_pipeline(steps, tables, database);
    std::vector<std::string> found;
    for (const Gap& gap : find_gaps(SchemaOfRun(pipeline, dialect), dialect)) {
        const char* const kinds[] = {"never", "other store", "serial"};
        found.push_back(std::string(kinds[static_cast<int>(gap.kind)]) + ": " + gap.capability);
        EXPECT_FALSE(gap.message.empty());
        EXPECT_GT(gap.where.line, 0);
    }
    return found;
}

using Texts = std::vector<std::string>;

TEST(Gaps, PostgresqlStandsInForItself) {
    EXPECT_EQ(gaps(R"([{ "transaction": [{ "merge": "db.t", "on": ["payment_id"] }, { "truncate": "db.s" }],
                         "isolation": "serializable" }])",
                   Dialect::kPostgresql),
              Texts{});
}

TEST(Gaps, SqliteRunsTransactionsAndMergesOneAfterAnother) {
    EXPECT_EQ(gaps(R"([{ "transaction": [{ "merge": "db.t", "on": ["payment_id"] }] }])", Dialect::kSqlite),
              (Texts{"serial: isolation", "serial: merge"}));
    EXPECT_EQ(gaps(R"([{ "truncate": "db.t" }, { "append": "db.t" }])", Dialect::kSqlite), Texts{});
}

TEST(Gaps, StrictRefusesWhatRunsOneAfterAnother) {
    const Pipeline pipeline = query_pipeline(R"([{ "merge": "db.t", "on": ["payment_id"] }])");
    EXPECT_NE(open_stores(pipeline, {}), nullptr);
    try {
        static_cast<void>(open_stores(pipeline, {.strict = true}));
        FAIL();
    } catch (const NeedsAnotherStore& error) {
        EXPECT_TRUE(error.needs_postgresql());
        EXPECT_NE(std::string(error.what()).find("postgresql://"), std::string::npos);
    }
}

TEST(Gaps, NoStoreStandsInForWhatMysqlDoesOtherwise) {
    const std::string merge = R"([{ "merge": "db.t", "on": ["payment_id"] }])";
    const std::string keyed = R"({ "t": { "primary_key": ["payment_id"] } })";
    EXPECT_EQ(gaps(merge, Dialect::kPostgresql, kMysql, keyed),
              (Texts{"never: double_match", "never: unmatched_twice"}));
    EXPECT_EQ(gaps(merge, Dialect::kSqlite, kMysql, keyed), Texts{});
    EXPECT_EQ(gaps(merge, Dialect::kSqlite, kMysql), Texts{"never: merge"});
    EXPECT_EQ(gaps(R"([{ "insert": "db.t", "from": "db.s" }])", Dialect::kPostgresql, kMysql),
              Texts{"never: insert_select_reads"});
}

TEST(Gaps, NamesThatSqliteTakesForOne) {
    EXPECT_EQ(gaps(R"([{ "append": "db.T" }])", Dialect::kSqlite, kMysql), Texts{"other store: identifier_folding"});
    EXPECT_EQ(gaps(R"([{ "append": "db.T" }])", Dialect::kSqlite), Texts{});
    EXPECT_EQ(gaps(R"([{ "append": "db.t", "set": { "A": "1", "a": "2" } }])", Dialect::kSqlite),
              Texts{"other store: columns"});
    EXPECT_EQ(
        gaps(R"([{ "append": "db.t", "set": { ")" + std::string(64, 'c') + R"(": "1" } }])", Dialect::kPostgresql),
        Texts{"never: columns"});
}

}  // namespace
}  // namespace oncecheck

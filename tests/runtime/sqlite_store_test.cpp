#include "model/runtime/sqlite_store.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/runtime/store_bed.h"

namespace oncecheck {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* kOne = "0a0a0a0a-0b0b-0c0c-0d0d-0e0e0e0e0e0e";
constexpr const char* kAppend = R"([{ "append": "db.payments", "by": "driver" }, { "truncate": "db.stg" }])";

// Of the embedded database alone.
class SqliteFiles : public StoreBed {
  protected:
    SqliteFiles() {
        std::string pattern = (std::filesystem::temp_directory_path() / "oncecheck-test-XXXXXX").string();
        folder_ = ::mkdtemp(pattern.data());
    }
    ~SqliteFiles() override { std::filesystem::remove_all(folder_); }

    std::string folder_;
};
INSTANTIATE_TEST_SUITE_P(On, SqliteFiles, testing::Values(Driver::kSqlite), driver_name);

TEST_P(SqliteFiles, AFolderKeepsTheTablesForWhoeverGoesOn) {
    const char* const steps = R"([{ "append": "db.stg_{batch}", "by": "driver" }, { "drop": "db.stg_{batch}" },
                                  { "append": "db.payments", "by": "driver" }, { "drop": "db.gone" }])";
    open(query_pipeline(steps), {.url = folder_});
    {
        Incarnation one(stores(), kOne);
        one.run_program();
    }
    stores_.reset();
    EXPECT_THROW(open(query_pipeline(steps), {.url = folder_}), StoreError);
    open(query_pipeline(steps), {.url = folder_, .reopen = true});
    EXPECT_EQ(names(), Texts{"payments"});
    EXPECT_EQ(content_of("payments")->rows.size(), 2U);
    {
        Incarnation one(stores(), kOne);
        EXPECT_EQ(one.run(one.program()[0]).failure(), FailureKind::kMissingObject);
    }
    stores_.reset();
    open(query_pipeline(steps), {.url = folder_, .allow_same_names = true});
    EXPECT_EQ(content_of("payments")->rows.size(), 0U);
    EXPECT_NE(content_of("gone"), nullptr);
}

TEST_P(SqliteFiles, AFolderThatIsNoneIsRefused) {
    EXPECT_THROW(open(query_pipeline(kAppend), {.url = folder_ + "/nowhere"}), StoreError);
    EXPECT_THROW(open(query_pipeline(kAppend), {.url = "mysql://x"}), StoreError);
}

TEST_P(SqliteFiles, ContentShowsWhatHasBeenCommitted) {
    open(query_pipeline(kAppend), {.url = folder_});
    const Place place{ObjectScope::kStore, *stores().schema().pipeline().find("db"), ""};
    const std::unique_ptr<StoreConnection> one = stores().connect(place);
    for (const char* end : {"ROLLBACK", "COMMIT"}) {
        for (const char* sql : {"BEGIN", "INSERT INTO payments (event_id) VALUES ('e0')"}) {
            EXPECT_EQ(one->execute({place, sql, {}, {}}).status, StatementStatus::kDone);
            EXPECT_EQ(content_of("payments")->rows.size(), 0U) << "after " << sql;
        }
        EXPECT_EQ(one->execute({place, end, {}, {}}).status, StatementStatus::kDone);
        EXPECT_EQ(content_of("payments")->rows.size(), end == std::string("COMMIT") ? 1U : 0U) << "after " << end;
    }
    EXPECT_EQ(one->execute({place, "DELETE FROM payments", {}, {}}).affected, 1);
    EXPECT_EQ(content_of("payments")->rows.size(), 0U);
}

// Prepared when there was nothing to drop, and once more while it waits.
TEST_P(SqliteFiles, ContentShowsWhatAStatementDoesThatDidNothingBefore) {
    open(query_pipeline(kAppend), {.url = folder_});
    const Place place{ObjectScope::kStore, *stores().schema().pipeline().find("db"), ""};
    const std::unique_ptr<StoreConnection> one = stores().connect(place);
    const std::unique_ptr<StoreConnection> other = stores().connect(place);
    const auto run = [&](StoreConnection& connection, const std::string& sql) {
        return connection.execute({place, sql, {}, {}}).status;
    };
    EXPECT_EQ(run(*one, "DROP TABLE IF EXISTS fresh"), StatementStatus::kDone);
    EXPECT_EQ(run(*other, "CREATE TABLE fresh AS SELECT * FROM payments"), StatementStatus::kDone);
    EXPECT_EQ(names(), (Texts{"fresh", "payments", "stg"}));
    EXPECT_EQ(run(*other, "BEGIN IMMEDIATE"), StatementStatus::kDone);
    EXPECT_EQ(run(*one, "DROP TABLE IF EXISTS fresh"), StatementStatus::kWaits);
    EXPECT_EQ(run(*other, "COMMIT"), StatementStatus::kDone);
    EXPECT_EQ(one->resume().status, StatementStatus::kDone);
    EXPECT_EQ(names(), (Texts{"payments", "stg"}));
}

TEST_P(SqliteFiles, ScratchFilesGoWithTheRun) {
    const auto count = [] {
        int found = 0;
        for (const auto& entry : std::filesystem::directory_iterator("/dev/shm")) {
            found += entry.path().filename().string().starts_with("oncecheck-scratch-") ? 1 : 0;
        }
        return found;
    };
    if (!std::filesystem::exists("/dev/shm")) {
        GTEST_SKIP() << "no folder in memory here";
    }
    open(query_pipeline(kAppend));
    EXPECT_GE(count(), 1);
    stores_.reset();
    // What a killed process has left: a folder whose owner file nobody locks.
    const std::filesystem::path left = "/dev/shm/oncecheck-scratch-killed";
    std::filesystem::create_directory(left);
    std::ofstream(left / "owner") << "";
    open(query_pipeline(kAppend));
    EXPECT_FALSE(std::filesystem::exists(left));
}

}  // namespace
}  // namespace oncecheck

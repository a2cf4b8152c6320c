#include "model/runtime/store.h"

#include <gtest/gtest.h>

#include "model/runtime/bookkeeping.h"
#include "tests/runtime/store_bed.h"

namespace oncecheck {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* kOne = "0a0a0a0a-0b0b-0c0c-0d0d-0e0e0e0e0e0e";
constexpr const char* kOther = "99999999-8888-7777-6666-555555555555";
constexpr const char* kKeyedPayments = R"({ "payments": { "primary_key": ["payment_id"] } })";
constexpr const char* kAppend = R"([{ "append": "db.payments", "by": "driver" }, { "truncate": "db.stg" }])";

std::string insert(const std::string& key) { return "INSERT INTO payments (payment_id) VALUES ('" + key + "')"; }

using Store = StoreBed;
INSTANTIATE_TEST_SUITE_P(On, Store, testing::Values(Driver::kSqlite, Driver::kPostgresql), driver_name);

TEST_P(Store, AReaderSeesWhatIsCommitted) {
    open(query_pipeline(kAppend));
    Incarnation one(stores(), kOne);
    EXPECT_EQ(one.execute(on_postgresql() ? "BEGIN" : "BEGIN IMMEDIATE").status, StatementStatus::kDone);
    EXPECT_EQ(one.execute(insert("a")).affected, 1);
    EXPECT_EQ(content_of("payments")->rows.size(), 0U);
    EXPECT_EQ(one.execute("COMMIT").status, StatementStatus::kDone);
    EXPECT_EQ(content_of("payments")->rows.size(), 1U);
    EXPECT_FALSE(one.db().in_transaction());
}

TEST_P(Store, AStatementWaitsForTheTransactionThatHoldsItsKey) {
    open(query_pipeline(kAppend, kKeyedPayments));
    Incarnation one(stores(), kOne);
    Incarnation other(stores(), kOther);
    static_cast<void>(one.execute(on_postgresql() ? "BEGIN" : "BEGIN IMMEDIATE"));
    static_cast<void>(one.execute(insert("a")));
    EXPECT_EQ(other.execute(insert("a")).status, StatementStatus::kWaits);
    EXPECT_TRUE(other.db().waits());
    EXPECT_EQ(other.db().resume().status, StatementStatus::kWaits);
    EXPECT_EQ(content_of("payments")->rows.size(), 0U);
    EXPECT_EQ(one.execute("COMMIT").status, StatementStatus::kDone);
    const StatementResult result = other.db().resume();
    EXPECT_EQ(result.status, StatementStatus::kFailed);
    EXPECT_EQ(result.failure, FailureKind::kUniqueViolation);
    EXPECT_FALSE(other.db().waits());
    EXPECT_EQ(content_of("payments")->rows.size(), 1U);
}

TEST_P(Store, WhoeverWaitsGoesOnWhenTheTransactionRollsBackOrItsClientIsGone) {
    for (const bool rolls_back : {true, false}) {
        open(query_pipeline(kAppend, kKeyedPayments));
        {
            Incarnation one(stores(), kOne);
            Incarnation other(stores(), kOther);
            static_cast<void>(one.execute(on_postgresql() ? "BEGIN" : "BEGIN IMMEDIATE"));
            static_cast<void>(one.execute(insert("a")));
            EXPECT_EQ(other.execute(insert("a")).status, StatementStatus::kWaits);
            if (rolls_back) {
                EXPECT_EQ(one.execute("ROLLBACK").status, StatementStatus::kDone);
            } else {
                one.disconnect();
            }
            EXPECT_EQ(other.db().resume().affected, 1);
            EXPECT_EQ(content_of("payments")->rows.size(), 1U);
        }
        stores_.reset();
    }
}

TEST_P(Store, AFailedStatementAbortsItsTransaction) {
    open(query_pipeline(kAppend, kKeyedPayments));
    Incarnation one(stores(), kOne);
    for (const bool commits : {true, false}) {
        static_cast<void>(one.execute(on_postgresql() ? "BEGIN" : "BEGIN IMMEDIATE"));
        static_cast<void>(one.execute(insert("a")));
        EXPECT_EQ(one.execute("SELECT * FROM nowhere").failure, FailureKind::kMissingObject);
        EXPECT_TRUE(one.db().in_transaction());
        EXPECT_EQ(one.execute(insert("b")).failure, FailureKind::kTransactionAborted);
        const StatementResult end = one.execute(commits ? "COMMIT" : "ROLLBACK");
        EXPECT_EQ(end.failure, commits ? FailureKind::kTransactionAborted : FailureKind::kNone);
        EXPECT_FALSE(one.db().in_transaction());
    }
    EXPECT_EQ(content_of("payments")->rows.size(), 0U);
    EXPECT_EQ(one.execute(insert("b")).affected, 1);
}

TEST_P(Store, AStatementOfADeadClientLandsOrIsDropped) {
    open(query_pipeline(kAppend, kKeyedPayments));
    for (const bool lands : {true, false}) {
        Incarnation one(stores(), kOne);
        one.db().abandon(SqlStatement{db(), insert("a"), {}, {}});
        EXPECT_TRUE(one.db().abandoned());
        EXPECT_EQ(content_of("payments")->rows.size(), 0U);
        if (lands) {
            EXPECT_EQ(one.db().land().affected, 1);
            EXPECT_EQ(one.db().land().failure, FailureKind::kConnectionLost);
        } else {
            one.db().drop();
        }
        EXPECT_EQ(content_of("payments")->rows.size(), lands ? 1U : 0U);
        Incarnation cleaner(stores(), kOther);
        static_cast<void>(cleaner.execute("DELETE FROM payments"));
    }
}

TEST_P(Store, ACommitOfADeadClientHoldsItsLocksUntilItLands) {
    open(query_pipeline(kAppend, kKeyedPayments));
    for (const bool lands : {true, false}) {
        Incarnation one(stores(), kOne);
        Incarnation other(stores(), kOther);
        static_cast<void>(one.execute(on_postgresql() ? "BEGIN" : "BEGIN IMMEDIATE"));
        static_cast<void>(one.execute(insert("a")));
        one.db().abandon(SqlStatement{db(), "COMMIT", {}, {}});
        EXPECT_EQ(other.execute(insert("a")).status, StatementStatus::kWaits);
        if (lands) {
            EXPECT_EQ(one.db().land().status, StatementStatus::kDone);
        } else {
            one.db().drop();
        }
        EXPECT_EQ(other.db().resume().status, lands ? StatementStatus::kFailed : StatementStatus::kDone);
        EXPECT_EQ(content_of("payments")->rows.size(), 1U);
        static_cast<void>(other.execute("DELETE FROM payments"));
    }
}

TEST_P(Store, AStatementThatWaitedWhenItsClientDiedRunsWhenTheLockIsFree) {
    open(query_pipeline(kAppend, kKeyedPayments));
    for (const bool lands : {true, false}) {
        Incarnation one(stores(), kOne);
        Incarnation other(stores(), kOther);
        static_cast<void>(one.execute(on_postgresql() ? "BEGIN" : "BEGIN IMMEDIATE"));
        static_cast<void>(one.execute(insert("a")));
        EXPECT_EQ(other.execute(insert("a")).status, StatementStatus::kWaits);
        other.db().abandon(std::nullopt);
        EXPECT_EQ(other.db().land().status, StatementStatus::kWaits);
        if (!lands) {
            other.db().drop();
        }
        static_cast<void>(one.execute("ROLLBACK"));
        if (lands) {
            EXPECT_EQ(other.db().land().affected, 1);
        }
        EXPECT_EQ(content_of("payments")->rows.size(), lands ? 1U : 0U);
        static_cast<void>(one.execute("DELETE FROM payments"));
    }
}

TEST_P(Store, ALockIsHeldUntilItIsFreedOrItsOwnerIsGone) {
    open(query_pipeline(R"([{ "lock": "db.l" }, { "append": "db.payments", "by": "driver" }])"));
    Incarnation one(stores(), kOne);
    Incarnation other(stores(), kOther);
    const Step& lock = one.program().front();
    EXPECT_EQ(one.run(lock).outcome(), StepOutcome::kDone);
    EXPECT_EQ(one.run(lock).outcome(), StepOutcome::kDone);
    StepPlan plan(other.context, lock);
    EXPECT_EQ(other.db().execute(plan.statement()).status, StatementStatus::kWaits);
    EXPECT_EQ(one.db().execute(release_locks(one.context, lock)).status, StatementStatus::kDone);
    EXPECT_EQ(other.db().resume().status, StatementStatus::kDone);
    StepPlan again(one.context, lock);
    EXPECT_EQ(one.db().execute(again.statement()).status, StatementStatus::kWaits);
    other.disconnect();
    EXPECT_EQ(one.db().resume().status, StatementStatus::kDone);
}

TEST_P(Store, TwoThatWaitForEachOtherAreADeadlock) {
    open(query_pipeline(R"([{ "lock": "db.l" }, { "append": "db.payments", "by": "driver" }])", kKeyedPayments));
    Incarnation one(stores(), kOne);
    Incarnation other(stores(), kOther);
    const Step& lock = one.program().front();
    EXPECT_EQ(one.run(lock).outcome(), StepOutcome::kDone);
    static_cast<void>(other.execute(on_postgresql() ? "BEGIN" : "BEGIN IMMEDIATE"));
    static_cast<void>(other.execute(insert("a")));
    EXPECT_EQ(one.execute(insert("a")).status, StatementStatus::kWaits);
    StepPlan plan(other.context, lock);
    const StatementResult result = other.db().execute(plan.statement());
    EXPECT_EQ(result.status, StatementStatus::kFailed);
    EXPECT_EQ(result.failure, FailureKind::kDeadlock) << result.message;
    static_cast<void>(other.execute("ROLLBACK"));
    EXPECT_EQ(one.db().resume().affected, 1);
}

TEST_P(Store, ResetIsAsAtTheStart) {
    open(
        query_pipeline(R"([{ "append": "db.payments", "by": "driver" }, { "create": "db.extra" },
                            { "append": "db.by_{batch}", "by": "driver" }, { "swap": ["db.payments", "db.b"] },
                            { "drop": "db.c" }, { "acquire": "db.f" }, { "create": "view", "as": "batch" },
                            { "commit_offsets": "group", "if": "unchanged" }])",
                       R"({ "payments": { "primary_key": ["payment_id"] }, "b": { "primary_key": ["payment_id"] } })"));
    const std::vector<ObjectContent> start = stores().content();
    EXPECT_EQ(names(), (Texts{"b", "c", "payments"}));
    for (int run = 0; run < 3; ++run) {
        Incarnation one(stores(), kOne);
        one.run_program();
        EXPECT_EQ(names(), (Texts{"b", "by_0", "extra", "payments", "view"}));
        one.disconnect();
        stores().reset();
        EXPECT_EQ(stores().content(), start);
    }
    Incarnation one(stores(), kOne);
    EXPECT_EQ(one.execute(insert("a")).affected, 1);
    EXPECT_EQ(one.execute(insert("a")).failure, FailureKind::kUniqueViolation);
    EXPECT_TRUE(stores().query(db(), "SELECT * FROM " + std::string(kFenceTable)).rows.empty());
}

TEST_P(Store, ATableThatExistsFromTheStartStaysGoneOnceItIsDropped) {
    open(query_pipeline(R"([{ "append": "db.stg_{batch}", "by": "driver" }, { "drop": "db.stg_{batch}" }])"));
    Incarnation one(stores(), kOne);
    one.run_program();
    EXPECT_EQ(one.run(one.program()[0]).failure(), FailureKind::kMissingObject);
    EXPECT_EQ(names(), Texts{});
}

TEST_P(Store, ATableThatExistsFromTheStartOutlivesATransactionThatNamedItFirst) {
    open(query_pipeline(R"([{ "append": "db.stg_{batch}", "by": "driver" }])"));
    Incarnation one(stores(), kOne);
    one.context.in_transaction = true;
    static_cast<void>(one.execute(on_postgresql() ? "BEGIN" : "BEGIN IMMEDIATE"));
    one.run_program();
    static_cast<void>(one.execute("ROLLBACK"));
    one.run_program();
    EXPECT_EQ(content_of("stg_0")->rows.size(), 2U);
}

TEST_P(Store, BadStatementsAreFailuresAndNothingMore) {
    open(query_pipeline(kAppend));
    Incarnation one(stores(), kOne);
    for (const char* sql : {"", ";", "SELEC 1", "SELECT 'x", "SELECT \"", "INSERT INTO payments (nope) VALUES (1)",
                            "ROLLBACK TO x", "SELECT 1; SELECT 2", "-- nothing", "\xff\xfe"}) {
        const StatementResult result = one.execute(sql);
        EXPECT_NE(result.status, StatementStatus::kWaits) << sql;
        EXPECT_TRUE(result.status == StatementStatus::kDone || !result.message.empty()) << sql;
    }
    EXPECT_EQ(one.execute(insert("a")).affected, 1);
    EXPECT_THROW(static_cast<void>(stores().query(db(), "SELEC 1")), StoreError);
    EXPECT_EQ(content_of("payments")->rows.size(), 1U);
}

TEST_P(Store, ManyConnectionsComeAndGo) {
    open(query_pipeline(kAppend));
    for (int i = 0; i < 300; ++i) {
        Incarnation one(stores(), std::to_string(i));
        EXPECT_EQ(one.execute(insert("a")).affected, 1);
    }
    EXPECT_EQ(content_of("payments")->rows.size(), 300U);
}

TEST_P(Store, OpensUnderAnyNameOfTables) {
    for (const std::string columns : {R"(["rowid"])", R"(["select", "FROM", "a b"])", R"(["x\"y"])", R"(["oid"])"}) {
        open(query_pipeline(kAppend, R"({ "payments": { "unique": [)" + columns + "] } }"));
        EXPECT_EQ(names(), (Texts{"payments", "stg"}));
        stores_.reset();
    }
}

}  // namespace
}  // namespace oncecheck

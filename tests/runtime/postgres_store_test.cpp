#include "model/runtime/postgres_store.h"

#include <gtest/gtest.h>

#include "tests/runtime/store_bed.h"

namespace oncecheck {
namespace {

constexpr const char* kOne = "0a0a0a0a-0b0b-0c0c-0d0d-0e0e0e0e0e0e";
constexpr const char* kOther = "99999999-8888-7777-6666-555555555555";
constexpr const char* kKeyedPayments = R"({ "payments": { "primary_key": ["payment_id"] } })";
constexpr const char* kAppend = R"([{ "append": "db.payments", "by": "driver" }, { "truncate": "db.stg" }])";

std::string insert(const std::string& key) { return "INSERT INTO payments (payment_id) VALUES ('" + key + "')"; }

using Postgresql = StoreBed;
INSTANTIATE_TEST_SUITE_P(On, Postgresql, testing::Values(Driver::kPostgresql), driver_name);

TEST_P(Postgresql, TwoTransactionsWriteSideBySide) {
    open(query_pipeline(kAppend, kKeyedPayments));
    Incarnation one(stores(), kOne);
    Incarnation other(stores(), kOther);
    for (Incarnation* who : {&one, &other}) {
        EXPECT_EQ(who->execute("BEGIN").status, StatementStatus::kDone);
        EXPECT_EQ(who->execute(insert(who->context.token)).affected, 1);
    }
    EXPECT_EQ(one.execute("COMMIT").status, StatementStatus::kDone);
    EXPECT_EQ(other.execute("COMMIT").status, StatementStatus::kDone);
    EXPECT_EQ(content_of("payments")->rows.size(), 2U);
}

TEST_P(Postgresql, ADeadlockEndsTheOneThatClosesTheCircle) {
    open(query_pipeline(kAppend, kKeyedPayments));
    for (int round = 0; round < 5; ++round) {
        Incarnation one(stores(), kOne);
        Incarnation other(stores(), kOther);
        for (Incarnation* who : {&one, &other}) {
            static_cast<void>(who->execute("BEGIN"));
            static_cast<void>(who->execute(insert(who->context.token)));
        }
        EXPECT_EQ(one.execute(insert(kOther)).status, StatementStatus::kWaits);
        const StatementResult result = other.execute(insert(kOne));
        EXPECT_EQ(result.failure, FailureKind::kDeadlock) << result.message;
        EXPECT_EQ(one.db().resume().status, StatementStatus::kDone);
        EXPECT_EQ(other.execute("COMMIT").failure, FailureKind::kTransactionAborted);
    }
}

TEST_P(Postgresql, SerializationFailures) {
    open(query_pipeline(kAppend, kKeyedPayments));
    Incarnation one(stores(), kOne);
    Incarnation other(stores(), kOther);
    static_cast<void>(one.execute(insert("a")));
    for (Incarnation* who : {&one, &other}) {
        static_cast<void>(who->execute("BEGIN ISOLATION LEVEL REPEATABLE READ"));
        static_cast<void>(who->execute("SELECT * FROM payments"));
    }
    const std::string update = "UPDATE payments SET topic = 'x' WHERE payment_id = 'a'";
    EXPECT_EQ(one.execute(update).affected, 1);
    EXPECT_EQ(other.execute(update).status, StatementStatus::kWaits);
    EXPECT_EQ(one.execute("COMMIT").status, StatementStatus::kDone);
    EXPECT_EQ(other.db().resume().failure, FailureKind::kSerialization);
    static_cast<void>(other.execute("ROLLBACK"));
}

TEST_P(Postgresql, AClaimWaitsForAnOpenOneThenSkips) {
    open(query_pipeline(R"([{ "claim": "db.applied", "key": ["{batch}"] }])",
                        R"({ "applied": { "primary_key": ["batch_id"] } })"));
    Incarnation one(stores(), kOne);
    Incarnation other(stores(), kOther);
    static_cast<void>(one.execute("BEGIN"));
    one.run_program();
    StepPlan plan(other.context, other.program().front());
    EXPECT_EQ(other.db().execute(plan.statement()).status, StatementStatus::kWaits);
    static_cast<void>(one.execute("COMMIT"));
    plan.take(other.db().resume());
    EXPECT_EQ(plan.outcome(), StepOutcome::kSkipped);
}

TEST_P(Postgresql, TruncateWaitsForThoseWhoUseTheTableAndKeepsReadersOut) {
    open(query_pipeline(kAppend));
    Incarnation one(stores(), kOne);
    Incarnation other(stores(), kOther);
    static_cast<void>(one.execute(insert("a")));
    EXPECT_EQ(content_of("payments")->rows.size(), 1U);
    static_cast<void>(one.execute("BEGIN"));
    static_cast<void>(one.execute("SELECT * FROM payments"));
    static_cast<void>(other.execute("BEGIN"));
    EXPECT_EQ(other.execute("TRUNCATE payments").status, StatementStatus::kWaits);
    static_cast<void>(one.execute("COMMIT"));
    EXPECT_EQ(other.db().resume().status, StatementStatus::kDone);
    EXPECT_FALSE(content_of("payments")->current);
    EXPECT_EQ(content_of("payments")->rows.size(), 1U);
    static_cast<void>(other.execute("COMMIT"));
    EXPECT_TRUE(content_of("payments")->current);
    EXPECT_EQ(content_of("payments")->rows.size(), 0U);
}

TEST_P(Postgresql, OfTwoThatWaitedTheTurnsTellWhoWentFirst) {
    open(query_pipeline(kAppend, kKeyedPayments));
    Incarnation one(stores(), kOne);
    Incarnation second(stores(), kOther);
    Incarnation third(stores(), "33333333-8888-7777-6666-555555555555");
    static_cast<void>(one.execute("BEGIN"));
    static_cast<void>(one.execute(insert("a")));
    EXPECT_EQ(second.execute(insert("a")).status, StatementStatus::kWaits);
    EXPECT_EQ(third.execute(insert("a")).status, StatementStatus::kWaits);
    static_cast<void>(one.execute("ROLLBACK"));
    EXPECT_EQ(content_of("payments")->rows.size(), 1U);
    // Both waited for one transaction, so either may be first: the turns tell.
    Incarnation& first = second.db().turn() < third.db().turn() ? second : third;
    Incarnation& last = &first == &second ? third : second;
    EXPECT_GT(first.db().turn(), 0);
    EXPECT_EQ(first.db().resume().affected, 1);
    EXPECT_EQ(last.db().resume().failure, FailureKind::kUniqueViolation);
}

TEST_P(Postgresql, TwoThatCreateOneTableAtOnceAreADuplicate) {
    open(query_pipeline(R"([{ "create": "db.stg" }])"));
    Incarnation one(stores(), kOne);
    Incarnation other(stores(), kOther);
    static_cast<void>(one.execute("BEGIN"));
    one.run_program();
    StepPlan plan(other.context, other.program().front());
    EXPECT_EQ(other.db().execute(plan.statement()).status, StatementStatus::kWaits);
    static_cast<void>(one.execute("COMMIT"));
    EXPECT_EQ(other.db().resume().failure, FailureKind::kDuplicateObject);
}

TEST_P(Postgresql, AConnectionThatTheServerEndsIsLost) {
    open(query_pipeline(kAppend));
    Incarnation one(stores(), kOne);
    Incarnation other(stores(), kOther);
    static_cast<void>(one.execute("BEGIN"));
    static_cast<void>(one.execute(insert("a")));
    const std::string pid = *one.execute("SELECT pg_backend_pid()").rows.front().front();
    static_cast<void>(other.execute("SELECT pg_terminate_backend(" + pid + ", 5000)"));
    const StatementResult result = one.execute("COMMIT");
    EXPECT_EQ(result.failure, FailureKind::kConnectionLost) << result.message;
    EXPECT_EQ(one.execute(insert("b")).failure, FailureKind::kConnectionLost);
    EXPECT_EQ(content_of("payments")->rows.size(), 0U);
}

TEST_P(Postgresql, ARunTouchesItsOwnSchemaAndRemovesIt) {
    open(query_pipeline(kAppend));
    const auto schemas = [&] {
        return stores().query(db(), "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'oncecheck%'").rows.size();
    };
    {
        const Pipeline second = query_pipeline(kAppend);
        const std::unique_ptr<RunStores> beside = open_stores(second, {.url = *postgres_url()});
        EXPECT_EQ(schemas(), 2U);
    }
    EXPECT_EQ(schemas(), 1U);
}

TEST_P(Postgresql, WhatAKilledRunHasLeftIsRemoved) {
    open(query_pipeline(kAppend));
    static_cast<void>(stores().query(db(), "CREATE SCHEMA oncecheck_run_1_1_0"));
    static_cast<void>(stores().query(db(), "CREATE SCHEMA oncecheck_run_of_somebody_else"));
    static_cast<void>(stores().query(db(), "COMMENT ON SCHEMA oncecheck_run_1_1_0 IS 'oncecheck: tables of a run'"));
    const Pipeline second = query_pipeline(kAppend);
    const std::unique_ptr<RunStores> beside = open_stores(second, {.url = *postgres_url()});
    const auto count = [&](const std::string& name) {
        return stores().query(db(), "SELECT 1 FROM pg_namespace WHERE nspname = '" + name + "'").rows.size();
    };
    EXPECT_EQ(count("oncecheck_run_1_1_0"), 0U);
    EXPECT_EQ(count("oncecheck_run_of_somebody_else"), 1U);
    static_cast<void>(stores().query(db(), "DROP SCHEMA oncecheck_run_of_somebody_else"));
}

TEST_P(Postgresql, ADatabaseThatHasTablesOfThoseNamesIsRefusedUnlessTold) {
    open(query_pipeline(R"([{ "append": "db.other", "by": "driver" }])"));
    static_cast<void>(stores().query(db(), "CREATE TABLE public.stg_7 (x int)"));
    const Pipeline second = query_pipeline(R"([{ "append": "db.Stg_{batch}" }])");
    EXPECT_THROW(static_cast<void>(open_stores(second, {.url = *postgres_url()})), StoreError);
    const std::unique_ptr<RunStores> told = open_stores(second, {.url = *postgres_url(), .allow_same_names = true});
    EXPECT_TRUE(told->content().empty());
    static_cast<void>(stores().query(db(), "DROP TABLE public.stg_7"));
    const Pipeline third = query_pipeline(R"([{ "append": "db.stg_{attempt}" }])");
    static_cast<void>(stores().query(db(), "CREATE TABLE public.stg_7 (x int)"));
    EXPECT_NE(open_stores(third, {.url = *postgres_url()}), nullptr);
    static_cast<void>(stores().query(db(), "DROP TABLE public.stg_7"));
}

TEST_P(Postgresql, AServerThatIsNotThereIsAStoreError) {
    EXPECT_THROW(static_cast<void>(open_stores(query_pipeline(kAppend), {.url = "postgresql:///x?host=/nowhere"})),
                 StoreError);
    EXPECT_THROW(static_cast<void>(open_stores(query_pipeline(kAppend), {.url = "postgresql://[::"})), StoreError);
}

TEST_P(Postgresql, TheDeclaredStoresDefaultIsolationApplies) {
    open(query_pipeline(kAppend, "{}",
                        R"("type": "postgresql", "version": "15",
                           "config": { "default_transaction_isolation": "serializable" })"));
    Incarnation one(stores(), kOne);
    EXPECT_EQ(one.execute("SHOW transaction_isolation").rows.front().front(), "serializable");
}

}  // namespace
}  // namespace oncecheck

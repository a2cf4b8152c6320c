// What PostgreSQL does where two incarnations meet, as the steps reach it: the facts that the model of statements
// states (model/semantics/README.md, "Statements and transactions"), seen on the database itself.
#include <gtest/gtest.h>

#include "tests/runtime/store_bed.h"

namespace oncecheck {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* kOne = "0a0a0a0a-0b0b-0c0c-0d0d-0e0e0e0e0e0e";
constexpr const char* kOther = "99999999-8888-7777-6666-555555555555";
constexpr const char* kKeyedPayments = R"({ "payments": { "primary_key": ["payment_id"] } })";

class PostgresqlFacts : public StoreBed {
  protected:
    // Two incarnations of a query with these steps.
    void begin(const std::string& steps, const std::string& tables = "{}") {
        open(query_pipeline(steps, tables));
        one_ = std::make_unique<Incarnation>(stores(), kOne);
        other_ = std::make_unique<Incarnation>(stores(), kOther);
    }
    void TearDown() override {
        one_.reset();
        other_.reset();
    }

    static void open_transaction(Incarnation& who, const std::string& isolation) {
        EXPECT_EQ(who.execute("BEGIN ISOLATION LEVEL " + isolation).status, StatementStatus::kDone);
        who.context.in_transaction = true;
    }
    // Sends the only statement of a step.
    static StatementResult send(Incarnation& who, const Step& step) {
        const StepPlan plan(who.context, step);
        return who.db().execute(plan.statement());
    }
    const Step& step(std::size_t index) const { return one_->program()[index]; }

    std::unique_ptr<Incarnation> one_;
    std::unique_ptr<Incarnation> other_;
};
INSTANTIATE_TEST_SUITE_P(On, PostgresqlFacts, testing::Values(Driver::kPostgresql), driver_name);

TEST_P(PostgresqlFacts, OfTwoMergesOfANewKeyTheSecondViolatesTheUniqueKey) {
    begin(R"([{ "merge": "db.payments" }])", kKeyedPayments);
    open_transaction(*one_, "READ COMMITTED");
    EXPECT_EQ(send(*one_, step(0)).status, StatementStatus::kDone);
    EXPECT_EQ(send(*other_, step(0)).status, StatementStatus::kWaits);
    static_cast<void>(one_->execute("COMMIT"));
    EXPECT_EQ(other_->db().resume().failure, FailureKind::kUniqueViolation);
}

TEST_P(PostgresqlFacts, OfTwoMergesOfANewKeyWithoutAUniqueKeyBothInsert) {
    begin(R"([{ "merge": "db.payments", "on": ["payment_id"] }])");
    open_transaction(*one_, "READ COMMITTED");
    EXPECT_EQ(send(*one_, step(0)).status, StatementStatus::kDone);
    EXPECT_EQ(send(*other_, step(0)).status, StatementStatus::kDone);
    static_cast<void>(one_->execute("COMMIT"));
    EXPECT_EQ(column("payments", "payment_id"), (Texts{"a", "a", "b", "b"}));
}

TEST_P(PostgresqlFacts, AMergeThatWaitedForARowComparesVersionsAnew) {
    begin(R"([{ "merge": "db.payments", "newer_by": "event_time" }])", kKeyedPayments);
    EXPECT_EQ(send(*one_, step(0)).affected, 2);
    open_transaction(*one_, "READ COMMITTED");
    one_->context.rows = {record(8, "a", 8)};
    other_->context.rows = {record(7, "a", 7)};
    EXPECT_EQ(send(*one_, step(0)).affected, 1);
    EXPECT_EQ(send(*other_, step(0)).status, StatementStatus::kWaits);
    static_cast<void>(one_->execute("COMMIT"));
    EXPECT_EQ(other_->db().resume().affected, 0);
    EXPECT_EQ(column("payments", "event_time"), (Texts{"2", "8"}));
}

TEST_P(PostgresqlFacts, ACheckInATransactionKeepsTheTokenUntilItsEnd) {
    begin(R"([{ "acquire": "db.f" }, { "check": "db.f" }])");
    EXPECT_EQ(one_->run(step(0)).outcome(), StepOutcome::kDone);
    open_transaction(*one_, "READ COMMITTED");
    EXPECT_EQ(one_->run(step(1)).outcome(), StepOutcome::kDone);
    EXPECT_EQ(send(*other_, step(0)).status, StatementStatus::kWaits);
    static_cast<void>(one_->execute("COMMIT"));
    EXPECT_EQ(other_->db().resume().status, StatementStatus::kDone);
    EXPECT_EQ(one_->run(step(1)).failure(), FailureKind::kNoToken);
}

TEST_P(PostgresqlFacts, ACheckOutsideATransactionKeepsNothing) {
    begin(R"([{ "acquire": "db.f" }, { "check": "db.f" }])");
    EXPECT_EQ(one_->run(step(0)).outcome(), StepOutcome::kDone);
    EXPECT_EQ(one_->run(step(1)).outcome(), StepOutcome::kDone);
    EXPECT_EQ(other_->run(step(0)).outcome(), StepOutcome::kDone);
}

TEST_P(PostgresqlFacts, AClaimThatWaitedAboveReadCommittedIsASerializationFailure) {
    begin(R"([{ "claim": "db.applied", "key": ["{batch}"] }])", R"({ "applied": { "primary_key": ["batch_id"] } })");
    open_transaction(*one_, "READ COMMITTED");
    EXPECT_EQ(send(*one_, step(0)).affected, 1);
    open_transaction(*other_, "REPEATABLE READ");
    EXPECT_EQ(send(*other_, step(0)).status, StatementStatus::kWaits);
    static_cast<void>(one_->execute("COMMIT"));
    EXPECT_EQ(other_->db().resume().failure, FailureKind::kSerialization);
}

// They read nothing that the other writes: no dependency, whatever the level.
TEST_P(PostgresqlFacts, OfTwoSerializableTransactionsThatOnlyInsertNoneIsAborted) {
    begin(R"([{ "claim": "db.applied", "key": ["{batch}"] }, { "append": "db.payments", "by": "driver" }])",
          R"({ "applied": { "primary_key": ["batch_id"] } })");
    one_->context.values.batch = 0;
    other_->context.values.batch = 1;
    for (Incarnation* who : {one_.get(), other_.get()}) {
        open_transaction(*who, "SERIALIZABLE");
        EXPECT_EQ(send(*who, step(0)).affected, 1);
    }
    for (Incarnation* who : {one_.get(), other_.get()}) {
        EXPECT_EQ(send(*who, step(1)).affected, 2);
    }
    EXPECT_EQ(one_->execute("COMMIT").status, StatementStatus::kDone);
    EXPECT_EQ(other_->execute("COMMIT").status, StatementStatus::kDone);
    EXPECT_EQ(column("payments", "payment_id"), (Texts{"a", "a", "b", "b"}));
}

TEST_P(PostgresqlFacts, AMergeOfARowThatAnotherHasUpdatedIsASerializationFailureAboveReadCommitted) {
    begin(R"([{ "merge": "db.payments" }])", kKeyedPayments);
    EXPECT_EQ(send(*one_, step(0)).affected, 2);
    open_transaction(*other_, "REPEATABLE READ");
    EXPECT_EQ(other_->execute("SELECT * FROM payments").rows.size(), 2U);
    EXPECT_EQ(send(*one_, step(0)).affected, 2);
    EXPECT_EQ(send(*other_, step(0)).failure, FailureKind::kSerialization);
}

TEST_P(PostgresqlFacts, ADeleteAtReadCommittedDoesNotSeeRowsThatComeWhileItWaits) {
    begin(R"([{ "append": "db.payments", "by": "driver" }, { "delete": "db.payments", "using": "batch",
                "on": ["payment_id"] }])");
    EXPECT_EQ(send(*one_, step(0)).affected, 2);
    open_transaction(*one_, "READ COMMITTED");
    EXPECT_EQ(send(*one_, step(1)).affected, 2);
    EXPECT_EQ(send(*one_, step(0)).affected, 2);
    EXPECT_EQ(send(*other_, step(1)).status, StatementStatus::kWaits);
    static_cast<void>(one_->execute("COMMIT"));
    EXPECT_EQ(other_->db().resume().affected, 0);
    EXPECT_EQ(column("payments", "payment_id"), (Texts{"a", "b"}));
}

TEST_P(PostgresqlFacts, DeletingWhatAnotherHasDeletedIsAConflictAboveReadCommitted) {
    begin(R"([{ "append": "db.payments", "by": "driver" }, { "delete": "db.payments", "using": "batch",
                "on": ["payment_id"] }])");
    EXPECT_EQ(send(*one_, step(0)).affected, 2);
    open_transaction(*other_, "REPEATABLE READ");
    EXPECT_EQ(other_->execute("SELECT * FROM payments").rows.size(), 2U);
    EXPECT_EQ(send(*one_, step(1)).affected, 2);
    EXPECT_EQ(send(*other_, step(1)).failure, FailureKind::kSerialization);
}

// PostgreSQL 15 documentation, MVCC Caveats: TRUNCATE is not MVCC-safe.
TEST_P(PostgresqlFacts, ATruncateIsSeenByASnapshotThatIsOlder) {
    begin(R"([{ "append": "db.payments", "by": "driver" }, { "truncate": "db.payments" }, { "append": "db.other" }])");
    EXPECT_EQ(send(*one_, step(0)).affected, 2);
    open_transaction(*other_, "REPEATABLE READ");
    EXPECT_EQ(other_->execute("SELECT * FROM other").rows.size(), 0U);
    EXPECT_EQ(send(*one_, step(1)).status, StatementStatus::kDone);
    EXPECT_EQ(other_->execute("SELECT * FROM payments").rows.size(), 0U);
}

TEST_P(PostgresqlFacts, ATruncateWaitsForASnapshotThatHasReadTheTable) {
    begin(R"([{ "append": "db.payments", "by": "driver" }, { "truncate": "db.payments" }])");
    open_transaction(*other_, "REPEATABLE READ");
    EXPECT_EQ(other_->execute("SELECT * FROM payments").rows.size(), 0U);
    EXPECT_EQ(send(*one_, step(1)).status, StatementStatus::kWaits);
    // Whoever comes after it waits too.
    Incarnation third(stores(), "third");
    EXPECT_EQ(third.execute("SELECT * FROM payments").status, StatementStatus::kWaits);
    static_cast<void>(other_->execute("COMMIT"));
    EXPECT_EQ(one_->db().resume().status, StatementStatus::kDone);
    EXPECT_EQ(third.db().resume().status, StatementStatus::kDone);
}

// What one statement does that meets a key twice: MERGE and ON CONFLICT differ, and of the latter UPDATE and NOTHING.
TEST_P(PostgresqlFacts, AStatementThatMeetsAKeyTwice) {
    begin(R"([{ "merge": "db.payments" }, { "truncate": "db.payments" }])", kKeyedPayments);
    const auto meets = [&](const std::string& sql, int there, std::vector<int> versions) {
        EXPECT_EQ(send(*one_, step(1)).status, StatementStatus::kDone);
        if (there > 0) {
            one_->context.rows = {record(0, "a", there)};
            EXPECT_EQ(send(*one_, step(0)).affected, 1);
        }
        std::string values;
        for (const int version : versions) {
            values += (values.empty() ? "" : ", ") + ("('a', " + std::to_string(version) + ')');
        }
        const std::size_t place = sql.find("ROWS");
        return one_->execute(std::string(sql).replace(place, 4, "(VALUES " + values + ") AS s (k, v)")).status;
    };
    const std::string merge = "MERGE INTO payments t USING ROWS ON t.payment_id = k ";
    const std::string newer = merge + "WHEN MATCHED AND v > t.event_time THEN UPDATE SET event_time = v ";
    const std::string insert = "WHEN NOT MATCHED THEN INSERT (payment_id, event_time) VALUES (k, v)";
    const std::string upsert =
        "INSERT INTO payments AS t (payment_id, event_time) SELECT k, v FROM ROWS "
        "ON CONFLICT (payment_id) DO ";
    const std::string if_newer = upsert +
                                 "UPDATE SET event_time = excluded.event_time "
                                 "WHERE excluded.event_time > t.event_time";
    constexpr auto kDone = StatementStatus::kDone;
    constexpr auto kFailed = StatementStatus::kFailed;
    EXPECT_EQ(meets(merge + insert, 0, {2, 2}), kFailed);
    EXPECT_EQ(meets(merge + insert, 1, {2, 2}), kDone);
    EXPECT_EQ(meets(newer + insert, 1, {2, 3}), kFailed);
    EXPECT_EQ(meets(newer + insert, 2, {3, 1}), kDone);
    EXPECT_EQ(meets(newer + insert, 2, {1, 3}), kDone);
    EXPECT_EQ(meets(upsert + "NOTHING", 0, {2, 2}), kDone);
    EXPECT_EQ(meets(if_newer, 0, {1, 2}), kFailed);
    EXPECT_EQ(meets(if_newer, 2, {1, 3}), kDone);
    EXPECT_EQ(meets(if_newer, 2, {3, 1}), kFailed);  // the order of the rows decides
}

TEST_P(PostgresqlFacts, OfTwoOverwritesOneComesAfterTheOther) {
    begin(R"([{ "overwrite": "db.payments" }])");
    open_transaction(*one_, "READ COMMITTED");
    EXPECT_EQ(one_->run(step(0)).outcome(), StepOutcome::kDone);
    StepPlan plan(other_->context, step(0));
    plan.take(other_->db().execute(plan.statement()));
    EXPECT_EQ(other_->db().execute(plan.statement()).status, StatementStatus::kWaits);
    static_cast<void>(one_->execute("COMMIT"));
    plan.take(other_->db().resume());
    while (plan.outcome() == StepOutcome::kGoesOn) {
        plan.take(other_->db().execute(plan.statement()));
    }
    EXPECT_EQ(column("payments", "payment_id"), (Texts{"a", "b"}));
}

TEST_P(PostgresqlFacts, ASkewOfTwoSerializableTransactionsIsAborted) {
    begin(R"([{ "append": "db.a", "by": "driver" }, { "append": "db.b", "by": "driver" }])");
    for (Incarnation* who : {one_.get(), other_.get()}) {
        open_transaction(*who, "SERIALIZABLE");
        static_cast<void>(who->execute("SELECT * FROM a"));
        static_cast<void>(who->execute("SELECT * FROM b"));
    }
    EXPECT_EQ(send(*one_, step(0)).status, StatementStatus::kDone);
    EXPECT_EQ(send(*other_, step(1)).status, StatementStatus::kDone);
    EXPECT_EQ(one_->execute("COMMIT").status, StatementStatus::kDone);
    EXPECT_EQ(other_->execute("COMMIT").failure, FailureKind::kSerialization);
}

}  // namespace
}  // namespace oncecheck

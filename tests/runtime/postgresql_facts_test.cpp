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

#include "model/runtime/step_sql.h"

#include <gtest/gtest.h>

#include "tests/runtime/store_bed.h"

namespace oncecheck {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* kKeyedPayments = R"({ "payments": { "primary_key": ["payment_id"] } })";
constexpr const char* kAttempt = "0a0a0a0a-0b0b-0c0c-0d0d-0e0e0e0e0e0e";
constexpr const char* kOther = "99999999-8888-7777-6666-555555555555";

using StepSql = StoreBed;
INSTANTIATE_TEST_SUITE_P(On, StepSql, testing::Values(Driver::kSqlite, Driver::kPostgresql), driver_name);

TEST_P(StepSql, DriverAppendsTheBatchInOneStatement) {
    open(query_pipeline(R"([{ "append": "db.payments", "by": "driver", "set": { "batch_id": "{batch}" } }])"));
    Incarnation one(stores(), kAttempt);
    one.context.values.batch = 7;
    one.run_program();
    EXPECT_EQ(one.sql.size(), 1U);
    EXPECT_EQ(column("payments", "event_id"), (Texts{"e0", "e1"}));
    EXPECT_EQ(column("payments", "batch_id"), (Texts{"7", "7"}));
}

TEST_P(StepSql, AnExecutorLoadsOneRowInOneCommit) {
    open(query_pipeline(R"([{ "append": "db.stg_{attempt}" }])"));
    Incarnation one(stores(), kAttempt);
    const StatementResult result =
        one.db().execute(load_row(one.context, one.program().front(), one.context.rows.back()));
    EXPECT_EQ(result.status, StatementStatus::kDone) << result.message;
    EXPECT_EQ(result.affected, 1);
    EXPECT_EQ(column(quote_name(std::string("stg_") + kAttempt), "event_id"), (Texts{"e1"}));
}

TEST_P(StepSql, AppendThatIgnoresConflictsKeepsTheRowThatIsThere) {
    open(query_pipeline(R"([{ "append": "db.payments", "by": "driver", "on_conflict": "ignore" }])", kKeyedPayments));
    Incarnation one(stores(), kAttempt);
    one.run_program();
    one.context.rows = {record(5, "a", 9)};
    one.run_program();
    EXPECT_EQ(column("payments", "event_id"), (Texts{"e0", "e1"}));
}

TEST_P(StepSql, AppendFailsOnAKeyThatIsThere) {
    open(query_pipeline(R"([{ "append": "db.payments", "by": "driver" }])", kKeyedPayments));
    Incarnation one(stores(), kAttempt);
    one.run_program();
    const StepPlan plan = one.run(one.program().front());
    EXPECT_EQ(plan.outcome(), StepOutcome::kFailed);
    EXPECT_EQ(plan.failure(), FailureKind::kUniqueViolation);
    EXPECT_FALSE(plan.message().empty());
}

TEST_P(StepSql, AnEmptyBatchAppendsNothing) {
    open(query_pipeline(R"([{ "append": "db.payments", "by": "driver", "on_conflict": "ignore" },
                            { "merge": "db.payments" }])",
                        kKeyedPayments));
    Incarnation one(stores(), kAttempt);
    one.context.rows.clear();
    one.run_program();
    EXPECT_EQ(column("payments", "event_id"), (Texts{}));
}

TEST_P(StepSql, CreateFailsKeepsOrReplacesATableThatIsThere) {
    open(query_pipeline(R"([{ "create": "db.stg" }, { "append": "db.stg", "by": "driver" },
                            { "create": "db.stg", "if_exists": "keep" },
                            { "create": "db.stg", "if_exists": "replace" }])"));
    Incarnation one(stores(), kAttempt);
    const Program& steps = one.program();
    EXPECT_EQ(content_of("stg"), nullptr);
    EXPECT_EQ(one.run(steps[0]).outcome(), StepOutcome::kDone);
    EXPECT_EQ(one.run(steps[0]).failure(), FailureKind::kDuplicateObject);
    EXPECT_EQ(one.run(steps[1]).outcome(), StepOutcome::kDone);
    EXPECT_EQ(one.run(steps[2]).outcome(), StepOutcome::kDone);
    EXPECT_EQ(column("stg", "event_id"), (Texts{"e0", "e1"}));
    EXPECT_EQ(one.run(steps[3]).outcome(), StepOutcome::kDone);
    EXPECT_EQ(column("stg", "event_id"), (Texts{}));
}

TEST_P(StepSql, CreateAsBatchFillsTheTableUnlessItIsKept) {
    open(query_pipeline(R"([{ "create": "db.stg", "as": "batch" },
                            { "create": "db.stg", "as": "batch", "if_exists": "keep" },
                            { "create": "db.copy", "as": "db.stg", "if_exists": "replace" }])",
                        R"({ "stg": { "primary_key": ["event_id"] } })"));
    Incarnation one(stores(), kAttempt);
    one.run_program();
    EXPECT_EQ(column("stg", "event_id"), (Texts{"e0", "e1"}));
    EXPECT_EQ(column("copy", "event_id"), (Texts{"e0", "e1"}));
    EXPECT_FALSE(one.db().in_transaction());
}

TEST_P(StepSql, AReplaceThatFailsLeavesTheOldTable) {
    open(query_pipeline(R"([{ "create": "db.stg", "as": "batch", "if_exists": "replace" }])",
                        R"({ "stg": { "primary_key": ["payment_id"] } })"));
    Incarnation one(stores(), kAttempt);
    one.run_program();
    one.context.rows = {record(5, "c", 1), record(6, "c", 2)};
    const StepPlan plan = one.run(one.program().front());
    EXPECT_EQ(plan.failure(), FailureKind::kUniqueViolation);
    EXPECT_FALSE(one.db().in_transaction());
    EXPECT_EQ(column("stg", "event_id"), (Texts{"e0", "e1"}));
}

TEST_P(StepSql, TruncateEmptiesAndDropRemovesOrDoesNothing) {
    open(query_pipeline(
        R"([{ "append": "db.stg", "by": "driver" }, { "truncate": "db.stg" }, { "drop": "db.stg" },
                            { "drop": "db.stg" }])"));
    Incarnation one(stores(), kAttempt);
    one.run(one.program()[0]);
    one.run(one.program()[1]);
    EXPECT_EQ(column("stg", "event_id"), (Texts{}));
    one.run_program(2);
    EXPECT_EQ(content_of("stg"), nullptr);
    EXPECT_EQ(one.run(one.program()[1]).failure(), FailureKind::kMissingObject);
}

TEST_P(StepSql, InsertTakesTheRowsThatItsConditionAdmitsAndSetsColumns) {
    open(query_pipeline(
        R"([{ "append": "db.stg", "by": "driver", "set": { "batch_id": "{batch}", "q": "it's" } },
                            { "insert": "db.payments", "from": "db.stg", "where": { "batch_id": "{batch}", "q": "it's" },
                              "set": { "q": "new \"x\" \\" } }])"));
    Incarnation one(stores(), kAttempt);
    one.run_program();
    one.context.values.batch = 1;
    one.context.rows = {record(2, "c", 3)};
    one.run_program();
    EXPECT_EQ(column("payments", "event_id"), (Texts{"e0", "e1", "e2"}));
    EXPECT_EQ(column("payments", "q"), (Texts{"new \"x\" \\", "new \"x\" \\", "new \"x\" \\"}));
}

TEST_P(StepSql, InsertOfValuesIsOneRow) {
    open(query_pipeline(R"([{ "insert": "db.log", "values": { "batch_id": "{batch}", "note": "done" },
                              "on_conflict": "ignore" }])",
                        R"({ "log": { "primary_key": ["batch_id"] } })"));
    Incarnation one(stores(), kAttempt);
    one.run_program();
    one.run_program();
    EXPECT_EQ(column("log", "note"), (Texts{"done"}));
}

TEST_P(StepSql, DedupeByVersionKeepsTheNewestOfAKey) {
    open(query_pipeline(R"([{ "append": "db.stg", "by": "driver" },
                            { "insert": "db.payments", "from": "db.stg", "dedupe_by": "event_time" },
                            { "merge": "db.ledger", "using": "db.stg", "on": ["payment_id"],
                              "dedupe_by": "event_time" }])",
                        R"({ "ledger": { "primary_key": ["payment_id"] } })"));
    Incarnation one(stores(), kAttempt);
    one.context.rows = {record(0, "a", 10), record(1, "a", 9), record(2, "b", 1)};
    one.run_program();
    EXPECT_EQ(column("payments", "event_id"), (Texts{"e0", "e2"}));
    EXPECT_EQ(column("ledger", "event_id"), (Texts{"e0", "e2"}));
}

TEST_P(StepSql, DedupeByIdentityDropsCopies) {
    open(query_pipeline(R"([{ "append": "db.stg", "by": "driver" }, { "append": "db.stg", "by": "driver" },
                            { "insert": "db.payments", "from": "db.stg", "dedupe_by": "event_id" },
                            { "insert": "db.others", "from": "db.stg", "dedupe_by": "offset" }])"));
    Incarnation one(stores(), kAttempt);
    one.context.rows = {record(0, "a", 1), record(1, "a", 2)};
    one.run_program();
    EXPECT_EQ(column("payments", "event_id"), (Texts{"e0", "e1"}));
    EXPECT_EQ(column("others", "event_id"), (Texts{"e0", "e1"}));
}

TEST_P(StepSql, MergeUpdatesWhatIsThereAndInsertsTheRest) {
    open(query_pipeline(R"([{ "merge": "db.payments", "using": "batch", "on": ["payment_id"] }])", kKeyedPayments));
    Incarnation one(stores(), kAttempt);
    one.run_program();
    one.context.rows = {record(2, "b", 3), record(3, "c", 4)};
    one.run_program();
    EXPECT_EQ(column("payments", "payment_id"), (Texts{"a", "b", "c"}));
    EXPECT_EQ(column("payments", "event_id"), (Texts{"e0", "e2", "e3"}));
}

TEST_P(StepSql, MergeTakesOnlyNewerRowsAndComparesVersionsAsNumbers) {
    open(query_pipeline(R"([{ "merge": "db.payments", "on": ["payment_id"], "newer_by": "event_time" }])"));
    Incarnation one(stores(), kAttempt);
    one.context.rows = {record(0, "a", 9), record(1, "b", 9)};
    one.run_program();
    one.context.rows = {record(2, "a", 10), record(3, "b", 9)};
    one.run_program();
    EXPECT_EQ(column("payments", "event_id"), (Texts{"e1", "e2"}));
}

TEST_P(StepSql, MergeCanBeOfMatchedOrUnmatchedRowsOnly) {
    open(query_pipeline(R"([{ "merge": "db.payments", "on": ["payment_id"], "only": "unmatched" },
                            { "merge": "db.others", "on": ["payment_id"], "only": "matched" }])"));
    Incarnation one(stores(), kAttempt);
    one.run_program();
    one.context.rows = {record(2, "b", 3), record(3, "c", 4)};
    one.run_program();
    EXPECT_EQ(column("payments", "event_id"), (Texts{"e0", "e1", "e3"}));
    EXPECT_EQ(column("others", "event_id"), (Texts{}));
}

TEST_P(StepSql, MergeAddsUp) {
    open(query_pipeline(R"([{ "merge": "db.totals", "on": ["payment_id"], "add": ["amount"] }])",
                        R"({ "totals": { "primary_key": ["payment_id"] } })"));
    Incarnation one(stores(), kAttempt);
    one.context.rows = {record(0, "a", 1)};
    one.context.rows[0]["amount"] = "1";
    one.run_program();
    one.run_program();
    EXPECT_EQ(column("totals", "amount"), (Texts{"2"}));
}

TEST_P(StepSql, MergeRefusesAKeyThatIsMatchedTwice) {
    open(query_pipeline(R"([{ "merge": "db.payments", "on": ["payment_id"] }])"));
    Incarnation one(stores(), kAttempt);
    one.run_program();
    one.context.rows = {record(2, "b", 3), record(3, "b", 4)};
    const StepPlan plan = one.run(one.program().front());
    EXPECT_EQ(plan.outcome(), StepOutcome::kFailed);
    EXPECT_EQ(plan.failure(), FailureKind::kDoubleMatch) << plan.message();
    EXPECT_EQ(column("payments", "event_id"), (Texts{"e0", "e1"}));
    EXPECT_FALSE(one.db().in_transaction());
}

TEST_P(StepSql, MergeOfTwoNewRowsOfAKeyMeetsTheUniqueKeyOrInsertsBoth) {
    open(query_pipeline(R"([{ "merge": "db.payments", "on": ["payment_id"] },
                            { "merge": "db.keyless", "on": ["payment_id"] }])",
                        kKeyedPayments));
    Incarnation one(stores(), kAttempt);
    one.context.rows = {record(2, "b", 3), record(3, "b", 4)};
    EXPECT_EQ(one.run(one.program()[0]).failure(), FailureKind::kUniqueViolation);
    EXPECT_EQ(one.run(one.program()[1]).outcome(), StepOutcome::kDone);
    EXPECT_EQ(column("keyless", "event_id"), (Texts{"e2", "e3"}));
}

TEST_P(StepSql, AMergeThatIsNotNewerMatchesNothingTwice) {
    open(query_pipeline(R"([{ "merge": "db.payments", "on": ["payment_id"], "newer_by": "event_time" }])"));
    Incarnation one(stores(), kAttempt);
    one.context.rows = {record(0, "a", 5)};
    one.run_program();
    one.context.rows = {record(1, "a", 3), record(2, "a", 4)};
    EXPECT_EQ(one.run(one.program().front()).outcome(), StepOutcome::kDone);
    one.context.rows = {record(1, "a", 3), record(2, "a", 6)};
    EXPECT_EQ(one.run(one.program().front()).outcome(), StepOutcome::kDone);
    EXPECT_EQ(column("payments", "event_id"), (Texts{"e2"}));
    one.context.rows = {record(3, "a", 7), record(4, "a", 8)};
    EXPECT_EQ(one.run(one.program().front()).failure(), FailureKind::kDoubleMatch);
}

TEST_P(StepSql, UpsertWhereTheStoreHasNoMerge) {
    open(query_pipeline(R"([{ "merge": "db.payments", "newer_by": "event_time" }])", kKeyedPayments,
                        R"("type": "postgresql", "version": "14")"));
    Incarnation one(stores(), kAttempt);
    one.run_program();
    one.context.rows = {record(2, "a", 0), record(3, "b", 4)};
    one.run_program();
    EXPECT_NE(join(one.sql, ";").find("ON CONFLICT"), std::string::npos);
    EXPECT_EQ(column("payments", "event_id"), (Texts{"e0", "e3"}));
    one.context.rows = {record(4, "b", 5), record(5, "b", 6)};
    EXPECT_EQ(one.run(one.program().front()).failure(), FailureKind::kDoubleMatch);
}

TEST_P(StepSql, DeleteRemovesByTagsOrByKey) {
    open(query_pipeline(R"([{ "append": "db.payments", "by": "driver", "set": { "batch_id": "{batch}" } },
                            { "append": "db.stg", "by": "driver" },
                            { "delete": "db.payments", "where": { "batch_id": "{batch}" } },
                            { "delete": "db.stg", "using": "db.payments", "on": ["payment_id"] }])"));
    Incarnation one(stores(), kAttempt);
    one.run(one.program()[0]);
    one.context.values.batch = 1;
    one.context.rows = {record(2, "b", 3), record(3, "c", 4)};
    one.run(one.program()[0]);
    one.run(one.program()[1]);
    one.run(one.program()[2]);
    EXPECT_EQ(column("payments", "event_id"), (Texts{"e0", "e1"}));
    one.run(one.program()[3]);
    EXPECT_EQ(column("stg", "event_id"), (Texts{"e3"}));
}

TEST_P(StepSql, OverwriteReplacesAllRowsOrThoseOfThePartitions) {
    open(query_pipeline(R"([{ "overwrite": "db.whole" },
                            { "append": "db.stg", "by": "driver", "set": { "batch_id": "{batch}" } },
                            { "overwrite": "db.parts", "partition": "batch_id", "from": "db.stg" },
                            { "truncate": "db.stg" }])"));
    Incarnation one(stores(), kAttempt);
    one.run_program();
    one.context.values.batch = 1;
    one.context.rows = {record(2, "b", 3)};
    one.run_program();
    one.context.rows = {record(3, "c", 3)};
    one.run_program();
    EXPECT_EQ(column("whole", "event_id"), (Texts{"e3"}));
    EXPECT_EQ(column("parts", "event_id"), (Texts{"e0", "e1", "e3"}));
}

TEST_P(StepSql, SwapExchangesTwoTables) {
    open(query_pipeline(R"([{ "append": "db.a", "by": "driver" }, { "swap": ["db.a", "db.b"] }])"));
    Incarnation one(stores(), kAttempt);
    one.run_program();
    EXPECT_EQ(column("a", "event_id"), (Texts{}));
    EXPECT_EQ(column("b", "event_id"), (Texts{"e0", "e1"}));
    EXPECT_EQ(names(), (Texts{"a", "b"}));
}

TEST_P(StepSql, AClaimIsTakenOnceWithAndWithoutAKey) {
    open(query_pipeline(R"([{ "claim": "db.applied", "key": ["{query}", "{batch}"] },
                            { "claim": "db.keyless", "key": ["{batch}"] },
                            { "claim": "db.applied", "key": ["{query}", "{batch}"], "if_claimed": "fail" }])",
                        R"({ "applied": { "primary_key": ["query_id", "batch_id"] } })"));
    Incarnation one(stores(), kAttempt);
    for (const std::size_t step : {0U, 1U}) {
        EXPECT_EQ(one.run(one.program()[step]).outcome(), StepOutcome::kDone);
        EXPECT_EQ(one.run(one.program()[step]).outcome(), StepOutcome::kSkipped);
    }
    const StepPlan plan = one.run(one.program()[2]);
    EXPECT_EQ(plan.outcome(), StepOutcome::kFailed);
    EXPECT_EQ(plan.failure(), FailureKind::kClaimed);
    EXPECT_EQ(column("applied", "batch_id"), (Texts{"0"}));
    EXPECT_EQ(column("keyless", "key_1"), (Texts{"0"}));
}

TEST_P(StepSql, CountComparesWithTheBatch) {
    open(query_pipeline(R"([{ "append": "db.stg", "by": "driver", "set": { "b": "{batch}" } },
                            { "count": "db.stg", "where": { "b": "{batch}" } }, { "count": "db.stg" }])"));
    Incarnation one(stores(), kAttempt);
    one.run_program();
    one.context.values.batch = 1;
    one.run(one.program()[0]);
    EXPECT_EQ(one.run(one.program()[1]).outcome(), StepOutcome::kDone);
    const StepPlan plan = one.run(one.program()[2]);
    EXPECT_EQ(plan.failure(), FailureKind::kWrongCount);
    EXPECT_NE(plan.message().find("4"), std::string::npos);
}

TEST_P(StepSql, AFenceIsOfWhoeverAcquiredItLast) {
    open(query_pipeline(R"([{ "acquire": "db.fence_{query}" }, { "check": "db.fence_{query}" }])"));
    Incarnation one(stores(), kAttempt);
    Incarnation other(stores(), kOther);
    EXPECT_EQ(one.run(one.program()[1]).failure(), FailureKind::kNoToken);
    one.run_program();
    other.run_program();
    EXPECT_EQ(one.run(one.program()[1]).failure(), FailureKind::kNoToken);
    EXPECT_EQ(names(), (Texts{}));
}

TEST_P(StepSql, ProgressMovesOnlyFromWhereTheBatchStarts) {
    open(query_pipeline(R"([{ "commit_offsets": "db.progress", "if": "unchanged", "set": { "x": "{batch}" } },
                            { "commit_offsets": "group" }])"));
    Incarnation one(stores(), kAttempt);
    one.run_program();
    EXPECT_EQ(one.run(one.program()[0]).failure(), FailureKind::kPositionMoved);
    one.context.start_position = 2;
    one.context.end_position = 4;
    one.run_program();
    EXPECT_EQ(stores().query(db(), "SELECT position, tags FROM oncecheck_progress").rows,
              (std::vector<std::vector<SqlValue>>{{"4", "x=0"}}));
    EXPECT_EQ(stores().query(progress_place(), "SELECT position FROM oncecheck_progress").rows,
              (std::vector<std::vector<SqlValue>>{{"4"}}));
}

TEST_P(StepSql, ATemporaryViewBelongsToItsSession) {
    open(query_pipeline(R"([{ "create": "Updates", "as": "batch", "if_exists": "replace" },
                            { "merge": "db.payments", "using": "updates", "on": ["payment_id"] },
                            { "insert": "db.copies", "from": "UPDATES", "set": { "b": "{batch}" } }])",
                        kKeyedPayments));
    Incarnation one(stores(), kAttempt);
    Incarnation other(stores(), kOther);
    one.run_program();
    EXPECT_EQ(column("payments", "event_id"), (Texts{"e0", "e1"}));
    EXPECT_EQ(column("copies", "event_id"), (Texts{"e0", "e1"}));
    EXPECT_EQ(other.run(other.program()[1]).failure(), FailureKind::kMissingObject);
    EXPECT_EQ(names(), (Texts{"copies", "payments", "updates"}));
    one.disconnect();
    stores().end_session(kAttempt);
    EXPECT_EQ(names(), (Texts{"copies", "payments"}));
}

TEST_P(StepSql, AGlobalTemporaryViewIsOfTheApplication) {
    open(query_pipeline(R"([{ "create": "global_temp.updates", "as": "batch", "if_exists": "replace" },
                            { "merge": "db.payments", "using": "global_temp.updates", "on": ["payment_id"] }])",
                        kKeyedPayments));
    Incarnation one(stores(), kAttempt);
    Incarnation other(stores(), kOther);
    one.run(one.program()[0]);
    EXPECT_EQ(other.run(other.program()[1]).outcome(), StepOutcome::kDone);
    EXPECT_EQ(column("payments", "event_id"), (Texts{"e0", "e1"}));
}

TEST_P(StepSql, ARefusedClaimRollsBackWithItsTransaction) {
    open(query_pipeline(R"([{ "transaction": [ { "claim": "db.applied", "key": ["{batch}"] },
                                               { "append": "db.payments", "by": "driver" } ],
                              "isolation": "serializable" }])",
                        R"({ "applied": { "primary_key": ["batch_id"] } })"));
    Incarnation one(stores(), kAttempt);
    const Step& transaction = one.program().front();
    one.context.in_transaction = true;
    for (const StepOutcome expected : {StepOutcome::kDone, StepOutcome::kSkipped}) {
        ASSERT_EQ(one.db().execute(begin_transaction(one.context, transaction)).status, StatementStatus::kDone);
        EXPECT_TRUE(one.db().in_transaction());
        EXPECT_EQ(one.run(transaction.body[0]).outcome(), expected);
        if (expected == StepOutcome::kDone) {
            EXPECT_EQ(one.run(transaction.body[1]).outcome(), StepOutcome::kDone);
            EXPECT_TRUE(content_of("payments")->rows.empty());
            EXPECT_EQ(one.db().execute(commit_transaction(one.context, transaction)).status, StatementStatus::kDone);
        } else {
            EXPECT_EQ(one.db().execute(rollback_transaction(one.context, transaction)).status, StatementStatus::kDone);
        }
    }
    EXPECT_EQ(content_of("payments")->rows.size(), 2U);
}

TEST_P(StepSql, AMergeWithoutAKeyIsAnInputError) {
    open(query_pipeline(R"([{ "merge": "db.payments" }])"));
    Incarnation one(stores(), kAttempt);
    try {
        one.run(one.program().front());
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.problems().front().code, "merge-key");
    }
}

}  // namespace
}  // namespace oncecheck

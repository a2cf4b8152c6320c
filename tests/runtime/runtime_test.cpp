// The protocol and the faults, one move after another, on SQLite.

#include "model/runtime/runtime.h"

#include "tests/runtime/run_bed.h"

namespace oncecheck {
namespace {

constexpr const char* kAppend = R"([{ "append": "db.payments" }])";
constexpr const char* kLedger = R"([{ "create": "db.stg_{attempt}" }, { "append": "db.stg_{attempt}" },
    { "transaction": [{ "claim": "db.applied", "key": ["{query}", "{batch}"] },
                      { "insert": "db.payments", "from": "db.stg_{attempt}" }] }])";
constexpr const char* kLedgerTables = R"({ "applied": { "primary_key": ["query_id", "batch_id"] } })";

std::string appending(const std::string& faults) { return QueryDocument{.program = kAppend, .faults = faults}.text(); }
std::string with_ledger(const std::string& faults) {
    return QueryDocument{.program = kLedger, .faults = faults, .tables = kLedgerTables}.text();
}

TEST(Runtime, TakesAllBatchesToTheSinkWithoutFaults) {
    DrivenRun run(appending(""));
    run.make(MoveKind::kStart);
    EXPECT_EQ(run.make(MoveKind::kReadProgress).message, "the last of offsets is -1, of commits -1");
    for (int batch = 0; batch < 2; ++batch) {
        run.make(MoveKind::kPlan);
        EXPECT_EQ(run.make(MoveKind::kWriteAhead).attempt, batch);
        run.make(MoveKind::kLoadRow);
        run.make(MoveKind::kLoadRow);
        EXPECT_TRUE(run.make(MoveKind::kEndLoad).attempt_ends);
        EXPECT_EQ(run.make(MoveKind::kCommitBatch).outcome, RunOutcome::kDone);
    }
    EXPECT_TRUE(run.runtime.moves().empty()) << "an idle query without faults has nothing to do";
    EXPECT_TRUE(run.runtime.standing().complete);
    EXPECT_EQ(run.ids_in("payments"), (std::vector<std::string>{"payments_topic-0", "payments_topic-1",
                                                                "payments_topic-2", "payments_topic-3"}));
}

TEST(Runtime, RowsOfALoadCommitInAnyOrder) {
    DrivenRun run(appending(""));
    run.make_up_to(MoveKind::kWriteAhead, 0);
    run.make([](const Move& move) { return move.kind == MoveKind::kLoadRow && move.record == 1; });
    EXPECT_EQ(run.ids_in("payments"), std::vector<std::string>{"payments_topic-1"});
    EXPECT_FALSE(run.can(MoveKind::kEndLoad));
}

TEST(Runtime, RunsALoggedBatchAgainUntilItIsCommitted) {
    DrivenRun run(appending(R"("crash")"));
    run.make_up_to(MoveKind::kEndLoad, 0);
    EXPECT_TRUE(run.make(MoveKind::kCrash, 0).incarnation_ends);
    run.make(MoveKind::kStart, 1);
    const RunEvent read = run.make(MoveKind::kReadProgress, 1);
    EXPECT_EQ(read.message, "the last of offsets is 0, of commits -1");
    EXPECT_EQ(read.attempt, 1) << "the attempt begins at once: nothing is logged";
    EXPECT_EQ(run.runtime.record().attempts[1].batch, 0);
    EXPECT_EQ(run.runtime.record().attempts[1].query, run.runtime.record().attempts[0].query);
    EXPECT_NE(run.runtime.record().attempts[1].attempt, run.runtime.record().attempts[0].attempt);
    run.make_up_to(MoveKind::kEndLoad, 1);
    EXPECT_EQ(run.ids_in("payments").size(), 4U) << "the batch is there twice";
}

TEST(Runtime, PlansTheNextBatchAfterACommit) {
    DrivenRun run(appending(R"("crash")"));
    run.make_up_to(MoveKind::kCommitBatch, 0);
    run.make(MoveKind::kCrash, 0);
    run.make(MoveKind::kStart, 1);
    EXPECT_EQ(run.make(MoveKind::kReadProgress, 1).attempt, -1);
    EXPECT_TRUE(run.can(MoveKind::kPlan, 1));
}

TEST(Runtime, TheSecondToCommitABatchEndsAfterItsEffects) {
    DrivenRun run(appending(R"("zombie")"));
    run.make_up_to(MoveKind::kWriteAhead, 0);
    run.make(MoveKind::kStart, 1);
    run.make_up_to(MoveKind::kCommitBatch, 1);
    run.make_up_to(MoveKind::kEndLoad, 0);
    EXPECT_EQ(run.ids_in("payments").size(), 4U);
    const RunEvent end = run.make(MoveKind::kCommitBatch, 0);
    EXPECT_EQ(end.outcome, RunOutcome::kEnds);
    EXPECT_EQ(end.message, "commits/0 is there already");
    EXPECT_TRUE(end.incarnation_ends);
}

TEST(Runtime, TheSecondToWriteABatchAheadEndsBeforeItsEffects) {
    DrivenRun run(appending(R"("zombie")"));
    run.make_up_to(MoveKind::kPlan, 0);
    run.make(MoveKind::kStart, 1);
    run.make_up_to(MoveKind::kWriteAhead, 1);
    const RunEvent end = run.make(MoveKind::kWriteAhead, 0);
    EXPECT_EQ(end.outcome, RunOutcome::kEnds);
    EXPECT_TRUE(run.ids_in("payments").empty());
}

TEST(Runtime, ARacyCheckpointLetsBothWriteABatchAheadWithEndsOfTheirOwn) {
    QueryDocument document{.program = kAppend, .faults = R"("zombie")"};
    document.checkpoint = "s3a://bucket/chk";
    DrivenRun run(document.text());
    const auto ends_at = [](int incarnation, int end) {
        return [=](const Move& move) {
            return move.kind == MoveKind::kPlan && move.incarnation == incarnation && move.end == end;
        };
    };
    run.make_up_to(MoveKind::kReadProgress, 0);
    run.make(MoveKind::kStart, 1);
    run.make(MoveKind::kReadProgress, 1);
    run.make(ends_at(0, 1));
    run.make(ends_at(1, 3));
    EXPECT_EQ(run.make(MoveKind::kLookAhead, 0).outcome, RunOutcome::kDone);
    EXPECT_EQ(run.make(MoveKind::kLookAhead, 1).outcome, RunOutcome::kDone);
    run.make(MoveKind::kWriteAhead, 0);
    run.make(MoveKind::kWriteAhead, 1);
    EXPECT_EQ(run.runtime.record().attempts[0].end, 1);
    EXPECT_EQ(run.runtime.record().attempts[1].end, 3);
}

TEST(Runtime, ARacyCheckpointIsLookedAtFirst) {
    QueryDocument document{.program = kAppend, .faults = R"("zombie")"};
    document.checkpoint = "s3a://bucket/chk";
    DrivenRun run(document.text());
    run.make_up_to(MoveKind::kPlan, 0);
    run.make(MoveKind::kStart, 1);
    run.make_up_to(MoveKind::kWriteAhead, 1);
    EXPECT_EQ(run.make(MoveKind::kLookAhead, 0).outcome, RunOutcome::kEnds);
}

TEST(Runtime, ALaggardCommitsABatchAgainThatWasPurged) {
    DrivenRun run(appending(R"("zombie")"), [](RunInputs& inputs) {
        for (auto& [unused, faults] : inputs.faults) {
            faults.purge = true;
        }
    });
    run.make_up_to(MoveKind::kEndLoad, 0);
    run.make(MoveKind::kStart, 1);
    run.make_up_to(MoveKind::kEndLoad, 1);
    EXPECT_FALSE(run.can(MoveKind::kPurge)) << "batch 0 is not committed yet";
    run.make_up_to(MoveKind::kCommitBatch, 1);
    run.make_up_to(MoveKind::kCommitBatch, 1);
    run.make(MoveKind::kPurge);
    EXPECT_EQ(run.make(MoveKind::kCommitBatch, 0).outcome, RunOutcome::kDone);
    run.make(MoveKind::kPlan, 0);
    EXPECT_EQ(run.make(MoveKind::kWriteAhead, 0).outcome, RunOutcome::kEnds);
}

TEST(Runtime, LogsKeepTheBatchesThatTheSettingSays) {
    const std::string document = QueryDocument{.program = kAppend, .faults = R"("zombie")"}.text();
    const std::string setting = R"("startingOffsets": "earliest")";
    const std::string text = std::string(document).replace(
        document.find(setting), setting.size(), setting + R"(, "spark.sql.streaming.minBatchesToRetain": 1)");
    DrivenRun run(text, [](RunInputs& inputs) { inputs.batches = 3; });
    run.make_up_to(MoveKind::kEndLoad, 0);
    run.make(MoveKind::kStart, 1);
    for (int batch = 0; batch < 3; ++batch) {
        run.make_up_to(MoveKind::kCommitBatch, 1);
    }
    EXPECT_EQ(run.make(MoveKind::kCommitBatch, 0).outcome, RunOutcome::kDone) << "commits/0 was purged with batch 2";
    run.make(MoveKind::kPlan, 0);
    const RunEvent end = run.make(MoveKind::kWriteAhead, 0);
    EXPECT_EQ(end.outcome, RunOutcome::kEnds);
}

TEST(Runtime, AStatementInFlightLandsLaterOrNever) {
    for (const MoveKind outcome : {MoveKind::kLand, MoveKind::kDrop}) {
        DrivenRun run(QueryDocument{.program = R"([{ "append": "db.payments", "by": "driver" }])",
                                    .faults = R"("crash", "detached")"}
                          .text());
        run.make_up_to(MoveKind::kWriteAhead, 0);
        const RunEvent crash = run.make([](const Move& move) { return move.in_flight; });
        ASSERT_EQ(crash.held, std::vector<int>{0});
        run.make(MoveKind::kStart, 1);
        run.make_up_to(MoveKind::kCommitBatch, 1);
        EXPECT_FALSE(run.runtime.standing().settled);
        run.make(outcome);
        EXPECT_EQ(run.ids_in("payments").size(), outcome == MoveKind::kLand ? 4U : 2U);
        EXPECT_TRUE(run.can(MoveKind::kPlan, 1));
    }
}

TEST(Runtime, EveryRowThatNoTaskHasLoadedIsInFlightTogether) {
    DrivenRun run(appending(R"("crash", "detached")"));
    run.make_up_to(MoveKind::kWriteAhead, 0);
    EXPECT_EQ(run.make([](const Move& move) { return move.in_flight; }).held.size(), 2U);
    EXPECT_EQ(run.make(MoveKind::kLand).move.record, 0);
    EXPECT_EQ(run.make(MoveKind::kDrop).move.record, 1);
    EXPECT_EQ(run.ids_in("payments"), std::vector<std::string>{"payments_topic-0"});
}

TEST(Runtime, OfATransactionOnlyTheCommitIsInFlight) {
    DrivenRun run(with_ledger(R"("crash", "detached")"));
    const auto in_flight = [](const Move& move) { return move.in_flight; };
    run.make_up_to(MoveKind::kEndLoad, 0);
    EXPECT_EQ(run.find(in_flight), nullptr) << "BEGIN";
    for (const char* next : {"the claim", "the insert"}) {
        run.make(MoveKind::kStatement, 0);
        EXPECT_EQ(run.find(in_flight), nullptr) << next;
    }
    run.make(MoveKind::kStatement, 0);
    ASSERT_NE(run.find(in_flight), nullptr) << "COMMIT";
    run.make(in_flight);
    EXPECT_TRUE(run.ids_in("payments").empty());
    run.make(MoveKind::kLand);
    EXPECT_EQ(run.ids_in("payments").size(), 2U);
}

TEST(Runtime, WhoeverNeedsALockWaitsAndThenGoesOnByItself) {
    DrivenRun run(with_ledger(R"("zombie")"));
    run.make_up_to(MoveKind::kEndLoad, 0);
    run.make(MoveKind::kStatement, 0);
    run.make(MoveKind::kStart, 1);
    run.make_up_to(MoveKind::kReadProgress, 1);
    const RunEvent waits = run.make(MoveKind::kStatement, 1);
    ASSERT_EQ(waits.outcome, RunOutcome::kWaits) << "SQLite has one writer";
    EXPECT_FALSE(run.can(MoveKind::kStatement, 1));
    run.make(MoveKind::kStatement, 0);
    run.make(MoveKind::kStatement, 0);
    run.make(MoveKind::kStatement, 0);
    const RunEvent& last = run.runtime.record().events.back();
    EXPECT_EQ(last.move.kind, MoveKind::kResume);
    EXPECT_EQ(last.move.incarnation, 1);
    EXPECT_EQ(last.outcome, RunOutcome::kDone);
}

TEST(Runtime, AClaimThatIsTakenLeavesTheRestOfItsTransactionUndone) {
    DrivenRun run(with_ledger(R"("crash")"));
    run.make_up_to(MoveKind::kEndLoad, 0);
    for (int statement = 0; statement < 4; ++statement) {
        run.make(MoveKind::kStatement, 0);
    }
    run.make(MoveKind::kCrash, 0);
    run.make(MoveKind::kStart, 1);
    run.make_up_to(MoveKind::kEndLoad, 1);
    run.make(MoveKind::kStatement, 1);
    const RunEvent skip = run.make(MoveKind::kStatement, 1);
    EXPECT_EQ(skip.outcome, RunOutcome::kSkipped);
    EXPECT_TRUE(skip.attempt_ends);
    EXPECT_EQ(run.make(MoveKind::kCommitBatch, 1).outcome, RunOutcome::kDone);
    EXPECT_EQ(run.ids_in("payments").size(), 2U);
}

TEST(Runtime, ALostAcknowledgementEndsTheQueryAlthoughTheStatementTookEffect) {
    DrivenRun run(
        QueryDocument{.program = R"([{ "append": "db.payments", "by": "driver" }])", .faults = R"("lost-ack")"}.text());
    run.make_up_to(MoveKind::kWriteAhead, 0);
    const RunEvent lost = run.make(MoveKind::kStatement, 0, MoveFault::kLostAck);
    EXPECT_EQ(lost.outcome, RunOutcome::kFailed);
    EXPECT_TRUE(lost.incarnation_ends);
    EXPECT_EQ(run.ids_in("payments").size(), 2U);
}

TEST(Runtime, AStatementThatIsRetriedUnheardTakesEffectTwice) {
    DrivenRun run(QueryDocument{.program = R"([{ "append": "db.payments", "by": "driver", "on_error": "retry" }])",
                                .faults = R"("lost-ack")"}
                      .text());
    run.make_up_to(MoveKind::kWriteAhead, 0);
    EXPECT_FALSE(run.make(MoveKind::kStatement, 0, MoveFault::kLostAck).incarnation_ends);
    EXPECT_TRUE(run.make(MoveKind::kStatement, 0).attempt_ends);
    EXPECT_EQ(run.ids_in("payments").size(), 4U);
}

TEST(Runtime, AnIgnoredFailureIsACommit) {
    DrivenRun run(QueryDocument{.program = R"([{ "insert": "db.payments", "from": "db.nothing", "on_error": "ignore" },
                                               { "create": "db.nothing" }])"}
                      .text());
    run.make_up_to(MoveKind::kWriteAhead, 0);
    EXPECT_EQ(run.make(MoveKind::kStatement, 0).outcome, RunOutcome::kFailed);
    run.make(MoveKind::kStatement, 0);
    EXPECT_EQ(run.make(MoveKind::kCommitBatch, 0).outcome, RunOutcome::kDone);
}

TEST(Runtime, ATaskMayLoadARowAgainUntilTheLoadIsOver) {
    DrivenRun run(appending(R"("task-retry")"));
    run.make_up_to(MoveKind::kLoadRow, 0);
    run.make(MoveKind::kLoadRow, 0, MoveFault::kTaskRetry);
    EXPECT_EQ(run.ids_in("payments").size(), 2U);
    run.make_up_to(MoveKind::kEndLoad, 0);
    EXPECT_FALSE(run.can(MoveKind::kLoadRow, 0, MoveFault::kTaskRetry));
}

TEST(Runtime, ThreadsDieWithTheirIncarnation) {
    DrivenRun run(
        QueryDocument{.program = R"([{ "background": [{ "append": "db.payments" }] }])", .faults = R"("crash")"}
            .text());
    run.make_up_to(MoveKind::kSpawn, 0);
    EXPECT_EQ(run.make(MoveKind::kCommitBatch, 0).outcome, RunOutcome::kDone) << "nobody joins the thread";
    EXPECT_FALSE(run.runtime.standing().settled);
    run.make(MoveKind::kCrash, 0);
    EXPECT_FALSE(run.can(MoveKind::kLoadRow));
    EXPECT_TRUE(run.ids_in("payments").empty());
}

TEST(Runtime, ATemporaryCheckpointGivesEveryStartAnIdentityOfItsOwn) {
    const std::string text = QueryDocument{.program = kAppend, .faults = R"("crash")"}.text();
    const std::string location = R"("checkpointLocation": "hdfs://nn/chk", )";
    DrivenRun run(std::string(text).replace(text.find(location), location.size(), ""));
    run.make_up_to(MoveKind::kCommitBatch, 0);
    run.make(MoveKind::kCrash, 0);
    run.make(MoveKind::kStart, 1);
    run.make_up_to(MoveKind::kEndLoad, 1);
    const auto& attempts = run.runtime.record().attempts;
    EXPECT_EQ(attempts[1].batch, 0);
    EXPECT_EQ(attempts[1].generation, 1);
    EXPECT_NE(attempts[1].query, attempts[0].query);
}

TEST(Runtime, RecordsThatExpireBeforeTheyAreReadStopTheQueryOrAreSkipped) {
    for (const char* setting : {"true", "false"}) {
        const std::string document = QueryDocument{.program = kAppend, .faults = R"("crash")"}.text();
        const std::string known = R"("startingOffsets": "earliest")";
        const std::string text = std::string(document).replace(
            document.find(known), known.size(), known + std::string(R"(, "failOnDataLoss": )") + setting);
        DrivenRun run(text, [](RunInputs& inputs) {
            for (auto& [unused, faults] : inputs.faults) {
                faults.expiry = true;
            }
        });
        run.make_up_to(MoveKind::kWriteAhead, 0);
        EXPECT_FALSE(run.can(MoveKind::kExpire)) << "somebody reads";
        run.make(MoveKind::kCrash, 0);
        run.make(MoveKind::kExpire);
        run.make(MoveKind::kStart, 1);
        const RunEvent read = run.make(MoveKind::kReadProgress, 1);
        EXPECT_EQ(read.outcome, setting == std::string("true") ? RunOutcome::kEnds : RunOutcome::kDone);
        if (!read.incarnation_ends) {
            run.make_up_to(MoveKind::kEndLoad, 1);
            EXPECT_EQ(run.ids_in("payments"), std::vector<std::string>{"payments_topic-1"});
        }
    }
}

TEST(Runtime, AFencingTokenIsThatOfTheLastWhoAcquiredIt) {
    QueryDocument document{.program = R"([{ "transaction": [{ "check": "db.fence_{query}" },
                                                            { "append": "db.payments", "by": "driver" }] }])",
                           .faults = R"("zombie")"};
    document.query = R"(, "on_start": [{ "acquire": "db.fence_{query}" }])";
    DrivenRun run(document.text());
    run.make_up_to(MoveKind::kWriteAhead, 0);
    run.make(MoveKind::kStart, 1);
    run.make(MoveKind::kStatement, 1);
    run.make(MoveKind::kStatement, 0);
    const RunEvent check = run.make(MoveKind::kStatement, 0);
    EXPECT_EQ(check.outcome, RunOutcome::kFailed);
    EXPECT_TRUE(check.incarnation_ends);
}

TEST(Runtime, ARestartBeginsWithEmptyStores) {
    DrivenRun run(appending(""));
    run.make_up_to(MoveKind::kEndLoad, 0);
    run.runtime.restart(run.runtime.record().inputs);
    EXPECT_TRUE(run.ids_in("payments").empty());
    EXPECT_TRUE(run.runtime.record().events.empty());
    EXPECT_TRUE(run.can(MoveKind::kStart, 0));
}

TEST(Runtime, ContentIsKeptAfterEveryEventIfAsked) {
    const Pipeline pipeline = resolved_run(appending(""));
    RuntimeOptions options;
    options.keep_contents = true;
    Runtime runtime(pipeline, assumed_inputs(pipeline), options);
    static_cast<void>(run_schedule(pipeline, runtime, {}));
    EXPECT_EQ(runtime.record().contents.size(), runtime.record().events.size());
    EXPECT_EQ(runtime.record().contents.back(), runtime.content());
}

}  // namespace
}  // namespace oncecheck

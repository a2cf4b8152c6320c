// What statements do: each document is clean or not because of one rule.
#include <gtest/gtest.h>

#include "tests/cases/support/documents.h"
#include "tests/semantics/translated.h"

namespace oncecheck {

namespace {

const std::string kKeyed = R"({ "payments": { "primary_key": ["payment_id"] } })";
const std::string kInBatch =
    R"("records": { "id": "event_id", "key": "payment_id", "version": "event_time", "ordered_by": "event_time" })";

TEST(Truncate, RemovesTheRowsOfOtherBatches) {
    QueryDocument document;
    document.program = R"([ { "truncate": "db.stg" }, { "append": "db.stg" },
                            { "insert": "db.payments", "from": "db.stg" } ])";
    EXPECT_EQ(flaws_of(document.text()), Flaws{});
    document.program = R"([ { "append": "db.stg" }, { "insert": "db.payments", "from": "db.stg" } ])";
    EXPECT_EQ(flaws_of(document.text()), Flaws{"duplicate"});
}

TEST(Truncate, RemovesTheRowsOfAnotherQuery) {
    TwoQueriesDocument document;
    document.program = R"([ { "truncate": "db.stg" }, { "append": "db.stg" },
                            { "insert": "db.payments", "from": "db.stg" } ])";
    EXPECT_TRUE(flaws_of(document.text()).contains("loss"));
}

// Each attempt adds one row and goes on only if there are as many as the batch has. Two attempts bring batch 0
// through; from then on there are too many, for ever.
TEST(Count, TellsOneRowTooManyFromEnough) {
    QueryDocument document;
    document.program = R"([ { "insert": "db.marks", "values": { "state": "new" } }, { "count": "db.marks" } ])";
    document.require = R"({ "progress": "enrich" })";
    EXPECT_EQ(flaws_of(document.text()), Flaws{"stuck"});
}

TEST(Count, FindsDoubledRows) {
    QueryDocument document;
    document.faults = R"("crash")";
    document.program = R"([ { "append": "db.stg_{batch}" }, { "count": "db.stg_{batch}" },
                            { "merge": "db.payments", "using": "db.stg_{batch}", "on": ["event_id"] } ])";
    EXPECT_EQ(flaws_of(document.text()), Flaws{"stuck"});
    document.program = R"([ { "truncate": "db.stg_{batch}" }, { "append": "db.stg_{batch}" },
                            { "count": "db.stg_{batch}" },
                            { "merge": "db.payments", "using": "db.stg_{batch}", "on": ["event_id"] } ])";
    EXPECT_EQ(flaws_of(document.text()), Flaws{});
}

TEST(Merge, FailsForEverOnAKeyThatABatchHoldsTwice) {
    QueryDocument document;
    document.records = kInBatch;
    document.tables = kKeyed;
    document.program = R"([ { "merge": "db.payments" } ])";
    EXPECT_EQ(flaws_of(document.text()), Flaws{"stuck"});
}

TEST(Merge, TakesTheNewestOfAKeyThatABatchHoldsTwiceIfAskedTo) {
    QueryDocument document;
    document.records = kInBatch;
    document.tables = kKeyed;
    document.program = R"([ { "merge": "db.payments", "dedupe_by": "event_time" } ])";
    EXPECT_EQ(flaws_of(document.text()), Flaws{});
}

// Both queries merge one staged row at once: without a unique key both insert it.
TEST(Merge, OfTwoQueriesInsertsARowTwiceOnlyWithoutAUniqueKey) {
    TwoQueriesDocument document;
    document.program =
        R"([ { "append": "db.stg" }, { "merge": "db.payments", "using": "db.stg", "on": ["event_id"] } ])";
    EXPECT_TRUE(flaws_of(document.text(), {1, 1, 1}).contains("duplicate"));
    document.tables = R"({ "payments": { "primary_key": ["event_id"] } })";
    EXPECT_FALSE(flaws_of(document.text(), {1, 1, 1}).contains("duplicate"));
}

// Two rows of one payment can be there, of two batches of a row: the second merge has not seen the first.
bool merges_beside(const QueryDocument& document) {
    bool both = false;
    for (const HopSystem& hop : systems_of(document.text(), {1, 2, 1})) {
        const VariableId first = variable_named(hop.system, "db.payments has payments_topic[0]");
        const VariableId second = variable_named(hop.system, "db.payments has payments_topic[1]");
        explore(hop.system, [&](const State&, const Action&, const State& state) {
            both = both || (state[first] == 1 && state[second] == 1);
        });
    }
    return both;
}

// Two threads merge two events of one payment at once: each finds no row of the payment, and no key of the table is
// hurt.
TEST(Merge, OfTwoThreadsInsertsTwoEventsOfAPaymentWhereOnlyEventsAreUnique) {
    QueryDocument document;
    document.faults = "";
    document.tables = R"({ "payments": { "primary_key": ["event_id"] } })";
    document.program = R"([ { "background": [ { "merge": "db.payments", "on": ["payment_id"] } ] } ])";
    EXPECT_TRUE(merges_beside(document));
    document.tables = kKeyed;
    EXPECT_FALSE(merges_beside(document));
}

TwoQueriesDocument queue_table(const std::string& isolation) {
    TwoQueriesDocument document;
    document.program = R"([ { "append": "db.inbox", "set": { "state": "new" } },
        { "transaction": [ { "insert": "db.payments", "from": "db.inbox", "where": { "state": "new" } },
                           { "delete": "db.inbox", "where": { "state": "new" } } ], "isolation": ")" +
                       isolation + R"(" } ])";
    return document;
}

TEST(Transaction, AtReadCommittedSeesNewRowsInEachStatement) {
    EXPECT_TRUE(flaws_of(queue_table("read-committed").text(), {1, 1, 1}).contains("loss"));
}

TEST(Transaction, AtRepeatableReadDeletesWhatItHasRead) {
    EXPECT_FALSE(flaws_of(queue_table("repeatable-read").text(), {1, 1, 1}).contains("loss"));
}

// A row was loaded twice, and the table takes its key once: the claim must not be committed without the rows.
TEST(Transaction, WithOneSnapshotDoesNotCommitWhatItsLastStatementRefuses) {
    QueryDocument document;
    document.faults = R"("task-retry", "zombie")";
    document.tables = R"({ "applied": { "primary_key": ["query_id", "batch_id"] },
                           "payments": { "primary_key": ["payment_id"] } })";
    document.program = R"([ { "create": "db.stg_{attempt}" }, { "append": "db.stg_{attempt}" },
        { "transaction": [ { "claim": "db.applied", "key": ["{query}", "{batch}"] },
            { "merge": "db.payments", "using": "db.stg_{attempt}", "on": ["payment_id"], "only": "unmatched" } ],
          "isolation": "repeatable-read" } ])";
    EXPECT_EQ(flaws_of(document.text(), {1, 1, 2}), Flaws{});
}

// Threads of two batches, whose failures nobody sees.
QueryDocument in_background(const std::string& step, const std::string& isolation) {
    QueryDocument document;
    document.tables = R"({ "applied": { "primary_key": ["query_id", "batch_id"] } })";
    document.program = R"([ { "background": [ { "transaction": [
        { "claim": "db.applied", "key": ["{query}", "{batch}"] }, )" +
                       step + R"( ], "isolation": ")" + isolation + R"(" } ] } ])";
    return document;
}

TEST(SerializationFailure, NeedsRowsThatTwoTransactionsChangeOrATableThatOneReads) {
    const std::string append = R"({ "append": "db.payments", "by": "driver" })";
    EXPECT_EQ(flaws_of(in_background(append, "serializable").text()), Flaws{});
    EXPECT_EQ(flaws_of(in_background(append, "repeatable-read").text()), Flaws{});
    const std::string merge = R"({ "merge": "db.payments", "on": ["event_id"] })";
    EXPECT_EQ(flaws_of(in_background(merge, "serializable").text()), Flaws{"loss"});
    EXPECT_EQ(flaws_of(in_background(merge, "repeatable-read").text()), Flaws{});
    const std::string merge_by_key = R"({ "merge": "db.payments", "on": ["payment_id"] })";
    EXPECT_TRUE(flaws_of(in_background(merge_by_key, "repeatable-read").text()).contains("loss"));
    EXPECT_FALSE(flaws_of(in_background(merge_by_key, "read-committed").text()).contains("loss"));
}

// A statement that waits for a row has its snapshot already: a claim that is taken then fails, and does not skip, and
// what comes after a check does not see what has been committed meanwhile.
TEST(Transaction, WithOneSnapshotTakesItBeforeItWaitsForARow) {
    QueryDocument document;
    document.faults = R"("zombie")";
    document.tables = R"({ "applied": { "primary_key": ["query_id", "batch_id"] } })";
    document.program = R"([ { "append": "db.stg_{attempt}" },
        { "transaction": [ { "claim": "db.applied", "key": ["{query}", "{batch}"] },
                           { "merge": "db.payments", "using": "db.stg_{attempt}", "on": ["payment_id"] } ],
          "isolation": "repeatable-read" } ])";
    bool late = false;
    for (const HopSystem& hop : systems_of(document.text(), {1, 1, 2})) {
        explore(hop.system, [&](const State&, const Action& action, const State&) {
            late = late || (action.label.event.outcome == EventOutcome::kFailed &&
                            action.label.text.find("the claim was taken after the snapshot") != std::string::npos);
        });
    }
    EXPECT_TRUE(late);
    document.query = R"(, "on_start": [ { "acquire": "db.fence_{query}" } ])";
    document.tables = "{}";
    document.faults = "";
    document.program = R"([ { "background": [ { "transaction": [ { "check": "db.fence_{query}" },
        { "merge": "db.payments", "on": ["payment_id"] } ], "isolation": "repeatable-read" } ] } ])";
    EXPECT_TRUE(merges_beside(document));
    document.program.replace(document.program.find("repeatable-read"), 15, "read-committed");
    EXPECT_FALSE(merges_beside(document));
}

// A transaction that is aborted and run again sees what the other has committed.
TEST(SerializationFailure, IsOverWhenTheTransactionIsTriedAgain) {
    QueryDocument document = in_background(R"({ "merge": "db.payments", "on": ["payment_id"] })", "repeatable-read");
    const std::string end = R"("isolation": "repeatable-read" )";
    document.program.replace(document.program.find(end), end.size(), end + R"(, "on_error": "retry")");
    EXPECT_FALSE(flaws_of(document.text()).contains("loss"));
    EXPECT_FALSE(flaws_of(document.text()).contains("stuck"));
}

QueryDocument delete_then_insert(const std::string& isolation) {
    QueryDocument document;
    document.faults = R"("zombie")";
    document.program = R"([ { "transaction": [
        { "delete": "db.payments", "where": { "batch_id": "{batch}" } },
        { "append": "db.payments", "by": "driver", "set": { "batch_id": "{batch}" } } ], "isolation": ")" +
                       isolation + R"(" } ])";
    return document;
}

TEST(DeleteThenInsert, DoublesRowsOfTwoDrivers) {
    EXPECT_EQ(flaws_of(delete_then_insert("read-committed").text()), Flaws{"duplicate"});
}

TEST(DeleteThenInsert, IsCleanIfSerializable) {
    EXPECT_EQ(flaws_of(delete_then_insert("serializable").text()), Flaws{});
}

TEST(DeleteThenInsert, IsCleanWithOneDriver) {
    QueryDocument document = delete_then_insert("read-committed");
    document.faults = R"("crash")";
    EXPECT_EQ(flaws_of(document.text()), Flaws{});
}

QueryDocument claimed(const std::string& tables) {
    QueryDocument document;
    document.faults = R"("crash", "zombie")";
    document.program = R"([ { "transaction": [ { "claim": "db.applied", "key": ["{query}", "{batch}"] },
                                               { "append": "db.payments", "by": "driver" } ] } ])";
    document.tables = tables;
    return document;
}

TEST(Claim, LetsOneAttemptThrough) {
    EXPECT_EQ(flaws_of(claimed(R"({ "applied": { "primary_key": ["query_id", "batch_id"] } })").text()), Flaws{});
}

TEST(Claim, IsCheckThenActWithoutAUniqueKey) {
    QueryDocument document = claimed("{}");
    EXPECT_EQ(flaws_of(document.text()), Flaws{"duplicate"});
    document.faults = R"("crash")";
    EXPECT_EQ(flaws_of(document.text()), Flaws{});
}

std::string of_version(const QueryDocument& document, const std::string& postgresql) {
    std::string text = document.text();
    const std::string stated = R"("version": "15")";
    return text.replace(text.find(stated), stated.size(), R"("version": ")" + postgresql + '"');
}

// MERGE inserts both and violates the key; ON CONFLICT DO NOTHING, all that PostgreSQL 14 has, takes the first.
TEST(Merge, OfUnmatchedRowsFailsOnAKeyThatABatchHoldsTwiceWhereItIsNoUpsert) {
    QueryDocument document;
    document.records = kInBatch;
    document.tables = kKeyed;
    document.program = R"([ { "merge": "db.payments", "only": "unmatched" } ])";
    EXPECT_TRUE(flaws_of(of_version(document, "15")).contains("stuck"));
    EXPECT_FALSE(flaws_of(of_version(document, "14")).contains("stuck"));
}

TEST(Merge, ThatAddsUpFailsForEverOnANewKeyThatABatchHoldsTwice) {
    QueryDocument document;
    document.records = kInBatch;
    document.tables = kKeyed;
    document.program = R"([ { "merge": "db.payments", "add": ["amount"] } ])";
    EXPECT_TRUE(flaws_of(document.text()).contains("stuck"));
}

// Two rows of a payment are there; the merge makes both the event that it brings (PostgreSQL 15 and SQLite refuse that
// in every run).
TEST(Merge, FailsForEverWhereItMakesTwoRowsOneAndAUniqueKeyRefusesIt) {
    QueryDocument document;
    document.records = kInBatch;
    document.tables = R"({ "payments": { "primary_key": ["event_id"] } })";
    document.program = R"([ { "insert": "db.payments" },
                            { "merge": "db.payments", "on": ["payment_id"], "dedupe_by": "event_time" } ])";
    document.require = R"({ "progress": "enrich" })";
    EXPECT_EQ(flaws_of(document.text()), Flaws{"stuck"});
    document.tables = "{}";
    EXPECT_EQ(flaws_of(document.text()), Flaws{});
}

// The payments of a batch are one key to the merge and two to the table: each event comes twice, and is inserted twice.
TEST(Merge, FailsForEverOnARowThatItsSourceHoldsTwiceUnderAnotherUniqueKey) {
    QueryDocument document;
    document.records = kInBatch;
    document.program = R"([ { "append": "db.stg" }, { "append": "db.stg" },
                            { "merge": "db.payments", "using": "db.stg", "on": ["payment_id"] } ])";
    document.require = R"({ "progress": "enrich" })";
    const UniverseSize one_batch{2, 1, 1};
    document.faults = "";
    EXPECT_EQ(flaws_of(document.text(), one_batch), Flaws{});
    document.tables = R"({ "payments": { "primary_key": ["event_id"] } })";
    EXPECT_EQ(flaws_of(document.text(), one_batch), Flaws{"stuck"});
}

// A step that is sent again brings all its rows again, those that are there among them.
TEST(Load, ThatIsSentAgainLoadsAllItsRowsAgain) {
    QueryDocument document;
    document.faults = R"("lost-ack")";
    document.tables = kKeyed;
    document.program = R"([ { "append": "db.stg", "by": "executors", "on_error": "retry" },
                            { "merge": "db.payments", "using": "db.stg", "dedupe_by": "event_time" } ])";
    bool seen = false;
    for (const HopSystem& hop : systems_of(document.text(), {2, 1, 1})) {
        explore(hop.system, [&](const State&, const Action& action, const State& after) {
            const ActionEvent& lost = action.label.event;
            if (lost.kind != EventKind::kLostAck || lost.record < 0) {
                return;
            }
            const bool again =
                std::any_of(hop.system.actions.begin(), hop.system.actions.end(), [&](const Action& next) {
                    const ActionEvent& loads = next.label.event;
                    return loads.kind == EventKind::kLoad && loads.record != lost.record && enabled(next, after);
                });
            EXPECT_TRUE(again);
            seen = true;
        });
    }
    EXPECT_TRUE(seen);
}

// The first of two sendings arrives after the next batch has been applied.
TEST(LateStatement, OfAnIncarnationThatGoesOnBringsOldVersionsBack) {
    for (const char* on_error : {"retry", "ignore"}) {
        for (const char* source : {"", R"("using": "db.stg_{attempt}", )", R"("using": "staged", )"}) {
            QueryDocument document;
            document.faults = R"("lost-ack", "detached")";
            document.tables = kKeyed;
            document.program = R"([ { "append": "db.stg_{attempt}", "by": "driver" },
                { "create": "staged", "as": "batch", "if_exists": "replace" },
                { "merge": "db.payments", "on": ["payment_id"], )" +
                               std::string(source) + R"("on_error": ")" + on_error + R"(" } ])";
            EXPECT_TRUE(flaws_of(document.text(), {1, 2, 1}).contains("stale")) << on_error << ' ' << source;
            document.faults = R"("lost-ack")";
            EXPECT_FALSE(flaws_of(document.text(), {1, 2, 1}).contains("stale")) << on_error << ' ' << source;
        }
    }
}

// A row fails (the answer is lost), the step is over, and the rows that no task has loaded never come.
TEST(Load, ThatIsLeftWhenARowFailsLosesTheOthers) {
    QueryDocument document;
    document.faults = R"("lost-ack")";
    document.program = R"([ { "append": "db.payments", "by": "executors", "on_error": "ignore" } ])";
    EXPECT_EQ(flaws_of(document.text(), {2, 1, 1}), Flaws{"loss"});
    document.program = R"([ { "append": "db.payments", "by": "driver", "on_error": "ignore" } ])";
    EXPECT_EQ(flaws_of(document.text(), {2, 1, 1}), Flaws{});
}

// Nobody promises in which order the rows of a statement are taken.
TEST(Insert, ThatIgnoresConflictsKeepsAnyOfTheRowsThatABatchHoldsOfAKey) {
    QueryDocument document;
    document.records = kInBatch;
    document.tables = kKeyed;
    document.program = R"([ { "append": "db.stg", "by": "driver" },
                            { "insert": "db.payments", "from": "db.stg", "on_conflict": "ignore" } ])";
    document.require = R"({ "no-duplicate": "db.payments", "from": "payments_topic" })";
    std::set<std::vector<Value>> contents;
    for (const HopSystem& hop : systems_of(document.text(), {2, 1, 1})) {
        explore(hop.system, [&](const State&, const Action& action, const State& after) {
            if (action.label.text.find("inserts db.stg") != 0) {
                return;
            }
            std::vector<Value> held;
            for (VariableId id = 0; id < hop.system.variables.size(); ++id) {
                if (hop.system.variables[id].name.find("db.payments has") == 0) {
                    held.push_back(after[id]);
                }
            }
            contents.insert(held);
        });
    }
    EXPECT_EQ(contents, (std::set<std::vector<Value>>{{0, 1}, {1, 0}}));
}

// The greatest of each row that the merge matches on, not of each key of the log.
TEST(Merge, KeepsARowOfEachRecordIfItMatchesByRecord) {
    QueryDocument document;
    document.records = kInBatch;
    document.program = R"([ { "merge": "db.payments", "on": ["event_id"], "dedupe_by": "event_time" } ])";
    EXPECT_EQ(flaws_of(document.text()), Flaws{});
}

// The snapshot is older than the TRUNCATE, which did not have to wait: the table is empty all the same.
TEST(Truncate, EmptiesATableForASnapshotThatHasNotUsedIt) {
    TwoQueriesDocument document;
    document.program = R"([ { "append": "db.stg", "by": "driver" }, { "truncate": "db.stg" } ])";
    document.tables = R"({ "applied": { "primary_key": ["query_id", "batch_id"] } })";
    document.require = R"({ "no-duplicate": "db.payments" })";
    document.second_program = R"([ { "transaction": [ { "claim": "db.applied", "key": ["{query}", "{batch}"] },
        { "delete": "db.old", "where": { "state": "old" } },
        { "insert": "db.payments", "from": "db.stg" } ], "isolation": "repeatable-read" },
        { "insert": "db.old", "values": { "state": "old" } } ])";
    bool emptied = false;
    for (const HopSystem& hop : systems_of(document.text(), {1, 1, 1})) {
        const VariableId place = variable_named(hop.system, "transfers/A position");
        explore(hop.system, [&](const State& before, const Action& action, const State& after) {
            if (action.label.text != "truncates db.stg" || before[place] == 0) {
                return;
            }
            for (VariableId id = 0; id < hop.system.variables.size(); ++id) {
                const bool seen = hop.system.variables[id].name.find("/row") != std::string::npos;
                emptied = emptied || (seen && before[id] > after[id]);
            }
        });
    }
    EXPECT_TRUE(emptied);
}

// The second batch goes into the table that the first one did not fill.
TEST(Swap, ExchangesTheRowsOfTwoTables) {
    QueryDocument document;
    document.program = R"([ { "swap": ["db.payments", "db.spare"] }, { "append": "db.payments" } ])";
    EXPECT_EQ(flaws_of(document.text()), Flaws{"loss"});
    document.program = R"([ { "swap": ["db.payments", "db.spare"] }, { "swap": ["db.payments", "db.spare"] },
                            { "append": "db.payments" } ])";
    EXPECT_EQ(flaws_of(document.text()), Flaws{});
}

}  // namespace

}  // namespace oncecheck

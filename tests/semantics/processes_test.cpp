// What processes do: incarnations, statements in flight, fencing tokens, background threads, progress logs.
#include <gtest/gtest.h>

#include "tests/cases/support/documents.h"
#include "tests/semantics/translated.h"

namespace oncecheck {

namespace {

const std::string kKeyed = R"({ "payments": { "primary_key": ["payment_id"] } })";

TEST(DetachedStatement, OutlivesTheRestart) {
    QueryDocument document;
    document.tables = kKeyed;
    document.program = R"([ { "merge": "db.payments" } ])";
    document.faults = R"("crash")";
    EXPECT_EQ(flaws_of(document.text()), Flaws{});
    document.faults = R"("crash", "detached")";
    EXPECT_TRUE(flaws_of(document.text()).contains("stale"));
}

QueryDocument fenced(const std::string& apply) {
    QueryDocument document;
    document.faults = R"("crash", "zombie")";
    document.tables = kKeyed;
    document.query = R"(, "on_start": [ { "acquire": "db.fence_{query}" } ])";
    document.program = '[' + apply + ']';
    return document;
}

TEST(Fence, GuardsTheEffectsOfItsTransaction) {
    const QueryDocument document = fenced(R"({ "transaction": [ { "check": "db.fence_{query}" },
        { "merge": "db.payments", "on": ["payment_id"] } ] })");
    EXPECT_EQ(flaws_of(document.text()), Flaws{});
}

std::string without_checkpoint(const QueryDocument& document) {
    std::string text = document.text();
    const std::string stated = R"("checkpointLocation": "hdfs://nn/chk", )";
    return text.erase(text.find(stated), stated.size());
}

QueryDocument fenced_merge(const std::string& fence) {
    QueryDocument document = fenced(R"({ "transaction": [ { "check": ")" + fence + R"(" },
        { "merge": "db.payments", "on": ["payment_id"] } ] })");
    document.query = R"(, "on_start": [ { "acquire": ")" + fence + R"(" } ])";
    return document;
}

// Each start has a query identity of its own, so that a token named after it keeps nobody else out.
TEST(TemporaryCheckpoint, GivesEachIncarnationAnIdentityOfItsOwn) {
    EXPECT_TRUE(flaws_of(without_checkpoint(fenced_merge("db.fence_{query}"))).contains("stale"));
    EXPECT_EQ(flaws_of(fenced_merge("db.fence_{query}").text()), Flaws{});
}

// Nobody finds the entries of another, and what an older incarnation commits does not make the newest complete.
TEST(TemporaryCheckpoint, IsOfItsIncarnationAlone) {
    for (const HopSystem& hop : systems_of(without_checkpoint(fenced_merge("db.fence_{query}")), {1, 2, 2})) {
        const VariableId commits = variable_named(hop.system, "enrich commit log");
        const VariableId newest = variable_named(hop.system, "enrich/A position");  // the newest stands in slot A
        explore(hop.system, [&](const State& before, const Action& action, const State& after) {
            EXPECT_NE(action.label.event.kind, EventKind::kCommitTaken) << action.label.text;
            if (action.label.event.kind == EventKind::kCommit && action.label.slot > 0) {
                EXPECT_EQ(after[commits], before[commits]);
                EXPECT_EQ(after[newest], before[newest]);
            }
        });
    }
}

TEST(Fence, GuardsNothingOutsideATransaction) {
    const QueryDocument document = fenced(R"({ "check": "db.fence_{query}" },
        { "merge": "db.payments", "on": ["payment_id"] })");
    EXPECT_TRUE(flaws_of(document.text()).contains("stale"));
}

// Only the first incarnation of the query acquires: the claim keeps all later ones from it. None of them holds the
// token, whatever its predecessor held.
TEST(Fence, IsNotInheritedByTheNextIncarnation) {
    QueryDocument document;
    document.tables = R"({ "first": { "primary_key": ["query_id"] } })";
    document.program = R"([
        { "transaction": [ { "claim": "db.first", "key": ["{query}"] }, { "acquire": "db.fence" } ] },
        { "transaction": [ { "check": "db.fence" }, { "append": "db.payments", "by": "driver" } ] } ])";
    EXPECT_FALSE(flaws_of(document.text()).contains("stuck"));
    document.faults = R"("crash")";
    EXPECT_TRUE(flaws_of(document.text()).contains("stuck"));
}

TEST(BackgroundThread, IsWaitedForBeforeAnythingCountsAsLost) {
    QueryDocument document;
    document.program = R"([ { "background": [ { "append": "db.payments" } ] } ])";
    EXPECT_EQ(flaws_of(document.text()), Flaws{});
}

TEST(BackgroundThread, LosesItsBatchInACrash) {
    QueryDocument document;
    document.faults = R"("crash")";
    document.program = R"([ { "background": [ { "append": "db.payments", "by": "driver" } ] } ])";
    EXPECT_TRUE(flaws_of(document.text()).contains("loss"));
}

// The client has the rows when another batch's thread replaces the view, and sends them afterwards.
TEST(BackgroundThread, SendsRowsThatItHasReadFromAViewBeforeAnotherReplacedIt) {
    QueryDocument document;
    document.program = R"([ { "background": [ { "create": "staged", "as": "batch", "if_exists": "replace" },
                                              { "insert": "db.payments", "from": "staged" } ] } ])";
    bool sends = false;
    for (const HopSystem& hop : systems_of(document.text(), {1, 2, 1})) {
        std::map<std::string, VariableId> of_first;  // record of batch 0: in the view, in the table
        for (VariableId id = 0; id < hop.system.variables.size(); ++id) {
            const std::string& name = hop.system.variables[id].name;
            if (name.ends_with("payments_topic[0]")) {
                of_first[name.find("staged has") != std::string::npos ? "view" : "table"] = id;
            }
        }
        if (of_first.empty()) {
            continue;  // follows the other batch
        }
        explore(hop.system, [&](const State& before, const Action&, const State& after) {
            const VariableId table = of_first.at("table");
            sends = sends || (after[table] > before[table] && before[of_first.at("view")] == 0);
        });
    }
    EXPECT_TRUE(sends);
}

// Of a lock's name the store leaves a part of the UUID: two queries that lock by query take different locks.
TEST(Lock, WhoseNameIsCutInsideAUuidKeepsNobodyOut) {
    TwoQueriesDocument document;
    document.tables = R"({ "payments": { "primary_key": ["event_id"] } })";
    document.require = R"({ "no-loss": "db.payments", "from": "cards_topic" })";
    const auto locking = [](const std::string& name) {
        return R"([ { "lock": "db.)" + name + R"(" }, { "truncate": "db.stg" }, { "append": "db.stg", "by": "driver" },
                    { "insert": "db.payments", "from": "db.stg", "on_conflict": "ignore" } ])";
    };
    for (const auto& [name, flaws] :
         std::map<std::string, bool>{{"one", false}, {"by_{query}", true}, {std::string(30, 's') + "_{query}", true}}) {
        document.program = document.second_program = locking(name);
        EXPECT_EQ(flaws_of(document.text(), {1, 1, 1}).contains("loss"), flaws) << name;
    }
}

// Two transactions side by side are cut into statements. One that skips at its claim is over, and so is the thread.
TEST(BackgroundThread, EndsWhereItsLastTransactionSkips) {
    QueryDocument document;
    document.faults = R"("zombie")";
    document.tables = R"({ "applied": { "primary_key": ["query_id", "batch_id"] } })";
    document.program = R"([ { "background": [ { "transaction": [
        { "claim": "db.applied", "key": ["{query}", "{batch}"] },
        { "merge": "db.payments", "on": ["event_id"] } ] } ] } ])";
    EXPECT_EQ(flaws_of(document.text(), {1, 2, 2}), Flaws{"loss"});  // a thread dies with its incarnation
}

// The same where the transaction is the last of `on_error`: the incarnation ends and does not stay behind.
TEST(ErrorHandler, EndsTheIncarnationWhereItsLastTransactionSkips) {
    QueryDocument document = fenced(R"({ "transaction": [ { "check": "db.fence_{query}" },
        { "merge": "db.payments", "on": ["payment_id"] } ] })");
    document.tables =
        R"({ "payments": { "primary_key": ["payment_id"] }, "incidents": { "primary_key": ["query_id"] } })";
    document.query += R"(, "on_error": [ { "transaction": [ { "claim": "db.incidents", "key": ["{query}"] },
        { "merge": "db.errors", "on": ["payment_id"] } ] } ])";
    EXPECT_EQ(flaws_of(document.text(), {1, 2, 2}), Flaws{});
}

TEST(StagingOfAnAttempt, IsNotSeenByTheNextAttempt) {
    QueryDocument document;
    document.faults = R"("crash", "zombie")";
    document.tables = R"({ "applied": { "primary_key": ["query_id", "batch_id"] } })";
    document.program = R"([ { "create": "db.stg_{attempt}" }, { "append": "db.stg_{attempt}" },
        { "transaction": [ { "claim": "db.applied", "key": ["{query}", "{batch}"] },
                           { "insert": "db.payments", "from": "db.stg_{attempt}" } ] } ])";
    document.require += R"(, { "isolated-staging": "enrich" })";
    EXPECT_EQ(flaws_of(document.text()), Flaws{});
}

std::vector<HopSystem> zombie_systems(const std::string& checkpoint) {
    QueryDocument document;
    document.faults = R"("zombie")";
    document.program = R"([ { "append": "db.payments", "by": "driver" } ])";
    document.checkpoint = checkpoint;
    return systems_of(document.text(), {1, 2, 2});
}

TEST(CommitLog, TakesAnEntryOnceAndNeverGoesBack) {
    for (const HopSystem& hop : zombie_systems("hdfs://nn/chk")) {
        const VariableId commits = variable_named(hop.system, "enrich commit log");
        std::size_t commits_seen = 0;
        explore(hop.system, [&](const State& before, const Action& action, const State& after) {
            ASSERT_GE(after[commits], before[commits]) << action.label.text;
            if (action.label.text.starts_with("commits")) {
                ++commits_seen;
                ASSERT_EQ(after[commits], before[commits] + 1) << action.label.text;
            }
        });
        EXPECT_GT(commits_seen, 0U);
    }
}

TEST(OffsetLog, TakesAnEntryOnceAndNeverGoesBack) {
    for (const HopSystem& hop : zombie_systems("hdfs://nn/chk")) {
        const VariableId offsets = variable_named(hop.system, "enrich offset log");
        explore(hop.system, [&](const State& before, const Action& action, const State& after) {
            ASSERT_GE(after[offsets], before[offsets]) << action.label.text;
        });
    }
}

TEST(OffsetLog, OfARacyStoreIsOverwritten) {
    std::size_t overwritten = 0;
    for (const HopSystem& hop : zombie_systems("s3a://bucket/chk")) {
        const VariableId entry = variable_named(hop.system, "enrich offset log entry 0");
        explore(hop.system, [&](const State& before, const Action&, const State& after) {
            overwritten += before[entry] != 0 && after[entry] != before[entry] ? 1U : 0U;
        });
    }
    EXPECT_GT(overwritten, 0U);
}

QueryDocument ledger(const std::string& checkpoint) {
    QueryDocument document;
    document.faults = R"("zombie")";
    document.checkpoint = checkpoint;
    document.tables = R"({ "applied": { "primary_key": ["query_id", "batch_id"] } })";
    document.program = R"([ { "transaction": [ { "claim": "db.applied", "key": ["{query}", "{batch}"] },
                                               { "append": "db.payments", "by": "driver" } ] } ])";
    return document;
}

TEST(CheckpointStore, ThatIsRacyBreaksALedgerByBatch) {
    EXPECT_EQ(flaws_of(ledger("hdfs://nn/chk").text()), Flaws{});
    const Flaws racy = flaws_of(ledger("s3a://bucket/chk").text(), {1, 2, 2});
    EXPECT_TRUE(racy.contains("loss"));
    EXPECT_TRUE(racy.contains("duplicate"));
}

TEST(OffsetsInTheDatabase, ThatSparkDoesNotResumeFromStopTheQueryAfterACrash) {
    QueryDocument document;
    document.program = R"([ { "transaction": [ { "commit_offsets": "db.progress", "if": "unchanged" },
                                               { "append": "db.payments", "by": "driver" } ] } ])";
    EXPECT_EQ(flaws_of(document.text()), Flaws{});
    document.faults = R"("crash")";
    EXPECT_EQ(flaws_of(document.text()), Flaws{"stuck"});
}

}  // namespace

}  // namespace oncecheck

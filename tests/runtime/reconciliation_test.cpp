// What reconciliations by count and by key notice of what has been done to a table, and when.

#include "model/runtime/reconciliation_watch.h"

#include <list>

#include "tests/runtime/run_bed.h"

namespace oncecheck {
namespace {

QueryDocument reconciled(const std::string& program, const std::string& tables = "{}") {
    QueryDocument document{.program = program, .tables = tables};
    document.components = R"(,
        "counts": { "type": "reconciliation", "compares": ["payments_topic", "db.payments"], "by": "count" },
        "keys": { "type": "reconciliation", "compares": ["payments_topic", "db.payments"] })";
    document.require = R"({ "exactly-once": "db.payments", "from": "payments_topic" })";
    return document;
}

QueryDocument appended() { return reconciled(R"([{ "append": "db.payments" }])"); }
QueryDocument keyed() {
    return reconciled(R"([{ "merge": "db.payments", "using": "batch", "on": ["payment_id"] }])",
                      R"({ "payments": { "primary_key": ["payment_id"] } })");
}
QueryDocument added_up() {
    return reconciled(R"([{ "merge": "db.payments", "using": "batch", "on": ["payment_id"], "add": ["amount"] }])");
}

// A run of two batches, two records each, that both reconciliations watch, while the test changes the table behind the
// query's back.
class WatchedRun : public DrivenRun {
  public:
    explicit WatchedRun(const QueryDocument& document) : DrivenRun(document.text()) {
        for (const ResolvedReconciliation& reconciliation : pipeline.reconciliations) {
            watches_.emplace_back(pipeline, runtime, reconciliation);
        }
        look();
        step(MoveKind::kStart);
    }

    // Up to and including the next move of the kind.
    void step_to(MoveKind kind) {
        for (int moves = 0; moves < 50; ++moves) {
            const Move move = runtime.moves().front();
            runtime.perform(move);
            look();
            if (move.kind == kind) {
                return;
            }
        }
        ADD_FAILURE() << "there is no move " << to_string(kind);
    }
    void step(MoveKind kind) {
        make(kind);
        look();
    }

    void change(const std::string& sql) {
        const Place place{ObjectScope::kStore, *pipeline.find("db"), ""};
        const StatementResult result = runtime.stores().connect(place)->execute({place, sql, {}, {}});
        ASSERT_EQ(result.status, StatementStatus::kDone) << result.message;
        ASSERT_GT(result.affected, 0) << sql;
    }
    void lose(const std::string& record) { change("DELETE FROM payments WHERE event_id = '" + record + "'"); }
    void repeat(const std::string& record) {
        change("INSERT INTO payments SELECT * FROM payments WHERE event_id = '" + record + "'");
    }

    void finish() {
        look();
        const std::vector<RunViolation> violations = judge(pipeline, runtime, true);
        for (ReconciliationWatch& watch : watches_) {
            found_.push_back(watch.finish(violations, runtime.standing().complete));
        }
    }
    void run_to_the_end() {
        step_to(MoveKind::kCommitBatch);
        ASSERT_TRUE(runtime.standing().complete);
        finish();
    }

    // "loss missed, duplicate noticed after 3 moves and 1 windows": the sightings of a reconciliation.
    [[nodiscard]] static std::string text(const RunReconciliation& run) {
        std::string text;
        for (const Sighting& one : run.sightings) {
            text += (text.empty() ? "" : ", ") + one.flaw + (one.noticed ? " noticed" : " missed");
            text += one.moves ? " after " + std::to_string(*one.moves) + " moves and " +
                                    std::to_string(one.windows.value_or(-1)) + " windows"
                              : "";
        }
        return text;
    }
    [[nodiscard]] const RunReconciliation& counts() const { return found_.at(0); }
    [[nodiscard]] const RunReconciliation& keys() const { return found_.at(1); }

  private:
    void look() {
        for (ReconciliationWatch& watch : watches_) {
            watch.look();
        }
    }

    std::list<ReconciliationWatch> watches_;
    std::vector<RunReconciliation> found_;
};

TEST(Reconciliation, FindsNothingWhereNothingIsWrong) {
    for (const QueryDocument& document : {appended(), keyed(), added_up()}) {
        WatchedRun run(document);
        run.step_to(MoveKind::kCommitBatch);
        run.run_to_the_end();
        EXPECT_EQ(run.counts(), (RunReconciliation{3, {}, 0, ""})) << "at each commit and at the end";
        EXPECT_EQ(run.keys(), (RunReconciliation{3, {}, 0, ""}));
    }
}

TEST(Reconciliation, ByCountMissesALossAndADuplicateOfOneWindow) {
    WatchedRun run(appended());
    run.step_to(MoveKind::kEndLoad);
    run.lose("payments_topic-0");
    run.repeat("payments_topic-1");
    run.step_to(MoveKind::kCommitBatch);
    run.run_to_the_end();
    EXPECT_EQ(WatchedRun::text(run.counts()), "duplicate missed, loss missed");
    EXPECT_EQ(WatchedRun::text(run.keys()),
              "duplicate noticed after 0 moves and 1 windows, loss noticed after 0 moves and 1 windows");
    EXPECT_EQ(run.counts().false_alarms, 0);
    EXPECT_EQ(run.keys().false_alarms, 0);
}

TEST(Reconciliation, ByCountNoticesALossAndADuplicateOfTwoWindows) {
    WatchedRun run(appended());
    run.step_to(MoveKind::kEndLoad);
    run.lose("payments_topic-0");
    run.step_to(MoveKind::kCommitBatch);
    run.step_to(MoveKind::kEndLoad);
    run.repeat("payments_topic-2");
    run.step_to(MoveKind::kCommitBatch);
    run.finish();
    EXPECT_EQ(WatchedRun::text(run.counts()),
              "duplicate noticed after 0 moves and 1 windows, loss noticed after 0 moves and 1 windows");
    EXPECT_EQ(run.counts().false_alarms, 0);
}

TEST(Reconciliation, NoticesWithTheNextWindowWhatHappensToAClosedOne) {
    WatchedRun run(appended());
    run.step_to(MoveKind::kCommitBatch);
    run.repeat("payments_topic-1");
    run.step_to(MoveKind::kPlan);
    const auto before = static_cast<int>(run.runtime.record().events.size());
    run.run_to_the_end();
    const auto moves = std::to_string(static_cast<int>(run.runtime.record().events.size()) - before);
    const std::string expected = "duplicate noticed after " + moves + " moves and 1 windows";
    EXPECT_EQ(WatchedRun::text(run.counts()), expected);
    EXPECT_EQ(WatchedRun::text(run.keys()), expected);
}

TEST(Reconciliation, DoesNotCountWhatIsOnItsWayInAnOpenWindow) {
    WatchedRun run(appended());
    run.step_to(MoveKind::kCommitBatch);
    run.step_to(MoveKind::kLoadRow);
    run.run_to_the_end();
    EXPECT_EQ(run.counts(), (RunReconciliation{3, {}, 0, ""}));
    EXPECT_EQ(run.keys(), (RunReconciliation{3, {}, 0, ""}));
}

TEST(Reconciliation, RaisesAFalseAlarmOverARowThatComesLate) {
    WatchedRun run(appended());
    run.step_to(MoveKind::kEndLoad);
    run.change(R"(UPDATE payments SET event_id = 'late', "partition" = '9' WHERE event_id = 'payments_topic-0')");
    run.step_to(MoveKind::kCommitBatch);
    run.change(R"(UPDATE payments SET event_id = 'payments_topic-0', "partition" = '0' WHERE event_id = 'late')");
    run.run_to_the_end();
    for (const RunReconciliation* one : {&run.counts(), &run.keys()}) {
        EXPECT_EQ(one->false_alarms, 1);
        EXPECT_TRUE(one->sightings.empty());
    }
    EXPECT_EQ(run.keys().example, "payments_topic-0: 1 in payments_topic, 0 in db.payments");
}

TEST(Reconciliation, DoesNotTakeAFalseAlarmForANoticeOfWhatHappensLater) {
    WatchedRun run(appended());
    run.step_to(MoveKind::kEndLoad);
    run.change(R"(UPDATE payments SET event_id = 'late', "partition" = '9' WHERE event_id = 'payments_topic-0')");
    run.step_to(MoveKind::kCommitBatch);
    run.change(R"(UPDATE payments SET event_id = 'payments_topic-0', "partition" = '0' WHERE event_id = 'late')");
    run.step_to(MoveKind::kPlan);
    run.lose("payments_topic-0");
    run.step_to(MoveKind::kWriteAhead);
    const auto before = static_cast<int>(run.runtime.record().events.size());
    run.run_to_the_end();
    const auto moves = std::to_string(static_cast<int>(run.runtime.record().events.size()) - before);
    EXPECT_EQ(run.keys().false_alarms, 1);
    EXPECT_EQ(WatchedRun::text(run.keys()), "loss noticed after " + moves + " moves and 1 windows");
}

TEST(Reconciliation, OfAKeyedTableMissesOldVersions) {
    WatchedRun run(keyed());
    run.step_to(MoveKind::kCommitBatch);
    run.step_to(MoveKind::kCommitBatch);
    run.change(R"(UPDATE payments SET "offset" = '0' WHERE event_id = 'payments_topic-2')");
    run.lose("payments_topic-3");
    run.finish();
    const std::string expected = "loss noticed after 0 moves and 0 windows, stale missed";
    EXPECT_EQ(WatchedRun::text(run.counts()), expected);
    EXPECT_EQ(WatchedRun::text(run.keys()), expected);
}

TEST(Reconciliation, OfSumsComparesTotals) {
    WatchedRun run(added_up());
    run.step_to(MoveKind::kCommitBatch);
    run.step_to(MoveKind::kCommitBatch);
    run.change("UPDATE payments SET amount = amount + 1 WHERE payment_id = 'k1'");
    run.change("UPDATE payments SET amount = amount - 1 WHERE payment_id = 'k0'");
    run.finish();
    EXPECT_EQ(WatchedRun::text(run.counts()), "duplicate missed, loss missed");
    EXPECT_EQ(WatchedRun::text(run.keys()),
              "duplicate noticed after 0 moves and 0 windows, loss noticed after 0 moves and 0 windows");
}

TEST(Reconciliation, NoticesAQueryThatGetsStuck) {
    WatchedRun run(appended());
    run.step_to(MoveKind::kCommitBatch);
    run.finish();
    for (const RunReconciliation* one : {&run.counts(), &run.keys()}) {
        EXPECT_EQ(WatchedRun::text(*one), "stuck noticed");
        EXPECT_EQ(one->false_alarms, 0) << "what never comes is missing in truth";
    }
}

TEST(Reconciliation, WaitsForAThreadThatItsBatchDoesNotWaitFor) {
    WatchedRun run(reconciled(R"([{ "background": [{ "append": "db.payments" }] }])"));
    run.step_to(MoveKind::kCommitBatch);
    EXPECT_TRUE(run.ids_in("payments").empty());
    run.finish();
    EXPECT_EQ(run.counts().comparisons, 1) << "only at the end";
}

// ---- seeded runs

SimulationResult simulated(const Pipeline& pipeline, int runs, const std::string& directory = "") {
    SimulationOptions options;
    options.runs = runs;
    options.schedule.fault_rate = 0.1;
    options.inputs = assumed_inputs(pipeline);
    options.runtime.directory = directory;
    return simulate(pipeline, options, [](const SimulationResult&) {});
}

const DetectionCount& detection(const ReconciliationCount& count, const std::string& flaw) {
    const auto found = std::find_if(count.detections.begin(), count.detections.end(),
                                    [&](const DetectionCount& one) { return one.flaw == flaw; });
    EXPECT_NE(found, count.detections.end()) << flaw;
    static const DetectionCount kNone;
    return found == count.detections.end() ? kNone : *found;
}

TEST(Reconciliation, IsNoPartOfTheRun) {
    QueryDocument document = appended();
    document.faults = R"("crash", "zombie")";
    SimulationResult with = simulated(resolved_run(document.text()), 60);
    document.components = "";
    const SimulationResult without = simulated(resolved_run(document.text()), 60);
    EXPECT_EQ(with.reconciliations.size(), 2U);
    with.reconciliations.clear();
    EXPECT_EQ(with, without);
}

TEST(Reconciliation, ByKeyNoticesWhatWasAppendedTwice) {
    QueryDocument document = appended();
    document.faults = R"("crash")";
    const SimulationResult result = simulated(resolved_run(document.text()), 60);
    const DetectionCount& keys = detection(result.reconciliations[1], "duplicate");
    EXPECT_GT(keys.runs, 0);
    EXPECT_EQ(keys.noticed, keys.runs);
    EXPECT_FALSE(keys.first_missed_seed.has_value());
    EXPECT_GT(keys.moves.rbegin()->first, 0);
}

TEST(Reconciliation, MissesWhatIsLostBeforeTheLog) {
    QueryDocument document = appended();
    document.components += R"(, "gateway": { "type": "kafka-producer", "version": "3.7", "writes": "payments_topic",
        "assume": { "faults": ["crash"] }, "config": { "acks": "0", "enable.idempotence": false } })";
    document.require = R"({ "no-loss": "db.payments", "from": "gateway" })";
    const Pipeline pipeline = resolved_run(document.text());
    const SimulationResult result = simulated(pipeline, 200);
    for (const ReconciliationCount& count : result.reconciliations) {
        const DetectionCount& loss = detection(count, "loss");
        EXPECT_EQ(loss.from, *pipeline.find("gateway"));
        EXPECT_GT(loss.runs, 0);
        EXPECT_EQ(loss.noticed, 0);
        EXPECT_TRUE(loss.first_missed_seed.has_value());
        EXPECT_EQ(count.false_alarm_runs, 0);
    }
}

TEST(Median, IsTheLeastTimeThatIsEnoughForHalf) {
    EXPECT_EQ(median({}), 0);
    EXPECT_EQ(median({{7, 1}}), 7);
    EXPECT_EQ(median({{1, 1}, {2, 1}, {9, 1}}), 2);
    EXPECT_EQ(median({{1, 2}, {9, 2}}), 1);
}

}  // namespace
}  // namespace oncecheck

// Hand-made reports, one for each way in which a verification can end.
#pragma once

#include <string>

#include "checker/report/report.h"

namespace oncecheck {

inline const std::string kFile = "examples/card-payments/pipeline.json";

inline const std::string kDocument = R"({ "pipeline": "card-payments",
  "components": {
    "payments": { "type": "kafka-topic", "config": { "retention.ms": 604800000 } },
    "enrich": { "type": "spark-structured-streaming", "reads": "payments",
      "foreachBatch": [
        { "truncate": "warehouse.stg_payments" },
        { "append": "warehouse.stg_payments" },
        { "merge": "warehouse.ledger", "using": "warehouse.stg_payments" } ] } } }
)";

inline SourcePosition at(int line, int column, const std::string& pointer = "") {
    return {kFile, line, column, pointer};
}

// A second incarnation empties the staging table under the first.
inline Run staging_run() {
    const std::string staging = "warehouse.stg_payments";
    Run run;
    run.steps = {
        {"enrich, incarnation 1", "writes ahead batch 0: payments 0 to 1", "", "", {}, {}},
        {"enrich, incarnation 1", "truncates warehouse.stg_payments", "", "", at(6, 9), {}},
        {"enrich, incarnation 1",
         "appends payments[0] to warehouse.stg_payments",
         "",
         "",
         at(7, 9),
         {{staging, "payments[0]", 1}}},
        {"enrich, incarnation 1",
         "appends payments[1] to warehouse.stg_payments",
         "",
         "",
         at(7, 9),
         {{staging, "payments[1]", 1}}},
        {"enrich, incarnation 2", "starts while another incarnation lives", "zombie", "", {}, {}},
        {"enrich, incarnation 2",
         "truncates warehouse.stg_payments",
         "",
         "",
         at(6, 9),
         {{staging, "payments[0]", 0}, {staging, "payments[1]", 0}}},
        {"enrich, incarnation 1",
         "merges warehouse.stg_payments into warehouse.ledger",
         "",
         "missing rows",
         at(8, 9),
         {}},
        {"enrich, incarnation 1", "commits batch 0", "", "", {}, {}},
        {"enrich, incarnation 2",
         "finds batch 0 committed and goes on with batch 1: payments 2 to 3, which it loads, "
         "merges and commits in its turn",
         "",
         "",
         {},
         {{"warehouse.ledger", "payments[2]", 1}, {"warehouse.ledger", "payments[3]", 2}}},
    };
    run.point_of_no_return = 8;
    run.faults = 1;
    run.followed = "payments[1] (key 1)";
    run.stores = {{"warehouse.ledger", "payments[2]", 1},
                  {"warehouse.ledger", "payments[3]", 2},
                  {"warehouse.stg_payments", "payments[2]", 1}};
    return run;
}

inline RequirementReport violated(const std::string& kind, const std::vector<std::string>& flaws) {
    RequirementReport requirement;
    requirement.kind = kind;
    requirement.target = "warehouse.ledger";
    requirement.from = "payments";
    requirement.verdict = Verdict::kViolated;
    requirement.flaws = flaws;
    requirement.category = "staging isolation";
    requirement.rule = "OC-4-staging";
    requirement.weakest_link = WeakestLink{
        "all attempts of enrich share warehouse.stg_payments, and this step clears what another one has loaded",
        at(6, 9, "/components/enrich/foreachBatch/0")};
    requirement.run = staging_run();
    requirement.engine = "explicit";
    return requirement;
}

inline RequirementReport holds(const std::string& kind, const std::string& target) {
    RequirementReport requirement;
    requirement.kind = kind;
    requirement.target = target;
    requirement.verdict = Verdict::kHolds;
    requirement.strength = "for any batch size";
    requirement.engine = "explicit";
    return requirement;
}

inline RequirementReport undecided(const std::string& kind, const std::string& target) {
    RequirementReport requirement;
    requirement.kind = kind;
    requirement.target = target;
    requirement.undecided =
        "the time limit of 30 s was reached after 1,203,000 states; all runs without a fault and "
        "those of one fault and fewer than 19 steps were searched";
    return requirement;
}

inline ReportedBound outage_bound() {
    return {"max_outage",
            "<",
            604800000,
            "for outages shorter than 7 d",
            "payments: retention.ms = 604800000",
            at(3, 57, "/components/payments/config/retention.ms"),
            "Kafka 3.7 documentation, Topic Configs"};
}

inline Report report_of(Verdict verdict, std::vector<RequirementReport> requirements) {
    Report report;
    report.pipeline = "card-payments";
    report.file = kFile;
    report.verdict = verdict;
    report.requirements = std::move(requirements);
    report.universe = {"2 batches of 2 records of payments; a key occurs in every batch"};
    report.engines = {"explicit search: all reachable states fit in memory"};
    report.faults = {"enrich: crash, zombie, detached, lost-ack, task-retry"};
    report.assumptions = {
        "payments_id is unique: nothing but the document's producers writes payments, and no "
        "operator deletes records or moves the offsets of a checkpoint"};
    report.findings = {{"version-assumed", at(4, 5), "enrich states no version; 3.5 is assumed"}};
    report.coverage = {true,
                       30,
                       29,
                       {"enrich: crash", "enrich: zombie"},
                       {"enrich: task-retry"},
                       {{"enrich", "starts: batch 1 is next", "", at(4, 5)}}};
    report.statistics = {3, 51234, 12345678, 0.1234567};
    report.texts.emplace(report.file, kDocument);
    return report;
}

// Violated as the document expects; three requirements, two of which have their run in common.
inline Report violated_report() {
    RequirementReport once = violated("exactly-once", {"loss", "stale"});
    once.expect = "violated";
    once.reason =
        "a second driver truncates stg_payments between the first one's load and its MERGE; the batch is "
        "committed and lost";
    RequirementReport loss = violated("no-loss", {"loss"});
    RequirementReport duplicate = holds("no-duplicate", "warehouse.ledger");
    duplicate.from = "payments";
    duplicate.engine = "explicit, induction";
    duplicate.invariants = {{"enrich, key twice in the first batch",
                             "duplicate",
                             1,
                             17,
                             {"never (enrich commit log = 2 and warehouse.ledger has payments[0] = 2)"}}};
    duplicate.expect = "holds";
    return report_of(Verdict::kViolated, {once, loss, duplicate});
}

inline Report bounded_report() {
    RequirementReport once = holds("exactly-once", "warehouse.ledger");
    once.is_default = true;
    once.provided = {outage_bound()};
    return report_of(Verdict::kHolds, {once});
}

// A pipeline that can get stuck: the run ends in a trap, and needs times that fit together.
inline Report stuck_report() {
    RequirementReport progress = violated("progress", {"stuck"});
    progress.target = "enrich";
    progress.from = "";
    progress.run->steps.resize(5);
    progress.run->point_of_no_return = 5;
    progress.run->followed = "";
    progress.run->stores = {};
    progress.run->trap_states = 12;
    progress.run->timeline = {"enrich dies at 0 s", "its successor starts at 45 min"};
    progress.weakest_link = WeakestLink{"statement_timeout", {"examples/card-payments/database.conf", 7, 1, ""}};
    return report_of(Verdict::kViolated, {progress});
}

inline Report undecided_report() {
    return report_of(Verdict::kUndecided, {undecided("exactly-once", "warehouse.ledger"), holds("progress", "enrich")});
}

// A variant with an expectation for its overall verdict, which is missed.
inline Report variant_report() {
    Report report = bounded_report();
    report.variant = "by-attempt";
    report.expect = "violated";
    return report;
}

}  // namespace oncecheck

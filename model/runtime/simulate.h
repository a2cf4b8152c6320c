// Seeded simulation: many runs of a pipeline under faults, each judged; which requirements were violated how often, and
// what the first run that did so looks like.
//
// Run n has the seed options.seed + n. The records of a run are those of default_records, unless the options hold
// patterns; then run n takes pattern n modulo their number.
//
// With a directory everything lives in files, and a simulation that is killed goes on where it was
// (simulation_files.h).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/runtime/judge.h"
#include "model/runtime/reconciliation_watch.h"
#include "model/runtime/scheduler.h"

namespace oncecheck {

struct SimulationOptions {
    int runs = 1000;
    Schedule schedule;  // `seed` is that of the first run
    RunInputs inputs;   // `seed` and `records` are set for each run
    std::vector<std::vector<RunRecordEntry>> patterns;
    RuntimeOptions runtime;
};

// What one run came to.
struct RunSummary {
    std::uint64_t seed = 0;
    bool complete = false;  // else it got stuck
    int moves = 0;
    std::map<std::string, int> faults;  // by kind
    std::vector<RunViolation> violations;
    std::vector<RunReconciliation> reconciliations;  // one for each of the document; none if nobody watched

    bool operator==(const RunSummary&) const = default;
};

// How often a requirement was violated in one way.
struct ViolationCount {
    std::size_t requirement = 0;
    std::string flaw;
    int runs = 0;
    std::uint64_t first_seed = 0;
    std::string example;  // of the first

    bool operator==(const ViolationCount&) const = default;
};

// Violations of one kind in the sight of a reconciliation.
struct DetectionCount {
    ComponentId from = 0;
    std::string flaw;
    int runs = 0;
    int noticed = 0;
    // Of those that one move made true: how long until noticed -> in how many runs.
    std::map<int, int> moves;
    std::map<int, int> windows;
    std::optional<std::uint64_t> first_missed_seed;

    bool operator==(const DetectionCount&) const = default;
};

// What a reconciliation noticed in all runs.
struct ReconciliationCount {
    long comparisons = 0;
    std::vector<DetectionCount> detections;  // by log or producer, then flaw
    int false_alarm_runs = 0;
    std::uint64_t first_false_seed = 0;
    std::string false_example;

    bool operator==(const ReconciliationCount&) const = default;
};

// The least time that is enough for half of them; 0 of none.
[[nodiscard]] int median(const std::map<int, int>& times);

struct SimulationResult {
    int runs = 0;
    int violating_runs = 0;
    int complete_runs = 0;
    long moves = 0;
    std::map<std::string, long> faults;                // by kind
    std::vector<ViolationCount> violations;            // by requirement, then flaw
    std::vector<ReconciliationCount> reconciliations;  // as Pipeline::reconciliations
    std::string product;                               // the store that ran it

    void add(const RunSummary& run);
    bool operator==(const SimulationResult&) const = default;
};

// One run from its start to its verdict, on a runtime that has just begun it.
[[nodiscard]] RunSummary run_schedule(const Pipeline& pipeline, Runtime& runtime, const Schedule& schedule,
                                      const Scheduler::Observer& observer = {});

// The same, watched by the reconciliations of the document.
[[nodiscard]] RunSummary run_and_reconcile(const Pipeline& pipeline, Runtime& runtime, const Schedule& schedule,
                                           const Scheduler::Observer& observer = {});

// The inputs of run n, and its schedule.
[[nodiscard]] RunInputs inputs_of(const SimulationOptions& options, int run);
[[nodiscard]] Schedule schedule_of(const SimulationOptions& options, int run);

// Called after every run with what there is so far.
using SimulationProgress = std::function<void(const SimulationResult& so_far)>;

// Throws as Runtime does, and UsageError if the directory holds a simulation with other options.
[[nodiscard]] SimulationResult simulate(const Pipeline& pipeline, const SimulationOptions& options,
                                        const SimulationProgress& progress);

}  // namespace oncecheck

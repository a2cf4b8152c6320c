#include "model/runtime/simulate.h"

#include <algorithm>
#include <list>
#include <tuple>

#include "model/runtime/simulation_files.h"

namespace oncecheck {

namespace {

// How a fault is called in statistics; empty if the move is none. A start is a fault only beside a living incarnation.
std::string fault_name(const Move& move, bool beside_another) {
    if (move.fault != MoveFault::kNone) {
        return to_string(move.fault);
    }
    switch (move.kind) {
        case MoveKind::kCrash:
            return move.in_flight ? "crash with a statement in flight" : "crash";
        case MoveKind::kStart:
            return beside_another ? "zombie" : "";
        case MoveKind::kPurge:
        case MoveKind::kExpire:
            return to_string(move.kind);
        default:
            return "";
    }
}

void count(ReconciliationCount& all, const Sighting& sighting, std::uint64_t seed) {
    const auto place = std::find_if(all.detections.begin(), all.detections.end(), [&](const DetectionCount& one) {
        return std::tie(one.from, one.flaw) >= std::tie(sighting.from, sighting.flaw);
    });
    const bool known = place != all.detections.end() && place->from == sighting.from && place->flaw == sighting.flaw;
    DetectionCount& found =
        known ? *place : *all.detections.insert(place, {sighting.from, sighting.flaw, 0, 0, {}, {}, {}});
    ++found.runs;
    if (!sighting.noticed) {
        found.first_missed_seed = found.first_missed_seed.value_or(seed);
        return;
    }
    ++found.noticed;
    if (sighting.moves) {
        ++found.moves[*sighting.moves];
        ++found.windows[sighting.windows.value_or(0)];
    }
}

void count(ReconciliationCount& all, const RunReconciliation& run, std::uint64_t seed) {
    all.comparisons += run.comparisons;
    for (const Sighting& sighting : run.sightings) {
        count(all, sighting, seed);
    }
    if (run.false_alarms > 0 && all.false_alarm_runs++ == 0) {
        all.first_false_seed = seed;
        all.false_example = run.example;
    }
}

}  // namespace

int median(const std::map<int, int>& times) {
    int all = 0;
    for (const auto& [unused, runs] : times) {
        all += runs;
    }
    int so_far = 0;
    for (const auto& [time, runs] : times) {
        so_far += runs;
        if (2 * so_far >= all) {
            return time;
        }
    }
    return 0;
}

RunInputs inputs_of(const SimulationOptions& options, int run) {
    RunInputs inputs = options.inputs;
    inputs.seed = options.schedule.seed + static_cast<std::uint64_t>(run);
    if (!options.patterns.empty()) {
        inputs.records = options.patterns[static_cast<std::size_t>(run) % options.patterns.size()];
    }
    return inputs;
}

Schedule schedule_of(const SimulationOptions& options, int run) {
    Schedule schedule = options.schedule;
    schedule.seed += static_cast<std::uint64_t>(run);
    return schedule;
}

RunSummary run_schedule(const Pipeline& pipeline, Runtime& runtime, const Schedule& schedule,
                        const Scheduler::Observer& observer) {
    RunSummary summary;
    summary.seed = schedule.seed;
    Scheduler scheduler(schedule, [&](const Move& move) {
        const bool beside_another = runtime.nature(move) == Runtime::MoveNature::kFault;
        const std::string fault = fault_name(move, beside_another);
        if (!fault.empty()) {
            ++summary.faults[fault];
        }
        if (observer) {
            observer(move);
        }
    });
    summary.complete = scheduler.run_with_faults(runtime) || scheduler.drain(runtime);
    summary.moves = static_cast<int>(runtime.record().events.size());
    summary.violations = judge(pipeline, runtime, true);
    return summary;
}

RunSummary run_and_reconcile(const Pipeline& pipeline, Runtime& runtime, const Schedule& schedule,
                             const Scheduler::Observer& observer) {
    std::list<ReconciliationWatch> watches;
    for (const ResolvedReconciliation& reconciliation : pipeline.reconciliations) {
        watches.emplace_back(pipeline, runtime, reconciliation);
    }
    const auto look = [&] {
        for (ReconciliationWatch& watch : watches) {
            watch.look();
        }
    };
    RunSummary summary = run_schedule(pipeline, runtime, schedule, [&](const Move& next) {
        look();
        if (observer) {
            observer(next);
        }
    });
    look();
    for (ReconciliationWatch& watch : watches) {
        summary.reconciliations.push_back(watch.finish(summary.violations, summary.complete));
    }
    return summary;
}

void SimulationResult::add(const RunSummary& run) {
    ++runs;
    complete_runs += run.complete ? 1 : 0;
    violating_runs += run.violations.empty() ? 0 : 1;
    moves += run.moves;
    for (const auto& [kind, times] : run.faults) {
        faults[kind] += times;
    }
    reconciliations.resize(std::max(reconciliations.size(), run.reconciliations.size()));
    for (std::size_t index = 0; index < run.reconciliations.size(); ++index) {
        count(reconciliations[index], run.reconciliations[index], run.seed);
    }
    for (const RunViolation& violation : run.violations) {
        const auto place = std::find_if(violations.begin(), violations.end(), [&](const ViolationCount& one) {
            return std::tie(one.requirement, one.flaw) >= std::tie(violation.requirement, violation.flaw);
        });
        if (place != violations.end() && place->requirement == violation.requirement && place->flaw == violation.flaw) {
            ++place->runs;
        } else {
            violations.insert(place, {violation.requirement, violation.flaw, 1, run.seed, violation.message});
        }
    }
}

SimulationResult simulate(const Pipeline& pipeline, const SimulationOptions& options,
                          const SimulationProgress& progress) {
    if (!options.runtime.directory.empty()) {
        return simulate_in_files(pipeline, options, progress);
    }
    SimulationResult result;
    Runtime runtime(pipeline, inputs_of(options, 0), options.runtime);
    result.product = runtime.stores().product();
    for (int run = 0; run < options.runs; ++run) {
        if (run > 0) {
            runtime.restart(inputs_of(options, run));
        }
        result.add(run_and_reconcile(pipeline, runtime, schedule_of(options, run)));
        progress(result);
    }
    return result;
}

}  // namespace oncecheck

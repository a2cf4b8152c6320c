#include "model/runtime/simulate.h"

#include <algorithm>
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

}  // namespace

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

void SimulationResult::add(const RunSummary& run) {
    ++runs;
    complete_runs += run.complete ? 1 : 0;
    violating_runs += run.violations.empty() ? 0 : 1;
    moves += run.moves;
    for (const auto& [kind, times] : run.faults) {
        faults[kind] += times;
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
        result.add(run_schedule(pipeline, runtime, schedule_of(options, run)));
        progress(result);
    }
    return result;
}

}  // namespace oncecheck

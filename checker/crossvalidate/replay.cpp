#include "checker/crossvalidate/replay.h"

#include <algorithm>
#include <map>

#include "checker/compose/plan.h"
#include "checker/crossvalidate/director.h"
#include "model/runtime/gaps.h"
#include "model/runtime/judge.h"
#include "model/runtime/scheduler.h"
#include "model/runtime/store_names.h"
#include "model/transition/evaluator.h"

namespace oncecheck {

const char* to_string(ReplayVerdict verdict) {
    switch (verdict) {
        case ReplayVerdict::kConfirmed:
            return "confirmed";
        case ReplayVerdict::kRefuted:
            return "refuted";
        case ReplayVerdict::kNeedsOtherStore:
            return "needs another store";
    }
    return "";
}

namespace {

class Replayer {
  public:
    Replayer(const Pipeline& pipeline, const FoundViolation& violation, std::size_t requirement, Runtime& runtime)
        : pipeline_(pipeline),
          violation_(violation),
          hop_(*violation.system),
          runtime_(runtime),
          director_(hop_, runtime) {
        result_.requirement = requirement;
        result_.flaw = violation.flaw;
        result_.universe = hop_.followed.value_or(hop_.universe);
    }

    Replay run() {
        try {
            follow_trace();
            judge_end();
        } catch (const Diverged& diverged) {
            note_events();
            result_.verdict = ReplayVerdict::kRefuted;
            result_.reason = diverged.what();
            blame_store();
        }
        result_.run = runtime_.record();
        return std::move(result_);
    }

  private:
    void follow_trace() {
        const Trace& trace = violation_.counterexample.trace;
        for (std::size_t step = 0; step < trace.steps.size(); ++step) {
            const ActionLabel& label = hop_.system.actions[trace.steps[step].action].label;
            std::string actor = label.process;
            actor += label.slot < 0 ? "" : std::string("/") + static_cast<char>('A' + label.slot);
            result_.steps.push_back({actor, label.text, label.fault, {}, {}});
            director_.take(trace.steps[step], std::span(trace.steps).subspan(step + 1));
            note_events();
        }
    }

    void note_events() {
        if (result_.steps.empty()) {
            return;
        }
        ReplayedStep& last = result_.steps.back();
        const std::span<const RunEvent> events = director_.new_events();
        last.events.insert(last.events.end(), events.begin(), events.end());
        last.content = runtime_.content();
    }

    void judge_end() {
        if (const HopHazard* hazard = hazard_at_end()) {
            director_.take_step_at(violation_.counterexample.trace.last(), hazard->where);
        }
        director_.finish();
        const bool drains = violation_.flaw == "stuck";
        if (drains) {
            Scheduler scheduler({.seed = 1});
            (void)scheduler.drain(runtime_);
        }
        note_events();
        for (const RunViolation& found : judge(pipeline_, runtime_, drains)) {
            const bool same = found.flaw == violation_.flaw && (found.requirement == result_.requirement || drains);
            if (same) {
                result_.verdict = ReplayVerdict::kConfirmed;
                result_.reason = found.message;
                return;
            }
        }
        throw Diverged("the run goes along, but the judge does not find it: " + violation_.flaw);
    }

    // The step that is about to take wrong rows, if that is what the run shows.
    const HopHazard* hazard_at_end() const {
        if (!violation_.property) {
            return nullptr;
        }
        const Flaw flaw = hop_.meanings[*violation_.property].flaw;
        if (flaw != Flaw::kForeignRows && flaw != Flaw::kMissingRows && flaw != Flaw::kDoubledRows) {
            return nullptr;
        }
        const State& last = violation_.counterexample.trace.last();
        const auto found = std::find_if(hop_.hazards.begin(), hop_.hazards.end(), [&](const HopHazard& hazard) {
            return hazard.flaw == flaw && evaluate(hazard.condition, last) != 0;
        });
        return found == hop_.hazards.end() ? nullptr : &*found;
    }

    // Where the store can only run one transaction at a time, a wait proves nothing.
    void blame_store() {
        const Dialect dialect = runtime_.stores().schema().dialect({});
        if (director_.side_by_side() && has_one_writer(dialect)) {
            result_.verdict = ReplayVerdict::kNeedsOtherStore;
            result_.reason = "the run has statements side by side, and " + runtime_.stores().product() +
                             " runs one transaction at a time; replay it on " + kServerName + " (--store)";
        }
    }

    const Pipeline& pipeline_;
    const FoundViolation& violation_;
    const HopSystem& hop_;
    Runtime& runtime_;
    Director director_;
    Replay result_;
};

// One of each flaw: the first.
std::vector<FoundViolation> of_each_flaw(const std::vector<FoundViolation>& violations) {
    std::vector<FoundViolation> chosen;
    for (const FoundViolation& violation : violations) {
        const bool known = std::any_of(chosen.begin(), chosen.end(),
                                       [&](const FoundViolation& one) { return one.flaw == violation.flaw; });
        if (!known) {
            chosen.push_back(violation);
        }
    }
    return chosen;
}

}  // namespace

Replay replay_violation(const Pipeline& pipeline, const FoundViolation& violation, std::size_t requirement,
                        const RuntimeOptions& options) {
    try {
        Runtime runtime(pipeline, inputs_of(*violation.system), options);
        return Replayer(pipeline, violation, requirement, runtime).run();
    } catch (const NeedsAnotherStore& needs) {
        Replay result;
        result.requirement = requirement;
        result.flaw = violation.flaw;
        result.verdict = ReplayVerdict::kNeedsOtherStore;
        result.reason = needs.what();
        return result;
    }
}

namespace {

// The moves of the record again; what follows by itself (kResume) is no move.
void repeat_moves(const RunRecord& run, Runtime& runtime, Replay& result) {
    std::size_t next = 0;
    while (next < run.events.size()) {
        const RunEvent& recorded = run.events[next];
        const std::vector<Move>& moves = runtime.moves();
        const auto found = std::find_if(moves.begin(), moves.end(), [&](const Move& move) {
            Move known = recorded.move;
            if (move.kind == MoveKind::kLand || move.kind == MoveKind::kDrop) {
                known = {.kind = known.kind, .process = known.process, .statement = known.statement};
            }
            return move == known;
        });
        if (found == moves.end()) {
            throw Diverged(std::string("the runtime has no such move: ") + to_string(recorded.move.kind));
        }
        const Move move = *found;
        result.steps.push_back({"", runtime.describe(move), to_string(move.fault), {}, {}});
        ReplayedStep& step = result.steps.back();
        step.fault = move.fault == MoveFault::kNone ? "" : step.fault;
        const std::span<const RunEvent> events = runtime.perform(move);
        step.events.assign(events.begin(), events.end());
        step.content = runtime.content();
        for (const RunEvent& event : step.events) {
            if (next >= run.events.size() || event.outcome != run.events[next].outcome) {
                throw Diverged("the move comes out otherwise than recorded: " + std::string(to_string(event.outcome)));
            }
            ++next;
        }
    }
}

}  // namespace

Replay replay_run(const Pipeline& pipeline, const RunRecord& run, const RuntimeOptions& options) {
    Runtime runtime(pipeline, run.inputs, options);
    Replay result;
    try {
        repeat_moves(run, runtime, result);
        const std::vector<RunViolation> found = judge(pipeline, runtime, false);
        if (found.empty()) {
            throw Diverged("the run violates no requirement");
        }
        result.requirement = found.front().requirement;
        result.flaw = found.front().flaw;
        result.reason = found.front().message;
    } catch (const Diverged& diverged) {
        result.verdict = ReplayVerdict::kRefuted;
        result.reason = diverged.what();
    }
    result.run = runtime.record();
    return result;
}

std::vector<ViolatedRequirement> find_violations(const Pipeline& pipeline, const VerifyOptions& options,
                                                 const VerifyProgress& progress) {
    Limits limits;
    limits.memory_bytes = options.memory_bytes;
    limits.jobs = options.jobs;
    limits.fault_budget = options.fault_budget;
    std::map<std::size_t, std::vector<FoundViolation>> found;
    for (const PlannedHop& hop : plan(pipeline, {options.size, options.slice}, limits)) {
        if (!hop.queries) {
            continue;
        }
        const PlannedQueries& queries = *hop.queries;
        const HopOutcome outcome =
            check_hop(pipeline, queries.processes, queries.requirements, queries.options, options, limits, progress);
        for (const std::size_t index : queries.requirements) {
            const auto own = outcome.requirements.find(index);
            if (own != outcome.requirements.end()) {
                found[index].insert(found[index].end(), own->second.violations.begin(), own->second.violations.end());
            }
            const RequirementKind kind = pipeline.requirements[index].kind;
            if (kind == RequirementKind::kExactlyOnce || kind == RequirementKind::kProgress) {
                found[index].insert(found[index].end(), outcome.progress.violations.begin(),
                                    outcome.progress.violations.end());
            }
        }
    }
    std::vector<ViolatedRequirement> result;
    for (const auto& [index, violations] : found) {
        if (!violations.empty()) {
            result.push_back({index, of_each_flaw(violations)});
        }
    }
    return result;
}

}  // namespace oncecheck

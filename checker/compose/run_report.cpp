#include "checker/compose/run_report.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "checker/engines/point_of_no_return.h"
#include "model/transition/evaluator.h"

namespace oncecheck {

namespace {

constexpr std::size_t kLongestForPointOfNoReturn = 200;                 // steps
constexpr std::size_t kMostForPointOfNoReturn = std::size_t{32} << 20;  // bytes

const State& state_before(const Trace& trace, std::size_t step) {
    return step == 0 ? trace.initial : trace.steps[step - 1].after;
}

// Incarnations are numbered in the order in which they start, per process; a slot is used again and again.
class IncarnationNames {
  public:
    std::string name(const ActionLabel& label) {
        if (label.slot < 0) {
            return label.process;
        }
        if (label.moved_to >= 0) {
            in_slot_[{label.process, label.moved_to}] = in_slot_[{label.process, label.slot}];
        }
        int& current = in_slot_[{label.process, label.slot}];
        if (label.begins) {
            current = ++started_[label.process];
        }
        return label.process + ", incarnation " + std::to_string(current);
    }

    // Private objects are named after the slot of their attempt; for the reader, after its incarnation.
    std::string readable(std::string text) const {
        for (const auto& [place, incarnation] : in_slot_) {
            const std::string name = place.first + '/' + static_cast<char>('A' + place.second);
            for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
                text.replace(at, name.size(), place.first + " #" + std::to_string(incarnation));
            }
        }
        return text;
    }

  private:
    std::map<std::pair<std::string, int>, int> in_slot_;
    std::map<std::string, int> started_;
};

std::vector<RowCount> changed_rows(const HopSystem& system, const State& before, const State& after) {
    std::vector<RowCount> changed;
    for (const ShownRow& row : system.rows) {
        const bool cleared = row.fresh && after[row.count] == 0;  // its attempt is over: no step of the document
        if (before[row.count] != after[row.count] && !cleared) {
            changed.push_back({row.object, row.row, after[row.count]});
        }
    }
    return changed;
}

// The hazard that the step runs into: it stands before the step and at the step's place.
const HopHazard* hazard_of(const HopSystem& system, const Trace& trace, std::size_t step) {
    const Action& action = system.system.actions[trace.steps[step].action];
    for (const HopHazard& hazard : system.hazards) {
        if (hazard.where == action.label.where && action.label.fault.empty() &&
            evaluate(hazard.condition, state_before(trace, step)) != 0) {
            return &hazard;
        }
    }
    return nullptr;
}

// The last step before `step`, by another incarnation or process, that changed rows of a staging object.
std::optional<std::size_t> disturbing_step(const HopSystem& system, const Trace& trace, std::size_t step) {
    IncarnationNames names;
    std::vector<std::string> actors;
    for (const TraceStep& taken : trace.steps) {
        actors.push_back(names.name(system.system.actions[taken.action].label));
    }
    for (std::size_t earlier = step; earlier-- > 0;) {
        const ActionLabel& label = system.system.actions[trace.steps[earlier].action].label;
        if (actors[earlier] != actors[step] && label.fault.empty() && label.where.line > 0 &&
            !changed_rows(system, state_before(trace, earlier), trace.steps[earlier].after).empty()) {
            return earlier;
        }
    }
    return std::nullopt;
}

// The step after which the outcome differs: the last one that put rows where they should not be twice, or the last
// step of the document at all.
std::size_t last_document_step(const HopSystem& system, const Trace& trace) {
    for (std::size_t step = trace.steps.size(); step-- > 0;) {
        const ActionLabel& label = system.system.actions[trace.steps[step].action].label;
        if (label.where.line > 0 && !changed_rows(system, state_before(trace, step), trace.steps[step].after).empty()) {
            return step;
        }
    }
    return trace.steps.empty() ? 0 : trace.steps.size() - 1;
}

bool has_fault(const HopSystem& system, const Trace& trace, const std::string& fault) {
    return std::any_of(trace.steps.begin(), trace.steps.end(),
                       [&](const TraceStep& step) { return system.system.actions[step.action].label.fault == fault; });
}

// Why a run goes wrong, asked in the order of the separating test.
class Diagnostician {
  public:
    Diagnostician(const Pipeline& pipeline, const FoundViolation& violation)
        : pipeline_(pipeline),
          violation_(violation),
          system_(*violation.system),
          trace_(violation.counterexample.trace) {}

    Diagnosis diagnose() const {
        Diagnosis found = separate();
        // Which incarnation's private object it was is the run's matter.
        static constexpr std::string_view kToken = "<attempt ";
        std::string& text = found.weakest_link.text;
        for (std::size_t at = text.find(kToken); at != std::string::npos; at = text.find(kToken, at + 1)) {
            text.erase(at + kToken.size() - 1, text.find('>', at) - at - kToken.size() + 1);
        }
        return found;
    }

  private:
    Diagnosis separate() const {
        if (const auto written_twice = racing_log()) {
            return *written_twice;
        }
        if (const auto staging = staging_isolation()) {
            return *staging;
        }
        if (has_fault(system_, trace_, "expiry")) {
            return {"source coverage", "OC-1-source", expired_log()};
        }
        if (trace_.steps.empty()) {
            return {"progress",
                    "OC-2-progress",
                    {"no run of this program completes: some step fails every time", program()}};
        }
        if (violation_.flaw == "stuck" || has_fault(system_, trace_, "purge")) {
            const ActionLabel& end = label(trace_.steps.size() - 1);
            return {
                "progress", "OC-2-progress", {"after this no run without faults completes: it " + end.text, end.where}};
        }
        return sink_commit();
    }

    // Two incarnations have put the same entry of the offset log.
    std::optional<Diagnosis> racing_log() const {
        std::set<std::string> entries;
        for (std::size_t step = 0; step < trace_.steps.size(); ++step) {
            const std::string& text = label(step).text;
            const std::size_t range = text.find(" = offsets ");
            if (text.rfind("writes batch ", 0) == 0 && range != std::string::npos &&
                !entries.insert(label(step).process + text.substr(0, range)).second) {
                return Diagnosis{"progress",
                                 "OC-2-progress",
                                 {"the checkpoint store looks, then puts: two incarnations write one entry of the log",
                                  checkpoint_of(label(step))}};
            }
        }
        return std::nullopt;
    }

    // The stated setting that says where the logs are.
    SourcePosition checkpoint_of(const ActionLabel& step) const {
        const auto process = pipeline_.find(step.process);
        if (!process) {
            return step.where;
        }
        const PipelineComponent& component = pipeline_.component(*process);
        for (const SemanticsCase& one : component.type->semantics.at("put_if_absent").cases) {
            for (const std::string& name : one.when.names()) {
                const auto setting = component.settings.all().find(name);
                if (setting != component.settings.all().end() && setting->second.stated) {
                    return setting->second.where;
                }
            }
        }
        return step.where;
    }

    const ActionLabel& label(std::size_t step) const { return system_.system.actions[trace_.steps[step].action].label; }

    // An apply step takes wrong rows, and another attempt has touched the object. Rows that one attempt has loaded
    // twice by itself are no matter of isolation.
    std::optional<Diagnosis> staging_isolation() const {
        for (std::size_t step = 0; step < trace_.steps.size(); ++step) {
            if (hazard_of(system_, trace_, step) == nullptr) {
                continue;
            }
            if (const auto link = disturbing_step(system_, trace_, step)) {
                return isolation(
                    {"another attempt reaches the same staging object: it " + label(*link).text, label(*link).where});
            }
        }
        const bool loaded_twice = violation_.flaw == "doubled rows" && has_fault(system_, trace_, "task-retry");
        if (violation_.flaw.find(" rows") == std::string::npos || loaded_twice) {
            return std::nullopt;
        }
        for (const HopHazard& hazard : system_.hazards) {
            if (to_string(hazard.flaw) == violation_.flaw && evaluate(hazard.condition, trace_.last()) != 0) {
                return isolation(
                    {"this step would now take " + violation_.flaw + " from a staging object that other attempts reach",
                     hazard.where});
            }
        }
        return std::nullopt;
    }

    static Diagnosis isolation(WeakestLink link) { return {"staging isolation", "OC-4-staging", std::move(link)}; }

    // The first step of the first process that has steps.
    SourcePosition program() const {
        for (const PipelineComponent& component : pipeline_.components) {
            if (!component.document.steps.empty()) {
                return component.document.steps.front().position;
            }
        }
        return pipeline_.document.where;
    }

    WeakestLink expired_log() const {
        for (const PipelineComponent& component : pipeline_.components) {
            if (component.type->protocol == Protocol::kLog) {
                return {"the log does not keep its records as long as an outage may last", component.document.where};
            }
        }
        return {"the log does not keep its records as long as an outage may last", {}};
    }

    Diagnosis sink_commit() const {
        for (std::size_t step = trace_.steps.size(); step-- > 0;) {
            if (label(step).fault == "task-retry" && violation_.flaw != "stale") {
                return {"sink commit",
                        "OC-3-sink",
                        {"this load is not safe against a task that runs twice: it " + label(step).text,
                         label(step).where}};
            }
        }
        const ActionLabel& last = label(last_document_step(system_, trace_));
        const std::string why = violation_.flaw == "duplicate"
                                    ? "this effect can happen twice, and nothing at the target notices: it "
                                    : "this is what the target is left with: it ";
        return {"sink commit", "OC-3-sink", {why + last.text, last.where}};
    }

    const Pipeline& pipeline_;
    const FoundViolation& violation_;
    const HopSystem& system_;
    const Trace& trace_;
};

}  // namespace

Run describe_run(const FoundViolation& violation, const Limits& limits) {
    const HopSystem& system = *violation.system;
    const Trace& trace = violation.counterexample.trace;
    Run run;
    run.faults = violation.counterexample.faults;
    run.trap_states = violation.counterexample.trap_states;
    run.followed = system.followed.value_or("");
    IncarnationNames names;
    for (std::size_t index = 0; index < trace.steps.size(); ++index) {
        const ActionLabel& label = system.system.actions[trace.steps[index].action].label;
        RunStep step;
        step.actor = names.name(label);
        step.text = names.readable(label.text);
        step.fault = label.fault;
        step.where = label.where;
        if (label.moved_to < 0) {  // else rows have new names, nothing more
            step.changed = changed_rows(system, state_before(trace, index), trace.steps[index].after);
        }
        for (RowCount& row : step.changed) {
            row.object = names.readable(row.object);
            row.row = names.readable(row.row);
        }
        if (const HopHazard* hazard = hazard_of(system, trace, index)) {
            step.flaw = to_string(hazard->flaw);
        }
        run.steps.push_back(std::move(step));
    }
    run.point_of_no_return = run.steps.size();
    const bool at_completion = violation.flaw == "loss" || violation.flaw == "stale" || violation.flaw == "duplicate";
    if (violation.property && at_completion && trace.steps.size() <= kLongestForPointOfNoReturn) {
        // For the reader only, so it may cost little; by memory, not by time: the same report on every machine.
        Limits small = limits;
        small.memory_bytes = std::min(small.memory_bytes, kMostForPointOfNoReturn);
        const auto point = point_of_no_return(system.system, *violation.property, trace, small);
        run.point_of_no_return = point.value_or(run.steps.size());
    }
    for (const ShownRow& row : system.rows) {
        if (trace.last()[row.count] > 0) {
            run.stores.push_back({names.readable(row.object), names.readable(row.row), trace.last()[row.count]});
        }
    }
    return run;
}

Diagnosis diagnose(const Pipeline& pipeline, const FoundViolation& violation) {
    return Diagnostician(pipeline, violation).diagnose();
}

}  // namespace oncecheck

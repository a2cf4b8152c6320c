#include "checker/compose/run_report.h"

#include <algorithm>
#include <map>

#include "checker/engines/point_of_no_return.h"
#include "model/transition/evaluator.h"

namespace oncecheck {

namespace {

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
        if (before[row.count] != after[row.count]) {
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
    if (violation.property && at_completion) {
        const auto point = point_of_no_return(system.system, *violation.property, trace, limits);
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
    const HopSystem& system = *violation.system;
    const Trace& trace = violation.counterexample.trace;
    const auto label_of = [&](std::size_t step) -> const ActionLabel& {
        return system.system.actions[trace.steps[step].action].label;
    };
    for (std::size_t step = 0; step < trace.steps.size(); ++step) {
        if (hazard_of(system, trace, step) == nullptr) {
            continue;
        }
        const std::size_t link = disturbing_step(system, trace, step).value_or(step);
        return {"staging isolation",
                "OC-4-staging",
                {"another attempt reaches the same staging object: it " + label_of(link).text, label_of(link).where}};
    }
    const bool staging_flaw =
        violation.flaw == "foreign rows" || violation.flaw == "missing rows" || violation.flaw == "doubled rows";
    if (staging_flaw) {
        for (const HopHazard& hazard : system.hazards) {
            if (to_string(hazard.flaw) == violation.flaw && evaluate(hazard.condition, trace.last()) != 0) {
                return {"staging isolation",
                        "OC-4-staging",
                        {"this step takes rows from a staging object that other attempts reach", hazard.where}};
            }
        }
    }
    if (has_fault(system, trace, "expiry")) {
        const std::string process = label_of(0).process;
        const auto id = pipeline.find(process);
        const SourcePosition where = id ? pipeline.component(*id).document.where : SourcePosition{};
        return {"source coverage",
                "OC-1-source",
                {"the log does not keep its records as long as an outage may last", where}};
    }
    if (trace.steps.empty()) {
        return {"sink commit", "OC-3-sink", {"", {}}};
    }
    const std::size_t last = last_document_step(system, trace);
    const bool progress = violation.flaw == "stuck" || has_fault(system, trace, "purge");
    if (progress) {
        const std::size_t end = trace.steps.size() - 1;
        return {"progress",
                "OC-2-progress",
                {"after this no run without faults completes: it " + label_of(end).text, label_of(end).where}};
    }
    return {"sink commit",
            "OC-3-sink",
            {violation.flaw == "duplicate"
                 ? "this effect is repeated when the batch is run again: it " + label_of(last).text
                 : "this effect is what the target is left with: it " + label_of(last).text,
             label_of(last).where}};
}

}  // namespace oncecheck

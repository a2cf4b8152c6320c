#include "checker/compose/fault_decision.h"

#include <algorithm>
#include <set>

#include "checker/conditions/duration_text.h"
#include "checker/conditions/timed_faults.h"
#include "model/pipeline/graph.h"

namespace oncecheck {

namespace {

std::vector<TimeStatement> stated_times(const Pipeline& pipeline, ComponentId component) {
    std::vector<TimeStatement> statements = facts_about_times();
    std::set<std::string> times;
    for (const Assumptions* assumptions : {&pipeline.document.assume, &pipeline.component(component).document.assume}) {
        for (const auto& [time, unused] : assumptions->times) {
            times.insert(time);
        }
    }
    for (const std::string& time : times) {
        if (const auto assumed = pipeline.assumed(component, time)) {
            statements.push_back(stated_time("assume." + time, assumed->milliseconds, assumed->where));
        }
    }
    return statements;
}

// Settings of `owner`, and times as assumed of `process`.
FormulaEnvironment environment(const Pipeline& pipeline, ComponentId owner, ComponentId process) {
    return pipeline.component(owner).settings.environment(
        [&pipeline, process](const std::string& name) -> std::optional<FormulaValue> {
            const std::string prefix = "assume.";
            if (name.rfind(prefix, 0) != 0) {
                return std::nullopt;
            }
            const auto assumed = pipeline.assumed(process, name.substr(prefix.size()));
            return assumed ? std::optional<FormulaValue>(assumed->milliseconds) : std::nullopt;
        });
}

std::string bound_in_words(const TimeBound& bound) {
    const std::string value = format_duration(bound.value);
    const bool below = bound.relation == "<" || bound.relation == "<=";
    if (bound.name == "assume.max_outage" && below) {
        return (bound.relation == "<" ? "for outages shorter than " : "for outages up to ") + value;
    }
    if (bound.name == "assume.max_pause" && below) {
        return (bound.relation == "<" ? "for pauses shorter than " : "for pauses up to ") + value;
    }
    if (bound.name == "assume.min_restart_delay" && !below) {
        return (bound.relation == ">" ? "if a successor starts more than " : "if a successor starts at least ") +
               value + " after the death of its predecessor";
    }
    return bound.name.empty() ? "if " + bound.text : "if " + bound.name + ' ' + bound.relation + ' ' + value;
}

// One process's faults, asked one by one.
class Decider {
  public:
    Decider(const Pipeline& pipeline, ComponentId process) : pipeline_(pipeline), process_(process) {
        statements_ = stated_times(pipeline, process);
        if (statements_.size() < facts_about_times().size() + 2) {
            return;  // one time contradicts nothing
        }
        const Consistency consistency = check_consistency(statements_);
        switch (consistency.answer) {
            case Answer::kSat:
                break;
            case Answer::kUnsat:
                throw InputError({consistency.problem.value()});
            case Answer::kUnknown:
                decision_.undecided.emplace_back("whether the assumed times are consistent");
                break;
        }
    }

    FaultDecision decide() {
        const std::vector<Fault> assumed = pipeline_.faults_of(process_);
        const auto has = [&](Fault fault) { return std::find(assumed.begin(), assumed.end(), fault) != assumed.end(); };
        const Component& component = pipeline_.component(process_).document;
        decision_.certain.crash = has(Fault::kCrash);
        decision_.certain.lost_ack = has(Fault::kLostAck);
        if (has(Fault::kZombie)) {
            std::vector<ComponentId> runners;
            if (const auto runner = pipeline_.find(component.run_by); runner && !component.run_by.empty()) {
                runners.push_back(*runner);
            }
            ask("zombie", runners, [](ProcessFaults& faults, ComponentId) { faults.zombie = true; });
        }
        if (has(Fault::kTaskRetry)) {
            ask("task-retry", {process_}, [](ProcessFaults& faults, ComponentId) { faults.task_retry = true; });
        }
        if (has(Fault::kDetached)) {
            for (const ComponentId store : stores()) {
                ask("detached", {store},
                    [store](ProcessFaults& faults, ComponentId) { faults.detached.insert(store); });
            }
        }
        if (has(Fault::kLostAck)) {
            for (const ComponentId store : stores()) {
                ask("detached", {store}, [store](ProcessFaults& faults, ComponentId) { faults.late.insert(store); });
            }
        }
        if (decision_.certain.zombie) {
            ask("purge", {process_}, [](ProcessFaults& faults, ComponentId) { faults.purge = true; });
        }
        if (has(Fault::kCrash)) {
            std::vector<ComponentId> logs;
            for (const Connection& connection : component.reads) {
                logs.push_back(pipeline_.find(connection.object.text).value());
            }
            for (const ComponentId log : logs) {
                ask("expiry", {log}, [](ProcessFaults& faults, ComponentId) { faults.expiry = true; });
            }
        }
        describe(assumed);
        return std::move(decision_);
    }

  private:
    std::vector<ComponentId> stores() const {
        std::set<ComponentId> found;
        for (const ObjectUse& use : object_uses(pipeline_, process_)) {
            if (use.object.scope == ObjectScope::kStore) {
                found.insert(use.object.store);
            }
        }
        return {found.begin(), found.end()};
    }

    // Enables the fault unless a condition of one of the components excludes it. `enable` sets it.
    template <typename Enable>
    void ask(const std::string& fault, const std::vector<ComponentId>& components, const Enable& enable) {
        for (const ComponentId owner : components) {
            const PipelineComponent& component = pipeline_.component(owner);
            for (const ConditionSpec& condition : component.type->conditions) {
                if (condition.excludes != fault) {
                    continue;
                }
                const TimedAnswer answer = answer_to(condition, owner);
                switch (answer.exclusion) {
                    case Exclusion::kExcluded:
                        decision_.sentences.push_back("no " + fault + ": excluded by " + component.document.name +
                                                      " (" + condition.id + ": " + condition.formula.text() + "; " +
                                                      condition.source + ")");
                        return;
                    case Exclusion::kEnabled:
                        break;
                    case Exclusion::kConditional:
                        add_open(fault, owner, condition, answer.bound, enable);
                        return;
                    case Exclusion::kUnknown:
                        decision_.undecided.push_back(fault + " (" + answer.reason + ")");
                        break;
                }
            }
        }
        enable(decision_.certain, process_);
    }

    // Z3 decides where a time is left open; what the stated values settle needs no solver.
    TimedAnswer answer_to(const ConditionSpec& condition, ComponentId owner) const {
        const FormulaEnvironment known = environment(pipeline_, owner, process_);
        if (const std::optional<bool> settled = holds(condition.formula, known)) {
            TimedAnswer answer;
            answer.exclusion = *settled ? Exclusion::kExcluded : Exclusion::kEnabled;
            return answer;
        }
        return oncecheck::decide({condition.formula, known, statements_});
    }

    template <typename Enable>
    void add_open(const std::string& fault, ComponentId owner, const ConditionSpec& condition, const TimeBound& bound,
                  const Enable& enable) {
        OpenFault open;
        enable(open.added, process_);
        open.name = fault;
        open.bound.time = bound.name.rfind("assume.", 0) == 0 ? bound.name.substr(7) : bound.name;
        open.bound.relation = bound.relation;
        open.bound.milliseconds = bound.value;
        open.bound.text = bound_in_words(bound);
        open.bound.source = condition.source;
        const PipelineComponent& component = pipeline_.component(owner);
        for (const std::string& name : condition.formula.names()) {
            const auto setting = component.settings.all().find(name);
            if (setting != component.settings.all().end() && setting->second.value) {
                open.bound.setting += (open.bound.setting.empty() ? "" : ", ") + component.document.name + ": " + name +
                                      " = " + *setting->second.value + (setting->second.stated ? "" : " (default)");
                open.bound.where = setting->second.where;
            }
        }
        decision_.open.push_back(std::move(open));
    }

    void describe(const std::vector<Fault>& assumed) {
        const ProcessFaults& faults = decision_.certain;
        std::string text = pipeline_.component(process_).document.name + ':';
        const auto say = [&](bool enabled, const char* name) { text += enabled ? std::string(" ") + name : ""; };
        say(faults.crash, "crash");
        say(faults.zombie, "zombie");
        say(!faults.detached.empty(), "detached");
        say(faults.lost_ack, "lost-ack");
        say(faults.task_retry, "task-retry");
        say(faults.purge, "purge");
        say(faults.expiry, "expiry");
        std::string absent;
        for (const Fault fault : kDefaultFaults) {
            if (std::find(assumed.begin(), assumed.end(), fault) == assumed.end()) {
                absent += (absent.empty() ? "" : ", ") + std::string(to_string(fault));
            }
        }
        text += text.back() == ':' ? " no fault" : "";
        decision_.sentences.insert(decision_.sentences.begin(),
                                   text + (absent.empty() ? "" : "; not assumed: " + absent));
    }

    const Pipeline& pipeline_;
    ComponentId process_;
    std::vector<TimeStatement> statements_;
    FaultDecision decision_;
};

}  // namespace

ProcessFaults united(const ProcessFaults& left, const ProcessFaults& right) {
    ProcessFaults both = left;
    both.crash = both.crash || right.crash;
    both.zombie = both.zombie || right.zombie;
    both.lost_ack = both.lost_ack || right.lost_ack;
    both.task_retry = both.task_retry || right.task_retry;
    both.purge = both.purge || right.purge;
    both.expiry = both.expiry || right.expiry;
    both.detached.insert(right.detached.begin(), right.detached.end());
    both.late.insert(right.late.begin(), right.late.end());
    return both;
}

FaultDecision decide_faults(const Pipeline& pipeline, ComponentId process) {
    return Decider(pipeline, process).decide();
}

}  // namespace oncecheck

// A document translated and searched as plainly as possible: every state, by the evaluator alone, without any engine
// and without the decision which faults settings or times exclude. Slow; for small documents.
#pragma once

#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "model/pipeline/graph.h"
#include "model/semantics/hop.h"
#include "model/transition/evaluator.h"
#include "tests/cases/support/pipelines.h"

namespace oncecheck {

// Every reachable state of a system; calls visit(before, action, after) for each transition.
template <typename Visit>
void explore(const TransitionSystem& system, const Visit& visit) {
    std::set<State> seen{system.initial()};
    std::deque<State> open{system.initial()};
    while (!open.empty()) {
        const State state = open.front();
        open.pop_front();
        for (const Action& action : system.actions) {
            if (!enabled(action, state)) {
                continue;
            }
            const State after = perform(action, state);
            visit(state, action, after);
            if (seen.insert(after).second) {
                open.push_back(after);
            }
        }
    }
}

inline VariableId variable_named(const TransitionSystem& system, const std::string& name) {
    for (VariableId id = 0; id < system.variables.size(); ++id) {
        if (system.variables[id].name == name) {
            return id;
        }
    }
    throw std::logic_error("no variable " + name);
}

// The faults that the document assumes of a process, none of them excluded.
inline ProcessFaults assumed_faults(const Pipeline& pipeline, ComponentId process) {
    ProcessFaults faults;
    for (const Fault fault : pipeline.faults_of(process)) {
        faults.crash = faults.crash || fault == Fault::kCrash;
        faults.zombie = faults.zombie || fault == Fault::kZombie;
        faults.lost_ack = faults.lost_ack || fault == Fault::kLostAck;
        faults.task_retry = faults.task_retry || fault == Fault::kTaskRetry;
        for (ComponentId store = 0; fault == Fault::kDetached && store < pipeline.components.size(); ++store) {
            faults.detached.insert(store);
        }
    }
    return faults;
}

// All systems of the pipeline's hops of queries.
inline std::vector<HopSystem> systems_of(const Pipeline& pipeline, const UniverseSize& size = {}) {
    std::vector<std::size_t> requirements(pipeline.requirements.size());
    std::iota(requirements.begin(), requirements.end(), std::size_t{0});
    std::vector<HopSystem> systems;
    for (std::vector<ComponentId> hop : hops(pipeline)) {
        std::erase_if(hop,
                      [&](ComponentId id) { return pipeline.component(id).type->protocol != Protocol::kMicroBatch; });
        if (hop.empty()) {
            continue;
        }
        HopOptions options;
        options.size = size;
        for (const ComponentId process : hop) {
            options.faults[process] = assumed_faults(pipeline, process);
        }
        std::vector<HopSystem> built = build_hop(pipeline, hop, requirements, options);
        std::move(built.begin(), built.end(), std::back_inserter(systems));
    }
    return systems;
}

inline std::vector<HopSystem> systems_of(const std::string& text, const UniverseSize& size = {}) {
    return systems_of(resolved(text), size);
}

// Some state from which no steps but faults lead to completion can be reached.
inline bool can_get_stuck(const TransitionSystem& system) {
    std::map<State, std::vector<State>> before;  // by steps that are no faults
    std::set<State> alive;
    std::deque<State> open;
    const auto note = [&](const State& state) {
        before[state];
        if (evaluate(system.complete, state) != 0 && alive.insert(state).second) {
            open.push_back(state);
        }
    };
    note(system.initial());
    explore(system, [&](const State& from, const Action& action, const State& to) {
        note(to);
        if (action.kind != ActionKind::kFault) {
            before[to].push_back(from);
        }
    });
    while (!open.empty()) {
        const State state = open.front();
        open.pop_front();
        for (const State& earlier : before[state]) {
            if (alive.insert(earlier).second) {
                open.push_back(earlier);
            }
        }
    }
    return alive.size() < before.size();
}

// What some run of the document shows: "loss", "duplicate", "stale", "foreign rows", ..., "stuck".
inline std::set<std::string> flaws_of(const std::string& text, const UniverseSize& size = {}) {
    std::set<std::string> flaws;
    for (const HopSystem& hop : systems_of(text, size)) {
        const auto note = [&](const State& state) {
            for (std::size_t index = 0; index < hop.meanings.size(); ++index) {
                if (evaluate(hop.system.properties[index].bad, state) != 0) {
                    flaws.insert(to_string(hop.meanings[index].flaw));
                }
            }
        };
        note(hop.system.initial());
        explore(hop.system, [&](const State&, const Action&, const State& after) { note(after); });
        if (can_get_stuck(hop.system)) {
            flaws.insert("stuck");
        }
    }
    return flaws;
}

using Flaws = std::set<std::string>;

}  // namespace oncecheck

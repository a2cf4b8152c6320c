// Two-phase commit as Lamport specifies it (github.com/tlaplus/Examples, specifications/transaction_commit): the number
// of its reachable states is known from other checkers. With a bug on request.
#pragma once

#include <string>
#include <vector>

#include "model/transition/system.h"

namespace oncecheck {

struct TwoPhaseCommitOptions {
    std::size_t managers = 3;
    bool commits_early = false;  // the transaction manager does not wait for the last one
    bool crashes = false;        // a resource manager may forget that it is prepared: a fault
};

// One property, "consistent"; complete where every resource manager has committed or aborted.
[[nodiscard]] inline TransitionSystem two_phase_commit(const TwoPhaseCommitOptions& options) {
    constexpr Value kWorking = 0;
    constexpr Value kPrepared = 1;
    constexpr Value kCommitted = 2;
    constexpr Value kAborted = 3;
    TransitionSystem system;
    system.name = "two-phase commit";
    const auto variable = [&](const std::string& name, Value largest, bool control) {
        system.variables.push_back({.name = name, .largest = largest, .initial = 0, .control = control});
        return static_cast<VariableId>(system.variables.size() - 1);
    };
    const auto action = [&](ActionKind kind, const std::string& text, std::vector<Expression> guard,
                            const std::vector<std::pair<VariableId, Value>>& assignments) {
        Action result{.kind = kind, .guard = std::move(guard), .assignments = {}, .label = {}};
        result.label.text = text;
        for (const auto& [target, value] : assignments) {
            result.assignments.push_back({target, Expression::constant(value)});
        }
        system.actions.push_back(std::move(result));
    };
    const VariableId coordinator = variable("coordinator", 2, true);
    const VariableId commit_sent = variable("commit sent", 1, false);
    const VariableId abort_sent = variable("abort sent", 1, false);
    std::vector<Expression> all_heard{equals(coordinator, 0)};
    std::vector<Expression> committed;
    std::vector<Expression> aborted;
    std::vector<Expression> ended;
    for (std::size_t i = 0; i < options.managers; ++i) {
        const std::string number = std::to_string(i);
        const VariableId manager = variable("manager " + number, 3, true);
        const VariableId sent = variable("prepared sent " + number, 1, false);
        const VariableId heard = variable("prepared heard " + number, 1, false);
        action(ActionKind::kStep, "prepares", {equals(manager, kWorking)}, {{manager, kPrepared}, {sent, 1}});
        action(ActionKind::kStep, "aborts alone", {equals(manager, kWorking)}, {{manager, kAborted}});
        action(ActionKind::kStep, "hears", {equals(coordinator, 0), equals(sent, 1)}, {{heard, 1}});
        action(ActionKind::kStep, "commits", {equals(commit_sent, 1)}, {{manager, kCommitted}});
        action(ActionKind::kStep, "aborts", {equals(abort_sent, 1)}, {{manager, kAborted}});
        if (options.crashes) {
            action(ActionKind::kFault, "forgets", {equals(manager, kPrepared)}, {{manager, kWorking}});
        }
        if (!options.commits_early || i + 1 < options.managers) {
            all_heard.push_back(equals(heard, 1));
        }
        committed.push_back(equals(manager, kCommitted));
        aborted.push_back(equals(manager, kAborted));
        ended.push_back(!less(Expression::variable(manager), Expression::constant(kCommitted)));
    }
    action(ActionKind::kStep, "decides to commit", all_heard, {{coordinator, 1}, {commit_sent, 1}});
    action(ActionKind::kStep, "decides to abort", {equals(coordinator, 0)}, {{coordinator, 2}, {abort_sent, 1}});
    system.properties = {{"consistent", conjunction({disjunction(committed), disjunction(aborted)})}};
    system.complete = conjunction(ended);
    return system;
}

}  // namespace oncecheck

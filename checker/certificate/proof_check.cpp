#include "checker/certificate/proof_check.h"

#include <algorithm>

#include "checker/certificate/state_walk.h"
#include "checker/smt/script_check.h"
#include "model/transition/evaluator.h"

namespace oncecheck {

namespace {

void check_diagram(const Diagram& diagram, const TransitionSystem& system, const std::string& where) {
    if (const std::string wrong = check(diagram, system); !wrong.empty()) {
        throw Refusal{where, wrong};
    }
}

void check_parts(const TransitionSystem& system, const Proof& proof, const std::string& where) {
    if (const auto* diagram = std::get_if<Diagram>(&proof.set)) {
        check_diagram(*diagram, system, where + ", set");
    } else {
        for (const VariableId variable : variables_of(std::get<Expression>(proof.set))) {
            if (variable >= system.variables.size()) {
                throw Refusal{where + ", set", "names a variable that does not exist"};
            }
        }
    }
    if (proof.ranking) {
        check_diagram(proof.ranking->rank, system, where + ", rank");
        check_diagram(proof.ranking->move, system, where + ", move");
    }
    if (const auto action = overflowing_action(system)) {
        throw NotDecided{where, "action " + std::to_string(*action) + " may assign more than its variable holds"};
    }
}

void expect_same(const Obligation& expected, const Obligation& written, const std::string& where) {
    if (written != expected) {
        throw Refusal{where + ", " + expected.name, "is not the obligation that follows from the system and the proof"};
    }
}

void solve(const Obligation& obligation, const std::string& where, const SolverLimits& limits) {
    const std::string place = where + ", " + obligation.name;
    const ScriptAnswer result = check_script(obligation.script, limits);
    switch (result.answer) {
        case Answer::kUnsat:
            return;
        case Answer::kSat:
            throw Refusal{place, "is not met: the solver finds a counterexample to it"};
        case Answer::kUnknown:
            throw NotDecided{place, "the solver gave up (" + result.reason + ")"};
    }
}

// How many states were walked; none if there are too many, or the set is a formula.
std::uint64_t walk(const TransitionSystem& system, const Proof& proof, const std::string& where, std::uint64_t most) {
    if (!std::holds_alternative<Diagram>(proof.set)) {
        return 0;
    }
    const StateWalk walk(system, proof);
    if (walk.size() > most) {
        return 0;
    }
    if (const auto unmet = walk.run()) {
        throw Refusal{where + ", " + unmet->obligation, "is not met: " + unmet->message};
    }
    return walk.size();
}

// States of the right length, so that the evaluator can look at them.
void check_shape(const TransitionSystem& system, const Trace& trace, const std::string& where) {
    const auto fits = [&](const State& state) { return state.size() == system.variables.size(); };
    const bool all =
        std::all_of(trace.steps.begin(), trace.steps.end(), [&](const TraceStep& step) { return fits(step.after); });
    if (!fits(trace.initial) || !all) {
        throw Refusal{where, "has a state with too few or too many values"};
    }
}

}  // namespace

CheckedProof check_proof(const TransitionSystem& system, const CertifiedProof& certified, const std::string& where,
                         const CheckMethod& method) {
    check_parts(system, certified.proof, where);
    const std::vector<Obligation> expected = obligations(system, certified.proof);
    if (expected.size() != certified.obligations.size()) {
        throw Refusal{where, "has " + std::to_string(certified.obligations.size()) + " obligations instead of " +
                                 std::to_string(expected.size())};
    }
    CheckedProof checked{.where = where, .obligations = {}};
    for (std::size_t index = 0; index < expected.size(); ++index) {
        expect_same(expected[index], certified.obligations[index], where);
        checked.obligations.push_back(expected[index].name);
    }
    checked.walked = walk(system, certified.proof, where, method.most_walked);
    for (std::size_t index = 0; index < expected.size() && checked.walked == 0; ++index) {
        solve(expected[index], where, method.limits);
    }
    return checked;
}

std::vector<CheckedProof> check_run(const TransitionSystem& system, const CertifiedRun& run, const std::string& where,
                                    const CheckMethod& method) {
    check_shape(system, run.trace, where);
    if (const auto wrong = replay(system, run.trace)) {
        throw Refusal{where, *wrong};
    }
    if (run.property) {
        if (*run.property >= system.properties.size() || run.trap ||
            evaluate(system.properties[*run.property].bad, run.trace.last()) == 0) {
            throw Refusal{where, "does not end in a state that breaks the property it names"};
        }
        return {};
    }
    if (!run.trap || run.trap->proof.properties != std::vector<std::size_t>{0} || run.trap->proof.ranking) {
        throw Refusal{where, "has no proof that it ends in a trap"};
    }
    return {check_proof(trap_system(system, run.trace.last()), *run.trap, where + ", trap", method)};
}

}  // namespace oncecheck

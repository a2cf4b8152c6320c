#include "checker/certificate/proof_check.h"

#include <algorithm>

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

void check_obligation(const Obligation& expected, const Obligation& written, const std::string& where,
                      const SolverLimits& limits) {
    const std::string place = where + ", " + expected.name;
    if (written.name != expected.name || written.script != expected.script) {
        throw Refusal{place, "is not the obligation that follows from the system and the proof"};
    }
    const ScriptAnswer result = check_script(expected.script, limits);
    switch (result.answer) {
        case Answer::kUnsat:
            return;
        case Answer::kSat:
            throw Refusal{place, "is not met: the solver finds a counterexample to it"};
        case Answer::kUnknown:
            throw NotDecided{place, "the solver gave up (" + result.reason + ")"};
    }
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

std::size_t check_proof(const TransitionSystem& system, const CertifiedProof& certified, const std::string& where,
                        const SolverLimits& limits) {
    check_parts(system, certified.proof, where);
    const std::vector<Obligation> expected = obligations(system, certified.proof);
    if (expected.size() != certified.obligations.size()) {
        throw Refusal{where, "has " + std::to_string(certified.obligations.size()) + " obligations instead of " +
                                 std::to_string(expected.size())};
    }
    for (std::size_t index = 0; index < expected.size(); ++index) {
        check_obligation(expected[index], certified.obligations[index], where, limits);
    }
    return expected.size();
}

std::size_t check_run(const TransitionSystem& system, const CertifiedRun& run, const std::string& where,
                      const SolverLimits& limits) {
    check_shape(system, run.trace, where);
    if (const auto wrong = replay(system, run.trace)) {
        throw Refusal{where, *wrong};
    }
    if (run.property) {
        if (*run.property >= system.properties.size() || run.trap ||
            evaluate(system.properties[*run.property].bad, run.trace.last()) == 0) {
            throw Refusal{where, "does not end in a state that breaks the property it names"};
        }
        return 0;
    }
    if (!run.trap || run.trap->proof.properties != std::vector<std::size_t>{0} || run.trap->proof.ranking) {
        throw Refusal{where, "has no proof that it ends in a trap"};
    }
    return check_proof(trap_system(system, run.trace.last()), *run.trap, where + ", trap", limits);
}

}  // namespace oncecheck

#include "checker/certificate/prover.h"

#include <algorithm>
#include <utility>

#include "checker/compose/system_check.h"

namespace oncecheck {

namespace {

CertifiedProof certified(const TransitionSystem& system, Proof proof) {
    std::vector<Obligation> scripts = obligations(system, proof);
    return {std::move(proof), std::move(scripts)};
}

Found trapped(const Question& question, const Counterexample& stem, const Limits& limits) {
    const TransitionSystem trap = trap_system(question.system, stem.trace.last());
    Found found = find_evidence({trap, {0}, false}, EngineChoice::kExplicit, limits);
    if (auto* proof = std::get_if<CertifiedProof>(&found)) {
        return CertifiedRun{stem.trace, std::nullopt, std::move(*proof)};
    }
    return found;
}

// The run with fewest faults, then fewest steps, of a violated property or of progress; none if nothing is violated.
std::optional<Found> shortest_run(const Question& question, const CheckResult& result, const Limits& limits) {
    const Counterexample* shortest = nullptr;
    std::optional<std::size_t> property;
    const auto consider = [&](const Outcome& outcome, std::optional<std::size_t> of) {
        const auto* run = std::get_if<Counterexample>(&outcome);
        if (run != nullptr && (shortest == nullptr || std::pair(run->faults, run->trace.steps.size()) <
                                                          std::pair(shortest->faults, shortest->trace.steps.size()))) {
            shortest = run;
            property = of;
        }
    };
    for (std::size_t index = 0; index < result.properties.size(); ++index) {
        consider(result.properties[index], question.properties[index]);
    }
    if (result.progress) {
        consider(*result.progress, std::nullopt);
    }
    if (shortest == nullptr) {
        return std::nullopt;
    }
    return property ? Found(CertifiedRun{shortest->trace, property, std::nullopt})
                    : trapped(question, *shortest, limits);
}

// A proof from invariants of an engine, if it has one of each property and they are inductive as they stand.
Found proof_of_engine(const Question& question, EngineChoice engine, const Limits& limits) {
    if (question.progress) {
        return NoEvidence{"explicit search did not find all states, and no other engine proves progress"};
    }
    const CheckResult result = check_system(reduced(question), engine, limits, {}).result;
    if (auto run = shortest_run(question, result, limits)) {
        return std::move(*run);
    }
    std::vector<Expression> invariants;
    for (const Outcome& outcome : result.properties) {
        const auto* inductive = std::get_if<Inductive>(&outcome);
        if (inductive == nullptr || inductive->k != 1) {
            return NoEvidence{"no engine has an inductive invariant"};
        }
        invariants.push_back(inductive->invariant);
    }
    return certified(question.system, {conjunction(invariants), question.properties, std::nullopt});
}

// From a search that the question was added to; none if it came to a limit.
std::optional<Found> found_by(SharedSearch& search, const Question& question, const Limits& limits) {
    if (auto run = shortest_run(question, search.result(question, limits), limits)) {
        return run;
    }
    if (auto proof = search.proof(question)) {
        return certified(question.system, std::move(*proof));
    }
    return std::nullopt;
}

}  // namespace

void Prover::expect(const Question& question) {
    for (SharedSearch& search : searches_) {
        if (search.admits(question)) {
            search.add(question);
            return;
        }
    }
    searches_.emplace_back(question);
}

Found Prover::find(const Question& question) {
    for (SharedSearch& search : searches_) {
        if (search.answers(question)) {
            auto found = found_by(search, question, limits_);
            if (!found && search.is_shared()) {
                SharedSearch alone(question);  // may end sooner
                found = found_by(alone, question, limits_);
            }
            return found ? std::move(*found) : proof_of_engine(question, engine_, limits_);
        }
    }
    searches_.emplace_back(question);
    return find(question);
}

Found find_evidence(const Question& question, EngineChoice engine, const Limits& limits) {
    return Prover(engine, limits).find(question);
}

}  // namespace oncecheck

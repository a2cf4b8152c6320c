#include "checker/certificate/prover.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "checker/certificate/diagram_builder.h"
#include "checker/certificate/sifting.h"
#include "checker/certificate/variable_order.h"
#include "checker/compose/system_check.h"
#include "checker/engines/explicit_search.h"

namespace oncecheck {

namespace {

// The reachable states of a system as they come, and diagrams of them, each in an order of its own that makes it small.
class States {
  public:
    States(const TransitionSystem& system, const std::vector<VariableId>& variables)
        : system_(system), order_(force_order(system, variables)), builder_(system, order_) {}

    void add(const State& state, const std::optional<WayToCompletion>& way) {
        builder_.add(state);
        ranks_.push_back(way ? way->steps : 0);
        moves_.push_back(way ? static_cast<std::uint32_t>(way->action) : 0);
    }

    [[nodiscard]] bool empty() const { return ranks_.empty(); }

    [[nodiscard]] Proof proof(const Question& question) {
        Proof proof{small(builder_.set()), question.properties, std::nullopt};
        if (question.progress) {
            proof.ranking = Ranking{small(builder_.function(ranks_)), small(builder_.function(moves_))};
        }
        return proof;
    }

  private:
    [[nodiscard]] Diagram small(const Diagram& diagram) const { return sifted(diagram, order_, system_); }

    const TransitionSystem& system_;
    std::vector<VariableId> order_;
    DiagramBuilder builder_;
    std::vector<std::uint32_t> ranks_;
    std::vector<std::uint32_t> moves_;
};

// The system with nothing but what is asked.
TransitionSystem reduced(const Question& question) {
    TransitionSystem system = question.system;
    system.properties.clear();
    for (const std::size_t property : question.properties) {
        system.properties.push_back(question.system.properties[property]);
    }
    system.complete = question.progress ? question.system.complete : falsity();
    return system;
}

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
Found proof_of_engine(const Question& question, const TransitionSystem& system, EngineChoice engine,
                      const Limits& limits) {
    if (question.progress) {
        return NoEvidence{"explicit search did not find all states, and no other engine proves progress"};
    }
    const CheckResult result = check_system(system, engine, limits, {}).result;
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

}  // namespace

Found find_evidence(const Question& question, EngineChoice engine, const Limits& limits) {
    const TransitionSystem system = reduced(question);
    const auto prepared = prepare_search(system);
    const auto* search = std::get_if<std::unique_ptr<ExplicitSearch>>(&prepared);
    if (search == nullptr) {
        return proof_of_engine(question, system, engine, limits);
    }
    States states(system, (*search)->distinguished());
    const CheckResult result = (*search)->explore(
        system.initial(), limits, {},
        [&](const State& state, const std::optional<WayToCompletion>& way) { states.add(state, way); });
    if (auto run = shortest_run(question, result, limits)) {
        return std::move(*run);
    }
    if (states.empty()) {
        return proof_of_engine(question, system, engine, limits);
    }
    return certified(question.system, states.proof(question));
}

}  // namespace oncecheck

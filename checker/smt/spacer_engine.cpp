#include "checker/smt/spacer_engine.h"

#include <algorithm>

#include "checker/smt/horn_clauses.h"
#include "checker/smt/invariant_proof.h"

namespace oncecheck {

namespace {

// More values than this of one variable are not worth a literal each.
constexpr std::size_t kMostValues = 200;

class SpacerRun {
  public:
    SpacerRun(const TransitionSystem& system, const SpacerSettings& settings, const Limits& limits,
              const Progress& progress)
        : system_(system),
          settings_(settings),
          limits_(limits),
          progress_(progress),
          queries_(settings.query, limits),
          proofs_(settings.proof, limits) {}

    CheckResult run() {
        const std::optional<ValueSets> values = reachable_values(system_, kMostValues);
        CheckResult result;
        for (const Property& property : system_.properties) {
            result.properties.push_back(values ? outcome(property, *values)
                                               : Unknown{"a variable has too many values for Spacer", 0, 0});
            answered_.emplace_back(property.bad, result.properties.back());
        }
        look_for_runs(result);
        if (!system_.complete.is_constant(0)) {
            result.progress = Unknown{"Spacer does not decide progress", 0, 0};
        }
        result.bytes = std::max({result.bytes, queries_.bytes(), proofs_.bytes()});
        return result;
    }

  private:
    // Requirements often share a property.
    Outcome outcome(const Property& property, const ValueSets& values) {
        const auto known = std::find_if(answered_.begin(), answered_.end(),
                                        [&](const auto& answer) { return answer.first == property.bad; });
        return known == answered_.end() ? ask(property, values) : known->second;
    }

    Outcome ask(const Property& property, const ValueSets& values) {
        if (progress_) {
            progress_("Spacer: " + property.name);
        }
        std::optional<SolverLimits> query = queries_.next();
        if (!query) {
            return Unknown{queries_.reason(), 0, 0};
        }
        query->resources = std::max(1U, query->resources >> std::min(given_up_, 31U));
        const HornAnswer answer = solve_horn_clauses(system_, property.bad, values, *query);
        switch (answer.answer) {
            case Answer::kSat:
                violated_.push_back(property.bad);
                return Unknown{"Spacer claims a violation, and no run of it was found", 0, 0};
            case Answer::kUnknown:
                ++given_up_;
                return Unknown{"Spacer gave up (" + answer.reason + ")", 0, 0};
            case Answer::kUnsat:
                break;
        }
        return answer.invariant ? proved(property.bad, *answer.invariant, values)
                                : Unknown{"Spacer's invariant cannot be read", 0, 0};
    }

    Outcome proved(const Expression& bad, const Expression& invariant, const ValueSets& values) {
        ProvedInvariant result = prove_invariant(system_, bad, {conjunction({invariant, !bad}), 1}, values, proofs_);
        switch (result.refuted) {
            case Answer::kUnsat:
                return std::move(result.evidence);
            case Answer::kSat:
                return Unknown{"Spacer's invariant does not pass its proof", 0, 0};
            case Answer::kUnknown:
                return Unknown{proofs_.reason(), 0, 0};
        }
        throw InternalError("unknown solver answer");
    }

    // Shortest runs to what is said to be violated.
    void look_for_runs(CheckResult& result) const {
        TransitionSystem system = system_;
        system.properties.clear();
        for (const Expression& bad : violated_) {
            system.properties.push_back({std::to_string(system.properties.size()), bad});
        }
        CheckResult found = BmcEngine(settings_.runs).check(system, limits_, progress_);
        for (std::size_t index = 0; index < system_.properties.size(); ++index) {
            const auto place = std::find(violated_.begin(), violated_.end(), system_.properties[index].bad);
            if (place != violated_.end()) {
                const Outcome& run = found.properties[static_cast<std::size_t>(place - violated_.begin())];
                if (std::holds_alternative<Counterexample>(run)) {
                    result.properties[index] = run;
                }
            }
        }
        result.bytes = found.bytes;
    }

    const TransitionSystem& system_;
    const SpacerSettings& settings_;
    const Limits& limits_;
    const Progress& progress_;
    LimitedQueries queries_;
    LimitedQueries proofs_;
    unsigned given_up_ = 0;                                 // properties
    std::vector<std::pair<Expression, Outcome>> answered_;  // by bad states
    std::vector<Expression> violated_;                      // as Spacer says
};

}  // namespace

CheckResult SpacerEngine::check(const TransitionSystem& system, const Limits& limits, const Progress& progress) const {
    return translating_errors([&] { return SpacerRun(system, settings_, limits, progress).run(); });
}

}  // namespace oncecheck

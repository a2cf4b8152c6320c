#include "checker/smt/induction_engine.h"

#include <algorithm>

#include "checker/smt/invariant_proof.h"
#include "checker/smt/invariant_search.h"

namespace oncecheck {

namespace {

// More values than this of one variable are not worth a literal each.
constexpr std::size_t kMostValues = 500;
constexpr std::size_t kShortClause = 3;
constexpr double kMostCubes = 200'000;

class Induction {
  public:
    Induction(const TransitionSystem& system, const InductionSettings& settings, const Limits& limits,
              const Progress& progress)
        : system_(system),
          settings_(settings),
          progress_(progress),
          queries_(settings.query, limits, settings.most_queries),
          found_(system.properties.size()) {}

    CheckResult run() {
        if (const auto values = reachable_values(system_, kMostValues)) {
            search(*values);
        } else {
            reason_ = "a variable has too many values for induction";
        }
        CheckResult result;
        for (std::size_t index = 0; index < found_.size(); ++index) {
            result.properties.push_back(outcome(index));
        }
        if (!system_.complete.is_constant(0)) {
            result.progress = Unknown{"induction does not decide progress", 0, 0};
        }
        result.bytes = queries_.bytes();
        return result;
    }

  private:
    void search(const ValueSets& values) {
        std::vector<Expression> targets;
        for (const Property& property : system_.properties) {
            targets.push_back(property.bad);
        }
        const VariableSet cone = cone_of_influence(system_, targets);
        const Vocabulary vocabulary(system_, cone, values);
        SampleSize size = settings_.sample;
        size.complete_depth = std::max(size.complete_depth, settings_.most_k - 1);
        const ReachableSample sample = sample_reachable(system_, cone, vocabulary, size);
        violated_ = sample.violated;
        for (const InvariantShape& shape : shapes(vocabulary.feature_count())) {
            if (!any_open() || !attempt(shape, values, vocabulary, sample.states)) {
                return;
            }
        }
    }

    // Short clauses first; long ones as far as looking for them is cheap.
    [[nodiscard]] std::vector<InvariantShape> shapes(std::size_t features) const {
        std::vector<InvariantShape> result;
        double cubes = 1;  // of so many literals around a state
        for (std::size_t literals = 1; literals <= settings_.most_literals; ++literals) {
            cubes *= static_cast<double>(features) / static_cast<double>(literals);
            if (literals <= kShortClause || cubes <= kMostCubes) {
                result.push_back({literals, 1});
            }
        }
        for (int k = 2; k <= settings_.most_k; ++k) {
            result.push_back({std::min(settings_.most_literals, kShortClause), k});
        }
        return result;
    }

    // False if a limit was reached.
    bool attempt(const InvariantShape& shape, const ValueSets& values, const Vocabulary& vocabulary,
                 const KnownStates& known) {
        if (progress_) {
            progress_("induction: at most " + std::to_string(shape.literals) +
                      " literals a clause, k = " + std::to_string(shape.k));
        }
        InvariantSearch one(system_, values, vocabulary, known, open(), shape, queries_);
        const auto invariants = one.run();
        for (std::size_t index = 0; index < invariants.size(); ++index) {
            if (invariants[index] && !confirm(index, {conjunction(*invariants[index]), shape.k}, values)) {
                return false;
            }
        }
        reason_ = one.gave_up() ? queries_.reason()
                                : "no inductive invariant of clauses with up to " + std::to_string(shape.literals) +
                                      " literals and k up to " + std::to_string(shape.k);
        return !one.gave_up();
    }

    // False if a limit was reached.
    bool confirm(std::size_t property, const Inductive& found, const ValueSets& values) {
        ProvedInvariant proved = prove_invariant(system_, system_.properties[property].bad, found, values, queries_);
        switch (proved.refuted) {
            case Answer::kUnsat:
                found_[property] = std::move(proved.evidence);
                return true;
            case Answer::kUnknown:
                reason_ = queries_.reason();
                return false;
            case Answer::kSat:
                break;
        }
        throw InternalError("the invariant found for " + system_.properties[property].name + " is not inductive");
    }

    [[nodiscard]] std::vector<bool> open() const {
        std::vector<bool> result;
        for (std::size_t index = 0; index < found_.size(); ++index) {
            result.push_back(!found_[index] && !violated_[index]);
        }
        return result;
    }
    [[nodiscard]] bool any_open() const {
        const std::vector<bool> all = open();
        return std::find(all.begin(), all.end(), true) != all.end();
    }

    [[nodiscard]] Outcome outcome(std::size_t property) const {
        if (found_[property]) {
            return *found_[property];
        }
        return Unknown{!violated_.empty() && violated_[property]
                           ? "a run violates it; induction does not look for the shortest"
                           : reason_,
                       0, 0};
    }

    const TransitionSystem& system_;
    const InductionSettings& settings_;
    const Progress& progress_;
    LimitedQueries queries_;
    std::vector<std::optional<Inductive>> found_;  // by property
    std::vector<bool> violated_;                   // by property: in the sample
    std::string reason_;
};

}  // namespace

CheckResult InductionEngine::check(const TransitionSystem& system, const Limits& limits,
                                   const Progress& progress) const {
    return translating_errors([&] { return Induction(system, settings_, limits, progress).run(); });
}

}  // namespace oncecheck

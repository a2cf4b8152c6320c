// k-induction with invented invariants: answers "holds" with an inductive invariant, or "unknown".
//
// Tries clauses of one, two and three literals (invariant_search.h), more where that is cheap, then longer runs of
// states that satisfy three-literal clauses, until every property is proved. Each invariant is proved once more, in a
// fresh solver and from the definition (invariant_proof.h), before it is an outcome. A property that some state of the
// sample violates is left to the engines that search for the shortest run. Does not decide progress.
#pragma once

#include <utility>

#include "checker/engines/engine.h"
#include "checker/smt/answer.h"
#include "checker/smt/reachable_sample.h"

namespace oncecheck {

struct InductionSettings {
    std::size_t most_literals = 5;  // of a clause
    int most_k = 3;
    SampleSize sample;
    // Of one query, besides Limits::deadline and memory_bytes.
    SolverLimits query{20'000'000, {}, 0};
    std::size_t most_queries = 1'000'000;
};

class InductionEngine : public Engine {
  public:
    explicit InductionEngine(InductionSettings settings = {}) : settings_(std::move(settings)) {}

    [[nodiscard]] std::string_view name() const override { return "induction"; }

    // Throws SolverError if Z3 fails, InternalError if an invariant does not pass its proof.
    [[nodiscard]] CheckResult check(const TransitionSystem& system, const Limits& limits,
                                    const Progress& progress) const override;

  private:
    InductionSettings settings_;
};

}  // namespace oncecheck

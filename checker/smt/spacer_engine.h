// Spacer, Z3's engine for constrained Horn clauses (Komuravelli, Gurfinkel, Chaki: SMT-based model checking for
// recursive programs, CAV 2014): invariants without a shape given beforehand, one property after the other, within a
// small limit. Meant for what induction leaves open.
//
// Nothing that Spacer says is believed: an invariant is proved in a fresh solver (invariant_proof.h), and where it
// claims a violation, bounded model checking looks for the shortest run. Does not decide progress. Limits::memory_bytes
// is looked at between queries only.
#pragma once

#include <utility>

#include "checker/engines/engine.h"
#include "checker/smt/bmc_engine.h"

namespace oncecheck {

struct SpacerSettings {
    // Of one property, besides Limits::deadline; half as much for the rest with every one that is given up.
    SolverLimits query{10'000'000, {}, 0};
    SolverLimits proof{20'000'000, {}, 0};  // of one query of the proof
    BmcSettings runs;
};

class SpacerEngine : public Engine {
  public:
    explicit SpacerEngine(SpacerSettings settings = {}) : settings_(std::move(settings)) {}

    [[nodiscard]] std::string_view name() const override { return "spacer"; }

    // Throws SolverError if Z3 fails.
    [[nodiscard]] CheckResult check(const TransitionSystem& system, const Limits& limits,
                                    const Progress& progress) const override;

  private:
    SpacerSettings settings_;
};

}  // namespace oncecheck

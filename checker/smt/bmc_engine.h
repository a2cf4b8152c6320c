// Bounded model checking with Z3: is there a run with exactly k steps and at most f faults whose last state is bad?
// Asked for f = 0, 1, 2, ... and, for each f, for k = 0, 1, 2, ...
//
// A budget f is exhausted when no run without a repeated state has k steps (a shortest run to anything repeats none),
// or given up at `most_steps`. The first hit of a property has the fewest faults and then the fewest steps, among runs
// of at most `most_steps` steps if a smaller budget was given up. Answers "violated"; "holds" only where every run
// ends. Does not decide progress. A solver's "unknown" ends the search: all that is still open is undecided.
#pragma once

#include <utility>

#include "checker/engines/engine.h"
#include "checker/smt/answer.h"

namespace oncecheck {

struct BmcSettings {
    int most_steps = 40;  // of a run
    int most_faults = 2;  // unless the caller's limits say how many
    // Of one query, besides Limits::deadline and memory_bytes. So many resources take some 5 to 10 seconds.
    SolverLimits query{20'000'000, {}, 0};
};

class BmcEngine : public Engine {
  public:
    explicit BmcEngine(BmcSettings settings = {}) : settings_(std::move(settings)) {}

    [[nodiscard]] std::string_view name() const override { return "bmc"; }

    // Throws SolverError if Z3 fails, InternalError if a model is no run of the system.
    [[nodiscard]] CheckResult check(const TransitionSystem& system, const Limits& limits,
                                    const Progress& progress) const override;

  private:
    BmcSettings settings_;
};

}  // namespace oncecheck

// Explicit-state search: every reachable state, packed into a few words, by fewest faults and then fewest steps.
//
// Decides every property and progress of any system whose states fit, given time and memory; counterexamples are
// minimal, and the same for any number of jobs. How: search.h (order), compiled_system.h (successors), state_shard.h
// (storage), trace_finder.h, progress_check.h. "holds" is an exhausted search.
#pragma once

#include "checker/engines/engine.h"

namespace oncecheck {

class ExplicitEngine : public Engine {
  public:
    [[nodiscard]] std::string_view name() const override { return "explicit"; }
    [[nodiscard]] CheckResult check(const TransitionSystem& system, const Limits& limits,
                                    const Progress& progress) const override;
};

}  // namespace oncecheck

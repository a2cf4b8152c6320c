// The plainest engine there is: every reachable state in a map, found with the evaluator alone. For the small systems
// that have to be decided while a certificate is checked, where no engine is to be trusted: a producer with one record.
#pragma once

#include "checker/engines/engine.h"

namespace oncecheck {

class PlainSearch : public Engine {
  public:
    [[nodiscard]] std::string_view name() const override { return "plain"; }

    // Decides properties of systems with at most so many states; not progress. Counterexamples have fewest steps.
    static constexpr std::size_t kMostStates = 20'000;
    [[nodiscard]] CheckResult check(const TransitionSystem& system, const Limits& limits,
                                    const Progress& progress) const override;
};

}  // namespace oncecheck

// A system sliced, packed and compiled once, ready to be searched from any of its states.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "checker/engines/engine.h"

namespace oncecheck {

class ExplicitSearch {
  public:
    virtual ~ExplicitSearch() = default;
    // As Engine::check, for runs that begin in `initial`, which must be a reachable state of the system.
    [[nodiscard]] virtual CheckResult run(const State& initial, const Limits& limits,
                                          const Progress& progress) const = 0;
};

// The search, or why there can be none (a state needs too many bits). `system` must outlive it. Requires a validated
// system.
[[nodiscard]] std::variant<std::unique_ptr<ExplicitSearch>, std::string> prepare_search(const TransitionSystem& system);

}  // namespace oncecheck

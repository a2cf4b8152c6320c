// A system sliced, packed and compiled once, ready to be searched from any of its states.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "checker/engines/engine.h"

namespace oncecheck {

// How completion is reached from a state without faults, along a shortest way.
struct WayToCompletion {
    std::uint32_t steps = 0;
    std::size_t action =
        0;  // index into TransitionSystem::actions of the first step; the smallest of several. 0 at the end

    bool operator==(const WayToCompletion&) const = default;
};

// Called once for each reachable state, as far as the slice tells states apart: variables that are neither kept nor
// frozen have their initial value. `way` is empty where there is none, or where the system asks for no progress.
using StateVisitor = std::function<void(const State& state, const std::optional<WayToCompletion>& way)>;

class ExplicitSearch {
  public:
    virtual ~ExplicitSearch() = default;
    // As Engine::check, for runs that begin in `initial`, which must be a reachable state of the system.
    [[nodiscard]] virtual CheckResult run(const State& initial, const Limits& limits,
                                          const Progress& progress) const = 0;

    // The same for the whole set of reachable states, which is then shown to `visit`, in no particular order; nothing
    // is visited if a limit kept the search from some state.
    virtual CheckResult explore(const State& initial, const Limits& limits, const Progress& progress,
                                const StateVisitor& visit) const = 0;

    // The variables that the visited states tell apart, frozen ones included.
    [[nodiscard]] virtual std::vector<VariableId> distinguished() const = 0;
};

// The search, or why there can be none (a state needs too many bits). `system` must outlive it. Requires a validated
// system.
[[nodiscard]] std::variant<std::unique_ptr<ExplicitSearch>, std::string> prepare_search(const TransitionSystem& system);

}  // namespace oncecheck

// The one interface of the engines: a transition system and limits in, a verdict with its evidence for each property
// out. Engines report nothing but what they can show: a trace for "violated", an exhausted search for "holds"; a limit
// or a solver's "unknown" is "undecided".
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/transition/system.h"
#include "model/transition/trace.h"

namespace oncecheck {

struct Limits {
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
    std::size_t memory_bytes = std::size_t{4} << 30;
    int jobs = 1;
    std::optional<int> fault_budget;  // search no run with more faults
};

// Told now and then how far the search is, in a sentence for a person; called from the caller's thread.
using Progress = std::function<void(const std::string& status)>;

// Evidence that a property holds: the search is exhausted.
struct Exhausted {
    std::size_t states = 0;
    std::size_t transitions = 0;
    int depth = 0;        // most steps of a shortest run to a state
    int most_faults = 0;  // most faults of a fewest-faults run to a state
};

// Evidence that a property holds: an invariant that is true of the initial state and excludes the bad states, and that
// holds after any action if it has held in the `k` states before it (k = 1: it is inductive as it stands).
struct Inductive {
    Expression invariant = truth();
    int k = 1;
};

// Evidence that a property is violated. For `progress`: the trace is the stem, and from its last state the
// `trap_states` states that fault-free steps can reach hold no complete one.
struct Counterexample {
    Trace trace;
    std::size_t faults = 0;
    std::size_t trap_states = 0;
};

// No verdict, and why.
struct Unknown {
    std::string reason;
    int faults = 0;  // searched completely: all runs with fewer faults, ...
    int steps = 0;   // ... and runs with that many faults and fewer steps
};

using Outcome = std::variant<Exhausted, Inductive, Counterexample, Unknown>;

// What a search has seen happen.
struct Coverage {
    std::vector<bool> occurred;  // by action: enabled in some state, or nothing that is checked can tell
    bool completed = false;      // some state is complete
    bool whole = false;          // all reachable states were seen: what has not occurred cannot
};

struct CheckResult {
    std::vector<Outcome> properties;   // as TransitionSystem::properties
    std::optional<Outcome> progress;   // from every reachable state, fault-free steps can lead to completion
    std::size_t states = 0;            // looked at, for statistics
    std::size_t bytes = 0;             // of memory at the end of the search
    std::optional<Coverage> coverage;  // of engines that see states
};

class Engine {
  public:
    virtual ~Engine() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;
    // Requires a validated system. Outcomes do not depend on `limits.jobs`.
    [[nodiscard]] virtual CheckResult check(const TransitionSystem& system, const Limits& limits,
                                            const Progress& progress) const = 0;
};

}  // namespace oncecheck

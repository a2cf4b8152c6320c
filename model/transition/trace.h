// A trace: a run of a transition system from its initial state, one action a step. The one type for engines, reports
// and tests.
#pragma once

#include <cstddef>
#include <vector>

#include "model/transition/system.h"

namespace oncecheck {

struct TraceStep {
    std::size_t action = 0;  // index into TransitionSystem::actions
    State after;

    bool operator==(const TraceStep&) const = default;
};

struct Trace {
    State initial;
    std::vector<TraceStep> steps;

    [[nodiscard]] const State& last() const { return steps.empty() ? initial : steps.back().after; }
    bool operator==(const Trace&) const = default;
};

// How many of the trace's steps are faults.
[[nodiscard]] std::size_t fault_count(const TransitionSystem& system, const Trace& trace);

}  // namespace oncecheck

// The point of no return of a counterexample: the first state of its trace from which every completion violates the
// property. What comes after it only lets the damage be seen.
#pragma once

#include <cstddef>
#include <optional>

#include "checker/engines/engine.h"

namespace oncecheck {

// The least i such that from the trace's state i (0 is the initial one, i the one after step i) no state is reachable,
// faults allowed, that is complete and not bad for the property. Empty if there is none, as for a bad state that can
// be left again, or if the limits, of which the fault budget is ignored, do not suffice. Requires that the trace is a
// run of the system. Cost: a binary search over the trace, each time an explicit search.
[[nodiscard]] std::optional<std::size_t> point_of_no_return(const TransitionSystem& system, std::size_t property,
                                                            const Trace& trace, const Limits& limits);

}  // namespace oncecheck

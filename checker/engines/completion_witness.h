// Whether completion is reachable at all, shown by a run; for what is said about complete states without looking at
// any. Random walks with a fixed seed, by the evaluator, faults taken only where nothing else is possible.
#pragma once

#include <optional>

#include "model/transition/system.h"
#include "model/transition/trace.h"

namespace oncecheck {

// A run to a complete state, if one of some dozens of walks meets one.
[[nodiscard]] std::optional<Trace> find_completion(const TransitionSystem& system);

}  // namespace oncecheck

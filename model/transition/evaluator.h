// The evaluator: what expressions, actions and traces mean, written as plainly as possible. It shares nothing with
// the engines and is the oracle for all of them; every trace goes through replay() before anyone sees it.
#pragma once

#include <optional>
#include <string>

#include "model/transition/system.h"
#include "model/transition/trace.h"

namespace oncecheck {

[[nodiscard]] Value evaluate(const Expression& expression, const State& state);

// All of the action's guard holds.
[[nodiscard]] bool enabled(const Action& action, const State& state);

// The state after the action; requires that it is enabled. (Not called `apply`: std::apply would be found as well.)
[[nodiscard]] State perform(const Action& action, const State& state);

// Empty if the trace is a run of the system; else what is wrong with it, for an InternalError.
[[nodiscard]] std::optional<std::string> replay(const TransitionSystem& system, const Trace& trace);

}  // namespace oncecheck

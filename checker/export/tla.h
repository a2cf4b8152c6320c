// A transition system as a TLA+ module and the configuration with which TLC checks it.
//
// Values are natural numbers; what stands where a truth value is wanted is compared with 0. Every action is an operator
// of its own, with its meaning and place as a comment; faults are actions like others. That completion stays reachable
// is no formula of TLA+: the module defines Complete, and TLC can show that it is reachable at all.
#pragma once

#include <string>

#include "model/transition/system.h"

namespace oncecheck {

// The module's name, which its file must bear.
[[nodiscard]] std::string tla_module_name(const TransitionSystem& system);

[[nodiscard]] std::string render_tla_module(const TransitionSystem& system);

// For TLC: the specification and all properties as invariants.
[[nodiscard]] std::string render_tla_configuration(const TransitionSystem& system);

// The module's names of variables, in their order.
[[nodiscard]] std::vector<std::string> tla_variables(const TransitionSystem& system);

}  // namespace oncecheck

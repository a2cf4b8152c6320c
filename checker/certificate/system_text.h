// A transition system as text, a line a variable, action and property: what a certificate says it is about. Two systems
// have the same text exactly if they have the same runs, properties and meaning for a reader.
#pragma once

#include <string>

#include "model/transition/system.h"

namespace oncecheck {

[[nodiscard]] std::string system_text(const TransitionSystem& system);

}  // namespace oncecheck

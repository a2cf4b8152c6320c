// Reads components, processes and stores alike: which keys fit which type is for the catalogue to say.
#pragma once

#include <string>

#include "model/document/document.h"
#include "model/document/reading.h"

namespace oncecheck {

// The component of that name: an object, or a string that is its type. Its configuration file is read too. Adds,
// besides the problems of reading.h, "setting-twice" (here and in the configuration file) and "conflict" (two
// programs).
[[nodiscard]] Component read_component(const std::string& name, const JsonValue& value, Reading& reading);

}  // namespace oncecheck

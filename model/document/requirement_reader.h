// Reads `require`. One key of a requirement names its kind and has the targets as its value; the others qualify it.
#pragma once

#include <vector>

#include "model/document/document.h"
#include "model/document/reading.h"

namespace oncecheck {

// Adds the problem "requirement" where no key, or several, name the kind.
[[nodiscard]] std::vector<Requirement> read_requirements(const JsonValue& value, Reading& reading);

}  // namespace oncecheck

// Reads `assume`: of a document, of a component, of a variant; and durations, wherever they stand.
#pragma once

#include <optional>

#include "model/document/document.h"
#include "model/document/reading.h"

namespace oncecheck {

// Reads the members of the value into the assumptions; a key that is given replaces what was there.
void read_assumptions(Assumptions& assumptions, const JsonValue& value, Reading& reading);
// A duration with its place; nothing after a problem.
[[nodiscard]] std::optional<AssumedTime> read_duration(const JsonValue& value, Reading& reading);

}  // namespace oncecheck

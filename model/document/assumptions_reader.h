// Reads `assume`: of a document, of a component, of a variant.
#pragma once

#include "model/document/document.h"
#include "model/document/reading.h"

namespace oncecheck {

// Reads the members of the value into the assumptions; a key that is given replaces what was there.
void read_assumptions(Assumptions& assumptions, const JsonValue& value, Reading& reading);

}  // namespace oncecheck

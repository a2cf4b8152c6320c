// Reads step programs. One key of a step names it (its verb); a table per verb has the keys that qualify it.
//
// A "$name" in the place of a program, or of a step in a list, is replaced by the steps that `let` gives it.
#pragma once

#include "model/document/reading.h"
#include "model/document/step.h"

namespace oncecheck {

// The steps of a list. Adds the problems "step" (none or several verbs), "nested-transaction",
// "background-in-transaction", "conflict" (qualifiers that exclude each other), "nesting", "size", and "let" for names
// that refer to themselves.
[[nodiscard]] Program read_program(const JsonValue& value, Reading& reading);

}  // namespace oncecheck

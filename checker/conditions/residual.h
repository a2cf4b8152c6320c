// What is left of a formula once the known settings and times are put in: the part that the unknown times decide.
#pragma once

#include <string>

#include "model/catalogue/formula.h"

namespace oncecheck {

// Equivalent to `formula` for every value of the names that `known` does not know; a constant where evaluate() gives a
// value. Its names are the unknown ones that can still matter; its text is to_text() of it.
[[nodiscard]] Formula residual(const Formula& formula, const FormulaEnvironment& known);

// The formula as one would write it, numbers as durations ("assume.max_outage + 5 min < 7 d"), except factors.
[[nodiscard]] std::string to_text(const Formula& formula);

}  // namespace oncecheck

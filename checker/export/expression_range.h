// The largest value that an expression can have by the ranges of its variables; languages with numbers of fixed width
// need it.
#pragma once

#include <cstdint>

#include "model/transition/system.h"

namespace oncecheck {

[[nodiscard]] Value largest_value(const TransitionSystem& system, const Expression& expression);

// The largest sum of an addition's operands, before it saturates. Requires an expression of kAdd.
[[nodiscard]] std::uint64_t largest_sum(const TransitionSystem& system, const Expression& addition);

// How many bits the values 0..largest take, at least 1.
[[nodiscard]] unsigned bits_for(std::uint64_t largest);

}  // namespace oncecheck

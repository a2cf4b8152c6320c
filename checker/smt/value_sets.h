// Which values each variable can have, variable by variable: the least sets with
//
//   initial_v in S_v,   and   value of e in S_v  for every assignment v := e of an action whose guard may hold
//
// where guards and values are judged as if all combinations of values in S were possible. So every reachable state lies
// in the product of the sets, and "each variable lies in its set" is an inductive invariant.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/transition/system.h"

namespace oncecheck {

using ValueSet = std::vector<Value>;      // ascending
using ValueSets = std::vector<ValueSet>;  // by VariableId

// The sets; none if one of them exceeds `most` values.
[[nodiscard]] std::optional<ValueSets> reachable_values(const TransitionSystem& system, std::size_t most);

}  // namespace oncecheck

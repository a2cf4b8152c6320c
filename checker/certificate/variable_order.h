// An order of variables for decision diagrams: variables that occur together stand close together.
//
// FORCE (Aloul, Markov, Sakallah, GLSVLSI 2003): each variable moves to the mean of the centres of what it occurs in,
// again and again. Occurrences are the conjuncts of guards and the assignments. It knows nothing of the states: a start
// for sifting.h.
#pragma once

#include <vector>

#include "model/transition/system.h"

namespace oncecheck {

// The same variables in another order, the same for the same system.
[[nodiscard]] std::vector<VariableId> force_order(const TransitionSystem& system, std::vector<VariableId> variables);

}  // namespace oncecheck

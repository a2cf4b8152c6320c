// Which processes of a hop can tell that the others are there. Those that cannot are checked by themselves: exact, and
// far smaller.
//
// Two processes do not interact if, of every object that both touch, both only add rows (append, insert, merge, claim)
// and no row of one is a row of the other or has its key; they share no fence or lock, and do not both run transactions
// above READ COMMITTED, which the store may abort for each other's sake.
#pragma once

#include <vector>

#include "model/semantics/hop_options.h"

namespace oncecheck {

// The processes in groups that do not interact with each other; groups and members in ascending order.
[[nodiscard]] std::vector<std::vector<ComponentId>> interacting_groups(const Pipeline& pipeline,
                                                                       const std::vector<ComponentId>& processes,
                                                                       const HopOptions& options,
                                                                       const Universe& universe);

}  // namespace oncecheck

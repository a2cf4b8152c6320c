// Sifting (Rudell, ICCAD 1993): a better order of variables for a diagram. One variable after the other, from that with
// most nodes on, is moved through all places, by exchanging neighbours, and left where the diagram is smallest; and so
// again while that helps; of a diagram that stays large, from the reverse order as well.
#pragma once

#include <vector>

#include "checker/certificate/diagram.h"

namespace oncecheck {

// The same function in another order, with as many nodes or fewer. `order` is one in which the diagram asks for its
// variables, and has all of them. Requires a diagram that check() accepts. The work is bounded: not all variables of a
// diagram of very many nodes are moved.
[[nodiscard]] Diagram sifted(const Diagram& diagram, const std::vector<VariableId>& order,
                             const TransitionSystem& system);

}  // namespace oncecheck

// The part of a system that can matter to its properties and to completion.
//
//   frozen  a variable that every action leaves at its initial value: replaced by that value, expressions folded again,
//           actions whose guard is then false removed, until nothing changes
//   kept    the least set of the others with every variable that a guard, a property or `complete` reads, and every
//           variable that an assignment to a kept variable reads
//
// Slicing is exact: two states that agree on the kept variables enable the same actions, lead to states that agree on
// them, and satisfy the same properties. Whole states of a run are found by evaluating its actions from the start.
#pragma once

#include <cstddef>
#include <vector>

#include "model/transition/system.h"

namespace oncecheck {

struct SlicedAction {
    std::size_t index = 0;  // in the system
    ActionKind kind = ActionKind::kStep;
    std::vector<Expression> guard;
    std::vector<Assignment> assignments;  // to kept variables; never empty
};

struct Slice {
    std::vector<bool> kept;    // a variable
    std::vector<bool> frozen;  // a variable
    std::vector<SlicedAction> actions;
    std::vector<std::size_t> silent;  // actions that are left out because they change nothing that is kept
    std::vector<Expression> bad;      // as TransitionSystem::properties
    Expression complete = falsity();
};

[[nodiscard]] Slice slice(const TransitionSystem& system);

}  // namespace oncecheck

// What actions read and write, and what follows from it without any solver.
//
// Cone of influence: the variables that some targets depend on. An action that writes none of them can be left out: a
// shortest run to a target does not contain it.
//
// Independence: neither of two actions writes what the other one reads or writes. They commute, and neither enables
// or disables the other, so a run may have any two such neighbours in a chosen order: every run has an equally long
// one with the same actions and the same last state in which of two independent neighbours the one with the smaller
// index comes first (the lexicographic normal form of traces; used in model checking by Wang, Yang, Kahlon, Gupta:
// Peephole partial order reduction, TACAS 2008). Intermediate states differ, so only for what is judged in last states.
#pragma once

#include <vector>

#include "model/transition/system.h"

namespace oncecheck {

using VariableSet = std::vector<bool>;  // by VariableId

struct Footprint {
    VariableSet reads;  // by the guard and the assigned values
    VariableSet writes;
};

// Reads and writes of one action, writes outside `cone` and what only they read left out.
[[nodiscard]] Footprint footprint(const Action& action, const VariableSet& cone);

[[nodiscard]] bool independent(const Footprint& a, const Footprint& b);

[[nodiscard]] VariableSet cone_of_influence(const TransitionSystem& system, const std::vector<Expression>& targets);

}  // namespace oncecheck

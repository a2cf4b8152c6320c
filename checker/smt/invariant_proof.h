// Checks an invariant in a fresh solver, from the definition and by an encoding of its own (bit-vectors; nothing in
// common with encoder.h or the engines): the last word before an invariant becomes a verdict.
//
//   initiation    I holds in every state that fewer than k steps reach
//   consecution   I in k successive states that differ from each other, and an action of the last one  =>  I after it
//   safety        I excludes the bad states of the property
//
// States differ if they do in a variable that I or the properties depend on. For k = 1 this is the textbook's.
#pragma once

#include "checker/engines/engine.h"
#include "checker/smt/limited_queries.h"
#include "model/transition/system.h"

namespace oncecheck {

// kUnsat: every obligation holds. kSat: one does not. Requires that `bad` and the invariant name variables of the
// system. Throws SolverError.
[[nodiscard]] Answer refute_invariant(const TransitionSystem& system, const Expression& bad, const Inductive& evidence,
                                      LimitedQueries& queries);

}  // namespace oncecheck

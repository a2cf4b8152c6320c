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
#include "checker/smt/value_sets.h"
#include "model/transition/system.h"

namespace oncecheck {

// kUnsat: every obligation holds. kSat: one does not. Requires that `bad` and the invariant name variables of the
// system. Throws SolverError.
[[nodiscard]] Answer refute_invariant(const TransitionSystem& system, const Expression& bad, const Inductive& evidence,
                                      LimitedQueries& queries);

struct ProvedInvariant {
    Answer refuted = Answer::kUnknown;  // as refute_invariant
    Inductive evidence;
};

// The same for an invariant that may take the value sets for granted: where it is not inductive without them, they are
// put into the evidence as clauses, as far as they say something about variables on which the invariant depends.
[[nodiscard]] ProvedInvariant prove_invariant(const TransitionSystem& system, const Expression& bad,
                                              const Inductive& found, const ValueSets& values, LimitedQueries& queries);

}  // namespace oncecheck

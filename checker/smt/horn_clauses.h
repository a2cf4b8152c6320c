// A system and one property as constrained Horn clauses over one relation, for Z3's engine Spacer:
//
//   reached(initial)        reached(s) and step(s, s') => reached(s')        reached(s) and bad(s) => false
//
// The step is the unroller's: one selector an action, set or keep. The relation's arguments are Booleans, one for each
// value of a variable but its first. A model of `reached` is an inductive invariant, given back as an expression.
#pragma once

#include <optional>
#include <string>

#include "checker/smt/answer.h"
#include "checker/smt/value_sets.h"
#include "model/transition/system.h"

namespace oncecheck {

struct HornAnswer {
    Answer answer = Answer::kUnknown;     // kSat: a bad state is reachable
    std::optional<Expression> invariant;  // of kUnsat, if it can be read; it takes the value sets for granted
    std::string reason;                   // of kUnknown
};

// Whether a state in which `bad` is true is reachable. The answer is Spacer's word: prove the invariant, replay a run.
[[nodiscard]] HornAnswer solve_horn_clauses(const TransitionSystem& system, const Expression& bad,
                                            const ValueSets& values, const SolverLimits& limits);

}  // namespace oncecheck

// A transition system's proof obligations in SMT-LIB 2.6, one file each, for any solver that knows bit-vectors.
//
//   initiation   initial(s)  and  not invariant(s)                          unsatisfiable if the invariant holds first,
//   consecution  invariant(s)  and  next(s, s')  and  not invariant(s')     ... if every action keeps it,
//   safety       invariant(s)  and  bad(s)                                  ... if it excludes the bad states;
//   run          initial(s0), next(s0, s1), ..., bad(sk)                    satisfiable if k steps lead to a bad state
//
// Next is a selector, as in checker/smt: `action` is the number of one action, whose guard and assignments are one
// assertion, and a variable keeps its value unless the action is one that sets it. Assertions are named, so that an
// unsatisfiable core reads as steps of the document: number, meaning, place (file#JSON pointer).
#pragma once

#include <string>

#include "model/transition/system.h"

namespace oncecheck {

enum class Obligation { kInitiation, kConsecution, kSafety };
inline constexpr Obligation kObligations[] = {Obligation::kInitiation, Obligation::kConsecution, Obligation::kSafety};
[[nodiscard]] const char* to_string(Obligation obligation);

// The obligation that `invariant` shows the property. All variables are in their ranges wherever they occur.
[[nodiscard]] std::string render_smtlib(const TransitionSystem& system, Obligation obligation,
                                        const Expression& invariant, const Property& property);

// Whether a run of exactly `steps` steps ends in a bad state of the property.
[[nodiscard]] std::string render_smtlib_run(const TransitionSystem& system, const Property& property, int steps);

}  // namespace oncecheck

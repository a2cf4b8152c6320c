// What has to be shown of a transition system so that a set of states proves something, as SMT-LIB 2.6 scripts. Each is
// met if a solver answers `unsat`.
//
//   initiation   initial(s) and not I(s)
//   consecution  I(s) and next(s, s') and not I(s')                     so I holds every reachable state
//   safety       I(s) and some bad(s)                                   so none of them is bad
//   descent      I(s) and not complete(s) and not rank(s') < rank(s)    so fault-free steps lead from each of them to a
//                complete one: s' is the state after the action that move(s) names, which has to be enabled and no
//                fault
//
// Of a set whose diagram has many nodes consecution is divided ("consecution 1 of 3"): each part is about some of the
// actions, in their order, and every action is in one part.
//
// All variables are in their ranges wherever they occur; overflowing_action() says whether a system keeps them there,
// without which the scripts would prove too much.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "checker/certificate/diagram.h"
#include "model/transition/system.h"

namespace oncecheck {

// The states in which the expression is true, or which the diagram holds.
using StateSet = std::variant<Expression, Diagram>;

// How completion is reached: the rank falls with every move until a state is complete. Both mean something only in the
// states of a set.
struct Ranking {
    Diagram rank;
    Diagram move;  // the number of an action

    bool operator==(const Ranking&) const = default;
};

struct Obligation {
    std::string name;  // "consecution", "consecution 1 of 3"
    std::string script;

    bool operator==(const Obligation&) const = default;
};

// What is shown of a system. `set` holds all reachable states; none of them is bad for these properties; from each of
// them completion can be reached, if there is a ranking.
struct Proof {
    StateSet set = truth();
    std::vector<std::size_t> properties;
    std::optional<Ranking> ranking;

    bool operator==(const Proof&) const = default;
};

// Initiation; consecution, in one or more parts; safety if there are properties; descent if there is a ranking.
// Requires diagrams that check() accepts.
[[nodiscard]] std::vector<Obligation> obligations(const TransitionSystem& system, const Proof& proof);

// The first action that may assign more than its variable holds, by the ranges of what the value is computed from.
[[nodiscard]] std::optional<std::size_t> overflowing_action(const TransitionSystem& system);

}  // namespace oncecheck

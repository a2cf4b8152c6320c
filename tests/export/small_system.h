// A small system with every operator and every kind of action, and with names that are awkward in every language.
#pragma once

#include "model/transition/system.h"

namespace oncecheck {

inline Expression of(VariableId variable) { return Expression::variable(variable); }

inline Action small_action(ActionKind kind, std::vector<Expression> guard, std::vector<Assignment> assignments,
                           const std::string& text) {
    Action action{.kind = kind, .guard = std::move(guard), .assignments = std::move(assignments), .label = {}};
    action.label.process = "cards";
    action.label.text = text;
    action.label.where = {"pipeline.json", 7, 3, "/components/cards/foreachBatch/0"};
    return action;
}

inline TransitionSystem small_system() {
    TransitionSystem system;
    system.name = "cards, payments[0]";
    system.variables = {{"now", 5, 1, true},
                        {"II", 5, 4, false},
                        {"rows in db.stg|\\", 2, 0, false},
                        {"rows in db.stg[]", 1, 0, false},
                        {"__", 1, 1, false},
                        {"UNCHANGED", 70, 0, false}};
    const Expression first = less(of(0), of(1));
    Action lost =
        small_action(ActionKind::kFault, {first, !of(3)}, {{3, Expression::constant(1)}}, "loses */ an answer");
    lost.label.fault = "lost-ack";
    lost.label.slot = 1;
    Action free = small_action(ActionKind::kEnvironment, {disjunction({equals(2, 2), of(3)})},
                               {{4, equal(of(0), of(1))}}, "lets go");
    free.label.where = {};
    system.actions = {
        small_action(ActionKind::kStep, {first}, {{0, of(1)}, {1, of(0)}}, "swaps db.a and db.b"),
        small_action(ActionKind::kStep, {equals(0, 4)},
                     {{0, choose(of(3), Expression::constant(1), of(2))}, {2, add({of(2), of(4), of(3)}, 2)}},
                     "appends \"rows\""),
        small_action(ActionKind::kStep, {}, {{5, add({of(5), of(0)}, 70)}, {3, falsity()}}, "counts"),
        lost,
        free,
    };
    system.properties = {{"0:loss:db.rows", conjunction({equals(2, 2), equals(5, 70), !of(4)})},
                         {"never", less(Expression::constant(5), of(0))}};
    system.complete = conjunction({equals(0, 1), of(4)});
    return system;
}

}  // namespace oncecheck

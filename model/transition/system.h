// The transition system: state variables over finite values, one initial state, guarded actions, properties.
//
//   next(s, s')  <=>  some action a: all of guard_a hold in s, and s' = s with every assignment of a done at once
//
// Plain values, no solver. It is the one thing that the evaluator, the engines and the exports read.
#pragma once

#include <string>
#include <vector>

#include "model/errors.h"
#include "model/transition/action_event.h"
#include "model/transition/expression.h"

namespace oncecheck {

using State = std::vector<Value>;  // one value a variable

struct Variable {
    std::string name;
    Value largest = 1;  // its values are 0..largest
    Value initial = 0;
    // A position: few actions are possible at each of its values, so engines index actions by it.
    bool control = false;

    bool operator==(const Variable&) const = default;
};

struct Assignment {
    VariableId variable = 0;
    Expression value;
};

// kStep: the pipeline does what it does. kEnvironment: something outside may or may not move (a statement in flight is
// applied or never is, a replaced incarnation ends); free of charge. kFault: counted, and minimised first.
enum class ActionKind { kStep, kEnvironment, kFault };

// What an action means in the document's words, for the reader of a run.
struct ActionLabel {
    std::string process;   // whose step it is
    int slot = -1;         // which of its incarnations that live side by side; -1: none in particular
    bool begins = false;   // a new incarnation begins in the slot
    int moved_to = -1;     // the one that was in the slot stands in this one from now on
    std::string text;      // "truncates warehouse.stg_payments"
    std::string fault;     // kind of fault ("crash"), or empty
    SourcePosition where;  // the step or setting it comes from
    ActionEvent event;     // the same for a machine
};

struct Action {
    ActionKind kind = ActionKind::kStep;
    std::vector<Expression> guard;  // a conjunction
    std::vector<Assignment> assignments;
    ActionLabel label;
};

// What must never be. `name` is unique in a system ("no-loss:warehouse.ledger:payments[0]").
struct Property {
    std::string name;
    Expression bad = falsity();
};

struct TransitionSystem {
    std::string name;
    std::vector<Variable> variables;
    std::vector<Action> actions;
    std::vector<Property> properties;
    Expression complete = falsity();  // settled, and progress covers every record

    [[nodiscard]] State initial() const;
};

// Throws InternalError if a variable, value or assignment is out of range, an action assigns a variable twice, or an
// action has no assignment.
void validate(const TransitionSystem& system);

}  // namespace oncecheck

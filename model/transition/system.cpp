#include "model/transition/system.h"

#include <set>

namespace oncecheck {

namespace {

void check_expression(const TransitionSystem& system, const Expression& expression) {
    if (expression.op() == Operator::kVariable && expression.variable() >= system.variables.size()) {
        throw InternalError("expression names a variable that does not exist in " + system.name);
    }
    for (const Expression& operand : expression.operands()) {
        check_expression(system, operand);
    }
}

void check_action(const TransitionSystem& system, const Action& action) {
    std::set<VariableId> assigned;
    for (const Expression& conjunct : action.guard) {
        check_expression(system, conjunct);
    }
    for (const Assignment& assignment : action.assignments) {
        check_expression(system, assignment.value);
        if (assignment.variable >= system.variables.size() || !assigned.insert(assignment.variable).second) {
            throw InternalError("action '" + action.label.text + "' assigns a variable twice or out of range");
        }
        if (assignment.value.op() == Operator::kConstant &&
            assignment.value.value() > system.variables[assignment.variable].largest) {
            throw InternalError("action '" + action.label.text + "' assigns too large a value to " +
                                system.variables[assignment.variable].name);
        }
    }
    if (assigned.empty()) {
        throw InternalError("action '" + action.label.text + "' changes nothing");
    }
}

}  // namespace

State TransitionSystem::initial() const {
    State state;
    state.reserve(variables.size());
    for (const Variable& variable : variables) {
        state.push_back(variable.initial);
    }
    return state;
}

void validate(const TransitionSystem& system) {
    for (const Variable& variable : system.variables) {
        if (variable.initial > variable.largest) {
            throw InternalError("initial value of " + variable.name + " is out of range");
        }
    }
    for (const Action& action : system.actions) {
        check_action(system, action);
    }
    for (const Property& property : system.properties) {
        check_expression(system, property.bad);
    }
    check_expression(system, system.complete);
}

}  // namespace oncecheck

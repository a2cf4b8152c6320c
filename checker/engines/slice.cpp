#include "checker/engines/slice.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace oncecheck {

namespace {

using Constants = std::vector<std::optional<Value>>;  // a variable; empty if it may change

Expression folded(const Expression& expression, const Constants& constants);

// Where only zero or not counts, a constant becomes a truth value, as the folding of and, or, not expects.
Expression folded_truth(const Expression& expression, const Constants& constants) {
    Expression result = folded(expression, constants);
    return result.op() == Operator::kConstant ? Expression::constant(result.value() != 0 ? 1 : 0) : result;
}

Expression folded(const Expression& expression, const Constants& constants) {
    const auto& operands = expression.operands();
    const auto all = [&](auto fold) {
        std::vector<Expression> result;
        result.reserve(operands.size());
        for (const Expression& operand : operands) {
            result.push_back(fold(operand, constants));
        }
        return result;
    };
    switch (expression.op()) {
        case Operator::kConstant:
            return expression;
        case Operator::kVariable: {
            const std::optional<Value>& value = constants[expression.variable()];
            return value ? Expression::constant(*value) : expression;
        }
        case Operator::kNot:
            return !folded_truth(operands[0], constants);
        case Operator::kAnd:
            return conjunction(all(folded_truth));
        case Operator::kOr:
            return disjunction(all(folded_truth));
        case Operator::kEqual:
            return equal(folded(operands[0], constants), folded(operands[1], constants));
        case Operator::kLess:
            return less(folded(operands[0], constants), folded(operands[1], constants));
        case Operator::kChoose:
            return choose(folded_truth(operands[0], constants), folded(operands[1], constants),
                          folded(operands[2], constants));
        case Operator::kAdd:
            return add(all(folded), expression.value());
    }
    throw InternalError("unknown operator");
}

// Keeps a variable of its initial value out of `constants` once some action may change it.
Constants frozen_variables(const TransitionSystem& system, const std::vector<SlicedAction>& actions) {
    Constants constants;
    for (const Variable& variable : system.variables) {
        constants.emplace_back(variable.initial);
    }
    for (const SlicedAction& action : actions) {
        for (const Assignment& assignment : action.assignments) {
            const Value initial = system.variables[assignment.variable].initial;
            const bool unchanged =
                assignment.value.is_constant(initial) || assignment.value == Expression::variable(assignment.variable);
            if (!unchanged) {
                constants[assignment.variable].reset();
            }
        }
    }
    return constants;
}

// The actions with constants folded, without those that can never be enabled.
std::vector<SlicedAction> folded(const std::vector<SlicedAction>& actions, const Constants& constants) {
    std::vector<SlicedAction> result;
    for (const SlicedAction& action : actions) {
        SlicedAction kept{.index = action.index, .kind = action.kind, .guard = {}, .assignments = {}};
        for (const Expression& conjunct : action.guard) {
            kept.guard.push_back(folded_truth(conjunct, constants));
        }
        for (const Assignment& assignment : action.assignments) {
            kept.assignments.push_back({assignment.variable, folded(assignment.value, constants)});
        }
        const bool never = std::any_of(kept.guard.begin(), kept.guard.end(),
                                       [](const Expression& conjunct) { return conjunct.is_constant(0); });
        if (!never) {
            result.push_back(std::move(kept));
        }
    }
    return result;
}

void mark(const Expression& expression, std::vector<bool>& marked) {
    for (const VariableId variable : variables_of(expression)) {
        marked[variable] = true;
    }
}

std::vector<bool> cone_of_influence(const Slice& slice, std::size_t variables) {
    std::vector<bool> cone(variables, false);
    for (const Expression& bad : slice.bad) {
        mark(bad, cone);
    }
    mark(slice.complete, cone);
    for (const SlicedAction& action : slice.actions) {
        for (const Expression& conjunct : action.guard) {
            mark(conjunct, cone);
        }
    }
    for (std::vector<bool> before; before != cone;) {
        before = cone;
        for (const SlicedAction& action : slice.actions) {
            for (const Assignment& assignment : action.assignments) {
                if (cone[assignment.variable]) {
                    mark(assignment.value, cone);
                }
            }
        }
    }
    return cone;
}

}  // namespace

Slice slice(const TransitionSystem& system) {
    Slice result;
    for (std::size_t index = 0; index < system.actions.size(); ++index) {
        const Action& action = system.actions[index];
        result.actions.push_back({index, action.kind, action.guard, action.assignments});
    }
    Constants constants = frozen_variables(system, result.actions);
    for (;;) {
        result.actions = folded(result.actions, constants);
        Constants more = frozen_variables(system, result.actions);
        if (more == constants) {
            break;
        }
        constants = std::move(more);
    }
    for (const std::optional<Value>& constant : constants) {
        result.frozen.push_back(constant.has_value());
    }
    for (const Property& property : system.properties) {
        result.bad.push_back(folded_truth(property.bad, constants));
    }
    result.complete = folded_truth(system.complete, constants);
    result.kept = cone_of_influence(result, system.variables.size());
    for (SlicedAction& action : result.actions) {
        std::erase_if(action.assignments, [&](const Assignment& assignment) {
            return !result.kept[assignment.variable] || constants[assignment.variable] ||
                   assignment.value == Expression::variable(assignment.variable);
        });
    }
    std::erase_if(result.actions, [&](const SlicedAction& action) {
        if (action.assignments.empty()) {
            result.silent.push_back(action.index);
        }
        return action.assignments.empty();
    });
    return result;
}

}  // namespace oncecheck

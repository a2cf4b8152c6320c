#include "model/transition/evaluator.h"

#include <algorithm>

namespace oncecheck {

Value evaluate(const Expression& expression, const State& state) {
    const auto& operands = expression.operands();
    const auto value_of = [&](std::size_t index) { return evaluate(operands[index], state); };
    const auto is_true = [&](const Expression& operand) { return evaluate(operand, state) != 0; };
    switch (expression.op()) {
        case Operator::kConstant:
            return expression.value();
        case Operator::kVariable:
            return state.at(expression.variable());
        case Operator::kNot:
            return value_of(0) == 0 ? 1 : 0;
        case Operator::kAnd:
            return std::all_of(operands.begin(), operands.end(), is_true) ? 1 : 0;
        case Operator::kOr:
            return std::any_of(operands.begin(), operands.end(), is_true) ? 1 : 0;
        case Operator::kEqual:
            return value_of(0) == value_of(1) ? 1 : 0;
        case Operator::kLess:
            return value_of(0) < value_of(1) ? 1 : 0;
        case Operator::kChoose:
            return value_of(0) != 0 ? value_of(1) : value_of(2);
        case Operator::kAdd: {
            std::uint64_t sum = 0;
            for (const Expression& operand : operands) {
                sum += evaluate(operand, state);
            }
            return static_cast<Value>(std::min<std::uint64_t>(sum, expression.value()));
        }
    }
    throw InternalError("unknown operator");
}

bool enabled(const Action& action, const State& state) {
    return std::all_of(action.guard.begin(), action.guard.end(),
                       [&](const Expression& conjunct) { return evaluate(conjunct, state) != 0; });
}

State perform(const Action& action, const State& state) {
    State after = state;
    for (const Assignment& assignment : action.assignments) {
        after.at(assignment.variable) = evaluate(assignment.value, state);
    }
    return after;
}

std::optional<std::string> replay(const TransitionSystem& system, const Trace& trace) {
    if (trace.initial != system.initial()) {
        return "the run does not begin in the initial state";
    }
    State state = trace.initial;
    for (std::size_t index = 0; index < trace.steps.size(); ++index) {
        const TraceStep& step = trace.steps[index];
        const std::string place = "step " + std::to_string(index + 1);
        if (step.action >= system.actions.size()) {
            return place + " names no action";
        }
        const Action& action = system.actions[step.action];
        if (!enabled(action, state)) {
            return place + " (" + action.label.text + ") is not possible there";
        }
        state = perform(action, state);
        if (state != step.after) {
            return place + " (" + action.label.text + ") does not lead to the state that is recorded";
        }
    }
    return std::nullopt;
}

}  // namespace oncecheck

// Kleene's three-valued logic over the tree: false decides a conjunction and true a disjunction, whatever is unknown.
#include "model/catalogue/catalogue.h"
#include "model/catalogue/formula.h"

namespace oncecheck {

namespace {

using Result = std::optional<FormulaValue>;

Result truth(std::optional<bool> value) { return value ? Result(*value) : std::nullopt; }

std::optional<bool> as_truth(const Result& value) {
    if (value && std::holds_alternative<bool>(*value)) {
        return std::get<bool>(*value);
    }
    return std::nullopt;
}

// Conjunction (`deciding` = false) and disjunction (`deciding` = true).
Result connect(const std::vector<Formula>& operands, bool deciding, const FormulaEnvironment& environment) {
    bool unknown = false;
    for (const Formula& operand : operands) {
        const std::optional<bool> value = holds(operand, environment);
        if (value == deciding) {
            return deciding;
        }
        unknown = unknown || !value;
    }
    return unknown ? std::nullopt : Result(!deciding);
}

// Negative, zero, positive; nothing if the two have no order.
std::optional<int> order(const FormulaValue& left, const FormulaValue& right) {
    if (std::holds_alternative<std::int64_t>(left) && std::holds_alternative<std::int64_t>(right)) {
        const std::int64_t a = std::get<std::int64_t>(left);
        const std::int64_t b = std::get<std::int64_t>(right);
        return a < b ? -1 : (a > b ? 1 : 0);
    }
    if (std::holds_alternative<std::string>(left) && std::holds_alternative<std::string>(right)) {
        return compare_versions(std::get<std::string>(left), std::get<std::string>(right));
    }
    return std::nullopt;
}

bool compare(FormulaOperator op, const FormulaValue& left, const FormulaValue& right) {
    if (op == FormulaOperator::kEqual) {
        return left == right;
    }
    if (op == FormulaOperator::kNotEqual) {
        return left != right;
    }
    if (op == FormulaOperator::kStartsWith) {
        return std::holds_alternative<std::string>(left) && std::holds_alternative<std::string>(right) &&
               std::get<std::string>(left).starts_with(std::get<std::string>(right));
    }
    const std::optional<int> sign = order(left, right);
    if (!sign) {
        return false;
    }
    switch (op) {
        case FormulaOperator::kLess:
            return *sign < 0;
        case FormulaOperator::kLessEqual:
            return *sign <= 0;
        case FormulaOperator::kGreater:
            return *sign > 0;
        default:
            return *sign >= 0;
    }
}

Result calculate(FormulaOperator op, const FormulaValue& left, const FormulaValue& right) {
    const auto* const a = std::get_if<std::int64_t>(&left);
    const auto* const b = std::get_if<std::int64_t>(&right);
    if (a == nullptr || b == nullptr) {
        return std::nullopt;
    }
    std::int64_t result = 0;
    bool overflow = false;
    if (op == FormulaOperator::kAdd) {
        overflow = __builtin_add_overflow(*a, *b, &result);
    } else if (op == FormulaOperator::kSubtract) {
        overflow = __builtin_sub_overflow(*a, *b, &result);
    } else {
        overflow = __builtin_mul_overflow(*a, *b, &result);
    }
    return overflow ? std::nullopt : Result(result);
}

Result is_member(const std::vector<Formula>& operands, const FormulaEnvironment& environment) {
    const Result value = evaluate(operands.front(), environment);
    bool unknown = !value;
    for (std::size_t i = 1; i < operands.size(); ++i) {
        const Result candidate = evaluate(operands[i], environment);
        if (value && candidate && *value == *candidate) {
            return true;
        }
        unknown = unknown || !candidate;
    }
    return unknown ? std::nullopt : Result(false);
}

bool is_arithmetic(FormulaOperator op) {
    return op == FormulaOperator::kAdd || op == FormulaOperator::kSubtract || op == FormulaOperator::kMultiply;
}

}  // namespace

Result evaluate(const Formula& formula, const FormulaEnvironment& environment) {
    const Formula::Node& node = formula.node();
    switch (node.op) {
        case FormulaOperator::kConstant:
            return node.constant;
        case FormulaOperator::kName:
            return environment ? environment(node.name) : std::nullopt;
        case FormulaOperator::kNot: {
            const std::optional<bool> value = holds(node.operands.front(), environment);
            return value ? truth(!*value) : std::nullopt;
        }
        case FormulaOperator::kAnd:
            return connect(node.operands, false, environment);
        case FormulaOperator::kOr:
            return connect(node.operands, true, environment);
        case FormulaOperator::kIn:
            return is_member(node.operands, environment);
        case FormulaOperator::kEqual:
        case FormulaOperator::kNotEqual:
        case FormulaOperator::kLess:
        case FormulaOperator::kLessEqual:
        case FormulaOperator::kGreater:
        case FormulaOperator::kGreaterEqual:
        case FormulaOperator::kStartsWith:
        case FormulaOperator::kAdd:
        case FormulaOperator::kSubtract:
        case FormulaOperator::kMultiply:
            break;
    }
    const Result left = evaluate(node.operands[0], environment);
    const Result right = evaluate(node.operands[1], environment);
    if (!left || !right) {
        return std::nullopt;
    }
    return is_arithmetic(node.op) ? calculate(node.op, *left, *right) : Result(compare(node.op, *left, *right));
}

std::optional<bool> holds(const Formula& formula, const FormulaEnvironment& environment) {
    return as_truth(evaluate(formula, environment));
}

}  // namespace oncecheck

#include "checker/conditions/residual.h"

#include <utility>

#include "checker/conditions/duration_text.h"
#include "model/errors.h"

namespace oncecheck {

namespace {

// How tightly an operator binds, as the grammar in formula.h has it.
enum Binding { kLoose, kOrBinding, kAndBinding, kNotBinding, kComparison, kSum, kProduct, kAtom };

struct Style {
    Binding binding;
    const char* word;
};

Style style(FormulaOperator op) {
    switch (op) {
        case FormulaOperator::kConstant:
        case FormulaOperator::kName:
            return {kAtom, ""};
        case FormulaOperator::kNot:
            return {kNotBinding, "not "};
        case FormulaOperator::kAnd:
            return {kAndBinding, " and "};
        case FormulaOperator::kOr:
            return {kOrBinding, " or "};
        case FormulaOperator::kEqual:
            return {kComparison, " = "};
        case FormulaOperator::kNotEqual:
            return {kComparison, " != "};
        case FormulaOperator::kLess:
            return {kComparison, " < "};
        case FormulaOperator::kLessEqual:
            return {kComparison, " <= "};
        case FormulaOperator::kGreater:
            return {kComparison, " > "};
        case FormulaOperator::kGreaterEqual:
            return {kComparison, " >= "};
        case FormulaOperator::kStartsWith:
            return {kComparison, " starts_with "};
        case FormulaOperator::kIn:
            return {kComparison, " in "};
        case FormulaOperator::kAdd:
            return {kSum, " + "};
        case FormulaOperator::kSubtract:
            return {kSum, " - "};
        case FormulaOperator::kMultiply:
            return {kProduct, " * "};
    }
    throw InternalError("unknown formula operator");
}

std::string constant_text(const FormulaValue& value, bool is_factor) {
    if (const auto* const truth = std::get_if<bool>(&value)) {
        return *truth ? "true" : "false";
    }
    if (const auto* const number = std::get_if<std::int64_t>(&value)) {
        return is_factor ? std::to_string(*number) : format_duration(*number);
    }
    if (const auto* const text = std::get_if<std::string>(&value)) {
        return "'" + *text + "'";
    }
    return "unset";
}

std::string text_within(const Formula& formula, Binding outer, bool is_factor) {
    const Formula::Node& node = formula.node();
    if (node.op == FormulaOperator::kConstant) {
        return constant_text(node.constant, is_factor);
    }
    if (node.op == FormulaOperator::kName) {
        return node.name;
    }
    const Style shown = style(node.op);
    const bool factors = node.op == FormulaOperator::kMultiply;
    std::string text = node.op == FormulaOperator::kNot ? shown.word : "";
    for (std::size_t index = 0; index < node.operands.size(); ++index) {
        const bool candidate = node.op == FormulaOperator::kIn && index > 0;
        text += index == 0 ? "" : candidate && index > 1 ? ", " : shown.word;
        text += candidate && index == 1 ? "(" : "";
        // Comparisons do not chain; a - (b - c) is not a - b - c.
        const bool right = index > 0 && (shown.binding == kSum || shown.binding == kProduct);
        const int tighter = right || shown.binding == kComparison ? 1 : 0;
        text += text_within(node.operands[index], static_cast<Binding>(shown.binding + tighter), factors);
        text += candidate && index + 1 == node.operands.size() ? ")" : "";
    }
    return shown.binding < outer ? "(" + text + ")" : text;
}

Formula with_text(Formula::Node node) {
    const Formula bare(std::move(node));
    return Formula(bare.node(), to_text(bare));
}

}  // namespace

Formula residual(const Formula& formula, const FormulaEnvironment& known) {
    if (const std::optional<FormulaValue> value = evaluate(formula, known)) {
        return with_text({FormulaOperator::kConstant, *value, {}, {}});
    }
    Formula::Node left = formula.node();
    left.operands.clear();
    const bool connects = left.op == FormulaOperator::kAnd || left.op == FormulaOperator::kOr;
    for (const Formula& operand : formula.node().operands) {
        // A decided operand of a connective that is itself undecided is neutral.
        if (!connects || !holds(operand, known)) {
            left.operands.push_back(residual(operand, known));
        }
    }
    if (connects && left.operands.size() == 1) {
        return left.operands.front();
    }
    return with_text(std::move(left));
}

std::string to_text(const Formula& formula) { return text_within(formula, kLoose, false); }

}  // namespace oncecheck

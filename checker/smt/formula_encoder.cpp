#include "checker/smt/formula_encoder.h"

#include "model/errors.h"

namespace oncecheck {

namespace {

bool is_some(const auto& term) { return term.truth || term.number || term.other; }

}  // namespace

z3::expr FormulaEncoder::truth(const Formula& formula) {
    const Term value = term(formula);
    return value.truth ? *value.truth : anything();
}

z3::expr FormulaEncoder::time(const std::string& name) {
    const auto known = times_.find(name);
    if (known != times_.end()) {
        return known->second;
    }
    const z3::expr result = solver_.terms().int_const(name.c_str());
    solver_.add(result >= 0);
    times_.emplace(name, result);
    return result;
}

FormulaEncoder::Term FormulaEncoder::term(const Formula& formula) {
    const Formula::Node& node = formula.node();
    switch (node.op) {
        case FormulaOperator::kConstant:
            return constant(node.constant);
        case FormulaOperator::kName:
            return {{}, time(node.name), {}};
        case FormulaOperator::kNot:
            return {!truth(node.operands[0]), {}, {}};
        case FormulaOperator::kAnd:
        case FormulaOperator::kOr:
            return {connective(formula), {}, {}};
        case FormulaOperator::kEqual:
            return {equal(term(node.operands[0]), term(node.operands[1])), {}, {}};
        case FormulaOperator::kNotEqual:
            return {!equal(term(node.operands[0]), term(node.operands[1])), {}, {}};
        case FormulaOperator::kLess:
        case FormulaOperator::kLessEqual:
        case FormulaOperator::kGreater:
        case FormulaOperator::kGreaterEqual:
        case FormulaOperator::kStartsWith:
            return {ordered(node.op, term(node.operands[0]), term(node.operands[1])), {}, {}};
        case FormulaOperator::kIn:
            return {member(formula), {}, {}};
        case FormulaOperator::kAdd:
        case FormulaOperator::kSubtract:
        case FormulaOperator::kMultiply:
            return arithmetic(formula);
    }
    throw InternalError("unknown formula operator");
}

FormulaEncoder::Term FormulaEncoder::constant(const FormulaValue& value) {
    if (const auto* const truth = std::get_if<bool>(&value)) {
        return {solver_.terms().bool_val(*truth), {}, {}};
    }
    if (const auto* const number = std::get_if<std::int64_t>(&value)) {
        return {{}, solver_.terms().int_val(*number), {}};
    }
    return {{}, {}, value};
}

z3::expr FormulaEncoder::connective(const Formula& formula) {
    z3::expr_vector operands(solver_.terms());
    for (const Formula& operand : formula.node().operands) {
        operands.push_back(truth(operand));
    }
    return formula.node().op == FormulaOperator::kAnd ? z3::mk_and(operands) : z3::mk_or(operands);
}

z3::expr FormulaEncoder::equal(const Term& a, const Term& b) {
    if (!is_some(a) || !is_some(b)) {
        return anything();
    }
    if (a.truth && b.truth) {
        return *a.truth == *b.truth;
    }
    if (a.number && b.number) {
        return *a.number == *b.number;
    }
    return solver_.terms().bool_val(a.other && b.other && *a.other == *b.other);
}

// Two constants of another kind do not get here: they have a value without any solver.
z3::expr FormulaEncoder::ordered(FormulaOperator op, const Term& a, const Term& b) {
    if (!is_some(a) || !is_some(b) || (a.other && b.other)) {
        return anything();
    }
    if (!a.number || !b.number || op == FormulaOperator::kStartsWith) {
        return solver_.terms().bool_val(false);
    }
    switch (op) {
        case FormulaOperator::kLess:
            return *a.number < *b.number;
        case FormulaOperator::kLessEqual:
            return *a.number <= *b.number;
        case FormulaOperator::kGreater:
            return *a.number > *b.number;
        default:
            return *a.number >= *b.number;
    }
}

z3::expr FormulaEncoder::member(const Formula& formula) {
    const auto& operands = formula.node().operands;
    const Term value = term(operands[0]);
    z3::expr_vector equalities(solver_.terms());
    for (std::size_t index = 1; index < operands.size(); ++index) {
        equalities.push_back(equal(value, term(operands[index])));
    }
    return z3::mk_or(equalities);
}

FormulaEncoder::Term FormulaEncoder::arithmetic(const Formula& formula) {
    const Term a = term(formula.node().operands[0]);
    const Term b = term(formula.node().operands[1]);
    if (!a.number || !b.number) {
        return {};
    }
    if (formula.node().op == FormulaOperator::kAdd) {
        return {{}, *a.number + *b.number, {}};
    }
    return {{}, formula.node().op == FormulaOperator::kSubtract ? *a.number - *b.number : *a.number * *b.number, {}};
}

z3::expr FormulaEncoder::anything() { return solver_.terms().bool_const(("open" + std::to_string(++open_)).c_str()); }

}  // namespace oncecheck

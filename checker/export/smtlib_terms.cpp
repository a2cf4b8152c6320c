#include "checker/export/smtlib_terms.h"

#include <algorithm>
#include <set>

#include "checker/export/expression_range.h"

namespace oncecheck {

namespace {

bool is_truth(const Expression& expression) { return kOperators[static_cast<std::size_t>(expression.op())].truth; }

// A term of `have` bits as one of `want` bits.
std::string resized(const std::string& term, unsigned have, unsigned want) {
    if (have == want) {
        return term;
    }
    return have < want ? "((_ zero_extend " + std::to_string(want - have) + ") " + term + ')'
                       : "((_ extract " + std::to_string(want - 1) + " 0) " + term + ')';
}

}  // namespace

std::string smtlib_symbol(const std::string& text) {
    std::string symbol;
    for (const char letter : text) {
        const bool printable = letter >= ' ' && letter <= '~';
        symbol += printable && letter != '|' && letter != '\\' ? letter : '_';
    }
    return '|' + symbol + '|';
}

std::string smtlib_literal(Value value, unsigned bits) {
    std::string digits = "#b";
    for (unsigned bit = bits; bit-- > 0;) {
        digits += bit < 32 && ((value >> bit) & 1U) != 0 ? '1' : '0';
    }
    return digits;
}

std::vector<std::string> smtlib_symbols(const TransitionSystem& system, const std::string& suffix) {
    std::vector<std::string> symbols;
    std::set<std::string> taken;
    for (const Variable& variable : system.variables) {
        std::string symbol = smtlib_symbol(variable.name + suffix);
        for (int number = 2; !taken.insert(symbol).second; ++number) {
            symbol = smtlib_symbol(variable.name + " (" + std::to_string(number) + ')' + suffix);
        }
        symbols.push_back(symbol);
    }
    return symbols;
}

unsigned SmtlibTerms::bits(VariableId variable) const { return bits_for(system_->variables.at(variable).largest); }

std::string SmtlibTerms::connective(const char* symbol, const Expression& expression) const {
    std::string text = std::string("(") + symbol;
    for (const Expression& operand : expression.operands()) {
        text += ' ' + truth(operand);
    }
    return text + ')';
}

std::string SmtlibTerms::comparison(const char* symbol, const Expression& expression) const {
    const Expression& left = expression.operands()[0];
    const Expression& right = expression.operands()[1];
    const unsigned width = bits_for(std::max(largest_value(*system_, left), largest_value(*system_, right)));
    return std::string("(") + symbol + ' ' + value(left, width) + ' ' + value(right, width) + ')';
}

std::string SmtlibTerms::truth(const Expression& expression) const {
    switch (expression.op()) {
        case Operator::kConstant:
            return expression.value() != 0 ? "true" : "false";
        case Operator::kVariable:
            return "(not (= " + symbol(expression.variable()) + ' ' + smtlib_literal(0, bits(expression.variable())) +
                   "))";
        case Operator::kNot:
            return connective("not", expression);
        case Operator::kAnd:
            return connective("and", expression);
        case Operator::kOr:
            return connective("or", expression);
        case Operator::kEqual:
            return comparison("=", expression);
        case Operator::kLess:
            return comparison("bvult", expression);
        case Operator::kChoose:
            return connective("ite", expression);
        case Operator::kAdd: {
            const unsigned width = bits_for(largest_value(*system_, expression));
            return "(not (= " + sum(expression, width) + ' ' + smtlib_literal(0, width) + "))";
        }
    }
    throw InternalError("unknown operator");
}

std::string SmtlibTerms::value(const Expression& expression, unsigned bits) const {
    if (is_truth(expression)) {
        return "(ite " + truth(expression) + ' ' + smtlib_literal(1, bits) + ' ' + smtlib_literal(0, bits) + ')';
    }
    switch (expression.op()) {
        case Operator::kConstant:
            return smtlib_literal(expression.value(), bits);
        case Operator::kVariable:
            return resized(symbol(expression.variable()), this->bits(expression.variable()), bits);
        case Operator::kChoose:
            return "(ite " + truth(expression.operands()[0]) + ' ' + value(expression.operands()[1], bits) + ' ' +
                   value(expression.operands()[2], bits) + ')';
        case Operator::kAdd:
            return sum(expression, bits);
        case Operator::kNot:
        case Operator::kAnd:
        case Operator::kOr:
        case Operator::kEqual:
        case Operator::kLess:
            break;
    }
    throw InternalError("unknown operator");
}

std::string SmtlibTerms::sum(const Expression& expression, unsigned bits) const {
    const std::uint64_t largest = largest_sum(*system_, expression);
    const unsigned width = std::max({bits, bits_for(largest), bits_for(expression.value())});
    std::string total;
    for (const Expression& operand : expression.operands()) {
        const std::string term = value(operand, width);
        total = total.empty() ? term : "(bvadd " + total + ' ' + term + ')';
    }
    if (largest > expression.value()) {
        const std::string cap = smtlib_literal(expression.value(), width);
        total = "(let ((sum " + total + ")) (ite (bvugt sum " + cap + ") " + cap + " sum))";
    }
    return resized(total, width, bits);
}

}  // namespace oncecheck

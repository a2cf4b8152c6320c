#include "checker/compose/invariant_text.h"

#include <algorithm>

namespace oncecheck {

namespace {

constexpr std::size_t kExamples = 3;

class ExpressionText {
  public:
    explicit ExpressionText(const TransitionSystem& system) : system_(system) {}

    std::string operator()(const Expression& expression) const {
        const std::vector<Expression>& operands = expression.operands();
        switch (expression.op()) {
            case Operator::kConstant:
                return std::to_string(expression.value());
            case Operator::kVariable:
                return system_.variables.at(expression.variable()).name;
            case Operator::kNot:
                return "not " + nested(operands[0]);
            case Operator::kAnd:
                return joined(operands, " and ");
            case Operator::kOr:
                return joined(operands, " or ");
            case Operator::kEqual:
                return joined(operands, " = ");
            case Operator::kLess:
                return joined(operands, " < ");
            case Operator::kChoose:
                return "if " + nested(operands[0]) + " then " + nested(operands[1]) + " else " + nested(operands[2]);
            case Operator::kAdd:
                return "the least of " + std::to_string(expression.value()) + " and " + joined(operands, " + ");
        }
        throw InternalError("unknown operator");
    }

  private:
    std::string nested(const Expression& expression) const {
        const bool simple = expression.op() == Operator::kConstant || expression.op() == Operator::kVariable;
        return simple ? (*this)(expression) : '(' + (*this)(expression) + ')';
    }

    // Comparisons stand in connectives without parentheses.
    std::string joined(const std::vector<Expression>& operands, const std::string& word) const {
        const bool connective = word == " and " || word == " or ";
        std::string text;
        for (const Expression& operand : operands) {
            const bool comparison = operand.op() == Operator::kEqual || operand.op() == Operator::kLess;
            text += (text.empty() ? "" : word) + (connective && comparison ? (*this)(operand) : nested(operand));
        }
        return text;
    }

    const TransitionSystem& system_;
};

std::vector<Expression> parts(const Expression& expression, Operator op) {
    return expression.op() == op ? expression.operands() : std::vector<Expression>{expression};
}

}  // namespace

std::string clause_text(const TransitionSystem& system, const Expression& clause) {
    const std::vector<Expression> literals = parts(clause, Operator::kOr);
    const bool excludes = std::all_of(literals.begin(), literals.end(),
                                      [](const Expression& literal) { return literal.op() == Operator::kNot; });
    if (!excludes) {
        return ExpressionText(system)(clause);
    }
    std::vector<Expression> cube;
    for (const Expression& literal : literals) {
        cube.push_back(!literal);
    }
    return "never (" + ExpressionText(system)(conjunction(cube)) + ')';
}

ReportedInvariant describe_invariant(const FoundInvariant& found) {
    const TransitionSystem& system = found.system->system;
    const std::vector<Expression> clauses = parts(found.evidence.invariant, Operator::kAnd);
    ReportedInvariant result;
    result.system = system.name;
    result.property = to_string(found.system->meanings[found.property].flaw);
    result.k = found.evidence.k;
    result.clauses = clauses.size();
    for (const Expression& clause : clauses) {
        // That the property holds is no news.
        if (result.examples.size() < kExamples && !(clause == !system.properties[found.property].bad)) {
            result.examples.push_back(clause_text(system, clause));
        }
    }
    return result;
}

}  // namespace oncecheck

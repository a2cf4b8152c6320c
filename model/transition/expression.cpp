#include "model/transition/expression.h"

#include <algorithm>
#include <ostream>
#include <set>

namespace oncecheck {

namespace {

void collect(const Expression& expression, std::set<VariableId>& found) {
    if (expression.op() == Operator::kVariable) {
        found.insert(expression.variable());
    }
    for (const Expression& operand : expression.operands()) {
        collect(operand, found);
    }
}

// Flattens operands of the same operator and drops neutral ones; empty if an absorbing operand occurs.
std::vector<Expression> flattened(Operator op, Value neutral, const std::vector<Expression>& operands, bool& absorbed) {
    std::vector<Expression> flat;
    const auto stands = [&](const Expression& operand) {
        return std::find(flat.begin(), flat.end(), operand) != flat.end();
    };
    for (const Expression& operand : operands) {
        if (operand.op() == Operator::kConstant) {
            absorbed = absorbed || operand.value() != neutral;
        } else if (operand.op() == op) {
            flat.insert(flat.end(), operand.operands().begin(), operand.operands().end());
        } else if (!stands(operand)) {
            absorbed = absorbed || stands(!operand);  // x and not x, x or not x
            flat.push_back(operand);
        }
    }
    return flat;
}

}  // namespace

Expression::Expression(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}

Expression Expression::constant(Value value) { return Expression({Operator::kConstant, value, {}}); }

Expression Expression::variable(VariableId variable) { return Expression({Operator::kVariable, variable, {}}); }

bool Expression::operator==(const Expression& other) const {
    return node_ == other.node_ || (node_->op == other.node_->op && node_->value == other.node_->value &&
                                    node_->operands == other.node_->operands);
}

Expression operator!(const Expression& a) {
    if (a.op() == Operator::kConstant) {
        return Expression::constant(a.value() == 0 ? 1 : 0);
    }
    if (a.op() == Operator::kNot) {
        return a.operands().front();
    }
    return Expression({Operator::kNot, 0, {a}});
}

Expression conjunction(const std::vector<Expression>& operands) {
    bool absorbed = false;
    std::vector<Expression> flat = flattened(Operator::kAnd, 1, operands, absorbed);
    if (absorbed) {
        return falsity();
    }
    if (flat.empty()) {
        return truth();
    }
    return flat.size() == 1 ? flat.front() : Expression({Operator::kAnd, 0, std::move(flat)});
}

Expression disjunction(const std::vector<Expression>& operands) {
    bool absorbed = false;
    std::vector<Expression> flat = flattened(Operator::kOr, 0, operands, absorbed);
    if (absorbed) {
        return truth();
    }
    if (flat.empty()) {
        return falsity();
    }
    return flat.size() == 1 ? flat.front() : Expression({Operator::kOr, 0, std::move(flat)});
}

Expression equal(const Expression& a, const Expression& b) {
    if (a == b) {
        return truth();
    }
    if (a.op() == Operator::kConstant && b.op() == Operator::kConstant) {
        return falsity();
    }
    return Expression({Operator::kEqual, 0, {a, b}});
}

Expression less(const Expression& a, const Expression& b) {
    if (a == b || b.is_constant(0)) {
        return falsity();
    }
    if (a.op() == Operator::kConstant && b.op() == Operator::kConstant) {
        return Expression::constant(a.value() < b.value() ? 1 : 0);
    }
    return Expression({Operator::kLess, 0, {a, b}});
}

Expression choose(const Expression& condition, const Expression& then, const Expression& otherwise) {
    if (condition.op() == Operator::kConstant) {
        return condition.value() != 0 ? then : otherwise;
    }
    return then == otherwise ? then : Expression({Operator::kChoose, 0, {condition, then, otherwise}});
}

Expression add(const std::vector<Expression>& operands, Value cap) {
    Value constant = 0;
    std::vector<Expression> rest;
    for (const Expression& operand : operands) {
        if (operand.op() == Operator::kConstant) {
            constant = operand.value() >= cap - constant ? cap : constant + operand.value();
        } else {
            rest.push_back(operand);
        }
    }
    if (rest.empty() || constant == cap) {
        return Expression::constant(constant);
    }
    if (constant != 0) {
        rest.push_back(Expression::constant(constant));
    }
    const bool small = rest.size() == 1 && (kOperators[static_cast<std::size_t>(rest.front().op())].truth ||
                                            (rest.front().op() == Operator::kAdd && rest.front().value() <= cap));
    return small ? rest.front() : Expression({Operator::kAdd, cap, std::move(rest)});
}

Expression equals(VariableId variable, Value value) {
    return equal(Expression::variable(variable), Expression::constant(value));
}

std::vector<VariableId> variables_of(const Expression& expression) {
    std::set<VariableId> found;
    collect(expression, found);
    return {found.begin(), found.end()};
}

std::ostream& operator<<(std::ostream& out, const Expression& expression) {
    switch (expression.op()) {
        case Operator::kConstant:
            return out << expression.value();
        case Operator::kVariable:
            return out << 'v' << expression.variable();
        case Operator::kNot:
        case Operator::kAnd:
        case Operator::kOr:
        case Operator::kEqual:
        case Operator::kLess:
        case Operator::kChoose:
        case Operator::kAdd:
            break;
    }
    out << '(' << kOperators[static_cast<std::size_t>(expression.op())].name;
    for (const Expression& operand : expression.operands()) {
        out << ' ' << operand;
    }
    return out << ')';
}

}  // namespace oncecheck

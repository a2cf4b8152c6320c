// Expressions of the transition system: immutable handles over finite, unsigned values.
//
// A variable has the values 0..largest; truth values are 0 and 1. There is one table of operators (kOperators) for
// the evaluator, the compiled search, the solver encoding and the exports; a new operator is one row and one case in
// each, which the compiler then asks for.
#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string_view>
#include <vector>

namespace oncecheck {

using Value = std::uint32_t;
using VariableId = std::uint32_t;

enum class Operator : std::uint8_t {
    kConstant,  // value()
    kVariable,  // variable()
    kNot,       // 1 - a
    kAnd,       // n-ary, of truth values
    kOr,        // n-ary, of truth values
    kEqual,     // a = b
    kLess,      // a < b
    kChoose,    // a ? b : c
    kAdd,       // min(a + b + ..., value()): saturating at the constant value()
};

struct OperatorInfo {
    Operator op;
    std::string_view name;
    int arity;   // -1: any number
    bool truth;  // the result is a truth value
};

inline constexpr std::array kOperators = {
    OperatorInfo{Operator::kConstant, "constant", 0, false},
    OperatorInfo{Operator::kVariable, "variable", 0, false},
    OperatorInfo{Operator::kNot, "not", 1, true},
    OperatorInfo{Operator::kAnd, "and", -1, true},
    OperatorInfo{Operator::kOr, "or", -1, true},
    OperatorInfo{Operator::kEqual, "=", 2, true},
    OperatorInfo{Operator::kLess, "<", 2, true},
    OperatorInfo{Operator::kChoose, "choose", 3, false},
    OperatorInfo{Operator::kAdd, "add", -1, false},
};
static_assert([] {
    for (std::size_t i = 0; i < kOperators.size(); ++i) {
        if (static_cast<std::size_t>(kOperators[i].op) != i) {
            return false;
        }
    }
    return kOperators.size() == static_cast<std::size_t>(Operator::kAdd) + 1;
}());

class Expression {
  public:
    [[nodiscard]] static Expression constant(Value value);
    [[nodiscard]] static Expression variable(VariableId variable);

    [[nodiscard]] Operator op() const { return node_->op; }
    [[nodiscard]] Value value() const { return node_->value; }
    [[nodiscard]] VariableId variable() const { return node_->value; }
    [[nodiscard]] const std::vector<Expression>& operands() const { return node_->operands; }
    [[nodiscard]] bool is_constant(Value value) const { return op() == Operator::kConstant && node_->value == value; }
    [[nodiscard]] bool operator==(const Expression& other) const;

    // Constructors; they fold constants, flatten and drop neutral operands, so that `true` and `false` never stand
    // inside a conjunction.
    friend Expression operator!(const Expression& a);
    friend Expression conjunction(const std::vector<Expression>& operands);
    friend Expression disjunction(const std::vector<Expression>& operands);
    friend Expression equal(const Expression& a, const Expression& b);
    friend Expression less(const Expression& a, const Expression& b);
    friend Expression choose(const Expression& condition, const Expression& then, const Expression& otherwise);
    friend Expression add(const std::vector<Expression>& operands, Value cap);

  private:
    struct Node {
        Operator op;
        Value value;
        std::vector<Expression> operands;
    };
    explicit Expression(Node node);
    std::shared_ptr<const Node> node_;
};

[[nodiscard]] Expression operator!(const Expression& a);
[[nodiscard]] Expression conjunction(const std::vector<Expression>& operands);
[[nodiscard]] Expression disjunction(const std::vector<Expression>& operands);
[[nodiscard]] Expression equal(const Expression& a, const Expression& b);
[[nodiscard]] Expression less(const Expression& a, const Expression& b);
[[nodiscard]] Expression choose(const Expression& condition, const Expression& then, const Expression& otherwise);
// min(sum, cap).
[[nodiscard]] Expression add(const std::vector<Expression>& operands, Value cap);

// Shorthands.
[[nodiscard]] Expression equals(VariableId variable, Value value);
[[nodiscard]] inline Expression truth() { return Expression::constant(1); }
[[nodiscard]] inline Expression falsity() { return Expression::constant(0); }

// The variables that occur, sorted, once.
[[nodiscard]] std::vector<VariableId> variables_of(const Expression& expression);

std::ostream& operator<<(std::ostream& out, const Expression& expression);

}  // namespace oncecheck

// Expressions as Boolean terms. A value that is not a constant is a list of cases: each value that it may have, with
// the Boolean term that says so,
//
//   v  ~>  {(x1, v = x1), (x2, v = x2), ...}      the terms exclude each other and one of them is true,
//
// so that `v = 7` is one literal, and a value that a step cannot reach does not occur at all: `false` is folded away
// wherever it appears, which prunes guards and actions without a separate analysis. There is no arithmetic: operators
// act on the pairs of cases. Meant for small domains; the work is the product of the operands' cases.
#pragma once

#include <z3++.h>

#include <map>
#include <vector>

#include "model/transition/expression.h"

namespace oncecheck {

// One value that a variable or an expression may have, and when.
struct Case {
    Value value;
    z3::expr when;
};

using Cases = std::vector<Case>;  // by ascending value; no `when` is constant false

// What the variables may be at one step, with some of them narrowed by what is known there (an action's guard).
class Valuation {
  public:
    // `variables` must outlive this.
    explicit Valuation(const std::vector<Cases>& variables) : variables_(variables) {}

    [[nodiscard]] const Cases& at(VariableId variable) const;
    void narrow(VariableId variable, Cases cases) { narrowed_.insert_or_assign(variable, std::move(cases)); }

  private:
    const std::vector<Cases>& variables_;
    std::map<VariableId, Cases> narrowed_;
};

class Encoder {
  public:
    // `context` must outlive this.
    explicit Encoder(z3::context& context) : true_(context.bool_val(true)), false_(context.bool_val(false)) {}

    // A truth value as one term; any value but 0 is true.
    [[nodiscard]] z3::expr truth(const Expression& expression, const Valuation& valuation) const;
    [[nodiscard]] Cases cases(const Expression& expression, const Valuation& valuation) const;

    // The cases of `variable` for which `condition`, which names no other variable, is true.
    [[nodiscard]] Cases satisfying(const Expression& condition, VariableId variable, const Valuation& valuation) const;

    // When the value is `value`; constant false if it never is.
    [[nodiscard]] z3::expr when(const Cases& cases, Value value) const;

    // Boolean operators that fold constants and equal operands.
    [[nodiscard]] z3::expr negation(const z3::expr& a) const;
    [[nodiscard]] z3::expr both(const z3::expr& a, const z3::expr& b) const;
    [[nodiscard]] z3::expr either(const z3::expr& a, const z3::expr& b) const;
    [[nodiscard]] z3::expr any(const std::vector<z3::expr>& terms) const;
    [[nodiscard]] const z3::expr& constant(bool value) const { return value ? true_ : false_; }

  private:
    [[nodiscard]] Cases truth_cases(const z3::expr& truth) const;
    [[nodiscard]] Cases chosen(const Expression& expression, const Valuation& valuation) const;
    [[nodiscard]] Cases sum(const Expression& expression, const Valuation& valuation) const;

    z3::expr true_;
    z3::expr false_;
};

}  // namespace oncecheck

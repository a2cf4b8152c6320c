// Formulas as integer terms. Names are integers >= 0; values of other kinds (strings, unset) exist only as constants,
// so every comparison with one is decided here, as model/catalogue/formula.h says: different kinds are unequal and have
// no order. What has no value becomes a Boolean that may be anything.
#pragma once

#include <z3++.h>

#include <map>
#include <optional>
#include <string>

#include "checker/smt/solver.h"
#include "model/catalogue/formula.h"

namespace oncecheck {

class FormulaEncoder {
  public:
    // `solver` must outlive this; it is told that names are not negative.
    explicit FormulaEncoder(Solver& solver) : solver_(solver) {}

    [[nodiscard]] z3::expr truth(const Formula& formula);
    [[nodiscard]] z3::expr time(const std::string& name);

    // Some term so far may be anything.
    [[nodiscard]] bool is_open() const { return open_ != 0; }

  private:
    // A truth value, a number, a constant of another kind, or (none of them) no value.
    struct Term {
        std::optional<z3::expr> truth;
        std::optional<z3::expr> number;
        std::optional<FormulaValue> other;
    };

    [[nodiscard]] Term term(const Formula& formula);
    [[nodiscard]] Term constant(const FormulaValue& value);
    [[nodiscard]] z3::expr connective(const Formula& formula);
    [[nodiscard]] z3::expr equal(const Term& a, const Term& b);
    [[nodiscard]] z3::expr ordered(FormulaOperator op, const Term& a, const Term& b);
    [[nodiscard]] z3::expr member(const Formula& formula);
    [[nodiscard]] Term arithmetic(const Formula& formula);
    [[nodiscard]] z3::expr anything();

    Solver& solver_;
    std::map<std::string, z3::expr> times_;
    int open_ = 0;
};

}  // namespace oncecheck

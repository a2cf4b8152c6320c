// Formulas over settings and assumed times, as the catalogue writes them:
//   statement_timeout > 0 and statement_timeout < assume.min_restart_delay
//   spark.task.maxFailures > 1 or spark.speculation
// Immutable values. Three-valued when evaluated: a name without a value makes the result unknown unless the other
// operands decide it. The SMT side (checker/conditions) reads the same tree.
//
// Grammar: or < and < not < comparison (= != < <= > >=, `starts_with`, `in ('a', 'b')`) < sum (+ -) < product (*)
// < atom. Atoms are numbers, 'strings', true, false, unset, (formula), names. A name is a run of letters, digits,
// '.', '_', '-' starting with a letter. `name = unset` asks whether a setting has neither value nor default.
// Times are in milliseconds. At most 64 levels of parentheses, and as many operands of a chain of + - *.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace oncecheck {

enum class FormulaOperator {
    kConstant,
    kName,
    kNot,
    kAnd,
    kOr,
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kStartsWith,
    kIn,
    kAdd,
    kSubtract,
    kMultiply,
};

// "unset" is std::monostate.
using FormulaValue = std::variant<std::monostate, bool, std::int64_t, std::string>;

class Formula {
  public:
    // Operands: two or more for kAnd and kOr; one for kNot; the value and then its candidates for kIn; else two.
    struct Node {
        FormulaOperator op = FormulaOperator::kConstant;
        FormulaValue constant;
        std::string name;
        std::vector<Formula> operands;
    };

    // Throws std::invalid_argument with the column and what was expected.
    [[nodiscard]] static Formula parse(const std::string& text);

    [[nodiscard]] const Node& node() const { return *node_; }
    [[nodiscard]] const std::string& text() const { return *text_; }
    // Every name that occurs, sorted, once.
    [[nodiscard]] std::vector<std::string> names() const;
    bool operator==(const Formula& other) const { return text() == other.text(); }

    explicit Formula(Node node, std::string text = {});

  private:
    std::shared_ptr<const Node> node_;
    std::shared_ptr<const std::string> text_;
};

// What a name stands for; no value (std::nullopt) means unknown. Unset settings are std::monostate.
using FormulaEnvironment = std::function<std::optional<FormulaValue>(const std::string& name)>;

// The value of the formula, or nullopt where an unknown decides. Two strings are ordered as versions
// (compare_versions: '3.10' > '3.9'), so that `version >= '15'` reads as meant. Comparing values of different kinds is
// false
// ("unset < 3", "'a' < 3"), except =, != which compare as written. Arithmetic on anything but numbers is unknown.
[[nodiscard]] std::optional<FormulaValue> evaluate(const Formula& formula, const FormulaEnvironment& environment);

// evaluate(), as a truth value; a value that is no truth value counts as unknown.
[[nodiscard]] std::optional<bool> holds(const Formula& formula, const FormulaEnvironment& environment);

}  // namespace oncecheck

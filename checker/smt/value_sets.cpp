#include "checker/smt/value_sets.h"

#include <algorithm>
#include <set>

#include "model/errors.h"
#include "model/transition/evaluator.h"

namespace oncecheck {

namespace {

// Thrown inside this file only.
struct TooManyValues {};

using Set = std::set<Value>;

// What expressions may be, with the variables in `sets`.
class Range {
  public:
    Range(const std::vector<Set>& sets, std::size_t most) : sets_(sets), most_(most) {}

    // Knows the variable better than `sets`.
    void narrow(VariableId variable, Set values) { narrowed_.emplace_back(variable, std::move(values)); }

    [[nodiscard]] const Set& of(VariableId variable) const {
        const auto known = std::find_if(narrowed_.rbegin(), narrowed_.rend(),
                                        [&](const auto& narrowed) { return narrowed.first == variable; });
        return known == narrowed_.rend() ? sets_[variable] : known->second;
    }

    [[nodiscard]] bool may_hold(const Expression& condition) const {
        const Set values = of(condition);
        return std::any_of(values.begin(), values.end(), [](Value value) { return value != 0; });
    }

    [[nodiscard]] Set of(const Expression& expression) const {
        const std::vector<Expression>& operands = expression.operands();
        switch (expression.op()) {
            case Operator::kConstant:
                return {expression.value()};
            case Operator::kVariable:
                return of(expression.variable());
            case Operator::kNot:
                return truths(may_fail(operands[0]), may_hold(operands[0]));
            case Operator::kAnd:
                return truths(all(operands, &Range::may_hold), any(operands, &Range::may_fail));
            case Operator::kOr:
                return truths(any(operands, &Range::may_hold), all(operands, &Range::may_fail));
            case Operator::kEqual:
            case Operator::kLess:
                return compared(expression.op(), of(operands[0]), of(operands[1]));
            case Operator::kChoose:
                return chosen(operands);
            case Operator::kAdd:
                return sum(expression);
        }
        throw InternalError("unknown operator");
    }

  private:
    using Judge = bool (Range::*)(const Expression&) const;

    [[nodiscard]] bool may_fail(const Expression& condition) const { return of(condition).contains(0); }

    [[nodiscard]] bool all(const std::vector<Expression>& operands, Judge judge) const {
        return std::all_of(operands.begin(), operands.end(),
                           [&](const Expression& operand) { return (this->*judge)(operand); });
    }
    [[nodiscard]] bool any(const std::vector<Expression>& operands, Judge judge) const {
        return std::any_of(operands.begin(), operands.end(),
                           [&](const Expression& operand) { return (this->*judge)(operand); });
    }

    [[nodiscard]] static Set truths(bool may_be_true, bool may_be_false) {
        Set values;
        if (may_be_false) {
            values.insert(0);
        }
        if (may_be_true) {
            values.insert(1);
        }
        return values;
    }

    [[nodiscard]] static Set compared(Operator op, const Set& left, const Set& right) {
        if (op == Operator::kLess) {
            return truths(*left.begin() < *right.rbegin(), *left.rbegin() >= *right.begin());
        }
        const bool common = std::any_of(left.begin(), left.end(), [&](Value value) { return right.contains(value); });
        return truths(common, left.size() > 1 || right.size() > 1 || !common);
    }

    [[nodiscard]] Set chosen(const std::vector<Expression>& operands) const {
        Set values;
        if (may_hold(operands[0])) {
            values.merge(of(operands[1]));
        }
        if (may_fail(operands[0])) {
            values.merge(of(operands[2]));
        }
        return values;
    }

    [[nodiscard]] Set sum(const Expression& expression) const {
        Set total{0};
        for (const Expression& operand : expression.operands()) {
            const Set summands = of(operand);
            Set next;
            for (const Value a : total) {
                for (const Value b : summands) {
                    next.insert(b >= expression.value() - a ? expression.value() : a + b);
                    if (next.size() > most_) {
                        throw TooManyValues();
                    }
                }
            }
            total = std::move(next);
        }
        return total;
    }

    const std::vector<Set>& sets_;
    std::size_t most_;
    std::vector<std::pair<VariableId, Set>> narrowed_;
};

// The values of `variable` for which the condition, which names no other, is true.
Set satisfying(const Expression& condition, VariableId variable, const Set& values, std::size_t variables) {
    Set result;
    State state(variables, 0);
    for (const Value value : values) {
        state[variable] = value;
        if (evaluate(condition, state) != 0) {
            result.insert(value);
        }
    }
    return result;
}

// True if a set grew.
bool perform_on_sets(const Action& action, std::vector<Set>& sets, std::size_t most) {
    Range range(sets, most);
    for (const Expression& conjunct : action.guard) {
        if (!range.may_hold(conjunct)) {
            return false;
        }
        const std::vector<VariableId> names = variables_of(conjunct);
        if (names.size() == 1) {
            Set left = satisfying(conjunct, names[0], range.of(names[0]), sets.size());
            if (left.empty()) {
                return false;
            }
            range.narrow(names[0], std::move(left));
        }
    }
    std::vector<std::pair<VariableId, Set>> added;
    for (const Assignment& assignment : action.assignments) {
        added.emplace_back(assignment.variable, range.of(assignment.value));
    }
    bool grew = false;
    for (auto& [variable, values] : added) {
        const std::size_t before = sets[variable].size();
        sets[variable].merge(values);
        grew = grew || sets[variable].size() > before;
        if (sets[variable].size() > most) {
            throw TooManyValues();
        }
    }
    return grew;
}

}  // namespace

std::optional<ValueSets> reachable_values(const TransitionSystem& system, std::size_t most) {
    std::vector<Set> sets;
    for (const Variable& variable : system.variables) {
        sets.push_back({variable.initial});
    }
    try {
        for (bool grows = true; grows;) {
            grows = false;
            for (const Action& action : system.actions) {
                grows = perform_on_sets(action, sets, most) || grows;
            }
        }
    } catch (const TooManyValues&) {
        return std::nullopt;
    }
    ValueSets result;
    for (const Set& set : sets) {
        result.emplace_back(set.begin(), set.end());
    }
    return result;
}

}  // namespace oncecheck

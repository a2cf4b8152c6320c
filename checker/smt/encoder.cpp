#include "checker/smt/encoder.h"

#include <algorithm>

#include "model/errors.h"

namespace oncecheck {

namespace {

// Collects cases; two with the same value become one.
class CaseList {
  public:
    explicit CaseList(const Encoder& encoder) : encoder_(encoder) {}

    void add(Value value, const z3::expr& when) {
        if (when.is_false()) {
            return;
        }
        const auto [place, is_new] = cases_.try_emplace(value, when);
        if (!is_new) {
            place->second = encoder_.either(place->second, when);
        }
    }

    [[nodiscard]] Cases take() const {
        Cases result;
        for (const auto& [value, when] : cases_) {
            result.push_back({value, when});
        }
        return result;
    }

  private:
    const Encoder& encoder_;
    std::map<Value, z3::expr> cases_;
};

bool same(const z3::expr& a, const z3::expr& b) { return z3::eq(a, b); }

bool opposite(const z3::expr& a, const z3::expr& b) {
    return (a.is_not() && same(a.arg(0), b)) || (b.is_not() && same(b.arg(0), a));
}

}  // namespace

const Cases& Valuation::at(VariableId variable) const {
    const auto place = narrowed_.find(variable);
    return place != narrowed_.end() ? place->second : variables_.at(variable);
}

z3::expr Encoder::truth(const Expression& expression, const Valuation& valuation) const {
    const auto& operands = expression.operands();
    switch (expression.op()) {
        case Operator::kNot:
            return negation(truth(operands[0], valuation));
        case Operator::kAnd: {
            z3::expr result = true_;
            for (const Expression& operand : operands) {
                result = both(result, truth(operand, valuation));
            }
            return result;
        }
        case Operator::kOr: {
            std::vector<z3::expr> terms;
            for (const Expression& operand : operands) {
                terms.push_back(truth(operand, valuation));
            }
            return any(terms);
        }
        case Operator::kEqual:
        case Operator::kLess: {
            std::vector<z3::expr> terms;
            const Cases right = cases(operands[1], valuation);
            for (const Case& a : cases(operands[0], valuation)) {
                for (const Case& b : right) {
                    if (expression.op() == Operator::kEqual ? a.value == b.value : a.value < b.value) {
                        terms.push_back(both(a.when, b.when));
                    }
                }
            }
            return any(terms);
        }
        case Operator::kConstant:
        case Operator::kVariable:
        case Operator::kChoose:
        case Operator::kAdd:
            return negation(when(cases(expression, valuation), 0));
    }
    throw InternalError("unknown operator");
}

Cases Encoder::cases(const Expression& expression, const Valuation& valuation) const {
    switch (expression.op()) {
        case Operator::kConstant:
            return {{expression.value(), true_}};
        case Operator::kVariable:
            return valuation.at(expression.variable());
        case Operator::kChoose:
            return chosen(expression, valuation);
        case Operator::kAdd:
            return sum(expression, valuation);
        case Operator::kNot:
        case Operator::kAnd:
        case Operator::kOr:
        case Operator::kEqual:
        case Operator::kLess:
            return truth_cases(truth(expression, valuation));
    }
    throw InternalError("unknown operator");
}

Cases Encoder::satisfying(const Expression& condition, VariableId variable, const Valuation& valuation) const {
    Cases result;
    Valuation one = valuation;
    for (const Case& candidate : valuation.at(variable)) {
        one.narrow(variable, {{candidate.value, true_}});
        if (truth(condition, one).is_true()) {
            result.push_back(candidate);
        }
    }
    return result;
}

z3::expr Encoder::when(const Cases& cases, Value value) const {
    const auto place = std::lower_bound(cases.begin(), cases.end(), value,
                                        [](const Case& candidate, Value wanted) { return candidate.value < wanted; });
    return place != cases.end() && place->value == value ? place->when : false_;
}

z3::expr Encoder::negation(const z3::expr& a) const {
    if (a.is_true()) {
        return false_;
    }
    if (a.is_false()) {
        return true_;
    }
    return a.is_not() ? a.arg(0) : !a;
}

z3::expr Encoder::both(const z3::expr& a, const z3::expr& b) const {
    if (a.is_true() || b.is_false() || same(a, b)) {
        return b;
    }
    if (b.is_true() || a.is_false()) {
        return a;
    }
    return opposite(a, b) ? false_ : a && b;
}

z3::expr Encoder::either(const z3::expr& a, const z3::expr& b) const {
    return same(a, b) ? a : opposite(a, b) ? true_ : any({a, b});
}

z3::expr Encoder::any(const std::vector<z3::expr>& terms) const {
    z3::expr_vector open(true_.ctx());
    for (const z3::expr& term : terms) {
        if (term.is_true()) {
            return true_;
        }
        if (!term.is_false()) {
            open.push_back(term);
        }
    }
    if (open.empty()) {
        return false_;
    }
    return open.size() == 1 ? open[0] : z3::mk_or(open);
}

Cases Encoder::truth_cases(const z3::expr& truth) const {
    CaseList list(*this);
    list.add(0, negation(truth));
    list.add(1, truth);
    return list.take();
}

Cases Encoder::chosen(const Expression& expression, const Valuation& valuation) const {
    const z3::expr condition = truth(expression.operands()[0], valuation);
    CaseList list(*this);
    for (const Case& candidate : cases(expression.operands()[1], valuation)) {
        list.add(candidate.value, both(condition, candidate.when));
    }
    for (const Case& candidate : cases(expression.operands()[2], valuation)) {
        list.add(candidate.value, both(negation(condition), candidate.when));
    }
    return list.take();
}

Cases Encoder::sum(const Expression& expression, const Valuation& valuation) const {
    Cases total{{0, true_}};
    for (const Expression& operand : expression.operands()) {
        CaseList list(*this);
        const Cases summands = cases(operand, valuation);
        for (const Case& a : total) {
            for (const Case& b : summands) {
                list.add(std::min(a.value + b.value, expression.value()), both(a.when, b.when));
            }
        }
        total = list.take();
    }
    return total;
}

}  // namespace oncecheck

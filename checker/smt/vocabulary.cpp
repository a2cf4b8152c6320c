#include "checker/smt/vocabulary.h"

#include <algorithm>

#include "model/errors.h"
#include "model/transition/evaluator.h"

namespace oncecheck {

namespace {

// Of a variable with so many values at most, a bound is a short disjunction of equations.
constexpr std::size_t kFewValues = 4;

}  // namespace

Vocabulary::Vocabulary(const TransitionSystem& system, const VariableSet& cone, const ValueSets& values) {
    for (VariableId variable = 0; variable < system.variables.size(); ++variable) {
        if (cone[variable]) {
            add(Expression::variable(variable), values[variable]);
        }
    }
    for (const Property& property : system.properties) {
        add_comparisons(property.bad, values);
    }
    for (const Action& action : system.actions) {
        const VariableSet& writes = footprint(action, cone).writes;
        if (std::find(writes.begin(), writes.end(), true) == writes.end()) {
            continue;
        }
        for (const Expression& conjunct : action.guard) {
            add_comparisons(conjunct, values);
        }
    }
}

void Vocabulary::add(const Expression& expression, const ValueSet& values) {
    const bool known = std::any_of(features_.begin(), features_.end(),
                                   [&](const Feature& feature) { return feature.expression == expression; });
    if (known || values.size() < 2) {
        return;
    }
    features_.push_back({expression, values, static_cast<LiteralId>(literals_.size())});
    const bool truth_value = kOperators[static_cast<std::size_t>(expression.op())].truth;
    for (const Value value : values) {
        literals_.push_back(!truth_value ? equal(expression, Expression::constant(value))
                            : value != 0 ? expression
                                         : !expression);
    }
}

void Vocabulary::add_comparisons(const Expression& expression, const ValueSets& values) {
    for (const Expression& operand : expression.operands()) {
        add_comparisons(operand, values);
    }
    if (expression.op() != Operator::kEqual && expression.op() != Operator::kLess) {
        return;
    }
    const std::vector<VariableId> names = variables_of(expression);
    const bool bound = names.size() == 1 && expression.op() == Operator::kLess && values[names[0]].size() > kFewValues;
    if (names.size() == 2 || bound) {
        add(expression, {0, 1});
    }
}

Expression Vocabulary::clause(const Cube& cube) const {
    std::vector<Expression> parts;
    for (const LiteralId id : cube) {
        parts.push_back(!literal(id));
    }
    return disjunction(parts);
}

Cube Vocabulary::literals_of(const State& state) const {
    Cube cube;
    cube.reserve(features_.size());
    for (const Feature& feature : features_) {
        const Value value = evaluate(feature.expression, state);
        const auto place = std::lower_bound(feature.values.begin(), feature.values.end(), value);
        if (place == feature.values.end() || *place != value) {
            throw InternalError("a reachable state has a value outside of the computed sets");
        }
        cube.push_back(feature.first + static_cast<LiteralId>(place - feature.values.begin()));
    }
    return cube;
}

}  // namespace oncecheck

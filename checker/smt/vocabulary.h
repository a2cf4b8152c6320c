// The words in which invariants are invented: literals "this is so", taken from the system's own vocabulary and never
// from its bits.
//
//   a feature   a variable of the cone, or a comparison that stands in a guard or a property and that equations of one
//               variable do not give: between variables, or of one with many values with a bound
//   a literal   feature = value
//   a cube      some literals, of different features, together
//   a clause    not a cube: "never position = append and staged = 0"
//
// Clauses over such literals can say any relation among as many features as they have literals.
#pragma once

#include <cstdint>
#include <vector>

#include "checker/smt/footprint.h"
#include "checker/smt/value_sets.h"
#include "model/transition/system.h"

namespace oncecheck {

using LiteralId = std::uint32_t;
using Cube = std::vector<LiteralId>;  // ascending

class Vocabulary {
  public:
    // Requires that no value set in the cone is empty. Features with one value are left out.
    Vocabulary(const TransitionSystem& system, const VariableSet& cone, const ValueSets& values);

    [[nodiscard]] std::size_t literal_count() const { return literals_.size(); }
    [[nodiscard]] std::size_t feature_count() const { return features_.size(); }

    [[nodiscard]] const Expression& literal(LiteralId id) const { return literals_.at(id); }
    [[nodiscard]] Expression clause(const Cube& cube) const;

    // The literals that are true in the state, ascending, one a feature. Requires that the variables have values of
    // their sets.
    [[nodiscard]] Cube literals_of(const State& state) const;

  private:
    struct Feature {
        Expression expression;
        std::vector<Value> values;  // ascending
        LiteralId first;            // its literals: first, first + 1, ... as `values`
    };

    void add(const Expression& expression, const ValueSet& values);
    void add_comparisons(const Expression& expression, const ValueSets& values);

    std::vector<Feature> features_;
    std::vector<Expression> literals_;
};

}  // namespace oncecheck

// Small random transition systems, the same for the same seed everywhere: variables of a few values, some of them
// positions, guards and assignments of every operator, steps, moves of the environment and faults.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "model/transition/system.h"

namespace oncecheck {

class RandomSystem {
  public:
    // `wide`: how many variables of 32 bits are added, so that states need more words.
    RandomSystem(std::uint64_t seed, std::size_t wide) : random_(seed), wide_(wide) {}

    [[nodiscard]] TransitionSystem make() {
        system_.name = "random";
        add_variables();
        const std::size_t actions = 3 + below(9);
        for (std::size_t i = 0; i < actions; ++i) {
            system_.actions.push_back(action(i));
        }
        const std::size_t properties = 1 + below(3);
        for (std::size_t i = 0; i < properties; ++i) {
            system_.properties.push_back({"property " + std::to_string(i), rare_condition()});
        }
        if (!one_in(5)) {
            system_.complete = rare_condition();
        }
        return system_;
    }

  private:
    [[nodiscard]] std::size_t below(std::size_t bound) { return random_() % bound; }
    [[nodiscard]] bool one_in(std::size_t chance) { return below(chance) == 0; }

    void add_variables() {
        const std::vector<Value> sizes{1, 1, 1, 2, 3, 5, 7, 70};
        const std::size_t count = 3 + below(4);
        for (std::size_t i = 0; i < count; ++i) {
            const Value largest = sizes[below(sizes.size())];
            const Value initial = one_in(3) ? static_cast<Value>(below(largest + 1)) : 0;
            system_.variables.push_back({"v" + std::to_string(i), largest, initial, one_in(2)});
        }
        for (std::size_t i = 0; i < wide_; ++i) {
            system_.variables.push_back({"wide" + std::to_string(i), kWide, 0, false});
        }
    }

    [[nodiscard]] VariableId any_variable() { return static_cast<VariableId>(below(system_.variables.size())); }

    [[nodiscard]] Value value_of(VariableId variable) {
        const Value largest = system_.variables[variable].largest;
        return largest == kWide ? kWide - static_cast<Value>(below(3)) * 0x7fffffff
                                : static_cast<Value>(below(std::size_t{largest} + 1));
    }

    [[nodiscard]] Expression equation() {
        const VariableId variable = any_variable();
        return equals(variable, value_of(variable));
    }

    [[nodiscard]] Expression truth_expression(std::size_t depth) {
        switch (depth == 0 ? below(2) : below(8)) {
            case 0:
                return !equation();
            case 1:
                return equation();
            case 2:
                return conjunction({truth_expression(depth - 1), truth_expression(depth - 1), equation()});
            case 3:
                return disjunction({truth_expression(depth - 1), truth_expression(depth - 1), equation()});
            case 4:
                return !truth_expression(depth - 1);
            case 5:
                return less(Expression::variable(any_variable()), Expression::variable(any_variable()));
            case 6:
                return equal(Expression::variable(any_variable()), Expression::variable(any_variable()));
            default:
                return choose(truth_expression(depth - 1), truth_expression(depth - 1), truth_expression(depth - 1));
        }
    }

    [[nodiscard]] Expression rare_condition() {
        std::vector<Expression> parts;
        for (std::size_t i = 0; i < 1 + below(4); ++i) {
            parts.push_back(one_in(4) ? truth_expression(2) : equation());
        }
        return one_in(6) ? disjunction(parts) : conjunction(parts);
    }

    // A value that fits the variable.
    [[nodiscard]] Expression fitting(VariableId variable, std::size_t depth) {
        const Value largest = system_.variables[variable].largest;
        const VariableId other = any_variable();
        const bool fits = system_.variables[other].largest <= largest;
        switch (depth == 0 ? below(2) : below(7)) {
            case 0:
                return Expression::constant(value_of(variable));
            case 1:
                return Expression::variable(fits ? other : variable);
            case 2:
                return choose(truth_expression(1), fitting(variable, depth - 1), fitting(variable, depth - 1));
            case 3:
                return largest == kWide ? Expression::constant(kWide)
                                        : add({Expression::variable(variable), Expression::constant(1)}, largest);
            case 4:
                return largest == kWide || !fits
                           ? truth_expression(1)
                           : add({Expression::variable(other), fitting(variable, depth - 1)}, largest);
            case 5:
                return add({Expression::variable(other)}, largest);
            default:
                return truth_expression(2);
        }
    }

    [[nodiscard]] Action action(std::size_t number) {
        Action result;
        result.label.text = "action " + std::to_string(number);
        result.kind = one_in(5) ? ActionKind::kFault : one_in(5) ? ActionKind::kEnvironment : ActionKind::kStep;
        for (std::size_t i = below(4); i > 0; --i) {
            result.guard.push_back(one_in(3) ? truth_expression(2) : equation());
        }
        std::vector<bool> assigned(system_.variables.size(), false);
        for (std::size_t i = 1 + below(3); i > 0; --i) {
            const VariableId variable = any_variable();
            if (!assigned[variable]) {
                assigned[variable] = true;
                result.assignments.push_back({variable, fitting(variable, 2)});
            }
        }
        return result;
    }

    static constexpr Value kWide = 0xffffffff;

    std::mt19937_64 random_;
    std::size_t wide_;
    TransitionSystem system_;
};

}  // namespace oncecheck

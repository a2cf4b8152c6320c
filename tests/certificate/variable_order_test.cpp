#include "checker/certificate/variable_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace oncecheck {
namespace {

// Sixteen bits, of which i and i + 8 are always set together.
TransitionSystem pairs() {
    TransitionSystem system;
    for (VariableId id = 0; id < 16; ++id) {
        system.variables.push_back({"bit", 1, 0, false});
    }
    for (VariableId id = 0; id < 8; ++id) {
        system.actions.push_back({ActionKind::kStep,
                                  {equal(Expression::variable(id), Expression::variable(id + 8))},
                                  {{id, Expression::variable(id + 8)}},
                                  {}});
    }
    return system;
}

std::vector<VariableId> all_of(const TransitionSystem& system) {
    std::vector<VariableId> all;
    for (VariableId id = 0; id < system.variables.size(); ++id) {
        all.push_back(id);
    }
    return all;
}

TEST(VariableOrder, PutsTogetherWhatOccursTogether) {
    const TransitionSystem system = pairs();
    const std::vector<VariableId> order = force_order(system, all_of(system));
    const auto place = [&](VariableId id) { return std::find(order.begin(), order.end(), id) - order.begin(); };
    for (VariableId id = 0; id < 8; ++id) {
        EXPECT_EQ(std::abs(place(id) - place(id + 8)), 1) << id;
    }
}

TEST(VariableOrder, HasTheSameVariables) {
    const TransitionSystem system = pairs();
    std::vector<VariableId> order = force_order(system, {3, 11, 7, 0});
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, (std::vector<VariableId>{0, 3, 7, 11}));
    EXPECT_EQ(force_order(system, {}), std::vector<VariableId>{});
}

TEST(VariableOrder, KeepsTheOrderWhereNothingOccursTogether) {
    TransitionSystem system = pairs();
    system.actions.clear();
    EXPECT_EQ(force_order(system, all_of(system)), all_of(system));
}

}  // namespace
}  // namespace oncecheck

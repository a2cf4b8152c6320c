#include "checker/certificate/variable_order.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace oncecheck {

namespace {

using Occurrence = std::vector<VariableId>;

std::set<Occurrence> occurrences(const TransitionSystem& system) {
    std::set<Occurrence> found;
    for (const Action& action : system.actions) {
        for (const Expression& conjunct : action.guard) {
            found.insert(variables_of(conjunct));
        }
        for (const Assignment& assignment : action.assignments) {
            Occurrence together = variables_of(assignment.value);
            together.push_back(assignment.variable);
            found.insert(std::move(together));
        }
    }
    std::erase_if(found, [](const Occurrence& one) { return one.size() < 2; });
    return found;
}

}  // namespace

std::vector<VariableId> force_order(const TransitionSystem& system, std::vector<VariableId> variables) {
    constexpr int kMostRounds = 100;
    const std::set<Occurrence> all = occurrences(system);
    std::vector<double> position(system.variables.size());
    std::iota(position.begin(), position.end(), 0.0);
    std::vector<VariableId> order(system.variables.size());
    std::iota(order.begin(), order.end(), 0U);
    for (int round = 0; round < kMostRounds; ++round) {
        std::vector<double> sum(position.size(), 0);
        std::vector<double> count(position.size(), 0);
        for (const Occurrence& one : all) {
            const double total = std::accumulate(one.begin(), one.end(), 0.0,
                                                 [&](double before, VariableId id) { return before + position[id]; });
            for (const VariableId id : one) {
                sum[id] += total / static_cast<double>(one.size());
                ++count[id];
            }
        }
        const std::vector<VariableId> before = order;
        const auto force = [&](VariableId id) { return count[id] > 0 ? sum[id] / count[id] : position[id]; };
        std::stable_sort(order.begin(), order.end(),
                         [&](VariableId one, VariableId other) { return force(one) < force(other); });
        if (order == before) {
            break;
        }
        for (std::size_t place = 0; place < order.size(); ++place) {
            position[order[place]] = static_cast<double>(place);
        }
    }
    std::sort(variables.begin(), variables.end(),
              [&](VariableId one, VariableId other) { return position[one] < position[other]; });
    return variables;
}

}  // namespace oncecheck

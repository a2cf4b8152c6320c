// The oracle: breadth-first search over (state, faults so far) with the evaluator, as plain as it can be.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "model/transition/evaluator.h"
#include "model/transition/system.h"

namespace oncecheck::testing {

// Fewest faults, then fewest steps, of a run to a bad state of each property.
using Shortest = std::vector<std::optional<std::pair<int, int>>>;

// Looks at runs with at most `most_faults` faults.
[[nodiscard]] inline Shortest shortest_violations(const TransitionSystem& system, int most_faults) {
    Shortest result(system.properties.size());
    std::map<std::pair<State, int>, int> steps;
    std::deque<std::pair<State, int>> queue;
    const auto reach = [&](const State& state, int faults, int depth) {
        if (steps.try_emplace({state, faults}, depth).second) {
            queue.emplace_back(state, faults);
        }
    };
    reach(system.initial(), 0, 0);
    while (!queue.empty()) {
        const auto [state, faults] = queue.front();
        queue.pop_front();
        const int depth = steps.at({state, faults});
        for (std::size_t index = 0; index < system.properties.size(); ++index) {
            const std::pair<int, int> cost{faults, depth};
            if (evaluate(system.properties[index].bad, state) != 0 && (!result[index] || cost < *result[index])) {
                result[index] = cost;
            }
        }
        for (const Action& action : system.actions) {
            const int spent = faults + (action.kind == ActionKind::kFault ? 1 : 0);
            if (spent <= most_faults && enabled(action, state)) {
                reach(perform(action, state), spent, depth + 1);
            }
        }
    }
    return result;
}

}  // namespace oncecheck::testing

// The oracle of the explicit engine: the same questions answered as plainly as possible, on whole states in a map, with
// nothing but the evaluator. Slow.
#pragma once

#include <map>
#include <optional>
#include <queue>
#include <set>
#include <utility>
#include <vector>

#include "model/transition/evaluator.h"

namespace oncecheck {

class NaiveSearch {
  public:
    using Level = std::pair<int, int>;  // fewest faults, then fewest steps

    // Finds the states that need no more faults than the budget; gives up (too_large) beyond `most_states`.
    NaiveSearch(const TransitionSystem& system, std::optional<int> budget, std::size_t most_states) : system_(system) {
        std::set<std::pair<Level, State>> open{{Level{0, 0}, system.initial()}};
        levels_[system.initial()] = {0, 0};
        while (!open.empty() && !too_large_) {
            const auto [level, state] = *open.begin();
            open.erase(open.begin());
            for (const Action& action : system.actions) {
                const bool fault = action.kind == ActionKind::kFault;
                if (!enabled(action, state) || (fault && budget && level.first >= *budget)) {
                    continue;
                }
                const State next = perform(action, state);
                const Level reached{level.first + (fault ? 1 : 0), level.second + 1};
                const auto found = levels_.find(next);
                if (found == levels_.end() || reached < found->second) {
                    if (found != levels_.end()) {
                        open.erase({found->second, next});
                    }
                    levels_[next] = reached;
                    open.insert({reached, next});
                }
            }
            too_large_ = levels_.size() > most_states;
        }
    }

    [[nodiscard]] bool too_large() const { return too_large_; }
    [[nodiscard]] const std::map<State, Level>& levels() const { return levels_; }

    // The level of the best state where the expression holds.
    [[nodiscard]] std::optional<Level> best(const Expression& bad) const {
        std::optional<Level> result;
        for (const auto& [state, level] : levels_) {
            if (evaluate(bad, state) != 0 && (!result || level < *result)) {
                result = level;
            }
        }
        return result;
    }

    // The level of the best state from which no actions but faults lead to completion.
    [[nodiscard]] std::optional<Level> best_trap() const {
        std::set<State> good;
        for (bool changed = true; changed;) {
            changed = false;
            for (const auto& [state, level] : levels_) {
                if (good.count(state) == 0 && (evaluate(system_.complete, state) != 0 || any_next_in(good, state))) {
                    good.insert(state);
                    changed = true;
                }
            }
        }
        std::optional<Level> result;
        for (const auto& [state, level] : levels_) {
            if (good.count(state) == 0 && (!result || level < *result)) {
                result = level;
            }
        }
        return result;
    }

    // All that is reachable from the state; `faults` says whether by faults, too.
    [[nodiscard]] std::set<State> reachable(const State& start, bool faults) const {
        std::set<State> found{start};
        std::queue<State> open;
        open.push(start);
        while (!open.empty()) {
            const State state = open.front();
            open.pop();
            for (const Action& action : system_.actions) {
                if (enabled(action, state) && (faults || action.kind != ActionKind::kFault)) {
                    const State next = perform(action, state);
                    if (found.insert(next).second) {
                        open.push(next);
                    }
                }
            }
        }
        return found;
    }

  private:
    [[nodiscard]] bool any_next_in(const std::set<State>& states, const State& state) const {
        for (const Action& action : system_.actions) {
            if (action.kind != ActionKind::kFault && enabled(action, state) &&
                states.count(perform(action, state)) != 0) {
                return true;
            }
        }
        return false;
    }

    const TransitionSystem& system_;
    std::map<State, Level> levels_;
    bool too_large_ = false;
};

}  // namespace oncecheck

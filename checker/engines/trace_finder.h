// Finds a best run to a state again, backwards; the search stores no predecessors.
//
// A predecessor of a state of level (f, s) is in level (f, s - 1) by a step or a move of the environment, or in level
// (f - 1, s - 1) by a fault. Of all of them the one of smallest key is taken, and of its actions the first: so the run
// depends on nothing but the system. For a fixed target t an action's inverse is a mask test, too:
//
//   p can lead to t by a  =>  p = guard.value on the guard's bits, and p = t on the bits that a keeps
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "checker/engines/compiled_system.h"
#include "checker/engines/state_store.h"

namespace oncecheck {

template <std::size_t W>
class TraceFinder {
  public:
    TraceFinder(const CompiledSystem<W>& system, const StateStore<W>& store) : system_(system), store_(store) {}

    // The actions, as indices into the system's, of the run to the state, which is in this level.
    [[nodiscard]] std::vector<std::size_t> actions_to(Packed<W> state, LevelName level) const {
        std::vector<std::size_t> actions;
        while (level.steps > 0) {
            std::optional<Predecessor> best;
            const LevelName by_free{level.faults, level.steps - 1};
            const LevelName by_fault{level.faults - 1, level.steps - 1};
            search(by_free, system_.free_actions(), state, best);
            search(by_fault, system_.faults(), state, best);
            if (!best) {
                throw InternalError("a state of the search has no predecessor");
            }
            actions.push_back(best->action);
            level = best->level;
            state = best->state;
        }
        std::reverse(actions.begin(), actions.end());
        return actions;
    }

  private:
    struct Predecessor {
        Packed<W> state;
        std::size_t action;
        LevelName level;
    };
    struct Inverse {
        std::array<std::uint64_t, W> mask{};
        std::array<std::uint64_t, W> value{};
        const CompiledAction<W>* action;

        [[nodiscard]] bool possible(const Packed<W>& state) const {
            std::uint64_t difference = 0;
            for (std::size_t i = 0; i < W; ++i) {
                difference |= (state.words[i] ^ value[i]) & mask[i];
            }
            return difference == 0;
        }
    };

    // The actions that can lead to the target, each once, in the system's order.
    [[nodiscard]] static std::vector<Inverse> inverses(const ActionIndex<W>& index, const Packed<W>& target) {
        std::vector<Inverse> result;
        for (const CompiledAction<W>& action : index.lists) {
            Inverse inverse{.mask = {}, .value = {}, .action = &action};
            bool possible = true;
            for (std::size_t i = 0; i < W; ++i) {
                const std::uint64_t tested = action.guard.mask[i];
                const std::uint64_t kept = action.keep[i];
                possible = possible && ((action.guard.value[i] ^ target.words[i]) & tested & kept) == 0 &&
                           (action.set[i] & ~target.words[i]) == 0;
                inverse.mask[i] = tested | kept;
                inverse.value[i] = (action.guard.value[i] & tested) | (target.words[i] & kept);
            }
            if (possible) {
                result.push_back(inverse);
            }
        }
        std::sort(result.begin(), result.end(),
                  [](const Inverse& a, const Inverse& b) { return a.action->index < b.action->index; });
        const auto same = [](const Inverse& a, const Inverse& b) { return a.action->index == b.action->index; };
        result.erase(std::unique(result.begin(), result.end(), same), result.end());
        return result;
    }

    void search(LevelName name, const ActionIndex<W>& index, const Packed<W>& target,
                std::optional<Predecessor>& best) const {
        const Level* level = store_.level(name);
        if (level == nullptr) {
            return;
        }
        const std::vector<Inverse> candidates = inverses(index, target);
        for (std::size_t shard = 0; shard < level->begin.size(); ++shard) {
            for (std::uint32_t i = level->begin[shard]; i != level->end[shard]; ++i) {
                const Packed<W>& state = store_.shard(shard).state(i);
                if (best && best->state < state) {
                    continue;
                }
                for (const Inverse& candidate : candidates) {
                    if (candidate.possible(state) && system_.passes(candidate.action->guard, state) &&
                        system_.successor(*candidate.action, state) == target) {
                        best = Predecessor{state, candidate.action->index, name};
                        break;
                    }
                }
            }
        }
    }

    const CompiledSystem<W>& system_;
    const StateStore<W>& store_;
};

}  // namespace oncecheck

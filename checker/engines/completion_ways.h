// The shortest fault-free way to completion from every stored state: how many steps, and which is the first.
//
//   steps(s) = 0 if s is complete, else 1 + the least steps(s') over the fault-free successors s' of s
//
// Found breadth first from the complete states backwards, over all fault-free steps between stored states: 12 bytes a
// step and 36 a state while it is built. `progress_check.h` answers whether every state has a way, and needs much less
// memory for that.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "checker/engines/compiled_system.h"
#include "checker/engines/explicit_search.h"
#include "checker/engines/state_store.h"

namespace oncecheck {

template <std::size_t W>
class CompletionWays {
  public:
    // Requires that the store holds all successors of its states; both must outlive this.
    CompletionWays(const CompiledSystem<W>& system, const StateStore<W>& store) : system_(system), store_(store) {
        for (std::size_t shard = 0; shard < store.shard_count(); ++shard) {
            first_.push_back(count_);
            count_ += store.shard(shard).size();
        }
        const std::vector<Step> successors = find_successors();
        find_predecessors(successors);
        find_steps();
        choose_moves(successors);
    }

    // Whether completion can be reached from every state.
    [[nodiscard]] bool are_everywhere() const { return std::find(steps_.begin(), steps_.end(), kNone) == steps_.end(); }

    // Empty if completion cannot be reached from the state without faults.
    [[nodiscard]] std::optional<WayToCompletion> from(StateId id) const {
        const std::size_t number = number_of(id);
        if (steps_[number] == kNone) {
            return std::nullopt;
        }
        return WayToCompletion{steps_[number], moves_[number]};
    }

  private:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    [[nodiscard]] std::size_t number_of(StateId id) const { return first_[id.shard] + id.index; }
    [[nodiscard]] std::size_t number_of(const Packed<W>& state) const {
        return number_of(store_.find(state, hash_of(state)).value());
    }

    template <class Visit>
    void for_each_state(Visit visit) const {
        for (std::uint32_t shard = 0; shard < store_.shard_count(); ++shard) {
            for (std::uint32_t index = 0; index < store_.shard(shard).size(); ++index) {
                visit(StateId{shard, index});
            }
        }
    }

    struct Step {
        std::uint32_t successor = 0;  // number of a state
        std::uint32_t action = 0;
    };

    // From state to state: those of state number n are steps[ends_[n - 1]] to steps[ends_[n]].
    [[nodiscard]] std::vector<Step> find_successors() {
        std::vector<Step> steps;
        ends_.reserve(count_);
        for_each_state([&](StateId id) {
            system_.for_each_successor(
                system_.free_actions(), store_.state(id), [&](const CompiledAction<W>& action, const Packed<W>& next) {
                    steps.push_back(
                        {static_cast<std::uint32_t>(number_of(next)), static_cast<std::uint32_t>(action.index)});
                    return true;
                });
            ends_.push_back(steps.size());
        });
        return steps;
    }

    // The predecessors of state number n are predecessors_[begin_[n]] to predecessors_[begin_[n + 1]].
    void find_predecessors(const std::vector<Step>& successors) {
        begin_.assign(count_ + 1, 0);
        for (const Step& step : successors) {
            ++begin_[step.successor + 1];
        }
        for (std::size_t number = 0; number < count_; ++number) {
            begin_[number + 1] += begin_[number];
        }
        std::vector<std::size_t> next_free(begin_.begin(), begin_.end() - 1);
        predecessors_.resize(successors.size());
        std::size_t at = 0;
        for (std::size_t number = 0; number < count_; ++number) {
            for (; at < ends_[number]; ++at) {
                predecessors_[next_free[successors[at].successor]++] = static_cast<std::uint32_t>(number);
            }
        }
    }

    void find_steps() {
        steps_.assign(count_, kNone);
        std::vector<std::uint32_t> reached;
        for_each_state([&](StateId id) {
            if (system_.is_complete(store_.state(id))) {
                steps_[number_of(id)] = 0;
                reached.push_back(static_cast<std::uint32_t>(number_of(id)));
            }
        });
        for (std::size_t at = 0; at < reached.size(); ++at) {
            const std::uint32_t number = reached[at];
            for (std::size_t edge = begin_[number]; edge < begin_[number + 1]; ++edge) {
                std::uint32_t& steps = steps_[predecessors_[edge]];
                if (steps == kNone) {
                    steps = steps_[number] + 1;
                    reached.push_back(predecessors_[edge]);
                }
            }
        }
    }

    // The smallest action of those that lead to the fewest steps.
    void choose_moves(const std::vector<Step>& successors) {
        moves_.assign(count_, 0);
        std::size_t at = 0;
        for (std::size_t number = 0; number < count_; ++number) {
            bool found = false;
            for (; at < ends_[number]; ++at) {
                const Step& step = successors[at];
                if (steps_[number] != 0 && steps_[number] != kNone && steps_[step.successor] == steps_[number] - 1 &&
                    (!found || step.action < moves_[number])) {
                    moves_[number] = step.action;
                    found = true;
                }
            }
        }
    }

    const CompiledSystem<W>& system_;
    const StateStore<W>& store_;
    std::vector<std::size_t> first_;  // number of the first state of a shard
    std::size_t count_ = 0;
    std::vector<std::size_t> ends_;
    std::vector<std::size_t> begin_;
    std::vector<std::uint32_t> predecessors_;
    std::vector<std::uint32_t> steps_;
    std::vector<std::uint32_t> moves_;
};

}  // namespace oncecheck

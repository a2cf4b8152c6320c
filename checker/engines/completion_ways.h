// The shortest fault-free way to completion from every stored state: how many steps, and which is the first.
//
//   steps(s) = 0 if s is complete, else 1 + the least steps(s') over the fault-free successors s' of s
//
// Found breadth first from the complete states backwards, over all fault-free steps between stored states: 4 bytes a
// step and 20 a state while it is built. `progress_check.h` answers whether every state has a way, and needs much less
// memory for that.
#pragma once

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
        find_predecessors();
        find_steps();
    }

    // Empty if completion cannot be reached from the state without faults.
    [[nodiscard]] std::optional<WayToCompletion> from(StateId id) const {
        WayToCompletion way{.steps = steps_[number_of(id)]};
        if (way.steps == kNone) {
            return std::nullopt;
        }
        if (way.steps == 0) {
            return way;
        }
        way.action = std::numeric_limits<std::size_t>::max();
        system_.for_each_successor(system_.free_actions(), store_.state(id),
                                   [&](const CompiledAction<W>& action, const Packed<W>& next) {
                                       if (steps_[number_of(next)] == way.steps - 1) {
                                           way.action = std::min(way.action, std::size_t{action.index});
                                       }
                                       return true;
                                   });
        return way;
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

    // The predecessors of state number n are predecessors_[begin_[n]] to predecessors_[begin_[n + 1]].
    void find_predecessors() {
        std::vector<std::uint32_t> successors;
        std::vector<std::size_t> end_of;  // by state number, in successors
        begin_.assign(count_ + 1, 0);
        for_each_state([&](StateId id) {
            system_.for_each_successor(system_.free_actions(), store_.state(id),
                                       [&](const CompiledAction<W>&, const Packed<W>& next) {
                                           const std::size_t number = number_of(next);
                                           successors.push_back(static_cast<std::uint32_t>(number));
                                           ++begin_[number + 1];
                                           return true;
                                       });
            end_of.push_back(successors.size());
        });
        for (std::size_t number = 0; number < count_; ++number) {
            begin_[number + 1] += begin_[number];
        }
        std::vector<std::size_t> next_free(begin_.begin(), begin_.end() - 1);
        predecessors_.resize(successors.size());
        std::size_t at = 0;
        for (std::size_t number = 0; number < count_; ++number) {
            for (; at < end_of[number]; ++at) {
                predecessors_[next_free[successors[at]]++] = static_cast<std::uint32_t>(number);
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

    const CompiledSystem<W>& system_;
    const StateStore<W>& store_;
    std::vector<std::size_t> first_;  // number of the first state of a shard
    std::size_t count_ = 0;
    std::vector<std::size_t> begin_;
    std::vector<std::uint32_t> predecessors_;
    std::vector<std::uint32_t> steps_;
};

}  // namespace oncecheck

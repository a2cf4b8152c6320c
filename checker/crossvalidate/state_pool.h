// States of a transition system by number, each kept once, and what actions make of them, computed once. Whoever asks
// the same of the same few states again and again (a follower of many runs) pays for a look-up.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "model/transition/system.h"

namespace oncecheck {

class StatePool {
  public:
    using Id = std::uint32_t;

    // `system` has to outlive the pool.
    explicit StatePool(const TransitionSystem& system);

    [[nodiscard]] Id initial() const { return 0; }
    [[nodiscard]] const State& at(Id state) const { return *states_[state]; }
    // The state after the action; none if it is not possible.
    [[nodiscard]] std::optional<Id> after(Id state, std::size_t action);
    [[nodiscard]] std::size_t size() const { return states_.size(); }
    // Forgets all but the initial state; numbers given before mean nothing any more.
    void clear();

  private:
    struct Hash {
        std::size_t operator()(const State& state) const;
    };

    [[nodiscard]] Id intern(State state);

    const TransitionSystem& system_;
    std::unordered_map<State, Id, Hash> ids_;  // its keys never move
    std::vector<const State*> states_;
    std::unordered_map<std::uint64_t, std::optional<Id>> successors_;  // by state and action
};

}  // namespace oncecheck

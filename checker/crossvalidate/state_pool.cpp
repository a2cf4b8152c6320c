#include "checker/crossvalidate/state_pool.h"

#include "model/transition/evaluator.h"

namespace oncecheck {

StatePool::StatePool(const TransitionSystem& system) : system_(system) { (void)intern(system.initial()); }

// FNV-1a over the values.
std::size_t StatePool::Hash::operator()(const State& state) const {
    std::uint64_t hash = 14695981039346656037U;
    for (const Value value : state) {
        hash = (hash ^ value) * 1099511628211U;
    }
    return static_cast<std::size_t>(hash ^ (hash >> 29));
}

StatePool::Id StatePool::intern(State state) {
    const auto [found, added] = ids_.emplace(std::move(state), static_cast<Id>(states_.size()));
    if (added) {
        states_.push_back(&found->first);
    }
    return found->second;
}

std::optional<StatePool::Id> StatePool::after(Id state, std::size_t action) {
    const std::uint64_t question = (static_cast<std::uint64_t>(state) << 32U) | action;
    const auto known = successors_.find(question);
    if (known != successors_.end()) {
        return known->second;
    }
    std::optional<Id> next;
    const Action& asked = system_.actions[action];
    if (enabled(asked, at(state))) {
        next = intern(perform(asked, at(state)));
    }
    successors_.emplace(question, next);
    return next;
}

void StatePool::clear() {
    successors_.clear();
    states_.clear();
    ids_.clear();
    (void)intern(system_.initial());
}

}  // namespace oncecheck

// The set of all states that a search has found, in shards by hash, and the levels in which it found them.
//
// Level (f, s) holds the states whose best run has f faults and s steps. Levels are found one after the other, so
// that each is a range of every shard. The order of states within a range depends on the threads; nothing that is
// reported may.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "checker/engines/state_shard.h"

namespace oncecheck {

struct LevelName {
    int faults = 0;
    int steps = 0;

    bool operator==(const LevelName&) const = default;
    bool operator<(const LevelName& other) const {
        return faults != other.faults ? faults < other.faults : steps < other.steps;
    }
};

// A level: in shard i the states from begin[i] to end[i].
struct Level {
    LevelName name;
    std::vector<std::uint32_t> begin;
    std::vector<std::uint32_t> end;

    [[nodiscard]] std::size_t size() const {
        std::size_t total = 0;
        for (std::size_t i = 0; i < begin.size(); ++i) {
            total += end[i] - begin[i];
        }
        return total;
    }
};

// Where a state is.
struct StateId {
    std::uint32_t shard = 0;
    std::uint32_t index = 0;
};

template <std::size_t W>
class StateStore {
  public:
    // `shards` is a power of two, at most 64.
    StateStore(std::size_t shards, MemoryBudget& budget) {
        for (std::size_t i = 0; i < shards; ++i) {
            shards_.emplace_back(budget);
        }
    }

    [[nodiscard]] std::size_t shard_count() const { return shards_.size(); }
    [[nodiscard]] std::size_t shard_of(std::uint64_t hash) const { return (hash >> 58) & (shards_.size() - 1); }
    [[nodiscard]] StateShard<W>& shard(std::size_t index) { return shards_[index].states; }
    [[nodiscard]] const StateShard<W>& shard(std::size_t index) const { return shards_[index].states; }
    // To be held while a shard is changed.
    [[nodiscard]] std::mutex& mutex(std::size_t index) { return shards_[index].mutex; }

    [[nodiscard]] const Packed<W>& state(StateId id) const { return shard(id.shard).state(id.index); }
    [[nodiscard]] std::optional<StateId> find(const Packed<W>& state, std::uint64_t hash) const {
        const std::size_t place = shard_of(hash);
        if (const auto index = shard(place).find(state, hash)) {
            return StateId{static_cast<std::uint32_t>(place), *index};
        }
        return std::nullopt;
    }

    [[nodiscard]] std::size_t size() const {
        std::size_t total = 0;
        for (const Shard& one : shards_) {
            total += one.states.size();
        }
        return total;
    }

    void prefetch_slot(std::uint64_t hash) const { shard(shard_of(hash)).prefetch_slot(hash); }
    void prefetch_state(std::uint64_t hash) const { shard(shard_of(hash)).prefetch_state(hash); }

    // All non-empty levels, in order.
    [[nodiscard]] const std::deque<Level>& levels() const { return levels_; }

    // Empty if there is no such state.
    [[nodiscard]] const Level* level(LevelName name) const {
        const auto at = std::lower_bound(levels_.begin(), levels_.end(), name,
                                         [](const Level& level, LevelName wanted) { return level.name < wanted; });
        return at != levels_.end() && at->name == name ? &*at : nullptr;
    }

    // Makes a level of the states that came since the last one was closed; empty if there are none.
    const Level* close_level(LevelName name) {
        Level level{.name = name, .begin = {}, .end = {}};
        for (Shard& one : shards_) {
            level.begin.push_back(one.closed);
            one.closed = one.states.size();
            level.end.push_back(one.closed);
        }
        if (level.size() == 0) {
            return nullptr;
        }
        return &levels_.emplace_back(std::move(level));
    }

  private:
    struct Shard {
        explicit Shard(MemoryBudget& budget) : states(budget) {}
        StateShard<W> states;
        std::mutex mutex;
        std::uint32_t closed = 0;  // states that belong to a closed level
    };
    std::deque<Shard> shards_;
    std::deque<Level> levels_;  // a level does not move when others follow
};

}  // namespace oncecheck

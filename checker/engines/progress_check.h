// Progress over the whole set of reachable states: from each of them some path of steps and moves of the environment
// leads to completion.
//
//   good = least set: a complete state is good; a state with a good successor (faults apart) is good
//
// Computed in sweeps, one bit a state, until one changes nothing. A sweep takes fewer faults first and, in turns, late
// and early steps first. Successors of level (f, s) are in (f, s + 1) or in an earlier level, so the first sweep
// finds nearly all by the first successor that it looks at; the second is for ways that lead back, and looks only at
// states that are not good yet. What is left then is settled at once, backwards along the steps between those states
// (8 bytes a step and 20 a state), or where the memory does not suffice by more sweeps: at most two more than a path to
// completion has turns between later and earlier levels, where a step within a level counts as a turn.
// A state that is not good violates progress; all that it can reach without faults is its trap.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "checker/engines/compiled_system.h"
#include "checker/engines/level_scan.h"

namespace oncecheck {

template <std::size_t W>
class ProgressCheck {
  public:
    struct Trap {
        Packed<W> state;  // smallest key of the first level that has one
        LevelName level;
        std::size_t size;
    };

    ProgressCheck(const CompiledSystem<W>& system, const StateStore<W>& store, WorkerPool& pool, SearchControl& control,
                  MemoryBudget& budget)
        : system_(system), store_(store), control_(control), budget_(budget), scan_(pool, control) {}

    // The first trap, if there is one. Requires that the store holds all successors of its states, and means nothing
    // if the control stopped the check.
    [[nodiscard]] std::optional<Trap> run() {
        if (!allocate(good_)) {
            return std::nullopt;
        }
        bool late_first = true;
        for (int sweeps = 1; sweep(late_first) && !control_.stopped(); ++sweeps, late_first = !late_first) {
            if (sweeps == kFewSweeps && settle()) {
                break;
            }
        }
        if (control_.stopped()) {
            return std::nullopt;
        }
        for (const Level& level : store_.levels()) {
            if (const auto state = smallest_trapped(level)) {
                return Trap{*state, level.name, trap_size(*state)};
            }
        }
        return std::nullopt;
    }

  private:
    static constexpr std::uint32_t kWord = 64;
    static constexpr int kFewSweeps = 2;
    using Bits = std::vector<std::vector<std::uint64_t>>;  // a shard, a state

    [[nodiscard]] bool allocate(Bits& bits) {
        for (std::size_t shard = 0; shard < store_.shard_count(); ++shard) {
            const std::size_t words = store_.shard(shard).size() / kWord + 1;
            if (!budget_.reserve(words * sizeof(std::uint64_t))) {
                control_.stop(Stop::kMemory);
                return false;
            }
            bits.emplace_back(words, 0);
        }
        return true;
    }

    // A word is written by one thread at a time and read by all: hence the atomic access.
    [[nodiscard]] bool is_good(StateId id) {
        const std::atomic_ref<std::uint64_t> word(good_[id.shard][id.index / kWord]);
        return ((word.load(std::memory_order_relaxed) >> (id.index % kWord)) & 1) != 0;
    }
    void set_good(std::uint32_t shard, std::uint32_t index) {
        const std::atomic_ref<std::uint64_t> word(good_[shard][index / kWord]);
        word.store(word.load(std::memory_order_relaxed) | std::uint64_t{1} << (index % kWord),
                   std::memory_order_relaxed);
    }

    // True if a state became good.
    bool sweep(bool late_first) {
        std::atomic<bool> changed = false;
        const auto visit = [&](const Level& level) {
            scan_.run(level, [&](std::size_t number, const Chunk& chunk) {
                if (number == 0) {
                    control_.report([&] { return status(level.name); });
                }
                if (sweep_chunk(chunk)) {
                    changed.store(true, std::memory_order_relaxed);
                }
            });
        };
        const auto& levels = store_.levels();
        for (auto row = levels.begin(); row != levels.end();) {
            const auto next = std::find_if(row, levels.end(),
                                           [&](const Level& level) { return level.name.faults != row->name.faults; });
            if (late_first) {
                for (auto level = next; level != row;) {
                    visit(*--level);
                }
            } else {
                std::for_each(row, next, visit);
            }
            row = next;
        }
        return changed.load();
    }

    bool sweep_chunk(const Chunk& chunk) {
        bool changed = false;
        for (std::uint32_t begin = chunk.begin; begin != chunk.end;) {
            const std::uint32_t end = std::min(chunk.end, (begin / kWord + 1) * kWord);
            changed = sweep_word(chunk.shard, begin, end) || changed;
            begin = end;
        }
        return changed;
    }

    // States begin..end of one word of the bits: first by the first successor of each, asked for ahead; then by all.
    bool sweep_word(std::uint32_t shard, std::uint32_t begin, std::uint32_t end) {
        struct First {
            std::uint32_t index;
            Packed<W> successor;
            std::uint64_t hash;
        };
        std::array<First, kWord> first;  // NOLINT: written up to `count`
        std::size_t count = 0;
        bool changed = false;
        for (std::uint32_t i = begin; i != end; ++i) {
            if (is_good({shard, i})) {
                continue;
            }
            const Packed<W>& state = store_.shard(shard).state(i);
            if (system_.is_complete(state)) {
                set_good(shard, i);
                changed = true;
                continue;
            }
            system_.for_each_successor(system_.free_actions(), state,
                                       [&](const CompiledAction<W>&, const Packed<W>& next) {
                                           first[count] = {i, next, hash_of(next)};
                                           store_.prefetch_slot(first[count].hash);
                                           ++count;
                                           return false;
                                       });
        }
        for (std::size_t i = 0; i < count; ++i) {
            store_.prefetch_state(first[i].hash);
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (leads_to_good(first[i].successor, first[i].hash) || has_good_successor(shard, first[i].index)) {
                set_good(shard, first[i].index);
                changed = true;
            }
        }
        return changed;
    }

    // The states that are not good, numbered in the order of their places.
    struct Left {
        std::vector<StateId> states;
        std::vector<std::vector<std::uint32_t>> before;  // by shard and word: how many there are in earlier words
    };

    [[nodiscard]] Left left() {
        Left left;
        for (std::uint32_t shard = 0; shard < store_.shard_count(); ++shard) {
            std::vector<std::uint32_t>& before = left.before.emplace_back();
            for (std::uint32_t i = 0; i < store_.shard(shard).size(); ++i) {
                if (i % kWord == 0) {
                    before.push_back(static_cast<std::uint32_t>(left.states.size()));
                }
                if (!is_good({shard, i})) {
                    left.states.push_back({shard, i});
                }
            }
        }
        return left;
    }

    [[nodiscard]] std::uint32_t number_of(const Left& left, StateId id) const {
        const std::uint64_t earlier = (std::uint64_t{1} << (id.index % kWord)) - 1;
        return left.before[id.shard][id.index / kWord] +
               static_cast<std::uint32_t>(std::popcount(~good_[id.shard][id.index / kWord] & earlier));
    }

    struct Step {
        std::uint32_t from;
        std::uint32_t to;
    };

    // Which of the states that are not good are: what leads to a good one, and all that leads there. False, and nothing
    // is changed, if the memory does not suffice.
    bool settle() {
        const Left left = this->left();
        std::vector<std::uint32_t> found;
        std::vector<Step> steps;
        std::size_t reserved = 0;
        const bool fits = find_steps(left, found, steps, reserved);
        if (fits && !control_.stopped()) {
            spread(left, found, steps);
        }
        static_cast<void>(budget_.exchange(reserved, 0));
        return fits;
    }

    // `found`: those that lead to a good one; `steps`: between the others.
    bool find_steps(const Left& left, std::vector<std::uint32_t>& found, std::vector<Step>& steps,
                    std::size_t& reserved) {
        constexpr std::size_t kBytesOfState = 20;
        const auto reserve = [&](std::size_t bytes) {
            const bool fits = budget_.reserve(bytes);
            reserved += fits ? bytes : 0;
            return fits;
        };
        if (!reserve(left.states.size() * kBytesOfState)) {
            return false;
        }
        std::size_t room = 0;
        for (std::uint32_t number = 0; number < left.states.size(); ++number) {
            const std::size_t before = steps.size();
            bool good = false;
            system_.for_each_successor(system_.free_actions(), store_.state(left.states[number]),
                                       [&](const CompiledAction<W>&, const Packed<W>& next) {
                                           const StateId id = store_.find(next, hash_of(next)).value();
                                           good = is_good(id);
                                           if (!good) {
                                               steps.push_back({number, number_of(left, id)});
                                           }
                                           return !good;
                                       });
            if (good) {
                steps.resize(before);
                found.push_back(number);
            }
            if (steps.size() > room) {
                room = 2 * steps.size();
                if (!reserve(room * sizeof(Step))) {
                    return false;
                }
            }
            if (number % LevelScan::kChunk == 0) {
                control_.check_deadline();
                if (control_.stopped()) {
                    return true;
                }
            }
        }
        return true;
    }

    // Backwards from what was found.
    void spread(const Left& left, std::vector<std::uint32_t>& found, std::vector<Step>& steps) {
        std::sort(steps.begin(), steps.end(), [](const Step& one, const Step& other) { return one.to < other.to; });
        std::vector<char> good(left.states.size(), 0);
        for (const std::uint32_t number : found) {
            good[number] = 1;
        }
        for (std::size_t next = 0; next < found.size(); ++next) {
            const auto into = std::equal_range(steps.begin(), steps.end(), Step{0, found[next]},
                                               [](const Step& one, const Step& other) { return one.to < other.to; });
            for (auto step = into.first; step != into.second; ++step) {
                if (std::exchange(good[step->from], 1) == 0) {
                    found.push_back(step->from);
                }
            }
        }
        for (const std::uint32_t number : found) {
            set_good(left.states[number].shard, left.states[number].index);
        }
    }

    [[nodiscard]] bool leads_to_good(const Packed<W>& successor, std::uint64_t hash) {
        const std::optional<StateId> id = store_.find(successor, hash);
        if (!id) {
            throw InternalError("a successor of a reachable state was not found by the search");
        }
        return is_good(*id);
    }

    [[nodiscard]] bool has_good_successor(std::uint32_t shard, std::uint32_t index) {
        const Packed<W>& state = store_.shard(shard).state(index);
        bool found = false;
        system_.for_each_successor(system_.free_actions(), state, [&](const CompiledAction<W>&, const Packed<W>& next) {
            found = !(next == state) && leads_to_good(next, hash_of(next));
            return !found;
        });
        return found;
    }

    [[nodiscard]] std::optional<Packed<W>> smallest_trapped(const Level& level) {
        std::optional<Packed<W>> smallest;
        for (std::uint32_t shard = 0; shard < level.begin.size(); ++shard) {
            for (std::uint32_t i = level.begin[shard]; i != level.end[shard]; ++i) {
                const Packed<W>& state = store_.shard(shard).state(i);
                if (!is_good({shard, i}) && (!smallest || state < *smallest)) {
                    smallest = state;
                }
            }
        }
        return smallest;
    }

    // How many states can be reached from the state without faults, itself included; 0 if the memory does not suffice.
    [[nodiscard]] std::size_t trap_size(const Packed<W>& start) {
        Bits seen;
        if (!allocate(seen)) {
            return 0;
        }
        std::vector<StateId> open;
        std::size_t size = 0;
        const auto reach = [&](const Packed<W>& state) {
            const StateId id = store_.find(state, hash_of(state)).value();
            std::uint64_t& word = seen[id.shard][id.index / kWord];
            const std::uint64_t bit = std::uint64_t{1} << (id.index % kWord);
            if ((word & bit) == 0) {
                word |= bit;
                ++size;
                open.push_back(id);
            }
            return true;
        };
        reach(start);
        while (!open.empty()) {
            const Packed<W> state = store_.state(open.back());
            open.pop_back();
            system_.for_each_successor(system_.free_actions(), state,
                                       [&](const CompiledAction<W>&, const Packed<W>& next) { return reach(next); });
            if (size % LevelScan::kChunk == 0) {
                control_.check_deadline();
            }
            if (control_.stopped()) {
                return 0;
            }
        }
        return size;
    }

    [[nodiscard]] static std::string status(LevelName level) {
        return "progress: faults " + std::to_string(level.faults) + ", step " + std::to_string(level.steps);
    }

    const CompiledSystem<W>& system_;
    const StateStore<W>& store_;
    SearchControl& control_;
    MemoryBudget& budget_;
    LevelScan scan_;
    Bits good_;
};

}  // namespace oncecheck

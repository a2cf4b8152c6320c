// Breadth-first search by fewest faults, then fewest steps:
//
//   level (f, s) = states not seen before that a step or a move of the environment reaches from level (f, s - 1),
//                  or a fault from level (f - 1, s - 1);       levels in lexicographic order
//
// The level in which a state is first found is its minimum: the state before it on a best run has as many faults (one
// fewer, if a fault came last) and one step fewer, and cannot do better itself. Each state is expanded twice in all:
// by free actions for the next level, by faults for the next row.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checker/engines/compiled_system.h"
#include "checker/engines/level_scan.h"
#include "checker/engines/successor_buffers.h"

namespace oncecheck {

// The state of smallest key in the first level that violates a property.
template <std::size_t W>
struct Violation {
    Packed<W> state;
    LevelName level;
};

template <std::size_t W>
class Search {
  public:
    // `early_stop`: end once every property is violated.
    Search(const CompiledSystem<W>& system, StateStore<W>& store, WorkerPool& pool, SearchControl& control,
           bool early_stop)
        : system_(system),
          store_(store),
          control_(control),
          scan_(pool, control),
          early_stop_(early_stop && system.property_count() > 0),
          violations_(system.property_count()),
          workers_(pool.size()) {
        for (Worker& worker : workers_) {
            worker.smallest_bad.resize(system.property_count());
            worker.occurred.resize(system.action_count(), 0);
        }
    }

    void run(const Packed<W>& initial, std::optional<int> fault_budget) {
        SuccessorBuffers<W> start(store_, control_);
        start.add(initial);
        start.flush();
        close_level();
        control_.check_deadline();
        for (; !finished() && explore_row() && !finished(); ++at_.faults) {
            if (fault_budget && at_.faults >= *fault_budget) {
                probe_faults();
                return;
            }
        }
    }

    // The level that was in work when the control stopped the search; all before it are complete.
    [[nodiscard]] LevelName position() const { return at_; }
    // Whether the budget kept the search from states that it has not found otherwise.
    [[nodiscard]] bool faults_untaken() const { return faults_untaken_; }
    [[nodiscard]] const std::vector<std::optional<Violation<W>>>& violations() const { return violations_; }
    // Enabled actions that lead to another state, over all states.
    [[nodiscard]] std::size_t transitions() const {
        std::size_t total = 0;
        for (const Worker& worker : workers_) {
            total += worker.transitions;
        }
        return total;
    }

    [[nodiscard]] Coverage coverage() const {
        Coverage coverage{std::vector<bool>(system_.action_count(), false), false,
                          !control_.stopped() && !done_ && !faults_untaken_};
        for (const Worker& worker : workers_) {
            for (std::size_t action = 0; action < worker.occurred.size(); ++action) {
                coverage.occurred[action] = coverage.occurred[action] || worker.occurred[action] != 0;
            }
            coverage.completed = coverage.completed || worker.completed;
        }
        for (const std::size_t action : system_.silent_actions()) {
            coverage.occurred[action] = true;
        }
        return coverage;
    }

  private:
    struct Worker {
        std::optional<SuccessorBuffers<W>> buffers;
        std::size_t transitions = 0;
        std::vector<std::uint8_t> occurred;                  // by action
        bool completed = false;                              // a complete state was expanded
        std::vector<std::optional<Packed<W>>> smallest_bad;  // of the level, a property
    };
    // The levels of one number of faults.
    struct Row {
        std::optional<int> first;  // steps of its first level
        int last = 0;
    };

    [[nodiscard]] bool finished() const { return control_.stopped() || done_; }

    // All levels with at_.faults faults, after those with fewer; false if there are none.
    bool explore_row() {
        const int faults = at_.faults;
        const Row above = std::exchange(row_, Row{});
        if (faults == 0) {
            row_ = {.first = 0, .last = 0};
        }
        for (at_.steps = faults == 0 ? 1 : *above.first + 1;; ++at_.steps) {
            const Level* faulty = store_.level({faults - 1, at_.steps - 1});
            const Level* free = store_.level({faults, at_.steps - 1});
            if (free == nullptr && (faults == 0 || at_.steps - 1 > above.last)) {
                return row_.first.has_value();
            }
            expand(free, faulty, false);
            close_level();
            if (finished()) {
                return true;
            }
        }
    }

    // Whether faults from the states with the most faults would lead to new ones.
    void probe_faults() {
        for (const Level& level : store_.levels()) {
            if (level.name.faults == at_.faults) {
                expand(nullptr, &level, true);
            }
        }
    }

    void expand(const Level* free, const Level* faulty, bool probe) {
        std::vector<const Level*> levels;
        for (const Level* level : {free, faulty}) {
            if (level != nullptr) {
                levels.push_back(level);
            }
        }
        const std::size_t states_before = store_.size();
        scan_.run(
            levels,
            [&](std::size_t number, const Chunk& chunk) {
                Worker& worker = workers_[number];
                if (!worker.buffers) {
                    worker.buffers.emplace(store_, control_);
                }
                worker.buffers->set_probe(probe);
                expand_chunk(worker, chunk, levels[chunk.source] == free ? system_.free_actions() : system_.faults());
                if (number == 0) {
                    control_.report([&] { return status(states_before); });
                }
            },
            [&](std::size_t number) {
                Worker& worker = workers_[number];
                if (worker.buffers) {
                    worker.buffers->flush();
                }
            });
        for (Worker& worker : workers_) {
            faults_untaken_ = faults_untaken_ || (worker.buffers && worker.buffers->probe_found_new());
        }
    }

    void expand_chunk(Worker& worker, const Chunk& chunk, const ActionIndex<W>& actions) {
        const StateShard<W>& shard = store_.shard(chunk.shard);
        std::size_t transitions = 0;
        std::uint8_t* const occurred = worker.occurred.data();
        for (std::uint32_t i = chunk.begin; i != chunk.end; ++i) {
            const Packed<W> state = shard.state(i);
            worker.completed = worker.completed || system_.is_complete(state);
            system_.for_each_successor(actions, state, [&](const CompiledAction<W>& action, const Packed<W>& next) {
                occurred[action.index] = 1;
                if (!(next == state)) {
                    ++transitions;
                    worker.buffers->add(next);
                }
                return true;
            });
        }
        worker.transitions += transitions;
    }

    // Ends the level at_, complete or not, and looks for violations in it.
    void close_level() {
        const Level* level = store_.close_level(at_);
        if (level == nullptr) {
            return;
        }
        if (!row_.first) {
            row_.first = at_.steps;
        }
        row_.last = at_.steps;
        std::vector<std::size_t> open;
        for (std::size_t property = 0; property < violations_.size(); ++property) {
            if (!violations_[property]) {
                open.push_back(property);
            }
        }
        if (!open.empty()) {
            find_violations(*level, open);
        }
    }

    void find_violations(const Level& level, const std::vector<std::size_t>& open) {
        scan_.run_to_the_end(level, [&](std::size_t number, const Chunk& chunk) {
            auto& smallest = workers_[number].smallest_bad;
            const StateShard<W>& shard = store_.shard(chunk.shard);
            for (std::uint32_t i = chunk.begin; i != chunk.end; ++i) {
                const Packed<W>& state = shard.state(i);
                for (const std::size_t property : open) {
                    if (system_.is_bad(property, state) && (!smallest[property] || state < *smallest[property])) {
                        smallest[property] = state;
                    }
                }
            }
        });
        for (const std::size_t property : open) {
            std::optional<Packed<W>> smallest;
            for (Worker& worker : workers_) {
                const auto found = std::exchange(worker.smallest_bad[property], std::nullopt);
                if (found && (!smallest || *found < *smallest)) {
                    smallest = found;
                }
            }
            if (smallest) {
                violations_[property] = Violation<W>{*smallest, level.name};
            }
        }
        done_ = early_stop_ && std::all_of(violations_.begin(), violations_.end(),
                                           [](const auto& violation) { return violation.has_value(); });
    }

    [[nodiscard]] std::string status(std::size_t states) const {
        return "faults " + std::to_string(at_.faults) + ", step " + std::to_string(at_.steps) + ", " +
               std::to_string(states) + " states";
    }

    const CompiledSystem<W>& system_;
    StateStore<W>& store_;
    SearchControl& control_;
    LevelScan scan_;
    bool early_stop_;
    std::vector<std::optional<Violation<W>>> violations_;
    std::vector<Worker> workers_;
    LevelName at_;
    Row row_{.first = 0, .last = 0};
    bool done_ = false;
    bool faults_untaken_ = false;
};

}  // namespace oncecheck

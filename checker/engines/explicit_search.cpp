#include "checker/engines/explicit_search.h"

#include <algorithm>
#include <bit>
#include <new>

#include "checker/engines/compiled_system.h"
#include "checker/engines/completion_ways.h"
#include "checker/engines/progress_check.h"
#include "checker/engines/search.h"
#include "checker/engines/trace_finder.h"
#include "model/transition/evaluator.h"

namespace oncecheck {

namespace {

// A thread spends about half of its time with insertion, so one shard keeps two threads busy. More shards cost: states
// that are found together lie next to each other, and are looked for together, within a shard only.
std::size_t shards_for(std::size_t jobs) {
    constexpr std::size_t kMostShards = 64;
    return std::min(kMostShards, std::bit_ceil((jobs + 1) / 2));
}

// The run's full states, by evaluation of its actions.
Trace trace_of(const TransitionSystem& system, const State& initial, const std::vector<std::size_t>& actions) {
    Trace trace{.initial = initial, .steps = {}};
    for (const std::size_t action : actions) {
        if (!enabled(system.actions[action], trace.last())) {
            throw InternalError("the evaluator does not enable action '" + system.actions[action].label.text +
                                "' where the search did");
        }
        trace.steps.push_back({action, perform(system.actions[action], trace.last())});
    }
    return trace;
}

// One run of a search, and the reading of its results.
template <std::size_t W>
class SearchRun {
  public:
    SearchRun(const TransitionSystem& system, const CompiledSystem<W>& compiled, const State& initial,
              const Limits& limits, const Progress& progress, const StateVisitor* visit)
        : system_(system),
          compiled_(compiled),
          initial_(initial),
          limits_(limits),
          control_(limits, progress),
          budget_(limits.memory_bytes),
          pool_(static_cast<std::size_t>(std::max(1, limits.jobs))),
          store_(shards_for(pool_.size()), budget_),
          asks_progress_(!system.complete.is_constant(0)),
          search_(compiled, store_, pool_, control_, !asks_progress_ && visit == nullptr),
          visit_(visit) {}

    CheckResult run(const PackedLayout& layout) {
        const Packed<W> initial = layout.pack<W>(initial_);
        CheckResult result;
        guard_memory([&] { search_.run(initial, limits_.fault_budget); });
        for (std::size_t property = 0; property < system_.properties.size(); ++property) {
            result.properties.push_back(outcome(property));
        }
        const bool shows = visit_ != nullptr && !control_.stopped() && !search_.faults_untaken();
        std::optional<CompletionWays<W>> ways;
        if (shows && asks_progress_) {
            guard_memory([&] { ways.emplace(compiled_, store_); });
        }
        if (asks_progress_) {
            result.progress = ways && ways->are_everywhere() ? outcome_without_violation(kNoTrap) : progress();
        }
        result.coverage = search_.coverage();
        if (shows && !control_.stopped()) {
            guard_memory([&] { show_states(layout, ways); });
        }
        result.states = store_.size();
        result.bytes = budget_.used();
        return result;
    }

  private:
    static constexpr const char* kNoTrap = "no state without a way to completion";

    void show_states(const PackedLayout& layout, const std::optional<CompletionWays<W>>& ways) const {
        State state = initial_;
        for (std::uint32_t shard = 0; shard < store_.shard_count(); ++shard) {
            for (std::uint32_t index = 0; index < store_.shard(shard).size(); ++index) {
                layout.unpack(store_.state({shard, index}), state);
                (*visit_)(state, ways ? ways->from({shard, index}) : std::nullopt);
            }
        }
    }

    // The operating system may refuse what the budget allows.
    template <class Work>
    void guard_memory(Work work) {
        try {
            work();
        } catch (const std::bad_alloc&) {
            control_.stop(Stop::kMemory);
        }
    }

    [[nodiscard]] Outcome outcome(std::size_t property) const {
        const auto& violation = search_.violations()[property];
        if (!violation) {
            return outcome_without_violation("no violation");
        }
        Counterexample counterexample = run_to(violation->state, violation->level);
        if (evaluate(system_.properties[property].bad, counterexample.trace.last()) == 0) {
            throw InternalError("the run found for " + system_.properties[property].name + " does not violate it");
        }
        return counterexample;
    }

    [[nodiscard]] Outcome outcome_without_violation(const std::string& finding) const {
        const LevelName at = search_.position();
        if (control_.stopped()) {
            return Unknown{control_.reason() + " reached after " + std::to_string(store_.size()) + " states", at.faults,
                           at.steps};
        }
        if (search_.faults_untaken()) {
            return Unknown{
                finding + " with at most " + std::to_string(at.faults) + (at.faults == 1 ? " fault" : " faults"),
                at.faults + 1, 0};
        }
        Exhausted exhausted{.states = store_.size(), .transitions = search_.transitions()};
        for (const Level& level : store_.levels()) {
            exhausted.depth = std::max(exhausted.depth, level.name.steps);
            exhausted.most_faults = std::max(exhausted.most_faults, level.name.faults);
        }
        return exhausted;
    }

    [[nodiscard]] Outcome progress() {
        std::optional<typename ProgressCheck<W>::Trap> trap;
        if (!control_.stopped()) {
            ProgressCheck<W> check(compiled_, store_, pool_, control_, budget_);
            guard_memory([&] { trap = check.run(); });
        }
        if (control_.stopped() || !trap) {
            return outcome_without_violation(kNoTrap);
        }
        Counterexample counterexample = run_to(trap->state, trap->level);
        counterexample.trap_states = trap->size;
        return counterexample;
    }

    [[nodiscard]] Counterexample run_to(const Packed<W>& state, LevelName level) const {
        const TraceFinder<W> finder(compiled_, store_);
        return {.trace = trace_of(system_, initial_, finder.actions_to(state, level)),
                .faults = static_cast<std::size_t>(level.faults)};
    }

    const TransitionSystem& system_;
    const CompiledSystem<W>& compiled_;
    const State& initial_;
    const Limits& limits_;
    SearchControl control_;
    MemoryBudget budget_;
    WorkerPool pool_;
    StateStore<W> store_;
    bool asks_progress_;
    Search<W> search_;
    const StateVisitor* visit_;
};

template <std::size_t W>
class CompiledSearch : public ExplicitSearch {
  public:
    CompiledSearch(const TransitionSystem& system, const Slice& slice, PackedLayout layout)
        : system_(system), frozen_(slice.frozen), layout_(std::move(layout)), compiled_(system, slice, layout_) {}

    [[nodiscard]] CheckResult run(const State& initial, const Limits& limits, const Progress& progress) const override {
        return SearchRun<W>(system_, compiled_, initial, limits, progress, nullptr).run(layout_);
    }

    CheckResult explore(const State& initial, const Limits& limits, const Progress& progress,
                        const StateVisitor& visit) const override {
        return SearchRun<W>(system_, compiled_, initial, limits, progress, &visit).run(layout_);
    }

    [[nodiscard]] std::vector<VariableId> distinguished() const override {
        std::vector<VariableId> found;
        for (VariableId id = 0; id < system_.variables.size(); ++id) {
            if (frozen_[id] || layout_.field(id)) {
                found.push_back(id);
            }
        }
        return found;
    }

  private:
    const TransitionSystem& system_;
    std::vector<bool> frozen_;
    PackedLayout layout_;
    CompiledSystem<W> compiled_;
};

}  // namespace

std::variant<std::unique_ptr<ExplicitSearch>, std::string> prepare_search(const TransitionSystem& system) {
    const Slice slice = oncecheck::slice(system);
    PackedLayout layout(system, slice.kept);
    const std::size_t words = layout.words();
    if (words <= 1) {
        return std::make_unique<CompiledSearch<1>>(system, slice, std::move(layout));
    }
    if (words <= 2) {
        return std::make_unique<CompiledSearch<2>>(system, slice, std::move(layout));
    }
    if (words <= 4) {
        return std::make_unique<CompiledSearch<4>>(system, slice, std::move(layout));
    }
    if (words <= kMostWords) {
        return std::make_unique<CompiledSearch<8>>(system, slice, std::move(layout));
    }
    return "a state needs " + std::to_string(words) + " words of 64 bits, more than the " + std::to_string(kMostWords) +
           " that explicit search can pack";
}

}  // namespace oncecheck

#include "checker/smt/bmc_engine.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "checker/smt/limited_queries.h"
#include "checker/smt/solver.h"
#include "checker/smt/unroller.h"
#include "model/transition/evaluator.h"

namespace oncecheck {

namespace {

// More values than this of one variable at one step are not worth a literal each.
constexpr std::size_t kMostCases = 2000;

// How the search with one budget ended.
enum class End { kAllFound, kExhausted, kDepth, kStopped };

std::string counted(int count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// The run that takes these actions, by the evaluator; the solver is believed in nothing but the choice of actions.
Trace rerun(const TransitionSystem& system, const std::vector<std::size_t>& actions) {
    Trace trace{system.initial(), {}};
    for (const std::size_t index : actions) {
        const Action& action = system.actions.at(index);
        if (!enabled(action, trace.last())) {
            throw InternalError("bounded model checking: '" + action.label.text + "' is not possible at step " +
                                std::to_string(trace.steps.size() + 1));
        }
        State after = perform(action, trace.last());
        trace.steps.push_back({index, std::move(after)});
    }
    return trace;
}

// The search of one system: what is open, and why it stopped.
class Search {
  public:
    Search(const TransitionSystem& system, const BmcSettings& settings, const Limits& limits, const Progress& progress)
        : system_(system),
          settings_(settings),
          limits_(limits),
          progress_(progress),
          queries_(settings.query, limits),
          found_(system.properties.size()) {}

    CheckResult run();

  private:
    // One solver with the runs of one budget.
    struct Round {
        Round(const TransitionSystem& system, int faults)
            : budget(faults), solver(Theory::kFiniteDomain, {}), runs(system, solver, faults) {}
        int budget;
        Solver solver;
        Unroller runs;
    };

    End search(Round& round);
    End lengthen(Round& round);
    End find_bad(Round& round);
    bool forbid_a_repetition(Round& round);
    void record(Round& round);
    [[nodiscard]] int most_faults() const { return limits_.fault_budget.value_or(settings_.most_faults); }
    [[nodiscard]] bool all_found() const;
    [[nodiscard]] Outcome open_outcome(End end) const;

    const TransitionSystem& system_;
    const BmcSettings& settings_;
    const Limits& limits_;
    const Progress& progress_;
    LimitedQueries queries_;
    std::vector<std::optional<Counterexample>> found_;  // by property
    std::string stop_reason_;
    int budget_ = 0;                                // being searched
    int depth_ = 0;                                 // the number of steps being searched
    std::optional<std::pair<int, int>> first_gap_;  // faults, steps: the first runs that were not searched
    bool complete_ = false;                         // all runs were searched
};

CheckResult Search::run() {
    End end = all_found() ? End::kAllFound : End::kExhausted;
    for (budget_ = 0; budget_ <= most_faults() && !all_found(); ++budget_) {
        Round round(system_, budget_);
        end = search(round);
        if (end == End::kStopped) {
            break;
        }
        if (!round.runs.budget_matters()) {  // more faults allow no more runs
            complete_ = end == End::kExhausted;
            break;
        }
    }
    CheckResult result;
    for (std::optional<Counterexample>& found : found_) {
        result.properties.push_back(found ? Outcome(std::move(*found)) : open_outcome(end));
    }
    if (!system_.complete.is_constant(0)) {
        result.progress = Unknown{"bounded model checking does not decide progress", 0, 0};
    }
    result.bytes = queries_.bytes();
    return result;
}

End Search::search(Round& round) {
    for (depth_ = 0; depth_ <= settings_.most_steps; ++depth_) {
        if (progress_) {
            progress_("bounded model checking: " + counted(budget_, "fault") + ", " + counted(depth_, "step"));
        }
        End end = depth_ == 0 ? End::kDepth : lengthen(round);
        if (end == End::kDepth) {
            end = find_bad(round);
        }
        if (end == End::kStopped && !first_gap_) {
            first_gap_ = {budget_, depth_};
        }
        if (end != End::kDepth) {
            return end;
        }
    }
    if (!first_gap_) {
        first_gap_ = {budget_, depth_};
    }
    return End::kDepth;
}

// kDepth: there is a run with one more step.
End Search::lengthen(Round& round) {
    if (!round.runs.extend()) {
        return End::kExhausted;
    }
    if (round.runs.most_cases() > kMostCases) {
        stop_reason_ = "a variable has too many values for bounded model checking";
        return End::kStopped;
    }
    while (true) {
        switch (queries_.ask(round.solver, {})) {
            case Answer::kUnsat:
                return End::kExhausted;
            case Answer::kUnknown:
                stop_reason_ = queries_.reason();
                return End::kStopped;
            case Answer::kSat:
                if (!forbid_a_repetition(round)) {
                    return End::kDepth;
                }
        }
    }
}

// kDepth: no open property has a bad last state (any more).
End Search::find_bad(Round& round) {
    while (!all_found()) {
        std::vector<z3::expr> bad;
        for (std::size_t index = 0; index < found_.size(); ++index) {
            if (!found_[index]) {
                bad.push_back(round.runs.last(system_.properties[index].bad));
            }
        }
        const Encoder encoder(round.solver.terms());
        const z3::expr some = encoder.any(bad);
        // Fewer faults were searched before, to the same depth at least.
        const z3::expr target = encoder.both(some, round.runs.faults_at_least(budget_));
        if (target.is_false()) {
            return End::kDepth;
        }
        const std::string name = "bad" + std::to_string(depth_) + "." + std::to_string(bad.size());
        const z3::expr literal = round.solver.terms().bool_const(name.c_str());
        round.solver.add(encoder.any({encoder.negation(literal), target}));
        switch (queries_.ask(round.solver, std::span(&literal, 1))) {
            case Answer::kUnsat:
                round.solver.add(encoder.negation(literal));
                return End::kDepth;
            case Answer::kUnknown:
                stop_reason_ = queries_.reason();
                return End::kStopped;
            case Answer::kSat:
                record(round);
        }
    }
    return End::kAllFound;
}

// If the model's run repeats a state, rules that out and returns true.
bool Search::forbid_a_repetition(Round& round) {
    const Trace trace = rerun(system_, round.runs.actions_of_model());
    const auto projected = [&](State state) {
        for (std::size_t variable = 0; variable < state.size(); ++variable) {
            state[variable] = round.runs.cone()[variable] ? state[variable] : 0;
        }
        return state;
    };
    std::map<State, int> seen{{projected(trace.initial), 0}};
    bool repeats = false;
    for (std::size_t step = 0; step < trace.steps.size(); ++step) {
        const int now = static_cast<int>(step) + 1;
        const auto [earlier, is_new] = seen.try_emplace(projected(trace.steps[step].after), now);
        if (!is_new) {
            round.runs.forbid_repetition(earlier->second, now);
            earlier->second = now;
            repeats = true;
        }
    }
    return repeats;
}

void Search::record(Round& round) {
    const Trace trace = rerun(system_, round.runs.actions_of_model());
    const std::size_t faults = fault_count(system_, trace);
    bool hit = false;
    for (std::size_t index = 0; index < found_.size(); ++index) {
        if (!found_[index] && evaluate(system_.properties[index].bad, trace.last()) != 0) {
            found_[index] = Counterexample{trace, faults, 0};
            hit = true;
        }
    }
    if (!hit || faults > static_cast<std::size_t>(budget_)) {
        throw InternalError("bounded model checking: the model's run does not violate a property within its budget");
    }
}

bool Search::all_found() const {
    return std::all_of(found_.begin(), found_.end(), [](const auto& found) { return found.has_value(); });
}

Outcome Search::open_outcome(End end) const {
    if (complete_) {
        return Exhausted{0, 0, depth_ - 1, 0};
    }
    if (end == End::kStopped) {
        return Unknown{stop_reason_ + " at " + counted(budget_, "fault") + ", " + counted(depth_, "step"),
                       first_gap_->first, first_gap_->second};
    }
    const std::string searched = "no violation with at most " + counted(most_faults(), "fault");
    if (first_gap_) {
        return Unknown{searched + " and " + counted(settings_.most_steps, "step"), first_gap_->first,
                       first_gap_->second};
    }
    return Unknown{searched, most_faults() + 1, 0};
}

}  // namespace

CheckResult BmcEngine::check(const TransitionSystem& system, const Limits& limits, const Progress& progress) const {
    return translating_errors([&] { return Search(system, settings_, limits, progress).run(); });
}

}  // namespace oncecheck

#include "checker/certificate/plain_search.h"

#include <algorithm>
#include <map>
#include <vector>

#include "model/transition/evaluator.h"

namespace oncecheck {

namespace {

// How a state was found first: from which one (by number), by which action.
struct Origin {
    std::size_t from = 0;
    std::size_t action = 0;
};

class Exploration {
  public:
    explicit Exploration(const TransitionSystem& system) : system_(system) { add(system.initial(), {}); }

    // False if there are too many states.
    bool run() {
        for (std::size_t number = 0; number < states_.size(); ++number) {
            for (std::size_t action = 0; action < system_.actions.size(); ++action) {
                if (enabled(system_.actions[action], states_[number])) {
                    add(perform(system_.actions[action], states_[number]), {number, action});
                }
            }
            if (states_.size() > PlainSearch::kMostStates) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] Outcome outcome(const Expression& bad) const {
        const auto found =
            std::find_if(states_.begin(), states_.end(), [&](const State& state) { return evaluate(bad, state) != 0; });
        if (found == states_.end()) {
            return Exhausted{.states = states_.size()};
        }
        Counterexample run{.trace = {.initial = system_.initial(), .steps = {}}};
        for (auto number = static_cast<std::size_t>(found - states_.begin()); number != 0;
             number = origins_[number].from) {
            run.trace.steps.push_back({origins_[number].action, states_[number]});
        }
        std::reverse(run.trace.steps.begin(), run.trace.steps.end());
        run.faults = fault_count(system_, run.trace);
        return run;
    }

    [[nodiscard]] std::size_t size() const { return states_.size(); }

  private:
    void add(State state, Origin origin) {
        if (numbers_.try_emplace(state, states_.size()).second) {
            states_.push_back(std::move(state));
            origins_.push_back(origin);
        }
    }

    const TransitionSystem& system_;
    std::map<State, std::size_t> numbers_;
    std::vector<State> states_;
    std::vector<Origin> origins_;
};

}  // namespace

CheckResult PlainSearch::check(const TransitionSystem& system, const Limits&, const Progress&) const {
    Exploration exploration(system);
    const bool complete = exploration.run();
    CheckResult result;
    for (const Property& property : system.properties) {
        Outcome outcome = exploration.outcome(property.bad);
        if (!complete && std::holds_alternative<Exhausted>(outcome)) {
            outcome = Unknown{.reason = "too many states for plain search"};
        }
        result.properties.push_back(std::move(outcome));
    }
    if (!system.complete.is_constant(0)) {
        result.progress = Unknown{.reason = "plain search does not decide progress"};
    }
    result.states = exploration.size();
    return result;
}

}  // namespace oncecheck

#include "checker/smt/reachable_sample.h"

#include <algorithm>
#include <deque>
#include <random>

#include "model/transition/evaluator.h"

namespace oncecheck {

namespace {

constexpr std::uint64_t kSeed = 1;

class Sampling {
  public:
    Sampling(const TransitionSystem& system, const VariableSet& cone, const Vocabulary& vocabulary)
        : system_(system),
          vocabulary_(vocabulary),
          sample_{KnownStates(vocabulary), std::vector<bool>(system.properties.size(), false)} {
        for (const Action& action : system.actions) {
            const bool relevant = std::any_of(action.assignments.begin(), action.assignments.end(),
                                              [&](const Assignment& assignment) { return cone[assignment.variable]; });
            if (relevant) {
                relevant_.push_back(&action);
            }
        }
    }

    ReachableSample run(const SampleSize& size) {
        breadth_first(size);
        for (int walk = 0; walk < size.walks; ++walk) {
            random_walk(size.walk_steps);
        }
        return std::move(sample_);
    }

  private:
    void breadth_first(const SampleSize& size) {
        std::deque<std::pair<State, int>> open{{system_.initial(), 0}};
        visit(open.front().first);
        while (!open.empty() &&
               (open.front().second < size.complete_depth || sample_.states.size() < size.breadth_first)) {
            const auto [state, depth] = std::move(open.front());
            open.pop_front();
            for (const Action* action : relevant_) {
                if (enabled(*action, state)) {
                    State next = perform(*action, state);
                    if (visit(next)) {
                        open.emplace_back(std::move(next), depth + 1);
                    }
                }
            }
        }
    }

    void random_walk(int steps) {
        State state = system_.initial();
        std::vector<const Action*> possible;
        for (int step = 0; step < steps; ++step) {
            possible.clear();
            std::copy_if(relevant_.begin(), relevant_.end(), std::back_inserter(possible),
                         [&](const Action* action) { return enabled(*action, state); });
            if (possible.empty()) {
                return;
            }
            state = perform(*possible[random_() % possible.size()], state);
            visit(state);
        }
    }

    // True if the state is new to the vocabulary.
    bool visit(const State& state) {
        for (std::size_t index = 0; index < sample_.violated.size(); ++index) {
            sample_.violated[index] = sample_.violated[index] || evaluate(system_.properties[index].bad, state) != 0;
        }
        return sample_.states.add(vocabulary_.literals_of(state));
    }

    const TransitionSystem& system_;
    const Vocabulary& vocabulary_;
    ReachableSample sample_;
    std::vector<const Action*> relevant_;
    std::mt19937_64 random_{kSeed};
};

}  // namespace

ReachableSample sample_reachable(const TransitionSystem& system, const VariableSet& cone, const Vocabulary& vocabulary,
                                 const SampleSize& size) {
    return Sampling(system, cone, vocabulary).run(size);
}

}  // namespace oncecheck

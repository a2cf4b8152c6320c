#include "checker/engines/completion_witness.h"

#include <random>

#include "model/transition/evaluator.h"

namespace oncecheck {

namespace {

constexpr int kWalks = 40;
constexpr int kSteps = 400;
constexpr std::uint64_t kSeed = 1;

// The actions that are possible, without faults if any other is.
std::vector<std::size_t> choices(const TransitionSystem& system, const State& state) {
    std::vector<std::size_t> free;
    std::vector<std::size_t> faults;
    for (std::size_t index = 0; index < system.actions.size(); ++index) {
        if (enabled(system.actions[index], state)) {
            (system.actions[index].kind == ActionKind::kFault ? faults : free).push_back(index);
        }
    }
    return free.empty() ? faults : free;
}

}  // namespace

std::optional<Trace> find_completion(const TransitionSystem& system) {
    std::mt19937_64 random(kSeed);
    for (int walk = 0; walk < kWalks; ++walk) {
        Trace trace{system.initial(), {}};
        for (int step = 0; step < kSteps; ++step) {
            if (evaluate(system.complete, trace.last()) != 0) {
                return trace;
            }
            const std::vector<std::size_t> possible = choices(system, trace.last());
            if (possible.empty()) {
                break;
            }
            const std::size_t chosen = possible[random() % possible.size()];
            State after = perform(system.actions[chosen], trace.last());
            trace.steps.push_back({chosen, std::move(after)});
        }
    }
    return std::nullopt;
}

}  // namespace oncecheck

// Some reachable states of a system, found by the evaluator: the first ones breadth first, then some deep ones by
// random walks with a fixed seed. What they refute is no invariant; which properties they violate is told, too.
#pragma once

#include <cstddef>
#include <vector>

#include "checker/smt/known_states.h"
#include "checker/smt/vocabulary.h"
#include "model/transition/system.h"

namespace oncecheck {

struct SampleSize {
    std::size_t breadth_first = 3000;  // states, after all that `complete_depth` steps reach
    int complete_depth = 2;
    int walks = 60;
    int walk_steps = 200;
};

struct ReachableSample {
    KnownStates states;
    std::vector<bool> violated;  // by property
};

[[nodiscard]] ReachableSample sample_reachable(const TransitionSystem& system, const VariableSet& cone,
                                               const Vocabulary& vocabulary, const SampleSize& size);

}  // namespace oncecheck

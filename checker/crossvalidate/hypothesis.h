// One way in which the model can have done what was seen of a run: a state, and which incarnations of the run stand in
// which slots of it.
#pragma once

#include <cstdint>
#include <vector>

#include "checker/crossvalidate/state_pool.h"

namespace oncecheck {

enum class Life : std::uint8_t {
    kAbsent,    // not in the model: has not read its progress yet, or is over
    kLive,      // in the run and in the model
    kInFlight,  // dead in both; a statement of it may still be applied
    kPaused,    // dead in the run with a statement in flight; in the model it has not applied that yet and lives on
    kOver,      // dead in the run; in the model it can only end once it is replaced
};

struct Tracked {
    Life life = Life::kAbsent;
    std::int8_t slot = -1;  // where it stands, or stood last

    auto operator<=>(const Tracked&) const = default;
};

struct Hypothesis {
    StatePool::Id state = 0;
    std::vector<Tracked> actors;  // as RunReading::actors

    auto operator<=>(const Hypothesis&) const = default;
};

}  // namespace oncecheck

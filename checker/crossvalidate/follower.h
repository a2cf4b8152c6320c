// Follows a run of the runtime in the model: keeps the set of all states that the model can be in, given what was seen.
// An empty set: the runtime did something that the model never does, so one of the two is wrong.
//
//   H0 = {initial};  H(n+1) = {h' : h in H(n), h' is h after the actions that event n stands for, and what the stores
//   hold agrees with h'}
//
// The model takes fewer steps than the runtime; where it does, the event is mapped so:
//   - A unit that the model takes in one step may take it at any of the unit's statements; where it is cut, each
//     reading statement reads while it runs, and the commit commits. A load counts a row where it is loaded last.
//   - The model writes a batch ahead in the step that decides on it: an incarnation enters the model when it has
//   written
//     ahead (or finds its batch there), and one that loses that race never enters, or ends.
//   - A laggard that commits a batch again, whose entry was purged, ends in the model with its threads in that step; it
//     takes it when the run's incarnation ends, or at once.
//   - A statement that took effect and whose client ignores the failure that it was told of is one that succeeds.
//   - A crash that leaves a statement in flight is, where the model leaves `detached` out for zombies, an incarnation
//     that pauses, applies the statement when it lands, and then ends. A statement that never lands needs none.
//   - A run that was replaced ends as soon as the model lets it.
// Does not follow producers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "checker/crossvalidate/action_index.h"
#include "checker/crossvalidate/hypothesis.h"
#include "checker/crossvalidate/run_reading.h"

namespace oncecheck {

enum class Followed {
    kToTheEnd,
    kLeftModel,        // no state of the model can do what happened
    kOutsideUniverse,  // the run went beyond what the universe holds: more incarnations side by side, other ranges,
                       // names that differ where the model has one; or a statement lands later whose client goes on,
                       // which the model has and this does not trace
};

struct FollowResult {
    Followed result = Followed::kToTheEnd;
    std::size_t event = 0;            // the first that could not be followed
    std::string reason;               // in words; empty if all were
    std::vector<std::string> before;  // the last states, in words
    std::size_t most_states = 0;      // at once
};

class Follower {
  public:
    // `hop` is a system of queries, not sliced, and has to outlive the follower.
    explicit Follower(const HopSystem& hop);

    // Requires a run with the records of the hop's universe. Events of other processes are left out. Contents are
    // compared if the run has kept them.
    [[nodiscard]] FollowResult follow(const RunRecord& run);

  private:
    friend class FollowedRun;

    const HopSystem& hop_;
    ProgramUnits units_;
    ActionIndex index_;
    StatePool pool_;
};

// The system whose universe has the keys and versions of the run's records; null if none has.
[[nodiscard]] const HopSystem* universe_of(const std::vector<HopSystem>& systems, const RunInputs& inputs);

}  // namespace oncecheck

// A transition system in Promela, for SPIN: one process that loops over the actions.
//
//   unsigned cards_commits : 2;                    a variable a bit field of the width that its values need
//   do
//   :: d_step { guard -> assignments }             an action a step
//   :: d_step { bad -> assert(0 == N) }            property N, a step that changes nothing, compiled in on demand
//   od
//
// So SPIN (called with -o2, or it would leave out variables that nothing reads) stores exactly the system's reachable
// states, and breadth first (-DBFS) the first violation of a property has as many steps as the shortest run of the
// system to a bad state, faults counted like other steps. The file says in its first comment how to run it.
#pragma once

#include <string>
#include <vector>

#include "model/transition/system.h"

namespace oncecheck {

// `title` is for the first line. Throws UsageError if a value does not fit Promela's 32 bits with sign.
[[nodiscard]] std::string render_promela(const TransitionSystem& system, const std::string& title);

// Several systems as one model, which first chooses one of them: as many states as all of them and one more, and each
// run one step longer. Properties are numbered from 1 through all systems and always compiled in. To be
// translated with -o2 as well.
[[nodiscard]] std::string render_promela_choice(const std::vector<TransitionSystem>& systems);

}  // namespace oncecheck

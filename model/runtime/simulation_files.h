// A simulation in files, which survives kill -9: logs, checkpoints and the embedded database of the run that is under
// way, a journal of its moves, and a journal of the runs that are done.
//
//   options     what the simulation was started with
//   done        one frame a finished run
//   run/        the run under way: `moves` (its number, then one frame before every move), `topics`, `checkpoints`,
//               `store`; after a kill it is moved to found/, until it has been compared
//
// What a run has in memory is gone with a kill. It is brought back by making the journalled moves again, in a fresh
// `run`: the schedule is a function of the seed, so each move has to be the one that was journalled; and what is found
// on disk has to be what the moves have come to, before or after the last of them. A log, a checkpoint or a database
// that did not survive is an InternalError. So the result is that of a simulation without the kill.
#pragma once

#include "model/runtime/simulate.h"

namespace oncecheck {

// Requires a directory, and the embedded store. Throws as simulate().
[[nodiscard]] SimulationResult simulate_in_files(const Pipeline& pipeline, const SimulationOptions& options,
                                                 const SimulationProgress& progress);

}  // namespace oncecheck

// Temporary tables of a store. They belong to the session that creates them: no other session sees them, and they are
// gone with it (PostgreSQL documentation, CREATE TABLE: TEMPORARY). An incarnation has one session, so they are moved
// to where temporary views are, under the name that the store has for them; they outlive the attempt that made them.
//
// A process means its temporary table wherever it names it, also before the step that creates it.
#pragma once

#include <vector>

#include "model/errors.h"
#include "model/pipeline/pipeline.h"

namespace oncecheck {

// Renames "warehouse.mine" to "mine" in the programs of each process that creates it with `temporary`. Adds problems:
// "executors-and-session" (executors have sessions of their own) and "unsupported" (a merge into such a table, keys of
// one, a name that is cut or spelled in two ways).
void move_temporary_tables(Pipeline& pipeline, std::vector<Problem>& problems);

}  // namespace oncecheck

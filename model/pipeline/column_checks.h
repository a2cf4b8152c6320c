// What steps say about columns and keys, held against what rows and tables have: a condition on a column that no step
// fills would match nothing, a version that is none would compare nothing, and a statement of SQL whose conflict, key
// or columns are not those of the document would not do what its step means.
#pragma once

#include <vector>

#include "model/errors.h"
#include "model/pipeline/pipeline.h"

namespace oncecheck {

// Adds the problems "unknown-column" (a condition, a version or a group that no row has), "no-unique-key",
// "undeclared-key", "column-not-filled" and "no-merge" (statements of SQL). Requires components whose names resolve.
void check_columns(const Pipeline& pipeline, std::vector<Problem>& problems);

}  // namespace oncecheck

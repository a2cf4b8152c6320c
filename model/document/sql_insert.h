// INSERT as a step: one row of constants, the rows of a table or of the batch, or, with ON CONFLICT DO UPDATE, a merge
// of which only the insert can meet a row that is there.
#pragma once

#include <vector>

#include "model/document/sql_merge.h"

namespace oncecheck {

// The step of the inside of an InsertStmt. Throws SqlRefusal.
[[nodiscard]] Step read_sql_insert(const SqlTree& tree, const JsonValue& insert, SqlNames& names);

// Puts the constants and the unchanged columns of new rows into the step; `all`: every column of the source is
// unchanged.
void take_assigned(const std::vector<SqlAssignment>& assignments, bool all, Step& step);

}  // namespace oncecheck

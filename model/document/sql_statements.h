// One SQL statement as one step: CREATE TABLE [AS], TRUNCATE, DELETE, INSERT, INSERT ... ON CONFLICT, MERGE, DROP.
#pragma once

#include "model/document/sql_names.h"
#include "model/document/sql_tree.h"
#include "model/document/step.h"

namespace oncecheck {

// The step of the statement; its `sql` and position are set. Throws SqlRefusal for what no step expresses.
[[nodiscard]] Step read_sql_statement(const SqlTree& tree, SqlNames& names);

}  // namespace oncecheck

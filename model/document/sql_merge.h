// MERGE and INSERT ... ON CONFLICT DO UPDATE as a merge step: a row of the source takes the place of the row with its
// key, or is inserted. A row that the update left half as it was would be no row of the source, so every column that is
// inserted must be updated as well; columns that are not are columns that nothing may look at.
#pragma once

#include <string>
#include <vector>

#include "model/document/sql_query.h"

namespace oncecheck {

// What a statement gives a column of its target.
struct SqlAssignment {
    std::string column;
    SqlOutput value;    // of the source
    bool adds = false;  // target.column + source.column
};

// The assignments of a list of ResTargets with names and values, as SET has it. Throws SqlRefusal.
[[nodiscard]] std::vector<SqlAssignment> read_sql_set(const SqlTree& tree, const std::vector<JsonValue>& items,
                                                      const SqlRows& rows, const std::string& target,
                                                      const std::string& source);

// Puts what both branches do into the step: `add`, `set`, and the columns that rows bring along. A branch that is
// missing is null. Requires step.on. Throws SqlRefusal.
void take_assignments(const SqlTree& tree, const JsonValue& at, const std::vector<SqlAssignment>* update,
                      const std::vector<SqlAssignment>* insert, Step& step);

// The step of the inside of a MergeStmt. Throws SqlRefusal.
[[nodiscard]] Step read_sql_merge(const SqlTree& tree, const JsonValue& merge, SqlNames& names);

}  // namespace oncecheck

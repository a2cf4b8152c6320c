// A statement as it was deployed ("sql" of a process), ready to be sent: placeholders have their values, names of
// stores are taken off, and `batch` is the rows of the batch. Nothing else is touched.
//
// Only PostgreSQL takes such texts as they are; elsewhere, and where a text cannot be used here, the step's own SQL
// means the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/document/step.h"
#include "model/runtime/statement_sql.h"

namespace oncecheck {

// Nothing if the text cannot be sent: it makes a table (whose columns are the run's own), or it puts a column behind
// `SELECT *`, which is another column where tables have more.
[[nodiscard]] std::optional<std::string> deployed_statement(const StatementStyle& style, const Step& step,
                                                            const std::vector<RowValues>& batch);

}  // namespace oncecheck

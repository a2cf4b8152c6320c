// The SQL of single statements: rows from a source into a table, merges, deletes. step_sql.h puts them together.
//
// A source is a table of the same store, or rows that the driver sends as VALUES (the batch, or what another place
// holds). `where` and `dedupe_by` narrow it.
#pragma once

#include <string>
#include <vector>

#include "model/document/step.h"
#include "model/runtime/schema_of_run.h"

namespace oncecheck {

// Where a statement takes its rows from.
struct SourceRows {
    std::string table;            // as an SQL identifier; empty: the rows
    std::vector<RowValues> rows;  // sent by the driver
};

// Who writes: what names and values are rendered with, and the dialect.
struct StatementStyle {
    const SchemaOfRun* schema = nullptr;
    const PlaceholderValues* values = nullptr;
    Dialect dialect = Dialect::kSqlite;
};

// "query_id = 'a' AND batch_id = 3", in the order of the columns; "" for no condition. `alias` stands before columns.
[[nodiscard]] std::string conditions_sql(const StatementStyle& style, const std::map<std::string, Template>& where,
                                         const std::string& alias = "");

// "(columns) AS (VALUES ...)": the rows of the batch as a common table, with every column that rows can bring along.
[[nodiscard]] std::string batch_sql(const StatementStyle& style, const std::vector<RowValues>& rows);

// INSERT INTO target: the rows of the source with the columns of `set`, or one row of constants (`values`).
[[nodiscard]] std::string insert_sql(const StatementStyle& style, const Step& step, const std::string& target,
                                     const SourceRows& source);

// MERGE INTO target, or INSERT ... ON CONFLICT DO UPDATE where the declared store has no MERGE.
[[nodiscard]] std::string merge_sql(const StatementStyle& style, const Step& step, const std::string& target,
                                    const SourceRows& source, const std::vector<std::string>& on);
[[nodiscard]] std::string upsert_sql(const StatementStyle& style, const Step& step, const std::string& target,
                                     const SourceRows& source, const std::vector<std::string>& on);

// What stands in for a MERGE: rows of the target that two source rows would change (none may), then the matched rows,
// then those that match nothing.
[[nodiscard]] std::string double_match_sql(const StatementStyle& style, const Step& step, const std::string& target,
                                           const SourceRows& source, const std::vector<std::string>& on);
[[nodiscard]] std::string update_matched_sql(const StatementStyle& style, const Step& step, const std::string& target,
                                             const SourceRows& source, const std::vector<std::string>& on);
[[nodiscard]] std::string insert_unmatched_sql(const StatementStyle& style, const Step& step, const std::string& target,
                                               const SourceRows& source, const std::vector<std::string>& on);
// Keys that occur twice among the rows that an upsert would write.
[[nodiscard]] std::string double_key_sql(const StatementStyle& style, const Step& step, const SourceRows& source,
                                         const std::vector<std::string>& on);

// DELETE FROM target: the rows that `where` names, or those that have a source row with equal `on` columns.
[[nodiscard]] std::string delete_sql(const StatementStyle& style, const Step& step, const std::string& target,
                                     const SourceRows& source, const std::vector<std::string>& on);

// DELETE FROM target: all rows, or those of the partitions that the source has.
[[nodiscard]] std::string clear_for_overwrite_sql(const StatementStyle& style, const Step& step,
                                                  const std::string& target, const SourceRows& source);

}  // namespace oncecheck

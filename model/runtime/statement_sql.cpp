#include "model/runtime/statement_sql.h"

#include <algorithm>
#include <set>

namespace oncecheck {

namespace {

bool is_number(const StatementStyle& style, const std::string& column) {
    const RunColumn* const found = style.schema->find_column(column);
    return found != nullptr && found->is_number;
}

std::vector<std::string> all_columns(const StatementStyle& style) {
    std::vector<std::string> names;
    for (const RunColumn& column : style.schema->columns()) {
        names.push_back(column.name);
    }
    return names;
}

// The columns that at least one row has a value for, in the order of the schema; all of them if there is no row.
std::vector<std::string> columns_of(const StatementStyle& style, const SourceRows& source) {
    if (!source.table.empty() || source.rows.empty()) {
        return all_columns(style);
    }
    std::vector<std::string> names;
    for (const RunColumn& column : style.schema->columns()) {
        if (std::any_of(source.rows.begin(), source.rows.end(), [&](const RowValues& row) {
                const auto found = row.find(column.name);
                return found != row.end() && found->second;
            })) {
            names.push_back(column.name);
        }
    }
    return names;
}

// The columns that the step writes: those of its rows, or of them the ones that it names.
std::vector<std::string> written_columns(const StatementStyle& style, const Step& step, const SourceRows& source) {
    std::vector<std::string> names = columns_of(style, source);
    if (step.columns) {
        std::erase_if(names, [&](const std::string& name) {
            return std::find(step.columns->begin(), step.columns->end(), name) == step.columns->end();
        });
    }
    return names;
}

// "a, b", each behind `alias`.
std::string list(const std::vector<std::string>& columns, const std::string& alias = "") {
    std::vector<std::string> quoted;
    for (const std::string& column : columns) {
        quoted.push_back(alias + quote_name(column));
    }
    return join(quoted, ", ");
}

std::string row_sql(const StatementStyle& style, const RowValues& row, const std::vector<std::string>& columns) {
    std::vector<std::string> values;
    for (const std::string& column : columns) {
        const auto found = row.find(column);
        values.push_back(quote_value(found == row.end() ? std::nullopt : found->second, is_number(style, column)));
    }
    return '(' + join(values, ", ") + ')';
}

std::string rows_sql(const StatementStyle& style, const std::vector<RowValues>& rows,
                     const std::vector<std::string>& columns) {
    std::vector<std::string> texts;
    for (const RowValues& row : rows) {
        texts.push_back(row_sql(style, row, columns));
    }
    return "VALUES " + join(texts, ", ");
}

// What stands after FROM, called s, with all rows of the source.
std::string plain_source(const StatementStyle& style, const SourceRows& source) {
    if (!source.table.empty()) {
        return source.table + " AS s";
    }
    const std::vector<std::string> columns = columns_of(style, source);
    if (source.rows.empty()) {
        std::vector<std::string> nulls;
        for (const std::string& column : columns) {
            nulls.push_back(quote_value(std::nullopt, is_number(style, column)) + " AS " + quote_name(column));
        }
        return "(SELECT " + join(nulls, ", ") + " WHERE 1 = 0) AS s";
    }
    const std::string rows = rows_sql(style, source.rows, columns);
    if (style.dialect == Dialect::kPostgresql) {
        return '(' + rows + ") AS s (" + list(columns) + ')';
    }
    // SQLite names the columns of VALUES column1, column2, ...
    std::vector<std::string> renamed;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        renamed.push_back("column" + std::to_string(i + 1) + " AS " + quote_name(columns[i]));
    }
    return "(SELECT " + join(renamed, ", ") + " FROM (" + rows + ")) AS s";
}

std::string where_sql(const std::string& conditions) { return conditions.empty() ? "" : " WHERE " + conditions; }

// The columns that rows are one by, when the greatest of each is kept: the key of the record if the column is its
// version; otherwise the column tells copies of a record.
std::vector<std::string> grouped_by(const StatementStyle& style, const Step& step) {
    if (!step.grouped_by.empty()) {
        return step.grouped_by;
    }
    const std::string& dedupe_by = step.dedupe_by;
    const RunColumn* const column = style.schema->find_column(dedupe_by);
    if (column == nullptr || column->role != ColumnRole::kVersion) {
        const bool coordinate = dedupe_by == "topic" || dedupe_by == "partition" || dedupe_by == "offset";
        return coordinate ? std::vector<std::string>{"topic", "partition", "offset"}
                          : std::vector<std::string>{dedupe_by};
    }
    std::vector<std::string> keys;
    for (const RunColumn& candidate : style.schema->columns()) {
        if (candidate.role == ColumnRole::kKey) {
            keys.push_back(candidate.name);
        }
    }
    return keys.empty() ? std::vector<std::string>{dedupe_by} : keys;
}

// SELECT ... of the rows that the step takes: narrowed by `where` and `dedupe_by`, with `items` as its select list.
std::string select_sql(const StatementStyle& style, const Step& step, const SourceRows& source,
                       const std::vector<std::string>& groups, const std::string& items) {
    const std::string conditions = where_sql(conditions_sql(style, step.where));
    const std::string from = plain_source(style, source);
    if (step.dedupe_by.empty()) {
        return "SELECT " + items + " FROM " + from + conditions;
    }
    const std::string greatest = quote_name(step.dedupe_by);
    if (style.dialect == Dialect::kPostgresql) {
        return "SELECT DISTINCT ON (" + list(groups) + ") " + items + " FROM " + from + conditions + " ORDER BY " +
               list(groups) + ", " + greatest + " DESC";
    }
    // Beside max() the other columns are those of the row that has it (SQLite documentation, SELECT: bare columns in an
    // aggregate query).
    return "SELECT " + items + " FROM (SELECT *, max(" + greatest + ") FROM " + from + conditions + " GROUP BY " +
           list(groups) + ") AS s";
}

// The rows that the step takes, as an item after FROM.
std::string source_sql(const StatementStyle& style, const Step& step, const SourceRows& source,
                       const std::vector<std::string>& groups) {
    if (step.where.empty() && step.dedupe_by.empty()) {
        return plain_source(style, source);
    }
    return '(' + select_sql(style, step, source, groups, list(columns_of(style, source))) + ") AS s";
}

std::string matches_sql(const std::vector<std::string>& on) {
    std::vector<std::string> parts;
    for (const std::string& column : on) {
        parts.push_back("t." + quote_name(column) + " = s." + quote_name(column));
    }
    return join(parts, " AND ");
}

std::string newer_sql(const Step& step, const std::string& before, const std::string& there) {
    if (step.newer_by.empty()) {
        return "";
    }
    return before + there + '.' + quote_name(step.newer_by);
}

// "SET a = s.a, ...": sums grow; otherwise every column but those that are equal anyway is taken from the source.
std::string assignments_sql(const StatementStyle& style, const Step& step, const SourceRows& source,
                            const std::vector<std::string>& on, const std::string& there, const std::string& taken) {
    std::vector<std::string> parts;
    for (const std::string& column : step.add) {
        const std::string name = quote_name(column);
        parts.push_back(name + " = " + there + '.' + name + " + " + taken + '.' + name);
    }
    if (!step.add.empty()) {
        return join(parts, ", ");
    }
    for (const std::string& column : written_columns(style, step, source)) {
        if (std::find(on.begin(), on.end(), column) == on.end()) {
            parts.push_back(quote_name(column) + " = " + taken + '.' + quote_name(column));
        }
    }
    if (parts.empty()) {  // there is nothing but the key
        parts.push_back(quote_name(on.front()) + " = " + taken + '.' + quote_name(on.front()));
    }
    return join(parts, ", ");
}

std::string constants_sql(const StatementStyle& style, const Step& step, const std::string& target) {
    RowValues row;
    std::vector<std::string> columns;
    for (const auto& [column, value] : step.set) {
        columns.push_back(column);
        row.emplace(column, render_text(value, *style.values));
    }
    if (columns.empty()) {
        return "INSERT INTO " + target + " DEFAULT VALUES";
    }
    return "INSERT INTO " + target + " (" + list(columns) + ") VALUES " + row_sql(style, row, columns);
}

// INSERT of rows as they are: the driver has set their columns already.
std::string insert_rows_sql(const StatementStyle& style, const Step& step, const std::string& target,
                            const SourceRows& source) {
    SourceRows rows = source;
    for (RowValues& row : rows.rows) {
        std::erase_if(row, [&](const auto& value) {
            return step.columns &&
                   std::find(step.columns->begin(), step.columns->end(), value.first) == step.columns->end();
        });
        for (const auto& [column, value] : step.set) {
            row.insert_or_assign(column, render_text(value, *style.values));
        }
    }
    const std::vector<std::string> columns = columns_of(style, rows);
    return "INSERT INTO " + target + " (" + list(columns) + ") " + rows_sql(style, rows.rows, columns);
}

std::string insert_select_sql(const StatementStyle& style, const Step& step, const std::string& target,
                              const SourceRows& source) {
    const std::vector<std::string> groups = grouped_by(style, step);
    if (step.set.empty() && !step.columns && step.dedupe_by.empty() && !source.table.empty()) {
        return "INSERT INTO " + target + ' ' + select_sql(style, step, source, groups, "*");
    }
    std::vector<std::string> columns;
    std::vector<std::string> items;
    for (const std::string& column : written_columns(style, step, source)) {
        if (!step.set.contains(column)) {
            columns.push_back(column);
            items.push_back(quote_name(column));
        }
    }
    for (const auto& [column, value] : step.set) {
        columns.push_back(column);
        items.push_back(quote_value(render_text(value, *style.values), is_number(style, column)));
    }
    return "INSERT INTO " + target + " (" + list(columns) + ") " +
           select_sql(style, step, source, groups, join(items, ", "));
}

}  // namespace

std::string conditions_sql(const StatementStyle& style, const std::map<std::string, Template>& where,
                           const std::string& alias) {
    std::vector<std::string> parts;
    for (const auto& [column, value] : where) {
        parts.push_back(alias + quote_name(column) + " = " +
                        quote_value(render_text(value, *style.values), is_number(style, column)));
    }
    return join(parts, " AND ");
}

std::string batch_sql(const StatementStyle& style, const std::vector<RowValues>& rows) {
    std::vector<std::string> columns;
    for (const RunColumn& column : style.schema->columns()) {
        if (column.is_of_rows()) {
            columns.push_back(column.name);
        }
    }
    if (!rows.empty()) {
        return '(' + list(columns) + ") AS (" + rows_sql(style, rows, columns) + ')';
    }
    std::vector<std::string> nulls;
    for (const std::string& column : columns) {
        nulls.push_back(quote_value(std::nullopt, is_number(style, column)));
    }
    return '(' + list(columns) + ") AS (SELECT " + join(nulls, ", ") + " WHERE false)";
}

std::string insert_sql(const StatementStyle& style, const Step& step, const std::string& target,
                       const SourceRows& source) {
    std::string sql;
    bool ambiguous = false;  // to SQLite, "SELECT ... FROM s ON CONFLICT" reads like a join
    if (step.has_values) {
        sql = constants_sql(style, step, target);
    } else if (source.table.empty() && !source.rows.empty() && step.where.empty() && step.dedupe_by.empty()) {
        sql = insert_rows_sql(style, step, target, source);
    } else {
        sql = insert_select_sql(style, step, target, source);
        ambiguous = (step.where.empty() || !step.dedupe_by.empty()) && style.dialect == Dialect::kSqlite;
    }
    if (step.on_conflict == OnConflict::kIgnore) {
        sql += ambiguous ? " WHERE true" : "";
        sql += " ON CONFLICT DO NOTHING";
    }
    return sql;
}

std::string merge_sql(const StatementStyle& style, const Step& step, const std::string& target,
                      const SourceRows& source, const std::vector<std::string>& on) {
    const std::vector<std::string> columns = columns_of(style, source);
    std::string sql =
        "MERGE INTO " + target + " AS t USING " + source_sql(style, step, source, on) + " ON " + matches_sql(on);
    if (step.only != MergeOnly::kUnmatched) {
        const std::string newer = newer_sql(step, " AND s." + quote_name(step.newer_by) + " > ", "t");
        sql += " WHEN MATCHED" + newer + " THEN UPDATE SET " + assignments_sql(style, step, source, on, "t", "s");
    }
    if (step.only != MergeOnly::kMatched) {
        sql += " WHEN NOT MATCHED THEN INSERT (" + list(columns) + ") VALUES (" + list(columns, "s.") + ')';
    }
    return sql;
}

std::string upsert_sql(const StatementStyle& style, const Step& step, const std::string& target,
                       const SourceRows& source, const std::vector<std::string>& on) {
    if (step.only == MergeOnly::kMatched) {
        return update_matched_sql(style, step, target, source, on);
    }
    const std::vector<std::string> columns = written_columns(style, step, source);
    std::string sql = "INSERT INTO " + target + " AS t (" + list(columns) + ") SELECT " + list(columns) + " FROM " +
                      source_sql(style, step, source, on) + " WHERE true ON CONFLICT (" + list(on) + ") DO ";
    if (step.only == MergeOnly::kUnmatched) {
        return sql + "NOTHING";
    }
    return sql + "UPDATE SET " + assignments_sql(style, step, source, on, "t", "excluded") +
           newer_sql(step, " WHERE excluded." + quote_name(step.newer_by) + " > ", "t");
}

std::string double_match_sql(const StatementStyle& style, const Step& step, const std::string& target,
                             const SourceRows& source, const std::vector<std::string>& on) {
    const std::string newer = newer_sql(step, " AND s." + quote_name(step.newer_by) + " > ", "t");
    return "SELECT " + list(on, "t.") + " FROM " + target + " AS t JOIN " + source_sql(style, step, source, on) +
           " ON " + matches_sql(on) + newer + " GROUP BY t.rowid HAVING count(*) > 1";
}

std::string update_matched_sql(const StatementStyle& style, const Step& step, const std::string& target,
                               const SourceRows& source, const std::vector<std::string>& on) {
    return "UPDATE " + target + " AS t SET " + assignments_sql(style, step, source, on, "t", "s") + " FROM " +
           source_sql(style, step, source, on) + " WHERE " + matches_sql(on) +
           newer_sql(step, " AND s." + quote_name(step.newer_by) + " > ", "t");
}

std::string insert_unmatched_sql(const StatementStyle& style, const Step& step, const std::string& target,
                                 const SourceRows& source, const std::vector<std::string>& on) {
    const std::vector<std::string> columns = written_columns(style, step, source);
    return "INSERT INTO " + target + " (" + list(columns) + ") SELECT " + list(columns, "s.") + " FROM " +
           source_sql(style, step, source, on) + " WHERE NOT EXISTS (SELECT 1 FROM " + target + " AS t WHERE " +
           matches_sql(on) + ')';
}

std::string double_key_sql(const StatementStyle& style, const Step& step, const SourceRows& source,
                           const std::vector<std::string>& on) {
    return "SELECT " + list(on) + " FROM " + source_sql(style, step, source, on) + " GROUP BY " + list(on) +
           " HAVING count(*) > 1";
}

std::string delete_sql(const StatementStyle& style, const Step& step, const std::string& target,
                       const SourceRows& source, const std::vector<std::string>& on) {
    const bool by_rows = !source.table.empty() || step.where.empty();
    if (!by_rows) {
        return "DELETE FROM " + target + where_sql(conditions_sql(style, step.where));
    }
    if (style.dialect == Dialect::kPostgresql) {
        return "DELETE FROM " + target + " AS t USING " + plain_source(style, source) + " WHERE " + matches_sql(on);
    }
    return "DELETE FROM " + target + " AS t WHERE EXISTS (SELECT 1 FROM " + plain_source(style, source) + " WHERE " +
           matches_sql(on) + ')';
}

std::string clear_for_overwrite_sql(const StatementStyle& style, const Step& step, const std::string& target,
                                    const SourceRows& source) {
    if (step.partition.empty()) {
        return "DELETE FROM " + target;
    }
    const std::string column = quote_name(step.partition);
    return "DELETE FROM " + target + " WHERE " + column + " IN (SELECT s." + column + " FROM " +
           plain_source(style, source) + ')';
}

}  // namespace oncecheck

// Columns, constants and conditions of SQL: the expressions that steps have words for.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/document/sql_tree.h"
#include "model/document/template.h"

namespace oncecheck {

// A column as an expression names it; `table` is empty where it is not qualified.
struct SqlColumn {
    std::string table;
    std::string name;
};

// The column that the expression is; nothing for another expression, also for a bare placeholder.
[[nodiscard]] std::optional<SqlColumn> column_of(const SqlTree& tree, const JsonValue& node);
// The constant that the expression is: a literal, a placeholder, a cast of one, or the time now; nothing for another.
[[nodiscard]] std::optional<Template> constant_of(const SqlTree& tree, const JsonValue& node);
// The expression is a function of a row of `table` alone, the same at every time: columns, literals, operators and some
// functions. `bare`: columns without a table are columns of it.
[[nodiscard]] bool is_deterministic(const SqlTree& tree, const JsonValue& node, const std::string& table, bool bare);

// Two sides of a comparison by that operator ("=", "<", ...), or null.
struct SqlComparison {
    const JsonValue* left = nullptr;
    const JsonValue* right = nullptr;
};
[[nodiscard]] std::optional<SqlComparison> comparison_of(const JsonValue& node, const std::string& operation);

// The parts of a conjunction, from left to right.
[[nodiscard]] std::vector<const JsonValue*> conjuncts_of(const JsonValue& node);

// `column = constant AND ...` about one table. Throws SqlRefusal for any other condition.
[[nodiscard]] std::map<std::string, Template> where_of(const SqlTree& tree, const JsonValue& condition,
                                                       const std::string& table);
// `target.k = source.k AND ...`: the columns. Throws SqlRefusal for any other condition.
[[nodiscard]] std::vector<std::string> match_of(const SqlTree& tree, const JsonValue& condition,
                                                const std::string& target, const std::string& source);
// `source.v > target.v`, either way round: the column. Throws SqlRefusal for any other condition.
[[nodiscard]] std::string newer_of(const SqlTree& tree, const JsonValue& condition, const std::string& target,
                                   const std::string& source);

}  // namespace oncecheck

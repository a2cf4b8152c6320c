// The rows that a statement takes: one table or the batch, perhaps filtered by constants and reduced to the greatest
// row of each group, and what becomes of its columns.
//
// Understood are SELECT ... FROM one source WHERE column = constant, DISTINCT ON (k) ... ORDER BY k, v DESC, and
// ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) = 1 around a subquery. All else is refused.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/document/sql_names.h"
#include "model/document/sql_tree.h"
#include "model/document/step.h"

namespace oncecheck {

// A column that a query gives.
struct SqlOutput {
    enum class Kind {
        kCarried,   // the column of that name, as it is
        kConstant,  // a constant or placeholder
        kComputed,  // some function of the row
    };
    Kind kind = Kind::kCarried;
    std::string name;  // empty: the query gives none
    Template constant;
};

struct SqlRows {
    std::optional<Template> object;         // nothing: the batch
    std::map<std::string, Template> where;  // column -> constant
    std::string dedupe_by;                  // the greatest of each group stays; empty: all rows
    std::vector<std::string> grouped_by;
    bool all = false;                // every column, as it is
    std::vector<SqlOutput> outputs;  // and these

    // What the column of that name is; nothing if the query has none.
    [[nodiscard]] std::optional<SqlOutput> output(const std::string& column) const;
    // Puts the source into the step: what it takes and what it leaves out.
    void take_into(Step& step) const;
};

// The rows of an item of FROM or USING: a table, or a subquery. Throws SqlRefusal.
[[nodiscard]] SqlRows read_sql_source(const SqlTree& tree, const JsonValue& item, SqlNames& names);
// The rows of the inside of a SelectStmt. Throws SqlRefusal.
[[nodiscard]] SqlRows read_sql_query(const SqlTree& tree, const JsonValue& select, SqlNames& names);

// How columns name the rows of an item of FROM or USING.
[[nodiscard]] std::string source_alias(const SqlTree& tree, const JsonValue& item);

// What one expression over the rows gives. Throws SqlRefusal if it may differ from run to run, or looks at other rows.
// `bare`: columns without a table are columns of the rows.
[[nodiscard]] SqlOutput read_sql_output(const SqlTree& tree, const JsonValue& value, const SqlRows& rows,
                                        const std::string& alias, bool bare = true);

}  // namespace oncecheck

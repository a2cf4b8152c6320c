#include "model/document/sql_insert.h"

#include <algorithm>
#include <optional>

#include "model/document/sql_values.h"

namespace oncecheck {

namespace {

std::vector<std::string> inserted_columns(const SqlTree& tree, const JsonValue& insert) {
    std::vector<std::string> columns;
    for (const JsonValue& item : items_of(insert, "cols")) {
        const JsonValue* const column = node_of(item, "ResTarget");
        columns.push_back(column == nullptr ? "" : tree.restored(text_of(*column, "name")));
    }
    return columns;
}

// INSERT INTO t (a, b) VALUES ('x', {batch}), or SELECT 'x', {batch}: a row of constants.
void take_constants(const SqlTree& tree, const JsonValue& insert, const std::vector<const JsonValue*>& values,
                    Step& step) {
    const std::vector<std::string> columns = inserted_columns(tree, insert);
    if (columns.size() != values.size()) {
        tree.refuse(insert, "nothing says which columns the values are for",
                    "INSERT INTO table (columns) VALUES (...)");
    }
    step.has_values = true;
    for (std::size_t index = 0; index < values.size(); ++index) {
        const std::optional<Template> constant = constant_of(tree, *values[index]);
        if (!constant) {
            tree.refuse(*values[index], "this value is no constant", "a constant or a placeholder such as {batch}");
        }
        step.set.insert_or_assign(columns[index], *constant);
    }
}

// The values of VALUES or of a SELECT that reads nothing; empty for other queries.
std::vector<const JsonValue*> constants_of(const SqlTree& tree, const JsonValue& select) {
    std::vector<const JsonValue*> values;
    if (select.find("valuesLists") != nullptr) {
        const JsonValue* const row = node_of(only_item(tree, select, "valuesLists"), "List");
        if (row != nullptr) {
            for (const JsonValue& value : items_of(*row, "items")) {
                values.push_back(&value);
            }
        }
    } else if (select.find("fromClause") == nullptr && select.find("whereClause") == nullptr &&
               select.find("larg") == nullptr) {
        for (const JsonValue& item : items_of(select, "targetList")) {
            const JsonValue* const target = node_of(item, "ResTarget");
            if (target != nullptr && target->find("val") != nullptr) {
                values.push_back(target->find("val"));
            }
        }
    }
    return values;
}

// What each column of the target gets.
std::vector<SqlAssignment> insert_assignments(const SqlTree& tree, const JsonValue& insert, const SqlRows& rows) {
    const std::vector<std::string> columns = inserted_columns(tree, insert);
    std::vector<SqlAssignment> assignments;
    if (columns.empty()) {
        const bool named = std::all_of(rows.outputs.begin(), rows.outputs.end(), [](const SqlOutput& output) {
            return !output.name.empty() && output.kind != SqlOutput::Kind::kComputed;
        });
        if (!rows.all || !named) {
            tree.refuse(insert, "nothing says which columns are inserted", "INSERT INTO table (columns) SELECT ...");
        }
        for (const SqlOutput& output : rows.outputs) {
            assignments.push_back({output.name, output, false});
        }
        return assignments;
    }
    if (rows.all || columns.size() != rows.outputs.size()) {
        tree.refuse(insert, "the columns of the query are not those of the insert", "as many columns, each by name");
    }
    for (std::size_t index = 0; index < columns.size(); ++index) {
        assignments.push_back({columns[index], rows.outputs[index], false});
    }
    return assignments;
}

// ON CONFLICT (columns)
std::vector<std::string> conflict_columns(const SqlTree& tree, const JsonValue& conflict) {
    const JsonValue* const infer = conflict.find("infer");
    std::vector<std::string> columns;
    if (infer == nullptr) {
        return columns;
    }
    for (const JsonValue& item : items_of(*infer, "indexElems")) {
        const JsonValue* const element = node_of(item, "IndexElem");
        columns.push_back(element == nullptr ? "" : tree.restored(text_of(*element, "name")));
    }
    if (infer->find("conname") != nullptr || infer->find("whereClause") != nullptr || columns.empty() ||
        std::find(columns.begin(), columns.end(), "") != columns.end()) {
        tree.refuse(*infer, "nothing here says which columns this constraint has", "ON CONFLICT (columns)");
    }
    return columns;
}

// INSERT ... ON CONFLICT (k) DO UPDATE: a merge, of which only the insert can meet a row.
void take_upsert(const SqlTree& tree, const JsonValue& conflict, const JsonValue& insert, const SqlRows& rows,
                 const std::vector<SqlAssignment>& inserted, Step& step) {
    const std::string target = alias_of(tree, required(tree, insert, "relation"));
    if (rows.all) {
        tree.refuse(conflict, "nothing says which columns are inserted",
                    "INSERT INTO table (columns) SELECT columns ... ON CONFLICT ...");
    }
    step.verb = Verb::kMerge;
    step.upsert = true;
    if (const JsonValue* const where = conflict.find("whereClause")) {
        step.newer_by = newer_of(tree, *where, target, "excluded");
    }
    // `excluded` is the row that was to be inserted.
    SqlRows excluded;
    for (const SqlAssignment& assignment : inserted) {
        SqlOutput value = assignment.value;
        const bool renamed = value.kind == SqlOutput::Kind::kCarried && value.name != assignment.column;
        value.kind = renamed ? SqlOutput::Kind::kComputed : value.kind;
        value.name = assignment.column;
        excluded.outputs.push_back(std::move(value));
    }
    const std::vector<SqlAssignment> updated =
        read_sql_set(tree, items_of(conflict, "targetList"), excluded, target, "excluded");
    take_assignments(tree, conflict, &updated, &inserted, step);
}

}  // namespace

void take_assigned(const std::vector<SqlAssignment>& assignments, bool all, Step& step) {
    if (!all) {
        step.columns.emplace();
    }
    for (const SqlAssignment& assignment : assignments) {
        const SqlOutput& value = assignment.value;
        if (value.kind == SqlOutput::Kind::kConstant) {
            step.set.insert_or_assign(assignment.column, value.constant);
        } else if (!all && value.kind == SqlOutput::Kind::kCarried && value.name == assignment.column) {
            step.columns->push_back(assignment.column);
        }
    }
}

Step read_sql_insert(const SqlTree& tree, const JsonValue& insert, SqlNames& names) {
    refuse_parts(tree, insert, {{"withClause", "WITH"}, {"returningList", "RETURNING"}});
    const JsonValue* const select = node_of(required(tree, insert, "selectStmt"), "SelectStmt");
    if (select == nullptr) {
        tree.refuse(insert, "this form of INSERT cannot be expressed", "INSERT ... VALUES or INSERT ... SELECT");
    }
    Step step;
    step.verb = Verb::kInsert;
    step.target = names.target(tree, required(tree, insert, "relation"));
    const JsonValue* const conflict = insert.find("onConflictClause");
    const bool updates = conflict != nullptr && text_of(*conflict, "action") == "ONCONFLICT_UPDATE";
    if (conflict != nullptr) {
        step.on = conflict_columns(tree, *conflict);
        step.on_conflict = updates ? OnConflict::kFail : OnConflict::kIgnore;
    }
    if (const std::vector<const JsonValue*> constants = constants_of(tree, *select); !constants.empty()) {
        if (updates) {
            tree.refuse(*conflict, "a merge step takes rows of the batch or of a table", "INSERT ... SELECT");
        }
        take_constants(tree, insert, constants, step);
        return step;
    }
    const SqlRows rows = read_sql_query(tree, *select, names);
    rows.take_into(step);
    const std::vector<SqlAssignment> assignments = insert_assignments(tree, insert, rows);
    if (updates) {
        take_upsert(tree, *conflict, insert, rows, assignments, step);
    } else {
        take_assigned(assignments, rows.all, step);
    }
    return step;
}

}  // namespace oncecheck

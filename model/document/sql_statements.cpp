#include "model/document/sql_statements.h"

#include <algorithm>

#include "model/document/problems.h"
#include "model/document/sql_insert.h"
#include "model/document/sql_merge.h"
#include "model/document/sql_query.h"
#include "model/document/sql_values.h"

namespace oncecheck {

namespace {

constexpr const char* kKnown =
    "CREATE TABLE, TRUNCATE, DELETE, INSERT, MERGE, DROP TABLE, BEGIN and COMMIT, or a swap of two tables by renames";
// The bits of TableLikeOption that copy keys or checks: CONSTRAINTS and INDEXES (PostgreSQL 15, parsenodes.h).
constexpr unsigned kCopiesConstraints = 1U << 2U | 1U << 6U;

bool on_commit_is_plain(const JsonValue& inside, const char* key) {
    const std::string on_commit = text_of(inside, key);
    return on_commit.empty() || on_commit == "ONCOMMIT_NOOP" || on_commit == "ONCOMMIT_PRESERVE_ROWS";
}

// ---- CREATE TABLE

std::vector<std::string> restored(const SqlTree& tree, std::vector<std::string> names) {
    for (std::string& name : names) {
        name = tree.restored(name);
    }
    return names;
}

// Keys go into the step; what can refuse rows otherwise is refused.
void take_constraint(const SqlTree& tree, const JsonValue& node, const std::string& column, Step& step) {
    const JsonValue* const constraint = node_of(node, "Constraint");
    const std::string kind = constraint == nullptr ? "" : text_of(*constraint, "contype");
    if (kind == "CONSTR_PRIMARY" || kind == "CONSTR_UNIQUE") {
        step.keys.push_back(column.empty() ? restored(tree, strings_of(items_of(*constraint, "keys")))
                                           : std::vector{column});
        return;
    }
    constexpr const char* kHarmless[] = {"CONSTR_NULL", "CONSTR_NOTNULL", "CONSTR_DEFAULT", "CONSTR_IDENTITY",
                                         "CONSTR_GENERATED"};
    if (std::find(std::begin(kHarmless), std::end(kHarmless), kind) == std::end(kHarmless)) {
        tree.refuse(node, "this constraint may refuse rows, which no step expresses",
                    "PRIMARY KEY, UNIQUE, NOT NULL or DEFAULT");
    }
}

void take_elements(const SqlTree& tree, const JsonValue& create, Step& step, SqlNames& names) {
    for (const JsonValue& element : items_of(create, "tableElts")) {
        if (const JsonValue* const column = node_of(element, "ColumnDef")) {
            for (const JsonValue& constraint : items_of(*column, "constraints")) {
                take_constraint(tree, constraint, tree.restored(text_of(*column, "colname")), step);
            }
        } else if (const JsonValue* const like = node_of(element, "TableLikeClause")) {
            const JsonValue& relation = required(tree, *like, "relation");
            (void)names.target(tree, relation);
            const std::string options = text_of(*like, "options");
            if (!options.empty() && (std::stoul(options) & kCopiesConstraints) != 0) {
                tree.refuse(relation, "nothing here says which keys the other table has",
                            "LIKE without INCLUDING ALL, INDEXES or CONSTRAINTS", "write the keys out");
            }
        } else {
            take_constraint(tree, element, "", step);
        }
    }
}

Template created(const SqlTree& tree, const JsonValue& relation, SqlNames& names, Step& step) {
    step.temporary = text_of(relation, "relpersistence") == "t";
    return names.target(tree, relation);
}

Step read_create(const SqlTree& tree, const JsonValue& create, SqlNames& names) {
    refuse_parts(tree, create,
                 {{"inhRelations", "INHERITS"},
                  {"partspec", "PARTITION BY"},
                  {"partbound", "PARTITION OF"},
                  {"ofTypename", "OF"}});
    Step step;
    step.verb = Verb::kCreate;
    step.target = created(tree, required(tree, create, "relation"), names, step);
    step.if_exists = is_true(create, "if_not_exists") ? IfExists::kKeep : IfExists::kFail;
    take_elements(tree, create, step, names);
    if (step.temporary && !step.keys.empty()) {
        tree.refuse(create, "keys of temporary tables are not supported", "a temporary table without keys");
    }
    if (!on_commit_is_plain(create, "oncommit")) {
        tree.refuse(create, "no step does what ON COMMIT does", "a DROP TABLE before the COMMIT");
    }
    return step;
}

Step read_create_as(const SqlTree& tree, const JsonValue& create, SqlNames& names) {
    const JsonValue& into = required(tree, create, "into");
    const JsonValue* const select = node_of(required(tree, create, "query"), "SelectStmt");
    if (text_of(create, "objtype") != "OBJECT_TABLE" || select == nullptr || into.find("colNames") != nullptr) {
        tree.refuse(create, "only tables can be created from a query", "CREATE TABLE name AS SELECT ...");
    }
    if (!on_commit_is_plain(into, "onCommit")) {
        tree.refuse(create, "no step does what ON COMMIT does", "a DROP TABLE before the COMMIT");
    }
    Step step;
    step.verb = Verb::kCreate;
    const SqlRows rows = read_sql_query(tree, *select, names);
    step.target = created(tree, required(tree, into, "rel"), names, step);
    step.if_exists = is_true(create, "if_not_exists") ? IfExists::kKeep : IfExists::kFail;
    step.filled = !is_true(into, "skipData");
    if (!step.filled) {
        return step;
    }
    if (!rows.dedupe_by.empty()) {
        tree.refuse(*select, "a create step takes all rows of its source", "the groups where the table is read");
    }
    rows.take_into(step);
    std::vector<SqlAssignment> assignments;
    for (const SqlOutput& output : rows.outputs) {
        assignments.push_back({output.name, output, false});
    }
    take_assigned(assignments, rows.all, step);
    return step;
}

// ---- DELETE, TRUNCATE, DROP

// WHERE k IN (SELECT k FROM s), or WHERE EXISTS (SELECT ... FROM s WHERE s.k = t.k)
void take_subquery(const SqlTree& tree, const JsonValue& link, const std::string& target, SqlNames& names, Step& step) {
    constexpr const char* kForms = "key IN (SELECT key FROM table), or DELETE ... USING table";
    const JsonValue* const select = node_of(required(tree, link, "subselect"), "SelectStmt");
    const JsonValue* const key = link.find("testexpr");
    if (select == nullptr || text_of(link, "subLinkType") != "ANY_SUBLINK" || key == nullptr ||
        link.find("operName") != nullptr) {
        tree.refuse(link, "this subquery cannot be expressed", kForms);
    }
    const SqlRows rows = read_sql_query(tree, *select, names);
    const std::optional<SqlColumn> column = column_of(tree, *key);
    const bool plain = rows.where.empty() && rows.dedupe_by.empty() && !rows.all && rows.outputs.size() == 1 &&
                       rows.outputs.front().kind == SqlOutput::Kind::kCarried && rows.object;
    if (!plain || !column || (!column->table.empty() && column->table != target) ||
        rows.outputs.front().name != column->name) {
        tree.refuse(link, "this subquery does not list the key of one table", kForms);
    }
    step.source = rows.object;
    step.on = {column->name};
}

Step read_delete(const SqlTree& tree, const JsonValue& remove, SqlNames& names) {
    refuse_parts(tree, remove, {{"withClause", "WITH"}, {"returningList", "RETURNING"}});
    const JsonValue& relation = required(tree, remove, "relation");
    const JsonValue* const where = remove.find("whereClause");
    const JsonValue* const link = where == nullptr ? nullptr : node_of(*where, "SubLink");
    const std::string target = alias_of(tree, relation);
    Step step;
    step.verb = Verb::kDelete;
    step.target = names.target(tree, relation);
    if (remove.find("usingClause") != nullptr) {
        const JsonValue& item = only_item(tree, remove, "usingClause");
        const JsonValue* const range = node_of(item, "RangeVar");
        if (range == nullptr || where == nullptr) {
            tree.refuse(item, "a delete step has a table as its source", "USING table WHERE target.key = table.key");
        }
        step.source = names.target(tree, *range);
        step.on = match_of(tree, *where, target, alias_of(tree, *range));
    } else if (link != nullptr) {
        take_subquery(tree, *link, target, names, step);
    } else if (where != nullptr) {
        step.where = where_of(tree, *where, target);
    }
    return step;
}

Step read_truncate(const SqlTree& tree, const JsonValue& truncate, SqlNames& names) {
    const JsonValue* const range = node_of(only_item(tree, truncate, "relations"), "RangeVar");
    if (range == nullptr || text_of(truncate, "behavior") == "DROP_CASCADE") {
        tree.refuse(range == nullptr ? truncate : *range, "no step empties the tables that depend on another",
                    "TRUNCATE without CASCADE");
    }
    Step step;
    step.verb = Verb::kTruncate;
    step.target = names.target(tree, *range);
    return step;
}

Step read_drop(const SqlTree& tree, const JsonValue& drop, SqlNames& names) {
    const JsonValue* const list = node_of(only_item(tree, drop, "objects"), "List");
    if (list == nullptr || text_of(drop, "removeType") != "OBJECT_TABLE") {
        tree.refuse(drop, "only tables can be dropped", "DROP TABLE");
    }
    Step step;
    step.verb = Verb::kDrop;
    step.target = names.dropped(tree, drop, strings_of(items_of(*list, "items")));
    step.must_exist = !is_true(drop, "missing_ok");
    return step;
}

// ---- all

struct Reader {
    const char* kind;
    Step (*read)(const SqlTree&, const JsonValue&, SqlNames&);
};
constexpr Reader kReaders[] = {
    {"CreateStmt", read_create},   {"CreateTableAsStmt", read_create_as},
    {"DeleteStmt", read_delete},   {"TruncateStmt", read_truncate},
    {"DropStmt", read_drop},       {"InsertStmt", read_sql_insert},
    {"MergeStmt", read_sql_merge},
};

// Statements that people try first, and what to do instead.
struct Hint {
    const char* kind;
    const char* hint;
};
constexpr Hint kHints[] = {
    {"SelectStmt",
     "a query changes nothing; what the program makes of its answer is a step of the document, such as `count`"},
    {"UpdateStmt",
     "an update from a table is MERGE ... WHEN MATCHED THEN UPDATE; fences and claims are steps of the document"},
    {"CopyStmt", "the rows of the batch are INSERT ... SELECT ... FROM batch"},
    {"LockStmt", "locks are steps of the document"},
    {"RenameStmt", "three renames that swap two tables, one after the other in a transaction, are a step"},
    {"VariableSetStmt", "settings of the session stand under `config` of the store"},
    {"IndexStmt", "unique keys stand under `tables` of the store; other indexes change no rows"},
};

}  // namespace

Step read_sql_statement(const SqlTree& tree, SqlNames& names) {
    const JsonMember& statement = tree.statement();
    names.start_statement();
    for (const Reader& reader : kReaders) {
        if (statement.key == reader.kind) {
            Step step = reader.read(tree, statement.value, names);
            step.position = tree.position({});
            step.sql = names.store_text(tree);
            return step;
        }
    }
    for (const Hint& hint : kHints) {
        if (statement.key == hint.kind) {
            tree.refuse({}, "no step does what this statement does", kKnown, hint.hint);
        }
    }
    tree.refuse({}, "no step does what this statement does", kKnown);
}

}  // namespace oncecheck

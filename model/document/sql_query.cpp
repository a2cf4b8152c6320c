#include "model/document/sql_query.h"

#include <algorithm>

#include "model/document/problems.h"
#include "model/document/sql_values.h"

namespace oncecheck {

namespace {

constexpr const char* kOneSource = "SELECT columns FROM one table [WHERE column = constant]";

// A part of SELECT that no step has a word for.
struct Refused {
    const char* key;
    const char* name;
};
constexpr Refused kRefused[] = {
    {"withClause", "WITH"},          {"groupClause", "GROUP BY"}, {"havingClause", "HAVING"},
    {"windowClause", "WINDOW"},      {"limitCount", "LIMIT"},     {"limitOffset", "OFFSET"},
    {"lockingClause", "FOR UPDATE"}, {"intoClause", "INTO"},      {"larg", "UNION or the like"},
};

// A plain column of the source.
std::string source_column(const SqlTree& tree, const JsonValue& node, const SqlRows& rows, const std::string& alias) {
    const std::optional<SqlColumn> column = column_of(tree, node);
    const bool of_source = column && (column->table.empty() || column->table == alias);
    const std::optional<SqlOutput> output = of_source ? rows.output(column->name) : std::nullopt;
    if (!output || output->kind != SqlOutput::Kind::kCarried) {
        tree.refuse(node, "this is no column of the source", "the name of a column");
    }
    return column->name;
}

std::vector<std::string> source_columns(const SqlTree& tree, const std::vector<JsonValue>& nodes, const SqlRows& rows,
                                        const std::string& alias) {
    std::vector<std::string> columns;
    for (const JsonValue& node : nodes) {
        columns.push_back(source_column(tree, node, rows, alias));
    }
    return columns;
}

// A query with its parts, being read.
class QueryReader {
  public:
    QueryReader(const SqlTree& tree, const JsonValue& select, SqlNames& names)
        : tree_(tree), select_(select), names_(names) {}

    SqlRows read() {
        for (const Refused& part : kRefused) {
            if (select_.find(part.key) != nullptr) {
                tree_.refuse(select_, std::string("no step does what ") + part.name + " does", kOneSource);
            }
        }
        const std::vector<JsonValue>& from = items_of(select_, "fromClause");
        if (from.size() != 1) {
            tree_.refuse(select_, "this query reads " + std::string(from.empty() ? "no table" : "several tables"),
                         kOneSource, "a step has one source");
        }
        alias_ = source_alias(tree_, from.front());
        read_from(from.front());
        read_columns();
        read_distinct();
        return std::move(rows_);
    }

  private:
    // The table or subquery, and the condition on it.
    void read_from(const JsonValue& item) {
        const JsonValue* const where = select_.find("whereClause");
        const JsonValue* const inner = node_of(item, "RangeSubselect");
        const JsonValue* const subquery = inner == nullptr ? nullptr : inner->find("subquery");
        const JsonValue* const select = subquery == nullptr ? nullptr : node_of(*subquery, "SelectStmt");
        const std::optional<Ranking> ranking = select == nullptr ? std::nullopt : find_ranking(*select);
        if (ranking) {
            QueryReader ranked(tree_, *select, names_);
            ranked.skipped_ = ranking->item;
            inner_ = ranked.read();
            take_ranking(*ranking, where, item, ranked);
            return;
        }
        inner_ = read_sql_source(tree_, item, names_);
        if (where == nullptr) {
            return;
        }
        if (!inner_.dedupe_by.empty()) {
            tree_.refuse(*where, "this condition is on what is left of the groups",
                         "the condition inside the subquery");
        }
        for (const auto& [column, constant] : where_of(tree_, *where, alias_)) {
            const std::optional<SqlOutput> output = inner_.output(column);
            if (!output || output->kind != SqlOutput::Kind::kCarried ||
                !inner_.where.emplace(column, constant).second) {
                tree_.refuse(*where, in_quotes(column) + " is no unchanged column of the subquery",
                             "the condition inside the subquery");
            }
        }
    }

    // ROW_NUMBER() OVER (PARTITION BY ... ORDER BY ...) AS name
    struct Ranking {
        std::string name;
        const JsonValue* item = nullptr;
        const JsonValue* window = nullptr;
    };

    static std::optional<Ranking> find_ranking(const JsonValue& select) {
        for (const JsonValue& item : items_of(select, "targetList")) {
            const JsonValue* const target = node_of(item, "ResTarget");
            const JsonValue* const value = target == nullptr ? nullptr : target->find("val");
            const JsonValue* const call = value == nullptr ? nullptr : node_of(*value, "FuncCall");
            if (call != nullptr && call->find("over") != nullptr &&
                strings_of(items_of(*call, "funcname")) == std::vector<std::string>{"row_number"}) {
                return Ranking{text_of(*target, "name"), &item, call->find("over")};
            }
        }
        return std::nullopt;
    }

    // The subquery gives the rows, without the column of the ranking; the condition takes the first of each group.
    void take_ranking(const Ranking& ranking, const JsonValue* where, const JsonValue& item,
                      const QueryReader& ranked) {
        const std::map<std::string, Template> conditions =
            where == nullptr ? std::map<std::string, Template>{} : where_of(tree_, *where, alias_);
        const auto first = conditions.find(tree_.restored(ranking.name));
        if (conditions.size() != 1 || first == conditions.end() || first->second.text != "1") {
            tree_.refuse(where == nullptr ? item : *where, "of ROW_NUMBER() only the first of each group can be taken",
                         "WHERE " + (ranking.name.empty() ? "rank" : ranking.name) + " = 1 and nothing else");
        }
        if (!inner_.dedupe_by.empty() || ranking.window->find("refname") != nullptr) {
            tree_.refuse(item, "these groups cannot be expressed",
                         "one ROW_NUMBER() OVER (PARTITION BY ... ORDER BY ...)");
        }
        inner_.grouped_by =
            source_columns(tree_, items_of(*ranking.window, "partitionClause"), ranked.inner_, ranked.alias_);
        inner_.dedupe_by =
            ranked.greatest(items_of(*ranking.window, "orderClause"), 0, *ranking.item, inner_.grouped_by);
    }

    // By which column the row that stays is the greatest of its group: the sort key at that index.
    std::string greatest(const std::vector<JsonValue>& order, std::size_t index, const JsonValue& at,
                         const std::vector<std::string>& grouped_by) const {
        if (grouped_by.empty()) {
            tree_.refuse(at, "these rows form no groups", "PARTITION BY key columns");
        }
        if (index >= order.size()) {
            if (grouped_by.size() != 1) {
                tree_.refuse(at, "nothing says which row of a group stays", "ORDER BY version DESC");
            }
            return grouped_by.front();
        }
        const JsonValue* const key = node_of(order[index], "SortBy");
        const JsonValue* const node = key == nullptr ? nullptr : key->find("node");
        if (node == nullptr || text_of(*key, "sortby_dir") != "SORTBY_DESC") {
            tree_.refuse(node == nullptr ? at : *node, "a step keeps the greatest row of a group",
                         "ORDER BY version DESC");
        }
        return source_column(tree_, *node, inner_, alias_);
    }

    void read_columns() {
        rows_.object = inner_.object;
        rows_.where = inner_.where;
        rows_.dedupe_by = inner_.dedupe_by;
        rows_.grouped_by = inner_.grouped_by;
        for (const JsonValue& item : items_of(select_, "targetList")) {
            const JsonValue* const target = node_of(item, "ResTarget");
            const JsonValue* const value = target == nullptr ? nullptr : target->find("val");
            if (value == nullptr || &item == skipped_) {
                continue;
            }
            if (is_star(*value)) {
                rows_.all = inner_.all;
                rows_.outputs.insert(rows_.outputs.end(), inner_.outputs.begin(), inner_.outputs.end());
                continue;
            }
            SqlOutput output = read_sql_output(tree_, *value, inner_, alias_);
            const std::string name = tree_.restored(text_of(*target, "name"));
            if (!name.empty() && name != output.name) {
                output.kind = output.kind == SqlOutput::Kind::kCarried ? SqlOutput::Kind::kComputed : output.kind;
                output.name = name;
            }
            rows_.outputs.push_back(std::move(output));
        }
    }

    // * or alias.*
    bool is_star(const JsonValue& value) const {
        const JsonValue* const reference = node_of(value, "ColumnRef");
        if (reference == nullptr || items_of(*reference, "fields").empty() ||
            node_of(items_of(*reference, "fields").back(), "A_Star") == nullptr) {
            return false;
        }
        const std::vector<std::string> parts = strings_of(items_of(*reference, "fields"));
        if (parts.size() > 2 || (parts.size() == 2 && tree_.restored(parts.front()) != alias_)) {
            tree_.refuse(value, "this names no source of the query", alias_ + ".*");
        }
        return true;
    }

    // DISTINCT ON (k) ... ORDER BY k, v DESC
    void read_distinct() {
        const std::vector<JsonValue>& distinct = items_of(select_, "distinctClause");
        if (distinct.empty()) {
            return;
        }
        if (distinct.front().members.empty()) {
            tree_.refuse(select_, "no step compares whole rows", "DISTINCT ON (columns)",
                         "name the columns that tell copies of a record: DISTINCT ON (event_id)");
        }
        if (!rows_.dedupe_by.empty()) {
            tree_.refuse(select_, "a step forms groups once", "one DISTINCT ON or ROW_NUMBER()");
        }
        rows_.grouped_by = source_columns(tree_, distinct, inner_, alias_);
        const std::vector<JsonValue>& order = items_of(select_, "sortClause");
        rows_.dedupe_by =
            greatest(order, std::min(rows_.grouped_by.size(), order.size()), distinct.front(), rows_.grouped_by);
    }

    const SqlTree& tree_;
    const JsonValue& select_;
    SqlNames& names_;
    const JsonValue* skipped_ = nullptr;
    std::string alias_;
    SqlRows inner_;
    SqlRows rows_;
};

}  // namespace

std::optional<SqlOutput> SqlRows::output(const std::string& column) const {
    const auto found = std::find_if(outputs.begin(), outputs.end(),
                                    [&](const SqlOutput& candidate) { return candidate.name == column; });
    if (found != outputs.end()) {
        return *found;
    }
    return all ? std::optional(SqlOutput{SqlOutput::Kind::kCarried, column, {}}) : std::nullopt;
}

void SqlRows::take_into(Step& step) const {
    step.source = object;
    step.where = where;
    step.dedupe_by = dedupe_by;
    step.grouped_by = grouped_by;
}

SqlRows read_sql_source(const SqlTree& tree, const JsonValue& item, SqlNames& names) {
    if (const JsonValue* const range = node_of(item, "RangeVar")) {
        SqlRows rows;
        rows.object = names.source(tree, *range);
        rows.all = true;
        return rows;
    }
    const JsonValue* const inner = node_of(item, "RangeSubselect");
    const JsonValue* const subquery = inner == nullptr ? nullptr : inner->find("subquery");
    const JsonValue* const select = subquery == nullptr ? nullptr : node_of(*subquery, "SelectStmt");
    if (select == nullptr) {
        tree.refuse(item, "this is no table and no subquery", kOneSource, "a step has one source");
    }
    return read_sql_query(tree, *select, names);
}

SqlRows read_sql_query(const SqlTree& tree, const JsonValue& select, SqlNames& names) {
    return QueryReader(tree, select, names).read();
}

std::string source_alias(const SqlTree& tree, const JsonValue& item) {
    const JsonValue* inside = node_of(item, "RangeVar");
    if (inside == nullptr) {
        inside = node_of(item, "RangeSubselect");
    }
    return inside == nullptr ? "" : alias_of(tree, *inside);
}

SqlOutput read_sql_output(const SqlTree& tree, const JsonValue& value, const SqlRows& rows, const std::string& alias,
                          bool bare) {
    if (const std::optional<SqlColumn> column = column_of(tree, value)) {
        const std::optional<SqlOutput> output = rows.output(column->name);
        if ((column->table.empty() ? !bare : column->table != alias) || !output) {
            tree.refuse(value, in_quotes(column->name) + " is no column of " + in_quotes(alias),
                        "a column of the source");
        }
        return *output;
    }
    if (std::optional<Template> constant = constant_of(tree, value)) {
        return {SqlOutput::Kind::kConstant, "", std::move(*constant)};
    }
    if (!is_deterministic(tree, value, alias, bare)) {
        tree.refuse(value, "this expression may differ from one run to the next, or is not known",
                    "a column, a constant, a placeholder, or a function of these");
    }
    return {SqlOutput::Kind::kComputed, "", {}};
}

}  // namespace oncecheck

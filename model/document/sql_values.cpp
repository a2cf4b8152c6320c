#include "model/document/sql_values.h"

#include <algorithm>
#include <iterator>

#include "model/document/problems.h"

namespace oncecheck {

namespace {

constexpr const char* kEqualities = "column = constant, joined by AND";

// Functions whose value depends on their arguments alone.
constexpr const char* kImmutable[] = {"lower", "upper", "btrim",  "ltrim", "rtrim", "abs",       "round",
                                      "floor", "ceil",  "length", "md5",   "left",  "substring", "replace"};

bool has_placeholder(const std::string& name) { return name.find('{') != std::string::npos; }

// A function of the system catalogue, or the same without its schema.
std::string function_name(const JsonValue& call) {
    const std::vector<std::string> parts = strings_of(items_of(call, "funcname"));
    const bool plain = parts.size() == 1 || (parts.size() == 2 && parts.front() == "pg_catalog");
    return plain ? parts.back() : "";
}

bool is_now(const JsonValue& node) {
    if (const JsonValue* const value = node_of(node, "SQLValueFunction")) {
        const std::string operation = text_of(*value, "op");
        return operation.starts_with("SVFOP_CURRENT_TIME") || operation.starts_with("SVFOP_LOCALTIME") ||
               operation == "SVFOP_CURRENT_DATE";
    }
    const JsonValue* const call = node_of(node, "FuncCall");
    return call != nullptr && items_of(*call, "args").empty() &&
           (function_name(*call) == "now" || function_name(*call) == "transaction_timestamp");
}

// A literal such as 'now'::timestamp, whose value is the time of its evaluation.
bool is_moving_time(const JsonValue& node) {
    const JsonValue* const constant = node_of(node, "A_Const");
    const JsonValue* const string = constant == nullptr ? nullptr : constant->find("sval");
    const std::string text = string == nullptr ? "" : text_of(*string, "sval");
    return text == "now" || text == "today" || text == "tomorrow" || text == "yesterday";
}

// The column of `table`, if the expression is one of it or says no table.
std::optional<std::string> column_in(const SqlTree& tree, const JsonValue& node, const std::string& table) {
    const std::optional<SqlColumn> column = column_of(tree, node);
    return column && (column->table.empty() || column->table == table) ? std::optional(column->name) : std::nullopt;
}

// Both sides are a column of the same name, one of `target`, one of `source`.
std::optional<std::string> same_column(const SqlTree& tree, const JsonValue& of_target, const std::string& target,
                                       const JsonValue& of_source, const std::string& source) {
    const std::optional<SqlColumn> left = column_of(tree, of_target);
    const std::optional<SqlColumn> right = column_of(tree, of_source);
    const bool same = left && right && left->table == target && right->table == source && left->name == right->name;
    return same ? std::optional(left->name) : std::nullopt;
}

}  // namespace

std::optional<SqlColumn> column_of(const SqlTree& tree, const JsonValue& node) {
    const JsonValue* const reference = node_of(node, "ColumnRef");
    if (reference == nullptr) {
        return std::nullopt;
    }
    std::vector<std::string> parts = strings_of(items_of(*reference, "fields"));
    for (std::string& part : parts) {
        part = tree.restored(part);
    }
    if (parts.empty() || parts.size() > 2 || parts.back().empty() || has_placeholder(parts.back())) {
        return std::nullopt;
    }
    return SqlColumn{parts.size() == 2 ? parts.front() : "", parts.back()};
}

std::optional<Template> constant_of(const SqlTree& tree, const JsonValue& node) {
    if (const JsonValue* const cast = node_of(node, "TypeCast")) {
        const JsonValue* const inner = cast->find("arg");
        return inner == nullptr || is_moving_time(*inner) ? std::nullopt : constant_of(tree, *inner);
    }
    if (is_now(node)) {
        return tree.template_of("{now}", node);
    }
    if (const JsonValue* const reference = node_of(node, "ColumnRef")) {
        const std::vector<std::string> parts = strings_of(items_of(*reference, "fields"));
        const std::string text = parts.size() == 1 ? tree.restored(parts.front()) : "";
        return has_placeholder(text) ? std::optional(tree.template_of(text, node)) : std::nullopt;
    }
    const JsonValue* const constant = node_of(node, "A_Const");
    if (constant == nullptr || is_true(*constant, "isnull")) {
        return std::nullopt;
    }
    if (const JsonValue* const string = constant->find("sval")) {
        return tree.template_of(text_of(*string, "sval"), node);
    }
    if (const JsonValue* const boolean = constant->find("boolval")) {
        return tree.template_of(is_true(*boolean, "boolval") ? "true" : "false", node);
    }
    const std::string number = tree.number_at(*constant);
    return number.find_first_of("0123456789") == std::string::npos ? std::nullopt
                                                                   : std::optional(tree.template_of(number, node));
}

bool is_deterministic(const SqlTree& tree, const JsonValue& node, const std::string& table, bool bare) {
    if (const std::optional<SqlColumn> column = column_of(tree, node)) {
        return column->table.empty() ? bare : column->table == table;
    }
    if (node_of(node, "A_Const") != nullptr) {
        return true;
    }
    const auto all = [&](const JsonValue& inside, const char* key) {
        const std::vector<JsonValue>& items = items_of(inside, key);
        return std::all_of(items.begin(), items.end(),
                           [&](const JsonValue& item) { return is_deterministic(tree, item, table, bare); });
    };
    const auto one = [&](const JsonValue& inside, const char* key) {
        const JsonValue* const value = inside.find(key);
        return value == nullptr || is_deterministic(tree, *value, table, bare);
    };
    const std::string kind = kind_of(node);
    const JsonValue& inside = kind.empty() ? node : node.members.front().value;
    if (kind == "TypeCast" || kind == "NullTest") {
        const JsonValue* const argument = inside.find("arg");
        return argument != nullptr && !is_moving_time(*argument) && is_deterministic(tree, *argument, table, bare);
    }
    if (kind == "A_Expr") {
        return text_of(inside, "kind") == "AEXPR_OP" && one(inside, "lexpr") && one(inside, "rexpr");
    }
    if (kind == "CoalesceExpr" || kind == "MinMaxExpr" || kind == "BoolExpr") {
        return all(inside, "args");
    }
    if (kind == "CaseExpr") {
        return one(inside, "arg") && all(inside, "args") && one(inside, "defresult");
    }
    if (kind == "CaseWhen") {
        return one(inside, "expr") && one(inside, "result");
    }
    const std::string function = kind == "FuncCall" && inside.find("over") == nullptr ? function_name(inside) : "";
    return std::find(std::begin(kImmutable), std::end(kImmutable), function) != std::end(kImmutable) &&
           all(inside, "args");
}

std::optional<SqlComparison> comparison_of(const JsonValue& node, const std::string& operation) {
    const JsonValue* const expression = node_of(node, "A_Expr");
    if (expression == nullptr || text_of(*expression, "kind") != "AEXPR_OP" ||
        strings_of(items_of(*expression, "name")) != std::vector{operation}) {
        return std::nullopt;
    }
    const SqlComparison found{expression->find("lexpr"), expression->find("rexpr")};
    return found.left != nullptr && found.right != nullptr ? std::optional(found) : std::nullopt;
}

std::vector<const JsonValue*> conjuncts_of(const JsonValue& node) {
    const JsonValue* const both = node_of(node, "BoolExpr");
    if (both == nullptr || text_of(*both, "boolop") != "AND_EXPR") {
        return {&node};
    }
    std::vector<const JsonValue*> parts;
    for (const JsonValue& part : items_of(*both, "args")) {
        const std::vector<const JsonValue*> inner = conjuncts_of(part);
        parts.insert(parts.end(), inner.begin(), inner.end());
    }
    return parts;
}

std::map<std::string, Template> where_of(const SqlTree& tree, const JsonValue& condition, const std::string& table) {
    std::map<std::string, Template> where;
    for (const JsonValue* const part : conjuncts_of(condition)) {
        const std::optional<SqlComparison> comparison = comparison_of(*part, "=");
        if (!comparison) {
            tree.refuse(*part, "this condition is no comparison of a column with a constant", kEqualities);
        }
        const JsonValue* column_side = comparison->left;
        const JsonValue* constant_side = comparison->right;
        if (!column_in(tree, *column_side, table)) {
            std::swap(column_side, constant_side);
        }
        const std::optional<std::string> column = column_in(tree, *column_side, table);
        const std::optional<Template> constant = constant_of(tree, *constant_side);
        if (!column || !constant) {
            tree.refuse(*part, "this condition is no comparison of a column with a constant", kEqualities);
        }
        if (!where.emplace(*column, *constant).second) {
            tree.refuse(*part, "the column " + in_quotes(*column) + " is compared twice", kEqualities);
        }
    }
    return where;
}

std::vector<std::string> match_of(const SqlTree& tree, const JsonValue& condition, const std::string& target,
                                  const std::string& source) {
    std::vector<std::string> columns;
    for (const JsonValue* const part : conjuncts_of(condition)) {
        std::optional<std::string> column;
        if (const std::optional<SqlComparison> comparison = comparison_of(*part, "=")) {
            column = same_column(tree, *comparison->left, target, *comparison->right, source);
            if (!column) {
                column = same_column(tree, *comparison->right, target, *comparison->left, source);
            }
        }
        if (!column) {
            tree.refuse(*part, "this condition is no comparison of a key column of both tables",
                        target + ".key = " + source + ".key, joined by AND",
                        "conditions on the rows of one table belong into a subquery or a WHERE");
        }
        columns.push_back(*column);
    }
    return columns;
}

std::string newer_of(const SqlTree& tree, const JsonValue& condition, const std::string& target,
                     const std::string& source) {
    std::optional<std::string> column;
    if (const std::optional<SqlComparison> more = comparison_of(condition, ">")) {
        column = same_column(tree, *more->right, target, *more->left, source);
    } else if (const std::optional<SqlComparison> less = comparison_of(condition, "<")) {
        column = same_column(tree, *less->left, target, *less->right, source);
    }
    if (!column) {
        const bool or_equal = comparison_of(condition, ">=") || comparison_of(condition, "<=");
        tree.refuse(condition, "this condition does not compare the versions of the two rows",
                    source + ".version > " + target + ".version",
                    or_equal ? "a row of the same version stays in a step; leave out the '='" : "");
    }
    return *column;
}

}  // namespace oncecheck

#include "model/document/sql_merge.h"

#include <algorithm>
#include <optional>

#include "model/document/problems.h"
#include "model/document/sql_values.h"

namespace oncecheck {

namespace {

constexpr const char* kUpdate = "WHEN MATCHED [AND source.version > target.version] THEN UPDATE SET ...";
constexpr const char* kInsert = "WHEN NOT MATCHED THEN INSERT (columns) VALUES (source.columns)";

const SqlAssignment* find_assignment(const std::vector<SqlAssignment>& assignments, const std::string& column) {
    const auto found = std::find_if(assignments.begin(), assignments.end(),
                                    [&](const SqlAssignment& one) { return one.column == column; });
    return found == assignments.end() ? nullptr : &*found;
}

// The column gets the source's column of the same name.
bool carries(const SqlAssignment& assignment) {
    return assignment.value.kind == SqlOutput::Kind::kCarried && assignment.value.name == assignment.column;
}

// The value of one item of SET; of (a, b) = (x, y) the one that belongs to the item.
const JsonValue* value_of(const JsonValue& target) {
    const JsonValue* const value = target.find("val");
    const JsonValue* const several = value == nullptr ? nullptr : node_of(*value, "MultiAssignRef");
    if (several == nullptr) {
        return value;
    }
    const JsonValue* const source = several->find("source");
    const JsonValue* const row = source == nullptr ? nullptr : node_of(*source, "RowExpr");
    const std::string number = text_of(*several, "colno");
    for (std::size_t index = 0; row != nullptr && index < items_of(*row, "args").size(); ++index) {
        if (number == std::to_string(index + 1)) {
            return &items_of(*row, "args")[index];
        }
    }
    return nullptr;
}

// target.column + source.column, either way round.
bool is_sum(const SqlTree& tree, const JsonValue& value, const std::string& column, const std::string& target,
            const std::string& source) {
    const std::optional<SqlComparison> sum = comparison_of(value, "+");
    const std::optional<SqlColumn> left = sum ? column_of(tree, *sum->left) : std::nullopt;
    const std::optional<SqlColumn> right = sum ? column_of(tree, *sum->right) : std::nullopt;
    return left && right && left->name == column && right->name == column &&
           ((left->table == target && right->table == source) || (left->table == source && right->table == target));
}

// What WHEN clauses do, at most one of each kind.
class MergeReader {
  public:
    MergeReader(const SqlTree& tree, const JsonValue& merge, SqlNames& names)
        : tree_(tree), merge_(merge), names_(names) {}

    Step read() {
        const JsonValue* const relation = merge_.find("relation");
        const JsonValue* const source = merge_.find("sourceRelation");
        const JsonValue* const condition = merge_.find("joinCondition");
        if (merge_.find("withClause") != nullptr || relation == nullptr || source == nullptr || condition == nullptr) {
            tree_.refuse(merge_, "a merge step has one target and one source", "MERGE INTO table USING table ON ...");
        }
        step_.verb = Verb::kMerge;
        step_.target = names_.target(tree_, *relation);
        target_ = alias_of(tree_, *relation);
        source_ = source_alias(tree_, *source);
        rows_ = read_sql_source(tree_, *source, names_);
        rows_.take_into(step_);
        step_.on = match_of(tree_, *condition, target_, source_);
        for (const std::string& column : step_.on) {
            const std::optional<SqlOutput> output = rows_.output(column);
            if (!output || output->kind != SqlOutput::Kind::kCarried) {
                tree_.refuse(*condition, in_quotes(column) + " is computed by the source", "a column of the records");
            }
        }
        for (const JsonValue& clause : items_of(merge_, "mergeWhenClauses")) {
            if (const JsonValue* const inside = node_of(clause, "MergeWhenClause")) {
                is_true(*inside, "matched") ? read_matched(*inside) : read_unmatched(*inside);
            }
        }
        finish();
        return std::move(step_);
    }

  private:
    void read_matched(const JsonValue& clause) {
        const std::string command = text_of(clause, "commandType");
        if (command == "CMD_NOTHING" && clause.find("condition") == nullptr && !update_) {
            nothing_on_match_ = true;
            return;
        }
        if (command != "CMD_UPDATE" || update_ || nothing_on_match_) {
            tree_.refuse(at(clause), "a merge step updates every row that is matched", kUpdate, "one such clause");
        }
        if (const JsonValue* const condition = clause.find("condition")) {
            step_.newer_by = newer_of(tree_, *condition, target_, source_);
        }
        update_ = read_sql_set(tree_, items_of(clause, "targetList"), rows_, target_, source_);
    }

    void read_unmatched(const JsonValue& clause) {
        const std::string command = text_of(clause, "commandType");
        if (command == "CMD_NOTHING" && clause.find("condition") == nullptr && !insert_) {
            nothing_on_miss_ = true;
            return;
        }
        if (command != "CMD_INSERT" || clause.find("condition") != nullptr || insert_ || nothing_on_miss_) {
            tree_.refuse(at(clause), "a merge step inserts every row that is not matched", kInsert, "one such clause");
        }
        const std::vector<JsonValue>& columns = items_of(clause, "targetList");
        const std::vector<JsonValue>& values = items_of(clause, "values");
        if (columns.empty() || columns.size() != values.size()) {
            tree_.refuse(at(clause), "nothing says which columns are inserted", kInsert);
        }
        insert_.emplace();
        for (std::size_t index = 0; index < columns.size(); ++index) {
            const JsonValue* const column = node_of(columns[index], "ResTarget");
            insert_->push_back({column == nullptr ? "" : tree_.restored(text_of(*column, "name")),
                                read_sql_output(tree_, values[index], rows_, source_), false});
        }
    }

    // A place inside the clause, which has none of its own.
    static const JsonValue& at(const JsonValue& clause) {
        if (const JsonValue* const condition = clause.find("condition")) {
            return *condition;
        }
        const std::vector<JsonValue>& columns = items_of(clause, "targetList");
        return columns.empty() ? clause : columns.front();
    }

    void finish() {
        if (!update_ && !insert_) {
            tree_.refuse(merge_, "this merge changes nothing", std::string(kUpdate) + " or " + kInsert);
        }
        step_.only = update_ && insert_ ? MergeOnly::kBoth : update_ ? MergeOnly::kMatched : MergeOnly::kUnmatched;
        take_assignments(tree_, merge_, update_ ? &*update_ : nullptr, insert_ ? &*insert_ : nullptr, step_);
    }

    const SqlTree& tree_;
    const JsonValue& merge_;
    SqlNames& names_;
    Step step_;
    SqlRows rows_;
    std::string target_;
    std::string source_;
    std::optional<std::vector<SqlAssignment>> update_;
    std::optional<std::vector<SqlAssignment>> insert_;
    bool nothing_on_match_ = false;
    bool nothing_on_miss_ = false;
};

// A branch that leaves out a column which the other one takes from the source would leave half a row.
void check_whole(const SqlTree& tree, const JsonValue& at, const std::vector<SqlAssignment>& update,
                 const std::vector<SqlAssignment>& insert, const Step& step) {
    for (const SqlAssignment& inserted : insert) {
        const bool is_key = std::find(step.on.begin(), step.on.end(), inserted.column) != step.on.end();
        if (carries(inserted) && !is_key && find_assignment(update, inserted.column) == nullptr) {
            tree.refuse(at, "the update leaves the column " + in_quotes(inserted.column) + " of the row that is there",
                        "every column that is inserted is updated too", "add it to SET");
        }
    }
    for (const std::string& column : step.on) {
        const SqlAssignment* const inserted = find_assignment(insert, column);
        if (inserted == nullptr || !carries(*inserted)) {
            tree.refuse(at, "the insert does not fill the key column " + in_quotes(column) + " from the source",
                        "every key column among those inserted");
        }
    }
}

}  // namespace

std::vector<SqlAssignment> read_sql_set(const SqlTree& tree, const std::vector<JsonValue>& items, const SqlRows& rows,
                                        const std::string& target, const std::string& source) {
    std::vector<SqlAssignment> assignments;
    for (const JsonValue& item : items) {
        const JsonValue* const inside = node_of(item, "ResTarget");
        const JsonValue* const value = inside == nullptr ? nullptr : value_of(*inside);
        if (value == nullptr || inside->find("indirection") != nullptr) {
            tree.refuse(item, "this assignment cannot be expressed", "column = source.column");
        }
        SqlAssignment assignment{tree.restored(text_of(*inside, "name")), {}, false};
        assignment.adds = is_sum(tree, *value, assignment.column, target, source);
        if (!assignment.adds) {
            assignment.value = read_sql_output(tree, *value, rows, source, false);
        }
        assignments.push_back(std::move(assignment));
    }
    return assignments;
}

void take_assignments(const SqlTree& tree, const JsonValue& at, const std::vector<SqlAssignment>* update,
                      const std::vector<SqlAssignment>* insert, Step& step) {
    if (update != nullptr && insert != nullptr) {
        check_whole(tree, at, *update, *insert, step);
    }
    step.columns.emplace();
    for (const SqlAssignment& assignment : insert != nullptr ? *insert : *update) {
        const SqlAssignment* const other =
            update != nullptr && insert != nullptr ? find_assignment(*update, assignment.column) : &assignment;
        const bool is_key = std::find(step.on.begin(), step.on.end(), assignment.column) != step.on.end();
        const bool both_carry = carries(assignment) && (other == nullptr ? is_key : carries(*other));
        const bool both_set = assignment.value.kind == SqlOutput::Kind::kConstant && other != nullptr &&
                              other->value.kind == SqlOutput::Kind::kConstant &&
                              other->value.constant == assignment.value.constant;
        if (both_set) {
            step.set.emplace(assignment.column, assignment.value.constant);
        } else if (both_carry) {
            step.columns->push_back(assignment.column);
        }
    }
    for (const SqlAssignment& assignment : update != nullptr ? *update : std::vector<SqlAssignment>{}) {
        if (assignment.adds) {
            step.add.push_back(assignment.column);
        }
    }
    if (insert == nullptr) {
        step.columns->insert(step.columns->end(), step.on.begin(), step.on.end());
    }
    const bool compares = !step.newer_by.empty() && update != nullptr;
    const SqlAssignment* const version = compares ? find_assignment(*update, step.newer_by) : nullptr;
    if (compares && (version == nullptr || !carries(*version))) {
        tree.refuse(at, "the update does not take over the column " + in_quotes(step.newer_by) + " that it compares",
                    "every column that is compared is updated", "add it to SET");
    }
}

Step read_sql_merge(const SqlTree& tree, const JsonValue& merge, SqlNames& names) {
    return MergeReader(tree, merge, names).read();
}

}  // namespace oncecheck

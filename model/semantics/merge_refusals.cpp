// When a store refuses a merge: a key matched twice, and unique keys that two rows would share.
#include <algorithm>
#include <map>

#include "model/semantics/statements.h"

namespace oncecheck {

// A store that refuses a key matched twice. ON CONFLICT DO NOTHING takes one of the rows.
bool StatementRunner::refuses_double_match(const Step& step, const ObjectInstance& target) const {
    const bool skips_second = upserts(step, target) && step.only == MergeOnly::kUnmatched;
    return target.reference.scope == ObjectScope::kStore && capability(target, "double_match") == "error" &&
           !skips_second;
}

// Ends the path where the store refuses two source rows of one key.
void StatementRunner::refuse_twice(const Step& step, const ObjectInstance& target, const KeyGroup& group,
                                   const Expression& updates, Path& path, Paths& ended) const {
    const std::vector<Expression> counts = counts_of(group);
    const std::string why = "a key is matched twice in '" + target.identity + "'";
    const Expression may_refuse = conjunction({updates, may_update_twice(step, target, group, counts, path)});
    if (!may_refuse.is_constant(0)) {
        Path refused = path;
        refused.require(may_refuse);
        refused.end(PathEnd::kFailed, why);
        ended.push_back(std::move(refused));
    }
    const Expression refuses_update = step.only == MergeOnly::kUnmatched
                                          ? falsity()
                                          : conjunction({updates, updated_twice(step, target, group, counts, path)});
    const Expression refuses_insert =
        step.only == MergeOnly::kMatched ? falsity() : conjunction({!updates, inserted_twice(target, group)});
    fail_if(disjunction({refuses_update, refuses_insert}), why, path, ended);
}

// Some unique key of the target makes two rows of the group impossible.
bool StatementRunner::unique_covers(const ObjectInstance& target, const KeyGroup& group) const {
    return std::any_of(target.unique_keys.begin(), target.unique_keys.end(), [&](const auto& columns) {
        return std::all_of(group.rows.begin(), group.rows.end(), [&](const SourceRow& row) {
            return key(row.row, columns) == key(group.rows.front().row, columns);
        });
    });
}

// Two rows to insert have one unique key.
Expression StatementRunner::inserted_twice(const ObjectInstance& target, const KeyGroup& group) const {
    std::vector<Expression> ways;
    for (const std::vector<std::string>& columns : target.unique_keys) {
        std::map<std::string, std::vector<Expression>> by_key;
        for (const SourceRow& row : group.rows) {
            by_key[key(row.row, columns)].push_back(row.count);
        }
        for (const auto& [unused, counts] : by_key) {
            ways.push_back(twice(counts));
        }
    }
    return disjunction(ways);
}

// A row to insert has a unique key of one that has come since the store looked for matches.
Expression StatementRunner::meets_newcomer(const ObjectInstance& target, const KeyGroup& group,
                                           const Path& path) const {
    std::vector<Expression> conflicts;
    for (const SourceRow& row : group.rows) {
        for (const RowClass& there : group.existing) {
            if (share_a_unique_key(target, row.row, there)) {
                conflicts.push_back(conjunction({some(row.count), some(path.get(target.counts.at(there)))}));
            }
        }
    }
    return disjunction(conflicts);
}

// A row that is written meets a unique key that a row of another group holds.
Expression StatementRunner::takes_a_held_key(const Step& step, const ObjectInstance& target, const KeyGroup& group,
                                             const Expression& updates, const Path& path) const {
    std::vector<Expression> conflicts;
    for (const SourceRow& row : group.rows) {
        std::vector<Expression> replaced;
        for (const RowClass& there : group.existing) {
            if (replaces(step, row.row, there)) {
                replaced.push_back(some(path.get(target.counts.at(there))));
            }
        }
        const Expression inserted = step.only == MergeOnly::kMatched ? falsity() : !updates;
        const Expression moved =
            step.only == MergeOnly::kUnmatched ? falsity() : conjunction({updates, disjunction(replaced)});
        for (const auto& [other, variable] : target.counts) {
            const bool in_group =
                std::find(group.existing.begin(), group.existing.end(), other) != group.existing.end();
            if (!in_group && share_a_unique_key(target, row.row, other)) {
                conflicts.push_back(
                    conjunction({disjunction({inserted, moved}), some(row.count), some(path.get(variable))}));
            }
        }
    }
    return disjunction(conflicts);
}

// Two rows of the group would update one that is there; with `newer_by` only newer ones do (PostgreSQL documentation,
// MERGE: of each candidate the first clause whose condition holds is executed).
Expression StatementRunner::updated_twice(const Step& step, const ObjectInstance& target, const KeyGroup& group,
                                          const std::vector<Expression>& counts, const Path& path) const {
    if (step.newer_by.empty()) {
        return twice(counts);
    }
    std::vector<Expression> refused;
    for (const RowClass& there : group.existing) {
        std::vector<Expression> newer;
        for (std::size_t row = 0; row < counts.size(); ++row) {
            if (version_of(group.rows[row].row) > version_of(there)) {
                newer.push_back(counts[row]);
            }
        }
        refused.push_back(conjunction({some(path.get(target.counts.at(there))), twice(newer)}));
    }
    return disjunction(refused);
}

// An upsert takes the rows one by one: after one that is newer every other fails, and their order is not defined
// (PostgreSQL: "ON CONFLICT DO UPDATE command cannot affect row a second time", whatever its WHERE says).
Expression StatementRunner::may_update_twice(const Step& step, const ObjectInstance& target, const KeyGroup& group,
                                             const std::vector<Expression>& counts, const Path& path) const {
    if (!upserts(step, target) || step.newer_by.empty()) {
        return falsity();
    }
    std::vector<Expression> ways;
    for (const RowClass& there : group.existing) {
        for (std::size_t row = 0; row < counts.size(); ++row) {
            if (version_of(group.rows[row].row) > version_of(there)) {
                ways.push_back(conjunction({some(path.get(target.counts.at(there))), some(counts[row])}));
            }
        }
    }
    return conjunction({disjunction(ways), twice(counts)});
}

// One source row would take the place of two rows that are there, and a unique key refuses the second of two equal
// rows: PostgreSQL 15 and SQLite check each row as it is updated.
Expression StatementRunner::rows_become_one(const Step& step, const ObjectInstance& target, const KeyGroup& group,
                                            const std::vector<Expression>& chosen, const Path& path) const {
    if (target.unique_keys.empty() || step.only == MergeOnly::kUnmatched || !step.add.empty()) {
        return falsity();
    }
    std::vector<Expression> ways;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        std::vector<Expression> equal_then;
        bool moves = false;
        for (const RowClass& there : group.existing) {
            const bool stays = group.rows[i].row == there;
            if (stays || step.newer_by.empty() || version_of(group.rows[i].row) > version_of(there)) {
                equal_then.push_back(path.get(target.counts.at(there)));
                moves = moves || !stays;
            }
        }
        if (moves) {
            ways.push_back(conjunction({some(chosen[i]), twice(equal_then)}));
        }
    }
    return disjunction(ways);
}

}  // namespace oncecheck

// Sources and merges: what a statement reads from the batch or a staging object, and how a store merges it by key.
#include <algorithm>

#include "model/pipeline/steps.h"
#include "model/semantics/statements.h"

namespace oncecheck {

namespace {

// At least two rows in all.
Expression twice(const std::vector<Expression>& counts) {
    std::vector<Expression> ways;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        ways.push_back(less(Expression::constant(1), counts[i]));
        for (std::size_t j = i + 1; j < counts.size(); ++j) {
            ways.push_back(conjunction({some(counts[i]), some(counts[j])}));
        }
    }
    return disjunction(ways);
}

}  // namespace

std::vector<StatementRunner::SourceRow> StatementRunner::source_rows(const Step& step, const Path& path,
                                                                     int only_record) {
    std::vector<SourceRow> rows;
    if (!step.source) {
        for (const int record : model_.batch_records(process(), *site_.context)) {
            if (only_record >= 0 && record != only_record) {
                continue;
            }
            rows.push_back({with_set(step, {record, {}}), !expired()});
        }
        return rows;
    }
    const ObjectInstance& source = model_.object(site_, *step.source);
    if (phase_ != Phase::kCommit) {
        note_hazards(step, source, path);
    }
    std::size_t ordinal = 0;
    for (const auto& [row, variable] : source.counts) {
        ++ordinal;
        if (!where_accepts(step, row)) {
            continue;
        }
        Expression count = path.get(variable);
        if (phase_ == Phase::kCommit) {
            count = path.get(buffer("row " + std::to_string(ordinal), source.cap));
        }
        rows.push_back({with_set(step, row), count});
    }
    return rows;
}

// The log has lost the records of the batch.
Expression StatementRunner::expired() const {
    const auto gone = process().gone.find(site_.context->batch);
    return gone == process().gone.end() ? falsity() : Expression::variable(gone->second);
}

// A step that reads the batch fails if the log has lost it and the source says so.
void StatementRunner::require_records(const Step& step, Path& path, Paths& ended) const {
    if (!step.source && !step.has_values && process().gap_fails) {
        fail_if(expired(), "the records of the batch have expired", path, ended);
    }
}

// The statement's snapshot: what the source holds goes into the buffers of the unit.
Paths StatementRunner::read_source(const Step& step, Path path) {
    Paths result;
    if (!step.source) {
        result.push_back(std::move(path));
        return result;
    }
    const ObjectInstance& source = model_.object(site_, *step.source);
    require_existing(source, path, result);
    note_hazards(step, source, path);
    std::size_t ordinal = 0;
    for (const auto& [row, variable] : source.counts) {
        ++ordinal;
        if (where_accepts(step, row)) {
            const VariableId seen = buffer("row " + std::to_string(ordinal), source.cap);
            path.set(seen, path.get(variable));
            note_unkept(variable, seen);
        }
    }
    result.push_back(std::move(path));
    return result;
}

// `dedupe_by`: of the rows that are one to the target, the greatest. A merge groups them by the columns that it matches
// on. For others the version column compares versions of a key; any other column, or groups by the record's id, tell
// copies of one record.
void StatementRunner::keep_greatest(const Step& step, std::vector<SourceRow>& rows) const {
    if (step.dedupe_by.empty()) {
        return;
    }
    const auto column = model_.columns.record_columns.find(step.dedupe_by);
    const auto grouping = step.grouped_by.size() == 1 ? model_.columns.record_columns.find(step.grouped_by.front())
                                                      : model_.columns.record_columns.end();
    const bool of_copies = grouping != model_.columns.record_columns.end() && grouping->second == "id";
    const bool by_version = !of_copies && column != model_.columns.record_columns.end() && column->second == "version";
    const std::vector<SourceRow> before = rows;
    const std::vector<std::string> matched =
        step.verb == Verb::kMerge ? match_columns(step, model_.object(site_, step.target)) : std::vector<std::string>{};
    const auto group = [&](const SourceRow& row) {
        if (step.verb == Verb::kMerge) {
            return key(row.row, matched);
        }
        const Record& record = model_.universe.records[static_cast<std::size_t>(row.row.record)];
        return std::to_string(by_version ? record.key : row.row.record);
    };
    const auto version = [&](const SourceRow& row) {
        return model_.universe.records[static_cast<std::size_t>(row.row.record)].version;
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::vector<Expression> greater;
        for (std::size_t j = 0; j < before.size() && rows[i].row.record >= 0; ++j) {
            if (before[j].row.record >= 0 && i != j && group(before[j]) == group(before[i]) &&
                (version(before[j]) > version(before[i]) || (version(before[j]) == version(before[i]) && j < i))) {
                greater.push_back(some(before[j].count));
            }
        }
        rows[i].count = choose(conjunction({some(before[i].count), !disjunction(greater)}), truth(), falsity());
    }
}

bool StatementRunner::is_staging(const ObjectInstance& source) const {
    bool written = false;
    for_each_step(model_.pipeline->component(process().id).document.steps, [&](const Step& step) {
        written = written || (takes_in_records(step) && model_.identity_of(site_, step.target) == source.identity);
    });
    return written;
}

void StatementRunner::note_hazards(const Step& step, const ObjectInstance& source, const Path& path) {
    if (!is_staging(source) || site_.context == nullptr) {
        return;
    }
    const std::vector<int> batch = model_.batch_records(process(), *site_.context);
    std::vector<Expression> foreign;
    std::map<int, std::vector<Expression>> own;
    for (const int record : batch) {
        own[record];
    }
    for (const auto& [row, variable] : source.counts) {
        if (row.record < 0 || !where_accepts(step, row)) {
            continue;
        }
        const auto found = own.find(row.record);
        if (found != own.end()) {
            found->second.push_back(path.get(variable));
        } else {
            foreign.push_back(some(path.get(variable)));
        }
    }
    std::vector<Expression> missing;
    std::vector<Expression> doubled;
    for (const auto& [record, counts] : own) {
        std::vector<Expression> present;
        for (const Expression& count : counts) {
            present.push_back(some(count));
        }
        missing.push_back(!disjunction(present));
        doubled.push_back(twice(counts));
    }
    const bool skips_second = step.verb == Verb::kMerge && step.only == MergeOnly::kUnmatched &&
                              upserts(step, model_.object(site_, step.target));
    const bool keeps_single = !step.dedupe_by.empty() || skips_second ||
                              (step.verb == Verb::kInsert && step.on_conflict == OnConflict::kIgnore);
    const Expression guard = path.guard();
    hazards_.push_back({StagingFlaw::kForeign, conjunction({guard, disjunction(foreign)})});
    hazards_.push_back({StagingFlaw::kMissing, conjunction({guard, disjunction(missing)})});
    if (!keeps_single) {
        hazards_.push_back({StagingFlaw::kDoubled, conjunction({guard, disjunction(doubled)})});
    }
}

std::map<std::string, StatementRunner::KeyGroup> StatementRunner::key_groups(const Step& step,
                                                                             const ObjectInstance& target,
                                                                             std::vector<SourceRow> rows) {
    const std::vector<std::string> columns = match_columns(step, target);
    std::map<std::string, KeyGroup> groups;
    for (SourceRow& row : rows) {
        std::string name = key(row.row, columns);
        groups[name].rows.push_back(std::move(row));
    }
    for (const auto& [row, variable] : target.counts) {
        const auto found = groups.find(key(row, columns));
        if (found != groups.end()) {
            found->second.existing.push_back(row);
        }
    }
    return groups;
}

Expression StatementRunner::matched(const ObjectInstance& target, const KeyGroup& group, const Path& path) const {
    std::vector<Expression> present;
    for (const RowClass& row : group.existing) {
        present.push_back(some(path.get(target.counts.at(row))));
    }
    return disjunction(present);
}

int StatementRunner::version_of(const RowClass& row) const {
    return row.record < 0 ? 0 : model_.universe.records[static_cast<std::size_t>(row.record)].version;
}

// Some unique key of the target makes two rows of the group impossible.
bool StatementRunner::unique_covers(const ObjectInstance& target, const KeyGroup& group) const {
    return std::any_of(target.unique_keys.begin(), target.unique_keys.end(), [&](const auto& columns) {
        return std::all_of(group.rows.begin(), group.rows.end(), [&](const SourceRow& row) {
            return key(row.row, columns) == key(group.rows.front().row, columns);
        });
    });
}

// A row to insert meets a unique key that a row of another group holds.
Expression StatementRunner::conflict_elsewhere(const ObjectInstance& target, const KeyGroup& group,
                                               const Path& path) const {
    std::vector<Expression> conflicts;
    for (const SourceRow& row : group.rows) {
        for (const std::vector<std::string>& columns : target.unique_keys) {
            for (const auto& [other, variable] : target.counts) {
                const bool in_group =
                    std::find(group.existing.begin(), group.existing.end(), other) != group.existing.end();
                if (!in_group && key(other, columns) == key(row.row, columns)) {
                    conflicts.push_back(conjunction({some(row.count), some(path.get(variable))}));
                }
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

bool StatementRunner::upserts(const Step& step, const ObjectInstance& target) const {
    return step.upsert || capability(target, "merge") == "upsert";
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

// Writes the group: where `updates` holds, the chosen row takes the place of the rows that are there; else it is
// inserted beside them. chosen[i] counts how often row i is taken.
void StatementRunner::write_merged(const Step& step, const ObjectInstance& target, const KeyGroup& group,
                                   const std::vector<Expression>& chosen, const Expression& updates, Path& path) const {
    const Path before = path;
    const auto replaces = [&](const RowClass& source, const RowClass& there) {
        return !(source == there) && (step.newer_by.empty() || version_of(source) > version_of(there));
    };
    for (const RowClass& row : group.existing) {
        const Expression there = before.get(target.counts.at(row));
        std::vector<Expression> displaced;
        std::vector<Expression> moved{there};
        std::vector<Expression> inserted{there};
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            const RowClass& source = group.rows[i].row;
            if (replaces(source, row)) {
                displaced.push_back(some(chosen[i]));
            }
            if (!(source == row)) {
                continue;
            }
            inserted.push_back(chosen[i]);
            for (const RowClass& other : group.existing) {
                if (replaces(row, other)) {
                    moved.push_back(choose(some(chosen[i]), before.get(target.counts.at(other)), falsity()));
                }
            }
        }
        const Expression updated = choose(disjunction(displaced), Expression::constant(0), add(moved, target.cap));
        const Expression grown = add(inserted, target.cap);
        const bool accumulates = !step.add.empty();
        const Expression on_match = step.only == MergeOnly::kUnmatched ? there : accumulates ? grown : updated;
        const Expression on_miss = step.only == MergeOnly::kMatched ? there : grown;
        path.set(target.counts.at(row), choose(updates, on_match, on_miss));
    }
}

Paths StatementRunner::merge_group(const Step& step, const ObjectInstance& target, const KeyGroup& group,
                                   std::size_t ordinal, Path path) {
    Paths result;
    std::vector<Expression> counts;
    for (const SourceRow& row : group.rows) {
        counts.push_back(row.count);
    }
    const Expression matched_now = matched(target, group, path);
    Expression updates = matched_now;
    const bool covered = step.add.empty() && unique_covers(target, group);
    // An upsert decides row by row, when it has the key's lock: no snapshot of the target, no race.
    const bool decided_before = !sees_late_ && !upserts(step, target);
    const bool skips_second = upserts(step, target) && step.only == MergeOnly::kUnmatched;  // DO NOTHING
    if (phase_ == Phase::kCommit && decided_before) {
        std::vector<Expression> present;
        for (const Expression& rows : counts) {
            present.push_back(some(rows));
        }
        const Expression seen = path.get(buffer("match " + std::to_string(ordinal), 1));
        if (covered && step.only != MergeOnly::kMatched) {
            fail_if(conjunction({disjunction(present), !seen, matched_now}),
                    "unique key violated in '" + target.identity + "' by a merge beside another", path, result);
        }
        updates = conjunction({seen, matched_now});
    }
    const std::string rule = target.reference.scope == ObjectScope::kStore ? capability(target, "double_match") : "any";
    const bool refuses = rule == "error" && !skips_second;
    if (refuses || group.rows.size() == 1) {
        const Expression refuses_update =
            step.only == MergeOnly::kUnmatched
                ? falsity()
                : conjunction({updates, updated_twice(step, target, group, counts, path)});
        const Expression refuses_insert = step.only == MergeOnly::kMatched || !unique_covers(target, group)
                                              ? falsity()
                                              : conjunction({!updates, twice(counts)});
        if (refuses) {
            const Expression may_refuse = conjunction({updates, may_update_twice(step, target, group, counts, path)});
            if (!may_refuse.is_constant(0)) {
                Path refused = path;
                refused.require(may_refuse);
                refused.end(PathEnd::kFailed, "a key is matched twice in '" + target.identity + "'");
                result.push_back(std::move(refused));
            }
            fail_if(disjunction({refuses_update, refuses_insert}),
                    "a key is matched twice in '" + target.identity + "'", path, result);
        } else if (covered) {
            counts.front() = choose(some(counts.front()), truth(), falsity());
        }
        fail_if(step.only == MergeOnly::kMatched || !step.add.empty()
                    ? falsity()
                    : conjunction({!updates, conflict_elsewhere(target, group, path)}),
                "unique key violated in '" + target.identity + "'", path, result);
        fail_if(conjunction({updates, rows_become_one(step, target, group, counts, path)}),
                "unique key violated in '" + target.identity + "' by rows that become one", path, result);
        write_merged(step, target, group, counts, updates, path);
        result.push_back(std::move(path));
        return result;
    }
    // Any of the rows may be the one that stays.
    std::vector<Expression> none;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        none.push_back(!some(counts[i]));
        Path chosen_path = path;
        chosen_path.require(some(counts[i]));
        std::vector<Expression> chosen(counts.size(), falsity());
        chosen[i] = truth();
        fail_if(conjunction({updates, rows_become_one(step, target, group, chosen, chosen_path)}),
                "unique key violated in '" + target.identity + "' by rows that become one", chosen_path, result);
        write_merged(step, target, group, chosen, updates, chosen_path);
        result.push_back(std::move(chosen_path));
    }
    path.require(conjunction(none));
    result.push_back(std::move(path));
    return result;
}

// The part of the snapshot that is about one key: whether the target has it. A key without source rows does not matter,
// and one that is certain to be refused for two rows is refused now.
void StatementRunner::read_match(const Step& step, const ObjectInstance& target, const KeyGroup& group,
                                 std::size_t ordinal, const Path& before, Path& path, Paths& ended) {
    std::vector<Expression> counts;
    std::vector<Expression> present;
    for (const SourceRow& row : group.rows) {
        counts.push_back(row.count);
        present.push_back(some(row.count));
    }
    const bool refuses = step.only == MergeOnly::kBoth && step.add.empty() && step.newer_by.empty() &&
                         target.reference.scope == ObjectScope::kStore &&
                         capability(target, "double_match") == "error" && unique_covers(target, group);
    if (refuses) {
        fail_if(twice(counts), "a key is matched twice in '" + target.identity + "'", path, ended);
    }
    const VariableId match = buffer("match " + std::to_string(ordinal), 1);
    path.set(match, conjunction({disjunction(present), matched(target, group, before)}));
    for (const RowClass& row : group.existing) {
        note_unkept(target.counts.at(row), match);
    }
}

Paths StatementRunner::merge(const Step& step, Path path) {
    const ObjectInstance& target = model_.object(site_, step.target);
    Paths result;
    require_existing(target, path, result);
    require_source(step, path, result);
    require_records(step, path, result);
    std::vector<SourceRow> rows = source_rows(step, path, -1);
    keep_greatest(step, rows);
    const std::map<std::string, KeyGroup> groups = key_groups(step, target, std::move(rows));
    if (phase_ == Phase::kRead) {
        const Path before = path;
        Paths read = step.source ? read_source(step, std::move(path)) : Paths{std::move(path)};
        for (Path& open : read) {
            std::size_t ordinal = 0;
            for (const auto& [unused, group] : groups) {
                ++ordinal;
                if (open.how() == PathEnd::kOpen) {
                    read_match(step, target, group, ordinal, before, open, result);
                }
            }
            result.push_back(std::move(open));
        }
        return result;
    }
    if (phase_ == Phase::kCommit && !reads_in_store(step)) {
        sees_late_ = true;
        merge_groups(step, target, groups, path, result);
        sees_late_ = false;
    }
    merge_groups(step, target, groups, std::move(path), result);
    return result;
}

// Rows of a session or application are read by the client and sent on in a statement of their own.
bool StatementRunner::reads_in_store(const Step& step) const {
    return !step.source || model_.object(site_, *step.source).reference.scope == ObjectScope::kStore;
}

void StatementRunner::merge_groups(const Step& step, const ObjectInstance& target,
                                   const std::map<std::string, KeyGroup>& groups, Path path, Paths& result) {
    Paths open{std::move(path)};
    std::size_t ordinal = 0;
    for (const auto& [unused, group] : groups) {
        ++ordinal;
        Paths next;
        for (Path& current : open) {
            for (Path& taken : merge_group(step, target, group, ordinal, std::move(current))) {
                (taken.how() == PathEnd::kOpen ? next : result).push_back(std::move(taken));
            }
        }
        open = std::move(next);
    }
    std::move(open.begin(), open.end(), std::back_inserter(result));
}

}  // namespace oncecheck

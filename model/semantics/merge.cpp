// Merges: how a store merges rows by key.
#include "model/semantics/statements.h"

namespace oncecheck {

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

std::vector<Expression> StatementRunner::counts_of(const KeyGroup& group) {
    std::vector<Expression> counts;
    for (const SourceRow& row : group.rows) {
        counts.push_back(row.count);
    }
    return counts;
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

bool StatementRunner::upserts(const Step& step, const ObjectInstance& target) const {
    return step.upsert || capability(target, "merge") == "upsert";
}

// The source row takes the place of the one that is there, if a merge updates matched rows.
bool StatementRunner::replaces(const Step& step, const RowClass& source, const RowClass& there) const {
    return !(source == there) && (step.newer_by.empty() || version_of(source) > version_of(there));
}

// Writes the group: where `updates` holds, the chosen row takes the place of the rows that are there; else it is
// inserted beside them. chosen[i] counts how often row i is taken.
void StatementRunner::write_merged(const Step& step, const ObjectInstance& target, const KeyGroup& group,
                                   const std::vector<Expression>& chosen, const Expression& updates, Path& path) const {
    const Path before = path;
    for (const RowClass& row : group.existing) {
        const Expression there = before.get(target.counts.at(row));
        std::vector<Expression> displaced;
        std::vector<Expression> moved{there};
        std::vector<Expression> inserted{there};
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            const RowClass& source = group.rows[i].row;
            if (replaces(step, source, row)) {
                displaced.push_back(some(chosen[i]));
            }
            if (!(source == row)) {
                continue;
            }
            inserted.push_back(chosen[i]);
            for (const RowClass& other : group.existing) {
                if (replaces(step, row, other)) {
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
    std::vector<Expression> counts = counts_of(group);
    const Expression matched_now = matched(target, group, path);
    Expression updates = matched_now;
    const bool covered = step.add.empty() && unique_covers(target, group);
    // An upsert decides row by row, when it has the key's lock: no snapshot of the target, no race.
    if (phase_ == Phase::kCommit && !sees_late_ && !upserts(step, target)) {
        const Expression seen = path.get(buffer("match " + std::to_string(ordinal), 1));
        if (step.add.empty() && step.only != MergeOnly::kMatched) {
            fail_if(conjunction({!seen, meets_newcomer(target, group, path)}),
                    "unique key violated in '" + target.identity + "' by a merge beside another", path, result);
        }
        updates = conjunction({seen, matched_now});
    }
    if (refuses_double_match(step, target)) {
        refuse_twice(step, target, group, updates, path, result);
    } else if (group.rows.size() > 1) {
        return merge_any_of(step, target, group, updates, std::move(path));
    } else if (covered) {
        counts.front() = choose(some(counts.front()), truth(), falsity());
    }
    if (step.add.empty()) {
        fail_if(takes_a_held_key(step, target, group, updates, path),
                "unique key violated in '" + target.identity + "'", path, result);
    }
    fail_if(conjunction({updates, rows_become_one(step, target, group, counts, path)}),
            "unique key violated in '" + target.identity + "' by rows that become one", path, result);
    write_merged(step, target, group, counts, updates, path);
    result.push_back(std::move(path));
    return result;
}

// Any of the rows may be the one that stays.
Paths StatementRunner::merge_any_of(const Step& step, const ObjectInstance& target, const KeyGroup& group,
                                    const Expression& updates, Path path) {
    Paths result;
    const std::vector<Expression> counts = counts_of(group);
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
    const std::vector<Expression> counts = counts_of(group);
    std::vector<Expression> present;
    for (const Expression& rows : counts) {
        present.push_back(some(rows));
    }
    const bool refuses = step.only == MergeOnly::kBoth && step.add.empty() && step.newer_by.empty() &&
                         refuses_double_match(step, target) && unique_covers(target, group);
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

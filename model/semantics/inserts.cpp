// Inserts: rows that a statement adds, and what a unique key says to them.
#include <algorithm>

#include "model/pipeline/steps.h"
#include "model/semantics/statements.h"

namespace oncecheck {

Paths StatementRunner::put_rows(const Step& step, Path path, int only_record) {
    if (phase_ == Phase::kRead) {
        return read_source(step, std::move(path));
    }
    const ObjectInstance& target = model_.object(site_, step.target);
    Paths result;
    require_existing(target, path, result);
    if (step.has_values) {
        add_row(path, result, target, {with_set(step, {}), truth()}, step.on_conflict);
        return with(std::move(result), std::move(path));
    }
    require_source(step, path, result);
    require_records(step, path, result);
    std::vector<SourceRow> rows = source_rows(step, path, only_record);
    keep_greatest(step, rows);
    if (step.on_conflict == OnConflict::kIgnore && !target.unique_keys.empty()) {
        return add_first_comers(target, rows, std::move(path), std::move(result));
    }
    for (const SourceRow& row : rows) {
        add_row(path, result, target, row, step.on_conflict);
    }
    return with(std::move(result), std::move(path));
}

bool StatementRunner::share_a_unique_key(const ObjectInstance& target, const RowClass& left,
                                         const RowClass& right) const {
    return std::any_of(target.unique_keys.begin(), target.unique_keys.end(),
                       [&](const auto& columns) { return key(left, columns) == key(right, columns); });
}

// ON CONFLICT DO NOTHING takes the rows one by one in an order that nobody promises: of those that exclude one another
// any can be the first.
Paths StatementRunner::add_first_comers(const ObjectInstance& target, std::vector<SourceRow> rows, Path path,
                                        Paths result) {
    Paths open{std::move(path)};
    while (!rows.empty()) {
        std::vector<SourceRow> rivals{rows.back()};  // each shares a key with another of them, none with the rest
        rows.pop_back();
        for (std::size_t i = 0; i < rivals.size(); ++i) {
            const RowClass rival = rivals[i].row;
            const auto others = std::stable_partition(rows.begin(), rows.end(), [&](const SourceRow& row) {
                return !share_a_unique_key(target, rival, row.row);
            });
            rivals.insert(rivals.end(), others, rows.end());
            rows.erase(others, rows.end());
        }
        Paths next;
        for (Path& current : open) {
            if (rivals.size() == 1) {
                add_row(current, result, target, rivals.front(), OnConflict::kIgnore);
                next.push_back(std::move(current));
                continue;
            }
            add_some_of(target, rivals, {}, 0, current, next);
        }
        open = std::move(next);
    }
    std::move(open.begin(), open.end(), std::back_inserter(result));
    return result;
}

// What an order can leave: rows that share no key and that together exclude every other one. `chosen` are those of the
// first `decided` rows that stay.
void StatementRunner::add_some_of(const ObjectInstance& target, const std::vector<SourceRow>& rivals,
                                  std::vector<std::size_t> chosen, std::size_t decided, const Path& before,
                                  Paths& next) const {
    const auto excluded_by_chosen = [&](std::size_t row) {
        return std::any_of(chosen.begin(), chosen.end(), [&](std::size_t one) {
            return one != row && share_a_unique_key(target, rivals[one].row, rivals[row].row);
        });
    };
    if (decided < rivals.size()) {
        add_some_of(target, rivals, chosen, decided + 1, before, next);
        if (!excluded_by_chosen(decided)) {
            chosen.push_back(decided);
            add_some_of(target, rivals, chosen, decided + 1, before, next);
        }
        return;
    }
    Path path = before;
    for (std::size_t row = 0; row < rivals.size(); ++row) {
        std::vector<Expression> present;
        for (const auto& [there, variable] : target.counts) {
            if (share_a_unique_key(target, rivals[row].row, there)) {
                present.push_back(some(before.get(variable)));
            }
        }
        const Expression fits = conjunction({some(rivals[row].count), !disjunction(present)});
        if (std::find(chosen.begin(), chosen.end(), row) != chosen.end()) {
            path.require(fits);
            path.set(target.counts.at(rivals[row].row), truth());
        } else if (!excluded_by_chosen(row)) {
            path.require(!fits);
        }
    }
    next.push_back(std::move(path));
}

void StatementRunner::add_row(Path& path, Paths& ended, const ObjectInstance& target, const SourceRow& row,
                              OnConflict on_conflict) {
    const VariableId variable = target.counts.at(row.row);
    const Expression before = path.get(variable);
    std::vector<Expression> present;
    for (const std::vector<std::string>& columns : target.unique_keys) {
        const std::string own = key(row.row, columns);
        for (const auto& [other, count] : target.counts) {
            if (key(other, columns) == own) {
                present.push_back(some(path.get(count)));
            }
        }
    }
    if (target.unique_keys.empty()) {
        path.set(variable, add({before, row.count}, target.cap));
        return;
    }
    const Expression taken = disjunction(present);
    if (on_conflict == OnConflict::kIgnore) {
        path.set(variable, choose(conjunction({some(row.count), !taken}), truth(), before));
        return;
    }
    fail_if(disjunction({conjunction({some(row.count), taken}), twice({row.count})}),
            "unique key violated in '" + target.identity + "'", path, ended);
    path.set(variable, choose(some(row.count), truth(), before));
}

}  // namespace oncecheck

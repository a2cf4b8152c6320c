#include "model/semantics/target_flaws.h"

#include <algorithm>
#include <set>

#include "model/pipeline/graph.h"
#include "model/pipeline/steps.h"
#include "model/semantics/hop_objects.h"
#include "model/semantics/path.h"
#include "model/semantics/statements.h"

namespace oncecheck {

namespace {

class Target {
  public:
    Target(const HopModel& model, const ResolvedRequirement& requirement) : model_(model), requirement_(requirement) {
        for (const ProcessModel& process : model.processes) {
            for_each_site(model, process, [&](const Site& site, const Step& step) { note(process, site, step); });
        }
    }

    std::optional<TargetFlaws> flaws() {
        if (instances_.empty()) {
            return std::nullopt;
        }
        choose_key();
        group_rows();
        TargetFlaws flaws;
        flaws.duplicates_stay = !keyed() && !removes_rows_;
        std::vector<Expression> loss;
        std::vector<Expression> duplicate;
        std::vector<Expression> stale;
        for (const auto& [group, records] : followed_groups()) {
            std::vector<Expression> present;
            std::vector<Expression> newest;
            std::vector<Expression> counts;
            for (const auto& [record, variable] : rows_[group]) {
                counts.push_back(Expression::variable(variable));
                present.push_back(some(counts.back()));
                if (record >= 0 && version_of(record) >= version_of(newest_of(records))) {
                    newest.push_back(present.back());
                }
            }
            loss.push_back(!disjunction(present));
            stale.push_back(conjunction({disjunction(present), !disjunction(newest)}));
            duplicate.push_back(less(Expression::constant(1), add(counts, 2)));
        }
        flaws.loss = disjunction(loss);
        flaws.duplicate = disjunction(duplicate);
        flaws.stale = disjunction(stale);
        return flaws;
    }

  private:
    void note(const ProcessModel& process, const Site& site, const Step& step) {
        std::vector<Problem> ignored;
        if (!targets_object(step) ||
            !can_be_equal(*model_.pipeline, process.id, resolve_object(*model_.pipeline, step.target, ignored),
                          process.id, requirement_.object)) {
            return;
        }
        const std::string identity = model_.identity_of(site, step.target);
        instances_.insert(identity);
        removes_rows_ = removes_rows_ || step.verb == Verb::kTruncate || step.verb == Verb::kDrop ||
                        step.verb == Verb::kDelete || step.verb == Verb::kOverwrite || step.verb == Verb::kSwap ||
                        step.if_exists == IfExists::kReplace;
        if (!takes_in_records(step)) {
            return;
        }
        logs_.insert(process.logs.begin(), process.logs.end());
        only_merged_ = only_merged_ && step.verb == Verb::kMerge;
        if (step.verb == Verb::kMerge) {
            adds_up_ = adds_up_ || !step.add.empty();
            merge_columns_ = match_columns(step, model_.objects.at(identity));
        }
    }

    void choose_key() {
        const ObjectInstance& any = model_.objects.at(*instances_.begin());
        if (adds_up_) {
            return;
        }
        if (any.keyed) {
            key_columns_ = any.unique_keys.front();
        } else if (only_merged_) {
            key_columns_ = merge_columns_;
        }
    }

    bool keyed() const { return !key_columns_.empty(); }

    void group_rows() {
        for (const std::string& identity : instances_) {
            for (const auto& [row, variable] : model_.objects.at(identity).counts) {
                const std::string group =
                    keyed() ? key_of(row, key_columns_, model_.columns, model_.universe.records, *model_.pipeline)
                            : std::to_string(row.record);
                rows_[group].emplace_back(row.record, variable);
            }
        }
    }

    bool counted(int record) const {
        const ComponentId log = model_.universe.records[static_cast<std::size_t>(record)].log;
        return logs_.contains(log) && (!requirement_.from || *requirement_.from == log ||
                                       is_upstream(*model_.pipeline, *requirement_.from, {log}));
    }

    // The groups that the followed records belong to. A row may carry tags: its key is that of any of its rows; a
    // record that no row can be of is a group by itself.
    std::map<std::string, std::vector<int>> followed_groups() const {
        std::map<std::string, std::vector<int>> groups;
        for (const int record : model_.followed) {
            bool found = false;
            for (const auto& [group, rows] : rows_) {
                const bool has =
                    std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.first == record; });
                if (counted(record) && has) {
                    groups[group].push_back(record);
                    found = true;
                }
            }
            if (counted(record) && !found) {
                groups["record " + std::to_string(record)].push_back(record);
            }
        }
        return groups;
    }

    int version_of(int record) const { return model_.universe.records[static_cast<std::size_t>(record)].version; }

    int newest_of(const std::vector<int>& records) const {
        return *std::max_element(records.begin(), records.end(),
                                 [&](int left, int right) { return version_of(left) < version_of(right); });
    }

    const HopModel& model_;
    const ResolvedRequirement& requirement_;
    std::set<std::string> instances_;
    std::set<ComponentId> logs_;
    bool removes_rows_ = false;
    bool only_merged_ = true;
    bool adds_up_ = false;
    std::vector<std::string> merge_columns_;
    std::vector<std::string> key_columns_;
    std::map<std::string, std::vector<std::pair<int, VariableId>>> rows_;  // group -> rows: record, count
};

}  // namespace

std::optional<TargetFlaws> target_flaws(const HopModel& model, const ResolvedRequirement& requirement) {
    return Target(model, requirement).flaws();
}

}  // namespace oncecheck

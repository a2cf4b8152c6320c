#include "model/semantics/interaction.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "model/pipeline/steps.h"
#include "model/semantics/hop_builder.h"
#include "model/semantics/hop_objects.h"

namespace oncecheck {

namespace {

// What one process does, seen from outside.
struct Footprint {
    HopModel model;
    std::set<std::string> wide;    // objects that it empties, reads or replaces
    std::set<std::string> tokens;  // fences and locks
    std::map<std::string, std::set<std::vector<std::string>>> match_columns;  // of merges, by object
    std::set<std::string> isolated;  // objects that it uses in transactions above READ COMMITTED
};

// A conflict may be about a table, whatever its rows.
void note_isolated(Footprint& footprint, const Pipeline& pipeline, const Site& site, const Step& step,
                   const Step* transaction) {
    std::vector<Problem> ignored;
    const ObjectReference object = resolve_object(pipeline, step.target, ignored);
    if (!targets_object(step) || object.scope != ObjectScope::kStore ||
        isolation_of(pipeline, transaction, {&step}) == Isolation::kReadCommitted) {
        return;
    }
    const bool detects = pipeline.component(object.store).settings.meaning("serializable") == "detection";
    if (transaction == nullptr && !detects) {
        return;  // a statement by itself is not aborted
    }
    footprint.isolated.insert(footprint.model.identity_of(site, step.target));
    if (step.source) {
        footprint.isolated.insert(footprint.model.identity_of(site, *step.source));
    }
}

void note(Footprint& footprint, const Pipeline& pipeline, const Site& site, const Step& step) {
    const HopModel& model = footprint.model;
    note_isolated(footprint, pipeline, site, step, nullptr);
    switch (step.verb) {
        case Verb::kAppend:
        case Verb::kInsert:
        case Verb::kClaim:
            break;
        case Verb::kMerge:
            footprint.match_columns[model.identity_of(site, step.target)].insert(
                match_columns(step, model.object(site, step.target)));
            break;
        case Verb::kCreate:
        case Verb::kTruncate:
        case Verb::kDrop:
        case Verb::kDelete:
        case Verb::kOverwrite:
        case Verb::kCount:
            footprint.wide.insert(model.identity_of(site, step.target));
            break;
        case Verb::kSwap:
            footprint.wide.insert(model.identity_of(site, step.target));
            footprint.wide.insert(model.identity_of(site, step.partner));
            break;
        case Verb::kLock:
        case Verb::kAcquire:
        case Verb::kCheck:
            footprint.tokens.insert(model.identity_of(site, step.target));
            break;
        case Verb::kTransaction:
            for (const Step& inner : step.body) {
                note_isolated(footprint, pipeline, site, inner, &step);
            }
            break;
        case Verb::kCommitOffsets:
        case Verb::kBackground:
            break;
    }
    if (step.source) {
        footprint.wide.insert(model.identity_of(site, *step.source));
    }
}

template <typename Set>
bool meet(const Set& left, const Set& right) {
    return std::any_of(left.begin(), left.end(), [&](const auto& item) { return right.contains(item); });
}

// Some row of one is a row of the other, or has its key.
bool keys_meet(const Footprint& left, const Footprint& right, const std::string& identity) {
    const ObjectInstance& mine = left.model.objects.at(identity);
    const ObjectInstance& yours = right.model.objects.at(identity);
    for (const RowClass& row : mine.classes) {
        for (const RowClass& other : yours.classes) {
            if (row.record < 0 ? row == other : row.record == other.record) {
                return true;  // a record that both bring, a ledger row that both claim
            }
        }
    }
    std::set<std::vector<std::string>> keys(mine.unique_keys.begin(), mine.unique_keys.end());
    for (const Footprint* footprint : {&left, &right}) {
        const auto merges = footprint->match_columns.find(identity);
        if (merges != footprint->match_columns.end()) {
            keys.insert(merges->second.begin(), merges->second.end());
        }
    }
    for (const std::vector<std::string>& columns : keys) {
        std::set<std::string> values;
        const auto value = [&](const HopModel& model, const RowClass& row) {
            return key_of(row, columns, model.columns, model.universe.records, *model.pipeline);
        };
        for (const RowClass& row : mine.classes) {
            values.insert(value(left.model, row));
        }
        for (const RowClass& row : yours.classes) {
            if (values.contains(value(right.model, row))) {
                return true;
            }
        }
    }
    return false;
}

bool interact(const Footprint& left, const Footprint& right) {
    if (meet(left.tokens, right.tokens) || meet(left.isolated, right.isolated)) {
        return true;
    }
    return std::any_of(left.model.objects.begin(), left.model.objects.end(), [&](const auto& named) {
        const std::string& identity = named.first;
        return right.model.objects.contains(identity) &&
               (left.wide.contains(identity) || right.wide.contains(identity) || keys_meet(left, right, identity));
    });
}

}  // namespace

std::vector<std::vector<ComponentId>> interacting_groups(const Pipeline& pipeline,
                                                         const std::vector<ComponentId>& processes,
                                                         const HopOptions& options, const Universe& universe) {
    if (processes.size() == 1) {
        return {processes};
    }
    std::vector<Footprint> footprints;
    for (const ComponentId process : processes) {
        Footprint footprint;
        footprint.model = HopBuilder(pipeline, {process}, {}, options, universe, std::nullopt).explore();
        for_each_site(footprint.model, footprint.model.processes.front(),
                      [&](const Site& site, const Step& step) { note(footprint, pipeline, site, step); });
        footprints.push_back(std::move(footprint));
    }
    std::vector<std::size_t> group(processes.size());
    std::iota(group.begin(), group.end(), std::size_t{0});
    for (std::size_t i = 0; i < processes.size(); ++i) {
        for (std::size_t j = i + 1; j < processes.size(); ++j) {
            if (group[i] != group[j] && interact(footprints[i], footprints[j])) {
                std::replace(group.begin(), group.end(), std::max(group[i], group[j]), std::min(group[i], group[j]));
            }
        }
    }
    std::map<std::size_t, std::vector<ComponentId>> groups;
    for (std::size_t i = 0; i < processes.size(); ++i) {
        groups[group[i]].push_back(processes[i]);
    }
    std::vector<std::vector<ComponentId>> result;
    for (auto& [unused, members] : groups) {
        result.push_back(std::move(members));
    }
    return result;
}

}  // namespace oncecheck

// Requirements as bad states. A state is settled when no attempt, thread or statement is left; complete when it is
// settled and durable progress covers every record.
//
//   loss, stale = complete, and the target's content is so (target_flaws.h)
//   duplicate   = the target's content is so, in every state; in complete ones where rows go or keys count
//   foreign, missing, doubled = an apply step is about to take such rows from a staging object
#include <algorithm>
#include <set>

#include "model/semantics/hop_builder.h"
#include "model/semantics/target_flaws.h"

namespace oncecheck {

const char* to_string(Flaw flaw) {
    switch (flaw) {
        case Flaw::kLoss:
            return "loss";
        case Flaw::kDuplicate:
            return "duplicate";
        case Flaw::kStale:
            return "stale";
        case Flaw::kForeignRows:
            return "foreign rows";
        case Flaw::kMissingRows:
            return "missing rows";
        case Flaw::kDoubledRows:
            return "doubled rows";
    }
    return "";
}

namespace {

bool flaw_wanted(RequirementKind kind, Flaw flaw) {
    switch (kind) {
        case RequirementKind::kExactlyOnce:
            return flaw == Flaw::kLoss || flaw == Flaw::kDuplicate || flaw == Flaw::kStale;
        case RequirementKind::kNoLoss:
            return flaw == Flaw::kLoss;
        case RequirementKind::kNoDuplicate:
            return flaw == Flaw::kDuplicate;
        case RequirementKind::kNoStale:
            return flaw == Flaw::kStale;
        case RequirementKind::kIsolatedStaging:
            return flaw == Flaw::kForeignRows || flaw == Flaw::kMissingRows || flaw == Flaw::kDoubledRows;
        case RequirementKind::kProgress:
            return false;
    }
    return false;
}

}  // namespace

Expression HopBuilder::process_complete(const ProcessModel& process) const {
    const Value batches = static_cast<Value>(model_.options.size.batches);
    if (!process.racy) {
        return conjunction({equals(process.commits, batches), equals(process.offsets, batches)});
    }
    const Value length = batches * static_cast<Value>(model_.options.size.records);
    std::vector<Expression> ways;
    for (std::size_t last = 0; last < process.ends.size(); ++last) {
        std::vector<Expression> way{
            equals(process.ends[last], length),
            less(Expression::constant(static_cast<Value>(last)), Expression::variable(process.commits))};
        for (std::size_t later = last + 1; later < process.ends.size(); ++later) {
            way.push_back(equals(process.ends[later], 0));
        }
        ways.push_back(conjunction(way));
    }
    return disjunction(ways);
}

Expression HopBuilder::settled(const ProcessModel& process) const {
    std::vector<Expression> still;
    for (const Execution& main : process.mains) {
        still.push_back(process.has_background()
                            ? disjunction({equals(main.position, 0), equals(main.position, process.positions.idle)})
                            : equals(main.position, 0));
    }
    for (const Execution& thread : process.threads) {
        still.push_back(equals(thread.position, 0));
    }
    return conjunction(still);
}

void HopBuilder::add_properties(HopSystem& result) {
    std::vector<Expression> all;
    for (const ProcessModel& process : model_.processes) {
        all.push_back(settled(process));
        all.push_back(process_complete(process));
    }
    model_.system.complete = conjunction(all);
    for (const std::size_t index : requirements_) {
        switch (pipeline_.requirements[index].kind) {
            case RequirementKind::kExactlyOnce:
            case RequirementKind::kNoLoss:
            case RequirementKind::kNoDuplicate:
            case RequirementKind::kNoStale:
                add_target_properties(result, index);
                break;
            case RequirementKind::kIsolatedStaging:
                add_staging_properties(result, index);
                break;
            case RequirementKind::kProgress:
                break;  // decided by the engine on `complete`
        }
    }
}

void HopBuilder::add_target_properties(HopSystem& result, std::size_t index) {
    const ResolvedRequirement& requirement = pipeline_.requirements[index];
    const std::optional<TargetFlaws> flaws = target_flaws(model_, requirement);
    if (!flaws) {
        return;  // no process of this system touches the target
    }
    const std::string suffix =
        ':' + requirement.target + ':' + (requirement.from ? pipeline_.component(*requirement.from).document.name : "");
    const auto add_property = [&](Flaw flaw, const Expression& bad) {
        if (flaw_wanted(requirement.kind, flaw)) {
            model_.system.properties.push_back({std::to_string(index) + ':' + to_string(flaw) + suffix, bad});
            result.meanings.push_back({index, flaw});
        }
    };
    const Expression& complete = model_.system.complete;
    add_property(Flaw::kLoss, conjunction({complete, flaws->loss}));
    add_property(Flaw::kDuplicate,
                 flaws->duplicates_stay ? flaws->duplicate : conjunction({complete, flaws->duplicate}));
    add_property(Flaw::kStale, conjunction({complete, flaws->stale}));
}

void HopBuilder::add_staging_properties(HopSystem& result, std::size_t index) {
    const ResolvedRequirement& requirement = pipeline_.requirements[index];
    for (const Flaw flaw : {Flaw::kForeignRows, Flaw::kMissingRows, Flaw::kDoubledRows}) {
        std::vector<Expression> bad;
        for (std::size_t hazard = 0; hazard < hazards_.size(); ++hazard) {
            const ComponentId process = model_.processes[hazard_process_[hazard]].id;
            const bool meant = std::find(requirement.processes.begin(), requirement.processes.end(), process) !=
                               requirement.processes.end();
            if (meant && hazards_[hazard].flaw == flaw) {
                bad.push_back(hazards_[hazard].condition);
            }
        }
        model_.system.properties.push_back(
            {std::to_string(index) + ':' + to_string(flaw) + ':' + requirement.target, disjunction(bad)});
        result.meanings.push_back({index, flaw});
    }
}

void HopBuilder::show_rows(HopSystem& result) const {
    for (const auto& [identity, object] : model_.objects) {
        for (const auto& [row, variable] : object.counts) {
            std::string text;
            if (row.record >= 0) {
                const Record& record = model_.universe.records[static_cast<std::size_t>(row.record)];
                text = record.label + " (key " + std::to_string(record.key) + ")";
            }
            for (const auto& [column, value] : row.tags) {
                text += (text.empty() ? "" : " ") + column + "=" + value;
            }
            result.rows.push_back({identity, text, variable, !object.plane.empty(), row.record, row.tags});
        }
    }
}

}  // namespace oncecheck

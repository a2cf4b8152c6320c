#include "checker/compose/coverage.h"

#include <algorithm>

namespace oncecheck {

void CoverageTally::add(const TransitionSystem& system, const std::optional<Coverage>& seen) {
    whole_ = whole_ && seen && seen->whole;
    for (std::size_t index = 0; index < system.actions.size(); ++index) {
        const ActionLabel& label = system.actions[index].label;
        bool& occurs = kinds_[{label.process, label.where, label.fault, label.text}];
        occurs = occurs || (seen && seen->occurred[index]);
    }
}

void CoverageTally::assume(const std::string& process, const ProcessFaults& faults) {
    const std::pair<const char*, bool> kinds[] = {
        {"crash", faults.crash},           {"zombie", faults.zombie}, {"lost-ack", faults.lost_ack},
        {"task-retry", faults.task_retry}, {"purge", faults.purge},   {"expiry", faults.expiry},
    };
    for (const auto& [kind, assumed] : kinds) {
        if (assumed) {
            assumed_.insert({process, kind});
        }
    }
}

std::set<CoverageTally::ProcessFault> CoverageTally::occurring_faults() const {
    std::set<ProcessFault> found;
    for (const auto& [kind, occurs] : kinds_) {
        if (occurs && !kind.fault.empty()) {
            found.insert({kind.process, kind.fault});
        }
    }
    return found;
}

ReportedCoverage CoverageTally::report() const {
    ReportedCoverage result;
    result.whole = whole_ && !kinds_.empty();
    if (!result.whole) {
        return result;
    }
    const std::set<ProcessFault> occurring = occurring_faults();
    for (const auto& [process, fault] : occurring) {
        result.faults.push_back(process + ": " + fault);
    }
    for (const ProcessFault& fault : assumed_) {
        if (!occurring.contains(fault)) {
            result.idle_faults.push_back(fault.first + ": " + fault.second);
        }
    }
    result.kinds = kinds_.size();
    for (const auto& [kind, occurs] : kinds_) {
        if (!occurs) {
            result.never.push_back({kind.process, kind.text, kind.fault, kind.where});
        }
    }
    result.occurring = result.kinds - result.never.size();
    return result;
}

std::vector<Finding> CoverageTally::findings() const {
    std::vector<Finding> found;
    if (!whole_) {
        return found;
    }
    // Kinds of one place follow one another.
    for (auto first = kinds_.begin(); first != kinds_.end();) {
        const auto elsewhere = [&](const auto& entry) {
            return entry.first.process != first->first.process || !(entry.first.where == first->first.where);
        };
        const auto next = std::find_if(first, kinds_.end(), elsewhere);
        const bool occurs = std::any_of(first, next, [](const auto& entry) { return entry.second; });
        if (!occurs && first->first.where.line > 0) {
            found.push_back({"never-happens", first->first.where,
                             "no run of '" + first->first.process + "' gets here (" + first->first.text + ")"});
        }
        first = next;
    }
    return found;
}

}  // namespace oncecheck

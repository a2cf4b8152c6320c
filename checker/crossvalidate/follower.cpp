#include "checker/crossvalidate/follower.h"

#include <algorithm>

#include "checker/crossvalidate/followed_run.h"

namespace oncecheck {

namespace {

// Of the records of the log: which share a key, and which are newer.
bool same_pattern(const std::vector<Record>& universe, const std::vector<RunRecordEntry>& run) {
    const auto find = [&](const Record& record) {
        return std::find_if(run.begin(), run.end(), [&](const RunRecordEntry& entry) {
            return entry.log == record.log && entry.offset == record.offset;
        });
    };
    for (const Record& left : universe) {
        for (const Record& right : universe) {
            const auto one = find(left);
            const auto other = find(right);
            if (one == run.end() || other == run.end() || (left.key == right.key) != (one->key == other->key) ||
                (left.version < right.version) != (one->version < other->version)) {
                return false;
            }
        }
    }
    return true;
}

}  // namespace

Follower::Follower(const HopSystem& hop) : hop_(hop), units_(*hop.model), index_(hop, units_), pool_(hop.system) {}

FollowResult Follower::follow(const RunRecord& run) {
    constexpr std::size_t kMostStates = 1'000'000;
    if (pool_.size() > kMostStates) {
        pool_.clear();
    }
    return FollowedRun(*this, run).follow();
}

const HopSystem* universe_of(const std::vector<HopSystem>& systems, const RunInputs& inputs) {
    const auto found = std::find_if(systems.begin(), systems.end(), [&](const HopSystem& system) {
        return same_pattern(system.records, inputs.records);
    });
    return found == systems.end() ? nullptr : &*found;
}

}  // namespace oncecheck

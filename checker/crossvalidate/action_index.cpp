#include "checker/crossvalidate/action_index.h"

#include <algorithm>

namespace oncecheck {

namespace {

constexpr std::size_t kKinds = static_cast<std::size_t>(EventKind::kGiveUp) + 1;

bool is_of_unit(EventKind kind) {
    switch (kind) {
        case EventKind::kUnit:
        case EventKind::kUnitRead:
        case EventKind::kUnitCommit:
        case EventKind::kLoad:
        case EventKind::kSpawn:
        case EventKind::kLock:
        case EventKind::kAbort:
        case EventKind::kLostAck:
        case EventKind::kTaskRetry:
            return true;
        default:
            return false;
    }
}

}  // namespace

ActionIndex::ActionIndex(const HopSystem& hop, const ProgramUnits& units)
    : model_(*hop.model), units_(units.all().size()) {
    for (const ProcessModel& process : model_.processes) {
        int batches = 1;
        for (const BatchContext& context : process.contexts) {
            batches = std::max(batches, context.batch + 1);
        }
        batches_.push_back(batches);
        threads_.push_back(1 + static_cast<int>(process.program.backgrounds.size()) * batches);
        by_unit_.emplace_back(static_cast<std::size_t>(process.slots * threads_.back()) * units_ * 2);
        by_protocol_.emplace_back(static_cast<std::size_t>(process.slots + 1) * kKinds);
    }
    for (std::uint32_t action = 0; action < hop.system.actions.size(); ++action) {
        add(hop, units, action);
    }
}

int ActionIndex::thread_number(std::size_t process, int block, int batch) const {
    return block < 0 ? 0 : 1 + block * batches_[process] + batch;
}

const Execution& ActionIndex::execution(std::size_t process, int slot, int thread) const {
    const ProcessModel& owner = model_.processes[process];
    if (thread == 0) {
        return owner.mains[static_cast<std::size_t>(slot)];
    }
    return *std::find_if(owner.threads.begin(), owner.threads.end(), [&](const Execution& one) {
        return one.slot == slot && thread_number(process, static_cast<int>(one.block), one.batch) == thread;
    });
}

std::size_t ActionIndex::unit_key(std::size_t process, int slot, int thread, int unit, bool in_flight) const {
    const std::size_t worker =
        static_cast<std::size_t>(slot) * static_cast<std::size_t>(threads_[process]) + static_cast<std::size_t>(thread);
    return (worker * units_ + static_cast<std::size_t>(unit)) * 2 + (in_flight ? 1 : 0);
}

std::size_t ActionIndex::protocol_key(int slot, EventKind kind) {
    return static_cast<std::size_t>(slot + 1) * kKinds + static_cast<std::size_t>(kind);
}

void ActionIndex::add(const HopSystem& hop, const ProgramUnits& units, std::uint32_t action) {
    const ActionLabel& label = hop.system.actions[action].label;
    const auto owner = std::find_if(model_.processes.begin(), model_.processes.end(),
                                    [&](const ProcessModel& process) { return process.name == label.process; });
    const auto process = static_cast<std::size_t>(owner - model_.processes.begin());
    const ActionEvent& event = label.event;
    if (!is_of_unit(event.kind)) {
        by_protocol_[process][protocol_key(label.slot, event.kind)].push_back(action);
        return;
    }
    const int unit = units.find(process, label.where).unit;
    if (unit < 0) {
        throw InternalError("the action '" + label.text + "' belongs to no step");
    }
    const int thread = thread_number(process, event.thread_batch < 0 ? -1 : event.block, event.thread_batch);
    by_unit_[process][unit_key(process, label.slot, thread, unit, event.in_flight)].push_back(action);
}

ActionIndex::Actions ActionIndex::of_unit(std::size_t process, int slot, int thread, int unit, bool in_flight) const {
    return by_unit_[process][unit_key(process, slot, thread, unit, in_flight)];
}

ActionIndex::Actions ActionIndex::of_protocol(std::size_t process, int slot, EventKind kind) const {
    return by_protocol_[process][protocol_key(slot, kind)];
}

}  // namespace oncecheck

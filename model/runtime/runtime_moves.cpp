// What can happen in a run now, and what it is called.

#include <algorithm>

#include "model/runtime/runtime_implementation.h"

namespace oncecheck {

void Runtime::Implementation::list() {
    moves_.clear();
    for (const ProducerProcess& producer : producers_) {
        producer.add_steps(moves_);
    }
    for (const QueryProcess& query : queries_) {
        query.add_steps(moves_);
    }
    const bool stuck = moves_.empty() && !world_.waiters.empty();
    for (const QueryProcess& query : queries_) {
        query.add_environment(moves_);
    }
    for (const HeldEntry& entry : world_.held) {
        const bool dead = find_query(entry.process) == nullptr || !find_query(entry.process)->lives(entry.incarnation);
        if (!entry.statement.waits()) {
            moves_.push_back({.kind = MoveKind::kLand, .process = entry.process, .statement = entry.number});
        }
        if (dead && !entry.lands) {
            moves_.push_back({.kind = MoveKind::kDrop, .process = entry.process, .statement = entry.number});
        }
    }
    if (stuck) {
        moves_.push_back({.kind = MoveKind::kResume});
    }
    for (const ProducerProcess& producer : producers_) {
        producer.add_faults(moves_);
    }
    for (const QueryProcess& query : queries_) {
        query.add_faults(moves_);
    }
}

Runtime::MoveNature Runtime::Implementation::nature(const Move& move) const {
    if (move.fault != MoveFault::kNone) {
        return MoveNature::kFault;
    }
    switch (move.kind) {
        case MoveKind::kStart: {
            const QueryProcess* query = find_query(move.process);
            if (query == nullptr || query->living() == 0) {
                return MoveNature::kStep;
            }
            return query->overlaps_by_plan() ? MoveNature::kEnvironment : MoveNature::kFault;
        }
        case MoveKind::kCrash:
        case MoveKind::kPurge:
        case MoveKind::kExpire:
            return MoveNature::kFault;
        case MoveKind::kEndSilently:
        case MoveKind::kLand:
        case MoveKind::kDrop:
            return MoveNature::kEnvironment;
        default:
            return MoveNature::kStep;
    }
}

std::string Runtime::Implementation::describe(const Move& move) const {
    std::string text = world_.pipeline.component(move.process).document.name;
    if (move.incarnation >= 0) {
        text += ", incarnation " + std::to_string(move.incarnation);
    }
    if (move.thread >= 0) {
        text += ", thread " + std::to_string(move.thread);
    }
    text += std::string(": ") + to_string(move.kind);
    if (move.record >= 0) {
        text += ' ' + id_text(world_.pipeline, world_.inputs().records.at(static_cast<std::size_t>(move.record)));
    }
    if (move.statement >= 0) {
        text += " of statement " + std::to_string(move.statement);
    }
    if (move.fault != MoveFault::kNone) {
        text += std::string(" (") + to_string(move.fault) + ')';
    }
    text += move.overlaps ? ", beside others" : "";
    return move.in_flight ? text + ", with a statement in flight" : text;
}

}  // namespace oncecheck

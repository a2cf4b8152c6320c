// Moves of the protocol: starts, logs, ends.
#include <algorithm>

#include "checker/crossvalidate/director.h"

namespace oncecheck {

// The batch that the main program is at in the state after the action.
const BatchContext& Director::context() const {
    const Execution& main = process().mains[static_cast<std::size_t>(slot_)];
    return process().contexts[(*after_)[main.context]];
}

void Director::start(const ActionLabel& label) {
    if (label.moved_to >= 0) {
        slots_[{process_, label.moved_to}] = slot();
    }
    slot() = {};
    const ComponentId id = process().id;
    const auto starts = [&](const Move& move) { return move.kind == MoveKind::kStart && move.process == id; };
    if (!offers(starts)) {
        make_room();
    }
    const int incarnation = perform("starts", starts).move.incarnation;
    slot().incarnation = incarnation;
    slot().workers[0].thread = -1;
    if (process().on_start.points.empty()) {
        read_progress(label);
    }
}

// Incarnations that have nothing left to do live on in the runtime, and in the model they are over.
void Director::make_room() {
    std::set<int> known;
    for (const auto& [place, slot] : slots_) {
        if (place.first == process_) {
            known.insert(slot.incarnation);
        }
    }
    const ComponentId id = process().id;
    const auto ends = [&](const Move& move) {
        return (move.kind == MoveKind::kEndSilently || move.kind == MoveKind::kCrash) && move.process == id &&
               !move.in_flight && !known.contains(move.incarnation);
    };
    if (offers(ends)) {
        (void)perform("ends", ends);
    }
}

void Director::read_progress(const ActionLabel& label) {
    const int moment = label.event.batch < 0 ? 0 : context().moment;
    const Wanted reads = of_incarnation(MoveKind::kReadProgress);
    const auto at_moment = [&](const Move& move) { return reads(move) && move.moment == moment; };
    const RunEvent& event = perform("reads its progress", offers(at_moment) ? Wanted(at_moment) : reads);
    if (event.outcome == RunOutcome::kEnds) {
        throw Diverged("the query ends when it reads its progress: " + event.message);
    }
    if (event.attempt < 0 && label.event.batch >= 0) {
        begin_batch();
    }
}

// Plans the batch that the model is at, and writes it ahead where the model has done so in the same action.
void Director::begin_batch() {
    const int end = context().end;
    const int moment = context().moment;
    const Wanted plans = of_incarnation(MoveKind::kPlan);
    const auto to_end = [&](const Move& move) { return plans(move) && move.end == end; };
    const auto at_moment = [&](const Move& move) { return to_end(move) && move.moment == moment; };
    (void)perform("plans a batch up to offset " + std::to_string(end), offers(at_moment) ? Wanted(at_moment) : to_end);
    if (!process().writes_ahead_at_once()) {
        return;
    }
    if (perform("writes ahead", of_incarnation(MoveKind::kWriteAhead)).outcome == RunOutcome::kEnds) {
        throw Diverged("the entry of the batch is in the offset log already");
    }
}

void Director::commit(const ActionLabel& label) {
    if (perform("commits batch " + std::to_string(label.event.batch), of_incarnation(MoveKind::kCommitBatch)).outcome ==
        RunOutcome::kEnds) {
        throw Diverged("the entry of the batch is in the commit log already");
    }
    const Value position = (*after_)[process().mains[static_cast<std::size_t>(slot_)].position];
    if (position == process().positions.program || position == process().positions.write_ahead) {
        begin_batch();
    } else if (position == 0) {
        slot().incarnation = -1;  // it has nothing left to do
    }
}

void Director::expect_end(MoveKind kind) {
    const RunEvent& event = perform("finds an entry of its batch", of_incarnation(kind));
    if (event.outcome != RunOutcome::kEnds) {
        throw Diverged("the query does not find an entry of its batch in the log");
    }
    slot() = {};
}

void Director::purge(const ActionLabel& label) {
    const int batch = label.event.batch;
    const ComponentId id = process().id;
    (void)perform("has the entry of batch " + std::to_string(batch) + " purged", [&](const Move& move) {
        return move.kind == MoveKind::kPurge && move.process == id && move.batch == batch;
    });
    (void)perform("commits batch " + std::to_string(batch) + " again", of_incarnation(MoveKind::kCommitBatch));
    for (const MoveKind kind : {MoveKind::kPlan, MoveKind::kLookAhead, MoveKind::kWriteAhead}) {
        if (offers(of_incarnation(kind))) {
            (void)perform("goes on", of_incarnation(kind));
        }
    }
    slot() = {};
}

// The outage in which records expire comes after a first start: what has gone before that no query knows of.
void Director::start_and_crash() {
    const ComponentId id = process().id;
    for (const MoveKind kind : {MoveKind::kStart, MoveKind::kReadProgress, MoveKind::kCrash}) {
        (void)perform("has an outage", [&](const Move& move) { return move.kind == kind && move.process == id; });
    }
}

void Director::expire(const ActionLabel& label) {
    const ComponentId id = process().id;
    const auto expires = [&](const Move& move) {
        if (move.kind != MoveKind::kExpire || move.process != id) {
            return false;
        }
        const int offset = hop_.records[static_cast<std::size_t>(move.record)].offset;
        return offset / model_.options.size.records == label.event.batch;
    };
    if (!offers(expires)) {
        start_and_crash();
    }
    (void)perform("loses the records of batch " + std::to_string(label.event.batch), expires);
    while (offers(expires)) {
        (void)perform("loses records", expires);
    }
}

// Whose statement in flight the trace applies later: the main program's (0) or a thread's.
int Director::landing_thread(const ActionLabel& label, std::span<const TraceStep> ahead) const {
    int slot = label.slot;
    for (const TraceStep& step : ahead) {
        const ActionLabel& later = hop_.system.actions[step.action].label;
        if (later.process != label.process) {
            continue;
        }
        if (later.begins && later.slot == slot) {
            slot = later.moved_to >= 0 ? later.moved_to : slot;
        } else if (later.slot == slot && later.event.in_flight && later.event.kind != EventKind::kStatementLost) {
            return later.event.thread_batch < 0
                       ? 0
                       : index_.thread_number(process_, later.event.block, later.event.thread_batch);
        }
    }
    return 0;
}

void Director::end(const ActionLabel& label, std::span<const TraceStep> ahead) {
    if (label.event.leaves_statement) {
        return crash_in_flight(landing_thread(label, ahead));
    }
    const bool silent = label.event.kind == EventKind::kSilentEnd;
    (void)perform("ends", of_incarnation(silent ? MoveKind::kEndSilently : MoveKind::kCrash));
    slot() = {};
}

void Director::crash_in_flight(int landing) {
    thread_ = landing;
    const Wanted crashes = of_worker(MoveKind::kCrash);
    const auto in_flight = [&](const Move& move) { return crashes(move) && move.in_flight; };
    run_until_offered(in_flight, -1);
    const std::vector<int> records = rows_to_load();
    const RunEvent event = perform("crashes with a statement in flight", in_flight);
    slot() = {};
    note_held(event, records, landing);
}

void Director::note_held(const RunEvent& event, const std::vector<int>& records, int thread) {
    for (std::size_t index = 0; index < event.held.size(); ++index) {
        slot().held.push_back({event.held[index], index < records.size() ? records[index] : -1, thread});
    }
}

}  // namespace oncecheck

#include "checker/crossvalidate/director.h"

#include <algorithm>
#include <tuple>

#include "checker/crossvalidate/run_inputs.h"
#include "model/transition/evaluator.h"

namespace oncecheck {

RunInputs inputs_of(const HopSystem& hop) {
    const HopModel& model = *hop.model;
    RunInputs inputs;
    inputs.rows = model.options.size.records;
    inputs.batches = model.options.size.batches;
    inputs.attempts = model.options.size.attempts;
    for (const ProcessModel& process : model.processes) {
        inputs.processes.push_back(process.id);
        const auto faults = model.options.faults.find(process.id);
        if (faults != model.options.faults.end()) {
            inputs.faults.emplace(process.id, run_faults(faults->second));
        }
    }
    for (const Record& record : hop.records) {
        inputs.records.push_back(
            {record.log, record.offset, record.partition, record.partition_offset, record.key, record.version});
    }
    return inputs;
}

Director::Director(const HopSystem& hop, Runtime& runtime)
    : hop_(hop),
      model_(*hop.model),
      units_(model_),
      index_(hop, units_),
      runtime_(runtime),
      before_(hop.system.initial()) {}

void Director::take(const TraceStep& step, std::span<const TraceStep> ahead) {
    const ActionLabel& label = hop_.system.actions[step.action].label;
    const ActionEvent& event = label.event;
    const auto owner = std::find_if(model_.processes.begin(), model_.processes.end(),
                                    [&](const ProcessModel& one) { return one.name == label.process; });
    process_ = static_cast<std::size_t>(owner - model_.processes.begin());
    slot_ = label.slot;
    thread_ = event.thread_batch < 0 ? 0 : index_.thread_number(process_, event.block, event.thread_batch);
    after_ = &step.after;
    if (label.slot >= 0 && event.kind != EventKind::kStart && !event.in_flight) {
        go_on();
        end_load();
    }
    note_interleaving();
    do_action(label, ahead);
    go_on_everywhere();
    before_ = step.after;
}

void Director::do_action(const ActionLabel& label, std::span<const TraceStep> ahead) {
    const ActionEvent& event = label.event;
    switch (event.kind) {
        case EventKind::kStart:
            return start(label);
        case EventKind::kReadProgress:
            return read_progress(label);
        case EventKind::kNothingLeft:
            (void)perform("reads its progress", of_incarnation(MoveKind::kReadProgress));
            slot().incarnation = -1;
            return;
        case EventKind::kWriteAheadLook:
            (void)perform("looks at the offset log", of_incarnation(MoveKind::kLookAhead));
            return;
        case EventKind::kWriteAhead:
            (void)perform("writes ahead", of_incarnation(MoveKind::kWriteAhead));
            return;
        case EventKind::kWriteAheadTaken:
            return expect_end(process().racy ? MoveKind::kLookAhead : MoveKind::kWriteAhead);
        case EventKind::kCommitLook:
            (void)perform("looks at the commit log", of_incarnation(MoveKind::kLookCommit));
            return;
        case EventKind::kCommit:
            return commit(label);
        case EventKind::kCommitTaken:
            return expect_end(process().racy ? MoveKind::kLookCommit : MoveKind::kCommitBatch);
        case EventKind::kPurge:
            return purge(label);
        case EventKind::kExpiry:
            return expire(label);
        case EventKind::kCrash:
        case EventKind::kSilentEnd:
            return end(label, ahead);
        case EventKind::kStatementLost:
            return drop_all();
        case EventKind::kLateStatement:
            thread_ = landing_thread(label, ahead);
            return lose_acknowledgement(label, MoveFault::kLate);
        case EventKind::kLostAck:
            return lose_acknowledgement(
                label, event.outcome == EventOutcome::kIgnored ? MoveFault::kLate : MoveFault::kLostAck);
        case EventKind::kLoad:
        case EventKind::kTaskRetry:
            return event.in_flight ? land(label) : load(label);
        case EventKind::kUnit:
        case EventKind::kUnitRead:
        case EventKind::kUnitCommit:
        case EventKind::kLock:
            return event.in_flight ? land(label) : run_unit(label, ahead);
        case EventKind::kAbort:
            return run_whole(units_.find(process_, label.where).unit, event.outcome);
        case EventKind::kSpawn:
            return spawn(label);
        default:
            throw Diverged("'" + label.text + "' is no move of a query");
    }
}

void Director::finish() {
    for (auto& [place, slot] : slots_) {
        process_ = place.first;
        slot_ = place.second;
        const std::map<int, Worker> workers = slot.workers;
        for (const auto& [thread, unused] : workers) {
            thread_ = thread;
            if (slot.incarnation >= 0) {
                go_on();
                end_load();
            }
        }
        drop_all();
    }
}

// A bad state may be one in which a step is about to take wrong rows.
void Director::take_step_at(const State& state, const SourcePosition& where) {
    for (std::size_t action = 0; action < hop_.system.actions.size(); ++action) {
        const Action& one = hop_.system.actions[action];
        const bool takes = one.label.event.kind == EventKind::kUnit || one.label.event.kind == EventKind::kUnitRead;
        if (takes && one.label.where == where && enabled(one, state)) {
            any_outcome_ = true;
            take({action, oncecheck::perform(one, state)}, {});
            const ActionEvent& event = one.label.event;
            if (event.kind == EventKind::kUnitRead && event.outcome == EventOutcome::kDone) {
                run_whole(units_.find(process_, where).unit, EventOutcome::kDone);
            }
            return;
        }
    }
    throw Diverged("no execution stands before the step that takes the rows");
}

std::span<const RunEvent> Director::new_events() {
    const std::vector<RunEvent>& all = runtime_.record().events;
    const std::span<const RunEvent> fresh = std::span(all).subspan(seen_);
    seen_ = all.size();
    return fresh;
}

bool Director::offers(const Wanted& wanted) const {
    const std::vector<Move>& moves = runtime_.moves();
    return std::any_of(moves.begin(), moves.end(), wanted);
}

// The event of the first move that is wanted.
const RunEvent& Director::perform(const std::string& what, const Wanted& wanted) {
    const std::vector<Move>& moves = runtime_.moves();
    const auto found = std::find_if(moves.begin(), moves.end(), wanted);
    if (found == moves.end()) {
        throw Diverged("'" + process().name + "' cannot do this now: it " + what);
    }
    const Move move = *found;
    const std::span<const RunEvent> events = runtime_.perform(move);
    for (const RunEvent& event : events.subspan(1)) {
        note_resumed(event);
    }
    const RunEvent& event = events.front();
    side_by_side_ = side_by_side_ || event.outcome == RunOutcome::kWaits;
    return event;
}

// A statement that waited has gone on.
void Director::note_resumed(const RunEvent& event) {
    if (event.move.kind != MoveKind::kResume || event.move.statement >= 0) {
        return;
    }
    const auto here = std::tuple(process_, slot_, thread_);
    for (auto& [place, slot] : slots_) {
        if (model_.processes[place.first].id != event.move.process || slot.incarnation != event.move.incarnation) {
            continue;
        }
        for (auto& [thread, worker] : slot.workers) {
            if (worker.thread == event.move.thread) {
                worker.waits = false;
                std::tie(process_, slot_) = place;
                thread_ = thread;
                settle(event);
                std::tie(process_, slot_, thread_) = here;
                return;
            }
        }
    }
}

// Units that had to wait go on as soon as they can.
void Director::go_on_everywhere() {
    const auto here = std::tuple(process_, slot_, thread_);
    const auto all = slots_;
    for (const auto& [place, slot] : all) {
        for (const auto& [thread, worker] : slot.workers) {
            std::tie(process_, slot_) = place;
            thread_ = thread;
            if (worker.expected && !worker.waits) {
                go_on();
            }
        }
    }
    std::tie(process_, slot_, thread_) = here;
}

void Director::note_interleaving() {
    for (const auto& [place, slot] : slots_) {
        for (const auto& [thread, worker] : slot.workers) {
            const bool other = place != std::pair(process_, slot_) || thread != thread_;
            side_by_side_ = side_by_side_ || (other && (worker.under_way >= 0 || worker.has_read));
        }
    }
}

Director::Wanted Director::of_worker(MoveKind kind, MoveFault fault) const {
    const int incarnation = slot().incarnation;
    const auto found = slot().workers.find(thread_);
    const int thread = found == slot().workers.end() ? -1 : found->second.thread;
    const ComponentId id = process().id;
    return [=](const Move& move) {
        return move.kind == kind && move.process == id && move.incarnation == incarnation && move.thread == thread &&
               move.fault == fault && !move.overlaps;
    };
}

Director::Wanted Director::of_incarnation(MoveKind kind) const {
    const int incarnation = slot().incarnation;
    const ComponentId id = process().id;
    return [=](const Move& move) {
        return move.kind == kind && move.process == id && move.incarnation == incarnation && !move.in_flight;
    };
}

}  // namespace oncecheck

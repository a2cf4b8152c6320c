// Events of step programs.
#include <algorithm>

#include "checker/crossvalidate/followed_run.h"

namespace oncecheck {

void FollowedRun::advance_program(const Hypothesis& from, Hypotheses& to) {
    const Life life = who(from).life;
    if (life == Life::kAbsent && !read_->begins && read_->outcome == RunOutcome::kFailed) {
        to.insert(from);  // aborted in the model already
        return;
    }
    if (life != Life::kLive || read_->place.unit < 0) {
        return;
    }
    const Unit& unit = follower_.units_.all()[static_cast<std::size_t>(read_->place.unit)];
    if (read_->begins && !stands_at(from, unit.first)) {
        return;
    }
    Hypotheses reached;
    if (read_->fault == MoveFault::kLate) {
        fail_unheard(from, reached);
    } else if (unit.kind == PointKind::kLoad) {
        load_row(from, reached);
    } else {
        run_unit(from, reached);
    }
    std::copy_if(reached.begin(), reached.end(), std::inserter(to, to.end()),
                 [&](const Hypothesis& one) { return !event_->incarnation_ends || who(one).life != Life::kLive; });
}

bool FollowedRun::stands_at(const Hypothesis& in, Value position) const {
    const Execution& execution =
        follower_.index_.execution(static_cast<std::size_t>(read_->process), who(in).slot, read_->thread);
    return follower_.pool_.at(in.state)[execution.position] == position;
}

bool FollowedRun::stands_in_unit(const Hypothesis& in) const {
    const Unit& unit = follower_.units_.all()[static_cast<std::size_t>(read_->place.unit)];
    if (who(in).life == Life::kAbsent) {
        return false;
    }
    const Execution& execution =
        follower_.index_.execution(static_cast<std::size_t>(read_->process), who(in).slot, read_->thread);
    const Value position = follower_.pool_.at(in.state)[execution.position];
    return position >= unit.first && position <= unit.last;
}

// Everything that any number of accepted actions of the unit, one after another, lead to.
void FollowedRun::reach_all(const Hypothesis& from, bool in_flight, const Accepts& accepts, Hypotheses& reached) {
    std::vector<Hypothesis> open{from};
    reached.insert(from);
    while (!open.empty()) {
        const Hypothesis current = std::move(open.back());
        open.pop_back();
        if (who(current).life == Life::kAbsent) {
            continue;
        }
        for (const std::uint32_t action :
             follower_.index_.of_unit(static_cast<std::size_t>(read_->process), who(current).slot, read_->thread,
                                      read_->place.unit, in_flight)) {
            if (!accepts(follower_.hop_.system.actions[action].label.event)) {
                continue;
            }
            const auto next = after(current, read_->actor, action);
            if (next && reached.insert(*next).second) {
                open.push_back(*next);
            }
        }
    }
}

// The statement that a read belongs to is running.
bool FollowedRun::in_window(const ActionEvent& action) const {
    if (event_->phase == StatementPhase::kBegin) {
        return false;
    }
    const int statement = std::max(read_->place.statement, 0);
    const bool last_failing = read_->ends && read_->outcome == RunOutcome::kFailed;
    return action.statement < 0 || action.statement == statement || (last_failing && action.statement > statement);
}

bool FollowedRun::may_fail(const ActionEvent& action) const {
    // Whose acknowledgement is lost may have failed before.
    const bool heard = read_->fault == MoveFault::kNone || read_->fault == MoveFault::kLostAck;
    if (read_->outcome != RunOutcome::kFailed || !heard) {
        return false;
    }
    return action.kind == EventKind::kUnit || read_->ends;
}

// The statement took effect, and a client that ignores its failure goes on: in the model, as after a success.
bool FollowedRun::goes_on_unheard() const {
    const Unit& unit = follower_.units_.all()[static_cast<std::size_t>(read_->place.unit)];
    const bool at_its_end = event_->phase == StatementPhase::kWhole || event_->phase == StatementPhase::kCommit;
    return read_->fault == MoveFault::kLostAck && unit.step->on_error == OnError::kIgnore && at_its_end;
}

// What an action of the unit may do at this event, given how the unit comes out in the end.
bool FollowedRun::may_do(const ActionEvent& action) const {
    const bool unheard = read_->fault == MoveFault::kLostAck;
    const bool done = read_->outcome == RunOutcome::kDone;
    switch (action.kind) {
        case EventKind::kLostAck:
            return unheard;
        case EventKind::kAbort:
            return may_fail(action);
        case EventKind::kSpawn:
        case EventKind::kLock:
            return done && event_->outcome == RunOutcome::kDone;
        case EventKind::kUnit:
        case EventKind::kUnitRead:
        case EventKind::kUnitCommit:
            break;
        default:
            return false;
    }
    switch (action.outcome) {
        case EventOutcome::kDone:
            break;
        case EventOutcome::kSkipped:
            return read_->outcome == RunOutcome::kSkipped;
        case EventOutcome::kFailed:
        case EventOutcome::kIgnored:
            return may_fail(action);
        case EventOutcome::kRetried:
            return false;
    }
    if (action.kind == EventKind::kUnitRead) {
        return in_window(action);
    }
    const Unit& unit = follower_.units_.all()[static_cast<std::size_t>(read_->place.unit)];
    const bool whole = action.kind == EventKind::kUnit || unit.step->verb != Verb::kTransaction;
    return (done || goes_on_unheard()) && (whole || event_->phase == StatementPhase::kCommit);
}

void FollowedRun::run_unit(const Hypothesis& from, Hypotheses& to) {
    Hypotheses reached;
    reach_all(
        from, false, [&](const ActionEvent& action) { return may_do(action); }, reached);
    const Unit& unit = follower_.units_.all()[static_cast<std::size_t>(read_->place.unit)];
    const bool again = read_->outcome == RunOutcome::kFailed && unit.step->on_error == OnError::kRetry;
    const bool leaves = read_->ends && read_->outcome && !again;
    std::copy_if(reached.begin(), reached.end(), std::inserter(to, to.end()),
                 [&](const Hypothesis& one) { return !leaves || !stands_in_unit(one); });
    if (to.empty() && read_->fault == MoveFault::kLostAck) {
        end(from, read_->actor, to);  // a statement without effect: its client fails, as in a crash
    }
}

void FollowedRun::load_row(const Hypothesis& from, Hypotheses& to) {
    if (event_->move.kind == MoveKind::kEndLoad) {
        Hypotheses reached;
        const auto has_no_row = [&](const ActionEvent& action) {
            const bool expires = !process().gone.empty() && action.kind == EventKind::kLoad;
            return action.record < 0 || (expires && action.outcome == EventOutcome::kDone);
        };
        reach_all(from, false, has_no_row, reached);
        std::copy_if(reached.begin(), reached.end(), std::inserter(to, to.end()),
                     [&](const Hypothesis& one) { return !stands_in_unit(one); });
        return;
    }
    if (event_->outcome == RunOutcome::kWaits) {
        to.insert(from);
        return;
    }
    const auto accepts = [&](const ActionEvent& action) {
        if (action.record != read_->record) {
            return false;
        }
        if (read_->fault == MoveFault::kLostAck && action.kind == EventKind::kLostAck) {
            return true;
        }
        if (event_->outcome == RunOutcome::kFailed) {
            return action.kind == EventKind::kLoad && (action.outcome != EventOutcome::kDone || goes_on_unheard());
        }
        return read_->loaded_again ? action.kind == EventKind::kTaskRetry
                                   : action.kind == EventKind::kLoad && action.outcome == EventOutcome::kDone;
    };
    bool can_load = false;
    for (const std::uint32_t action : follower_.index_.of_unit(static_cast<std::size_t>(read_->process), who(from).slot,
                                                               read_->thread, read_->place.unit, false)) {
        const ActionEvent& event = follower_.hop_.system.actions[action].label.event;
        const std::optional<Hypothesis> next = after(from, read_->actor, action);
        can_load = can_load || (next && event.kind == EventKind::kLoad && event.record == read_->record &&
                                event.outcome == EventOutcome::kDone);
        if (next && accepts(event)) {
            to.insert(*next);
        }
    }
    // A failure after which the step is sent again, while nothing is loaded, is no step of the model.
    const Unit& unit = follower_.units_.all()[static_cast<std::size_t>(read_->place.unit)];
    if (to.empty() && event_->outcome == RunOutcome::kFailed && !can_load && unit.step->on_error == OnError::kRetry) {
        to.insert(from);
    }
}

// The statement is reported as failed and is still on its way.
void FollowedRun::fail_unheard(const Hypothesis& from, Hypotheses& to) {
    if (!event_->incarnation_ends) {
        leave_universe("a statement that was reported as failed lands later, and its client goes on");
        return;
    }
    const auto anything = [](const ActionEvent&) { return true; };
    Hypotheses left;
    take(from, EventKind::kLateStatement, anything, left);
    if (!read_->leaves) {
        for (const Hypothesis& one : left) {
            take(one, EventKind::kStatementLost, anything, to);
        }
        return to.empty() ? end(from, read_->actor, to) : void();
    }
    for (Hypothesis one : left) {
        one.actors[static_cast<std::size_t>(read_->actor)].life = Life::kInFlight;
        to.insert(std::move(one));
    }
    if (process().faults.late.empty()) {
        Hypothesis paused = from;
        paused.actors[static_cast<std::size_t>(read_->actor)].life = Life::kPaused;
        to.insert(std::move(paused));
    }
}

}  // namespace oncecheck

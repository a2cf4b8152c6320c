#include "checker/crossvalidate/followed_run.h"

#include <algorithm>
#include <map>

namespace oncecheck {

FollowedRun::FollowedRun(Follower& follower, const RunRecord& run)
    : follower_(follower),
      model_(*follower.hop_.model),
      run_(run),
      reading_(read_run(run, follower.hop_, follower.units_, follower.index_)) {
    if (!run.contents.empty()) {
        contents_.emplace(follower.hop_, run, reading_, follower.units_);
    }
}

FollowResult FollowedRun::follow() {
    FollowResult result;
    Hypotheses now{{follower_.pool_.initial(), std::vector<Tracked>(reading_.actors.size())}};
    for (std::size_t event = 0; event < run_.events.size(); ++event) {
        event_ = &run_.events[event];
        read_ = &reading_.events[event];
        if (tells_cut_names_apart()) {
            leave_universe("what the store leaves of a name still tells two objects apart");
            return outside(event);
        }
        Hypotheses moved;
        if (read_->process < 0) {
            moved = now;
        } else {
            for (const Hypothesis& hypothesis : with_ends(now)) {
                advance(hypothesis, moved);
            }
        }
        note_open_units(event);
        add_steps_of_open_units(moved);
        // What frees a lock lets a statement that waited go on at once, before anybody can look at the stores.
        const bool others_follow =
            event + 1 < run_.events.size() && run_.events[event + 1].move.kind == MoveKind::kResume;
        const bool looks = contents_ && !others_follow;
        const bool changed = looks && (contents_->look_at(event) || unseen_);
        unseen_ = contents_ && others_follow;
        Hypotheses next;
        std::copy_if(moved.begin(), moved.end(), std::inserter(next, next.end()), [&](const Hypothesis& one) {
            const bool compared = !changed && now.contains(one);
            return !looks || compared || !contents_->difference(follower_.pool_.at(one.state), one, early_units(one));
        });
        if (next.empty()) {
            return lost(event, now, moved);
        }
        now = std::move(next);
        result.most_states = std::max(result.most_states, now.size());
    }
    return result;
}

// Which transactions have begun and are not over.
void FollowedRun::note_open_units(std::size_t event) {
    if (read_->actor < 0) {
        return;
    }
    const MoveKind kind = event_->move.kind;
    if (event_->incarnation_ends || kind == MoveKind::kCrash || kind == MoveKind::kEndSilently) {
        std::erase_if(open_, [&](const auto& one) { return one.first.first == read_->actor; });
        return;
    }
    const bool in_transaction =
        read_->place.unit >= 0 && event_->phase != StatementPhase::kWhole && event_->move.statement < 0;
    if (in_transaction && read_->ends) {
        open_.erase({read_->actor, read_->thread});
    } else if (in_transaction) {
        open_[{read_->actor, read_->thread}] = {read_->place.unit, read_->attempt, event};
    }
}

// A unit that the model takes in one step may take it between any two statements of it: what its first one has seen may
// be gone, and others may have come, before the next.
void FollowedRun::add_steps_of_open_units(Hypotheses& moved) {
    const RunEvent* const event = event_;
    const EventReading* const read = read_;
    for (const auto& [whose, open] : open_) {
        const Unit& unit = follower_.units_.all()[static_cast<std::size_t>(open.unit)];
        if (unit.split || (whose.first == read->actor && whose.second == read->thread)) {
            continue;
        }
        event_ = &run_.events[open.event];
        read_ = &reading_.events[open.event];
        const Hypotheses before = moved;
        for (const Hypothesis& one : before) {
            if (who(one).life == Life::kLive && stands_at(one, unit.first)) {
                reach_all(
                    one, false, [&](const ActionEvent& action) { return may_do(action); }, moved);
            }
        }
    }
    event_ = event;
    read_ = read;
}

// A unit that the model takes in one step has been taken, and its COMMIT is still to come in the run.
std::vector<ContentComparison::Early> FollowedRun::early_units(const Hypothesis& in) const {
    std::vector<ContentComparison::Early> early;
    for (const auto& [who, what] : open_) {
        const Unit& unit = follower_.units_.all()[static_cast<std::size_t>(what.unit)];
        const Tracked& tracked = in.actors[static_cast<std::size_t>(who.first)];
        if (what.attempt == nullptr || tracked.slot < 0 || unit.split) {
            continue;
        }
        const Value position =
            follower_.pool_.at(in.state)[follower_.index_.execution(unit.process, tracked.slot, who.second).position];
        if (position < unit.first || position > unit.last) {
            const auto attempt = static_cast<int>(what.attempt - run_.attempts.data());
            early.push_back({who.first, attempt, unit.step});
        }
    }
    return early;
}

const ProcessModel& FollowedRun::process() const { return model_.processes[static_cast<std::size_t>(read_->process)]; }

const Tracked& FollowedRun::who(const Hypothesis& in) const {
    return in.actors[static_cast<std::size_t>(read_->actor)];
}

void FollowedRun::advance(const Hypothesis& from, Hypotheses& to) {
    switch (event_->move.kind) {
        case MoveKind::kStatement:
        case MoveKind::kLoadRow:
        case MoveKind::kEndLoad:
        case MoveKind::kSpawn:
            return advance_program(from, to);
        case MoveKind::kResume:
            return event_->move.statement >= 0 ? land(from, to) : advance_program(from, to);
        case MoveKind::kCrash:
            return crash(from, to);
        case MoveKind::kEndSilently:
            return end(from, read_->actor, to);
        case MoveKind::kLand:
            return land(from, to);
        case MoveKind::kExpire:
            expired_.insert(read_->record);
            return expire(from, to);
        case MoveKind::kPurge:
            purged_.emplace(read_->process, event_->move.batch);
            to.insert(from);
            return;
        default:
            return advance_protocol(from, to);
    }
}

void FollowedRun::advance_protocol(const Hypothesis& from, Hypotheses& to) {
    const bool ends = event_->outcome == RunOutcome::kEnds;
    const auto anything = [](const ActionEvent&) { return true; };
    switch (event_->move.kind) {
        case MoveKind::kStart:
            if (!process().on_start.points.empty()) {
                return start(from, to);
            }
            break;
        case MoveKind::kReadProgress:
            return ends ? end(from, read_->actor, to) : read_progress(from, to);
        case MoveKind::kLookAhead:
            if (!is_range_known()) {
                leave_universe("a batch covers a range that the universe does not hold");
            }
            return take(
                from, ends ? EventKind::kWriteAheadTaken : EventKind::kWriteAheadLook,
                [&](const ActionEvent& action) { return fits_batch(action); }, to);
        case MoveKind::kWriteAhead:
            return write_ahead(from, to);
        case MoveKind::kLookCommit:
            return take(from, ends ? EventKind::kCommitTaken : EventKind::kCommitLook, anything, to);
        case MoveKind::kCommitBatch:
            return commit(from, to);
        default:
            break;
    }
    to.insert(from);
}

std::optional<Hypothesis> FollowedRun::after(const Hypothesis& from, int actor, std::size_t action) {
    const std::optional<StatePool::Id> state = follower_.pool_.after(from.state, action);
    if (!state) {
        return std::nullopt;
    }
    Hypothesis next = from;
    next.state = *state;
    Tracked& own = next.actors[static_cast<std::size_t>(actor)];
    const ActionLabel& label = follower_.hop_.system.actions[action].label;
    if (label.begins) {
        for (std::size_t other = 0; other < next.actors.size(); ++other) {
            Tracked& tracked = next.actors[other];
            const bool same =
                reading_.actors[other].process == reading_.actors[static_cast<std::size_t>(actor)].process;
            if (label.moved_to >= 0 && same && tracked.life != Life::kAbsent && tracked.slot == label.slot) {
                tracked.slot = static_cast<std::int8_t>(label.moved_to);
            }
        }
        own = {Life::kLive, static_cast<std::int8_t>(label.slot)};
    }
    if (is_gone(next, actor)) {
        own.life = Life::kAbsent;
    }
    return next;
}

// Nothing of the incarnation is left in its slot.
bool FollowedRun::is_gone(const Hypothesis& in, int actor) const {
    const auto number = static_cast<std::size_t>(actor);
    const Tracked& tracked = in.actors[number];
    if (tracked.life == Life::kAbsent) {
        return true;
    }
    const ProcessModel& owner = model_.processes[reading_.actors[number].process];
    const State& state = follower_.pool_.at(in.state);
    if (state[owner.mains[static_cast<std::size_t>(tracked.slot)].position] != 0) {
        return false;
    }
    return std::all_of(owner.threads.begin(), owner.threads.end(), [&](const Execution& thread) {
        return thread.slot != tracked.slot || state[thread.position] == 0;
    });
}

void FollowedRun::take(const Hypothesis& from, int actor, EventKind kind, const Accepts& accepts, Hypotheses& to) {
    const auto number = static_cast<std::size_t>(actor);
    const Tracked& tracked = from.actors[number];
    if (tracked.life == Life::kAbsent) {
        return;
    }
    for (const std::uint32_t action :
         follower_.index_.of_protocol(reading_.actors[number].process, tracked.slot, kind)) {
        if (!accepts(follower_.hop_.system.actions[action].label.event)) {
            continue;
        }
        if (const auto next = after(from, actor, action)) {
            to.insert(*next);
        }
    }
}

void FollowedRun::take(const Hypothesis& from, EventKind kind, const Accepts& accepts, Hypotheses& to) {
    take(from, read_->actor, kind, accepts, to);
}

// The action is about the batch that the run begins, as far as that is known.
bool FollowedRun::fits_batch(const ActionEvent& action) const {
    if (action.batch < 0) {
        return true;
    }
    if (read_->attempt != nullptr) {
        return action.batch == read_->attempt->batch && action.start == read_->attempt->start &&
               action.end == read_->attempt->end;
    }
    return !process().racy || read_->planned_end < 0 || action.end == read_->planned_end;
}

bool FollowedRun::has_room(const Hypothesis& in) const {
    int taken = 0;
    for (std::size_t actor = 0; actor < in.actors.size(); ++actor) {
        const bool same = reading_.actors[actor].process == static_cast<std::size_t>(read_->process);
        taken += same && in.actors[actor].life != Life::kAbsent ? 1 : 0;
    }
    return taken < process().slots;
}

void FollowedRun::leave_universe(const std::string& why) {
    if (outside_.empty()) {
        outside_ = why;
    }
}

void FollowedRun::start(const Hypothesis& from, Hypotheses& to) {
    if (!has_room(from)) {
        leave_universe("more incarnations and statements in flight side by side than the universe holds");
        return;
    }
    if (has_expired_in_part()) {
        leave_universe("a part of a batch has expired");
        return;
    }
    if (process().temporary && takes_too_many_identities()) {
        leave_universe("the checkpoint is lost more often than the universe holds");
        return;
    }
    const std::size_t before = to.size();
    for (int slot = 0; slot < process().slots; ++slot) {
        for (const std::uint32_t action :
             follower_.index_.of_protocol(static_cast<std::size_t>(read_->process), slot, EventKind::kStart)) {
            if (!fits_batch(follower_.hop_.system.actions[action].label.event)) {
                continue;
            }
            if (const auto next = after(from, read_->actor, action)) {
                to.insert(*next);
            }
        }
    }
    if (to.size() > before) {
        return;
    }
    const Value batches = static_cast<Value>(model_.options.size.batches);
    if (!process().racy && follower_.pool_.at(from.state)[process().commits] == batches) {
        leave_universe("an incarnation starts although nothing is left to do");
    } else if (process().racy) {
        leave_universe("a batch covers a range that the universe does not hold");
    }
}

// In the universe the records of a batch expire together.
bool FollowedRun::has_expired_in_part() const {
    std::map<int, std::size_t> gone;  // batch -> records
    for (const int record : expired_) {
        ++gone[follower_.hop_.records[static_cast<std::size_t>(record)].offset / model_.options.size.records];
    }
    const std::size_t all = static_cast<std::size_t>(model_.options.size.records) * process().logs.size();
    return std::any_of(gone.begin(), gone.end(), [&](const auto& batch) { return batch.second != all; });
}

// The model has so many identities for the starts of a query without a checkpoint.
bool FollowedRun::takes_too_many_identities() const {
    const MoveKind kind = process().on_start.points.empty() ? MoveKind::kReadProgress : MoveKind::kStart;
    std::set<int> begun;
    for (std::size_t event = 0; event < run_.events.size() && &run_.events[event] <= event_; ++event) {
        if (run_.events[event].move.kind == kind && reading_.events[event].process == read_->process) {
            begun.insert(reading_.events[event].actor);
        }
    }
    return begun.size() > static_cast<std::size_t>(kIdentities);
}

bool FollowedRun::is_range_known() const {
    return std::any_of(process().contexts.begin(), process().contexts.end(), [&](const BatchContext& context) {
        return context.end == read_->planned_end && (read_->planned_start < 0 || context.start == read_->planned_start);
    });
}

// The incarnation begins to work on a batch: in the model it starts, or reads its progress after `on_start`.
void FollowedRun::enter_batch(const Hypothesis& from, Hypotheses& to) {
    if (process().on_start.points.empty()) {
        return start(from, to);
    }
    take(
        from, EventKind::kReadProgress, [&](const ActionEvent& action) { return fits_batch(action); }, to);
}

void FollowedRun::read_progress(const Hypothesis& from, Hypotheses& to) {
    const bool now = read_->again || !process().writes_ahead_at_once() || process().temporary;
    const bool known = read_->attempt != nullptr || read_->planned_end >= 0;
    if (!now || !known) {
        to.insert(from);
    }
    if (now) {
        enter_batch(from, to);
    }
}

void FollowedRun::write_ahead(const Hypothesis& from, Hypotheses& to) {
    const bool ends = event_->outcome == RunOutcome::kEnds;
    if (!process().writes_ahead_at_once()) {
        return take(
            from, ends ? EventKind::kWriteAheadTaken : EventKind::kWriteAhead,
            [&](const ActionEvent& action) { return fits_batch(action); }, to);
    }
    if (ends) {
        const std::size_t before = to.size();
        take(
            from, EventKind::kPurge, [](const ActionEvent&) { return true; }, to);
        return to.size() > before ? void() : end(from, read_->actor, to);
    }
    const bool waits_for_batch = who(from).life == Life::kAbsent ||
                                 (!process().on_start.points.empty() && stands_at(from, process().positions.read_log));
    if (waits_for_batch) {
        return enter_batch(from, to);
    }
    to.insert(from);  // written ahead when the batch before was committed
}

// A commit may find that the entry of another was purged meanwhile.
void FollowedRun::commit(const Hypothesis& from, Hypotheses& to) {
    const auto same_batch = [&](const ActionEvent& action) {
        return read_->attempt == nullptr || action.batch == read_->attempt->batch;
    };
    if (event_->outcome == RunOutcome::kEnds) {
        return take(from, EventKind::kCommitTaken, same_batch, to);
    }
    take(from, EventKind::kCommit, same_batch, to);
    take(from, EventKind::kPurge, same_batch, to);
    if (!purged_.contains({read_->process, read_->attempt == nullptr ? -1 : read_->attempt->batch})) {
        return;
    }
    if (to.empty()) {
        take(from, EventKind::kCommitTaken, same_batch, to);  // of the last batch: it ends all the same
    }
    if (!to.empty() && process().has_background() && process().writes_ahead_at_once()) {
        to.insert(from);  // its threads go on until it ends: in the model it commits only then
    }
}

// The records of a batch go one by one; in the model all at once, at any of them.
void FollowedRun::expire(const Hypothesis& from, Hypotheses& to) {
    to.insert(from);
    for (const std::uint32_t action :
         follower_.index_.of_protocol(static_cast<std::size_t>(read_->process), -1, EventKind::kExpiry)) {
        if (const std::optional<StatePool::Id> state = follower_.pool_.after(from.state, action)) {
            Hypothesis next = from;
            next.state = *state;
            to.insert(next);
        }
    }
}

}  // namespace oncecheck

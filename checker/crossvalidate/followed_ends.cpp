// Ends of incarnations, and what their statements in flight do afterwards.
#include <algorithm>

#include "checker/crossvalidate/followed_run.h"

namespace oncecheck {

void FollowedRun::crash(const Hypothesis& from, Hypotheses& to) {
    if (who(from).life == Life::kAbsent) {
        to.insert(from);
        return;
    }
    const bool leaves = read_->leaves;
    if (leaves && process().faults.detached.empty()) {
        Hypothesis paused = from;
        paused.actors[static_cast<std::size_t>(read_->actor)].life = Life::kPaused;
        to.insert(std::move(paused));
        return;
    }
    Hypotheses left;
    take(
        from, EventKind::kCrash, [&](const ActionEvent& action) { return action.leaves_statement == leaves; }, left);
    for (Hypothesis one : left) {
        Tracked& own = one.actors[static_cast<std::size_t>(read_->actor)];
        own.life = own.life == Life::kAbsent ? Life::kAbsent : Life::kInFlight;
        to.insert(std::move(one));
    }
}

void FollowedRun::land(const Hypothesis& from, Hypotheses& to) {
    if (!read_->takes_effect || read_->actor < 0) {
        to.insert(from);
        return;
    }
    const bool in_flight = who(from).life == Life::kInFlight;
    if ((!in_flight && who(from).life != Life::kPaused) || read_->place.unit < 0) {
        return;
    }
    Hypotheses reached;
    reach_all(
        from, in_flight,
        [&](const ActionEvent& action) {
            const bool effect = action.kind == EventKind::kUnit || action.kind == EventKind::kUnitRead ||
                                action.kind == EventKind::kUnitCommit ||
                                (action.kind == EventKind::kLoad && action.record == read_->record);
            return effect && action.outcome == EventOutcome::kDone;
        },
        reached);
    reached.erase(from);
    for (const Hypothesis& one : reached) {
        if (read_->last_effect) {
            finish(one, read_->actor, to);
        } else {
            to.insert(one);
        }
    }
    if (read_->last_effect && event_->phase == StatementPhase::kCommit) {
        finish(from, read_->actor, to);  // it ran long before its COMMIT, and found nothing to do
    }
}

// No statement of the dead incarnation will take effect any more.
void FollowedRun::finish(const Hypothesis& from, int actor, Hypotheses& to) {
    const Life life = from.actors[static_cast<std::size_t>(actor)].life;
    if (life == Life::kInFlight) {
        Hypotheses dropped;
        take(
            from, actor, EventKind::kStatementLost, [](const ActionEvent&) { return true; }, dropped);
        to.insert(dropped.begin(), dropped.end());
        if (dropped.empty()) {
            to.insert(from);
        }
        return;
    }
    end(from, actor, to);
}

// The incarnation is over in the run. In the model it ends silently, or crashes, as soon as it can.
void FollowedRun::end(const Hypothesis& from, int actor, Hypotheses& to) {
    if (from.actors[static_cast<std::size_t>(actor)].life == Life::kAbsent) {
        to.insert(from);
        return;
    }
    Hypotheses ended;
    for (const EventKind kind : {EventKind::kSilentEnd, EventKind::kCrash}) {
        if (ended.empty()) {
            take(
                from, actor, kind, [](const ActionEvent& action) { return !action.leaves_statement; }, ended);
        }
    }
    if (ended.empty()) {
        Hypothesis over = from;
        over.actors[static_cast<std::size_t>(actor)].life = Life::kOver;
        ended.insert(std::move(over));
    }
    to.insert(ended.begin(), ended.end());
}

FollowedRun::Hypotheses FollowedRun::with_ends(const Hypotheses& from) {
    Hypotheses result = from;
    for (std::size_t actor = 0; actor < reading_.actors.size(); ++actor) {
        Hypotheses next;
        for (const Hypothesis& one : result) {
            if (one.actors[actor].life == Life::kOver) {
                end(one, static_cast<int>(actor), next);
            } else {
                next.insert(one);
            }
        }
        result = std::move(next);
    }
    return result;
}

}  // namespace oncecheck

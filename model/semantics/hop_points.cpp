// Actions of the points of step programs: what an execution does at each place of its program, for each batch.
#include <algorithm>
#include <set>

#include "model/pipeline/graph.h"
#include "model/pipeline/steps.h"
#include "model/semantics/hop_builder.h"

namespace oncecheck {

// What open deletes and snapshots have seen must exist before any action removes rows.
void HopBuilder::prepare_reads() {
    const auto prepare = [&](Execution& execution) {
        const ProcessModel& process = model_.process_of(execution);
        for (const Point& point : execution.program->points) {
            if (point.kind != PointKind::kRead) {
                continue;
            }
            for (const BatchContext& context : process.contexts) {
                const Site site = model_.site(execution, &context);
                StatementRunner runner(model_, execution, site, Phase::kRead, std::to_string(point.first),
                                       point.snapshot);
                for (std::size_t index = 0; index < point.statements.size(); ++index) {
                    const Step& step = *point.statements[index];
                    const bool deletes = step.verb == Verb::kDelete && (point.snapshot || index == point.reading);
                    if (deletes || (point.snapshot && is_point(step))) {
                        (void)runner.run(*point.statements[index], index, Path{});
                    }
                }
            }
        }
    };
    for (ProcessModel& process : model_.processes) {
        std::for_each(process.mains.begin(), process.mains.end(), prepare);
        std::for_each(process.threads.begin(), process.threads.end(), prepare);
    }
}

void HopBuilder::add_point_actions() {
    for (ProcessModel& process : model_.processes) {
        for (Execution& thread : process.threads) {
            add_point_actions(thread, *thread.program, 1, 0, true);
        }
    }
    for (ProcessModel& process : model_.processes) {
        for (Execution& main : process.mains) {
            add_point_actions(main, process.on_start, process.positions.on_start, process.positions.read_log,
                              process.temporary);
            add_point_actions(main, process.program, process.positions.program, process.positions.commit, true);
            add_point_actions(main, process.on_error, process.positions.on_error, 0, true);
        }
    }
    for (const LateCopy& late : late_copies_) {
        add_late_copy(late);
    }
}

// `last_next` is where the last point leads; 0: the execution is over.
void HopBuilder::add_point_actions(Execution& execution, const CompiledProgram& program, Value first, Value last_next,
                                   bool with_context) {
    const ProcessModel& process = model_.process_of(execution);
    const bool handles_error = &program == &process.on_error;
    const bool before_batch = &program == &process.on_start;
    for (std::size_t index = 0; index < program.points.size(); ++index) {
        const Value position = first + static_cast<Value>(index);
        const bool last = index + 1 == program.points.size();
        const Value next = last ? last_next : position + 1;
        Route route;
        const Writes over = execution.background ? thread_over(execution) : freed(execution);
        clear_execution(execution, route.success, true);
        route.success.erase(execution.context);
        route.success.insert_or_assign(execution.position, Expression::constant(next));
        if (program.points[index].kind == PointKind::kRead) {
            route.success = {{execution.position, Expression::constant(next)}};
        }
        const std::size_t unit_end = commit_of(program, index);
        const Value behind =
            unit_end + 1 == program.points.size() ? last_next : first + static_cast<Value>(unit_end) + 1;
        clear_execution(execution, route.skipped, true);
        route.skipped.erase(execution.context);
        route.skipped.insert_or_assign(execution.position, Expression::constant(behind));
        if (behind == 0) {
            route.skipped = over;
        }
        route.ended = route.success;
        route.ended.insert_or_assign(execution.position, Expression::constant(process.positions.commit));
        route.failure = over;
        clear_execution(execution, route.again, true);
        route.again.erase(execution.context);
        route.again.insert_or_assign(execution.position,
                                     Expression::constant(first + static_cast<Value>(program.points[index].first)));
        if (next == 0) {
            route.success = over;
        }
        if (execution.background || handles_error || before_batch) {
            route.ended = over;
        }
        const bool has_handler =
            !execution.background && !handles_error && !before_batch && !process.on_error.points.empty();
        if (has_handler) {
            route.failure = {};
            clear_execution(execution, route.failure, true);
            route.failure.erase(execution.context);
            route.failure.insert_or_assign(execution.position, Expression::constant(process.positions.on_error));
        }
        if (!execution.background && !handles_error && !before_batch) {
            note_late_copy(execution, program.points[index], position, route);
        }
        const std::size_t contexts = with_context ? process.contexts.size() : 1;
        for (std::size_t context = 0; context < contexts; ++context) {
            const bool reached = execution.background ? process.contexts[context].batch == execution.batch
                                                      : !before_batch || process.contexts[context].batch == 0;
            if (with_context && !reached) {
                continue;
            }
            add_point(execution, program, index, position, route, with_context ? context : SIZE_MAX, false);
        }
    }
}

void HopBuilder::add_point(Execution& execution, const CompiledProgram& program, std::size_t index, Value position,
                           const Route& route, std::size_t context, bool detached) {
    const Point& point = program.points[index];
    switch (point.kind) {
        case PointKind::kLoad:
            add_load(execution, point, position, route, context, detached);
            return;
        case PointKind::kSpawn:
            add_spawn(execution, point, position, route, context);
            return;
        case PointKind::kLock:
            add_lock(execution, point, position, route, context);
            return;
        case PointKind::kUnit:
        case PointKind::kRead:
        case PointKind::kCommit:
            add_unit(execution, program, index, position, route, context, detached);
            return;
    }
}

void HopBuilder::add_spawn(Execution& execution, const Point& point, Value position, const Route& route,
                           std::size_t context) {
    ProcessModel& process = model_.processes[execution.process];
    const BatchContext& batch = process.contexts[context];
    for (const Execution& thread : process.threads) {
        if (thread.slot != execution.slot || thread.block != point.background || thread.batch != batch.batch) {
            continue;
        }
        ActionEvent spawn = event_of(EventKind::kSpawn, &batch);
        spawn.block = static_cast<int>(thread.block);
        Writes writes = route.success;
        writes.insert_or_assign(thread.position, Expression::constant(thread.program->points.empty() ? 0 : 1));
        writes.insert_or_assign(thread.context, Expression::constant(static_cast<Value>(context)));
        for (const auto& [fence, own] : thread.holds) {
            writes.insert_or_assign(own, Expression::variable(execution.holds.at(fence)));
        }
        add_action(ActionKind::kStep,
                   {at(execution, position), in_context(execution, context), equals(thread.position, 0)}, writes,
                   label(execution, "starts a background thread for batch " + std::to_string(batch.batch),
                         point.step->position, spawn));
    }
}

void HopBuilder::add_lock(Execution& execution, const Point& point, Value position, const Route& route,
                          std::size_t context) {
    const ProcessModel& process = model_.process_of(execution);
    const Site site = model_.site(execution, &process.contexts[context]);
    Point wanting = point;
    wanting.statements = {point.step};
    wanting.kind = PointKind::kUnit;
    std::vector<Expression> guard{at(execution, position), in_context(execution, context)};
    const std::vector<Expression> free = not_held(execution, wanting, site);
    guard.insert(guard.end(), free.begin(), free.end());
    add_action(ActionKind::kStep, guard, route.success,
               label(execution, "takes the lock " + model_.identity_of(site, point.step->target), point.step->position,
                     event_of(EventKind::kLock, site.context)));
}

namespace {

ActionEvent event_of_unit(const Point& point, const BatchContext* context) {
    switch (point.kind) {
        case PointKind::kRead: {
            ActionEvent event = event_of(EventKind::kUnitRead, context);
            event.statement = point.snapshot ? -1 : static_cast<int>(point.reading);
            return event;
        }
        case PointKind::kCommit:
            return event_of(EventKind::kUnitCommit, context);
        case PointKind::kUnit:
        case PointKind::kLoad:
        case PointKind::kSpawn:
        case PointKind::kLock:
            break;
    }
    return event_of(EventKind::kUnit, context);
}

// The statements that run at a point, and whether one only stands for what the transaction has written before: a
// statement sees that, too.
std::vector<std::pair<std::size_t, bool>> runs_at(const Point& point) {
    std::vector<std::pair<std::size_t, bool>> runs;
    for (std::size_t index = 0; index < point.statements.size(); ++index) {
        if (point.kind != PointKind::kRead) {
            runs.emplace_back(index, false);
            continue;
        }
        if (point.snapshot ? is_point(*point.statements[index]) : index == point.reading) {
            runs.emplace_back(index, false);
        }
        if (point.snapshot || index < point.reading) {
            runs.emplace_back(index, true);
        }
    }
    return runs;
}

EventOutcome failed(OnError on_error) {
    return on_error == OnError::kIgnore ? EventOutcome::kIgnored : EventOutcome::kFailed;
}

// The same case without what the statement did.
Path without(const Path& taken, Path before) {
    before.require(taken.guard());
    return before;
}

}  // namespace

Paths HopBuilder::run_point(Execution& execution, const CompiledProgram& program, std::size_t index, const Site& site,
                            const std::vector<Expression>& guard) {
    const Point& point = program.points[index];
    const Phase phase = point.kind == PointKind::kRead     ? Phase::kRead
                        : point.kind == PointKind::kCommit ? Phase::kCommit
                                                           : Phase::kWhole;
    const std::string prefix = std::to_string(point.first);
    StatementRunner runner(model_, execution, site, phase, prefix, point.snapshot);
    StatementRunner earlier(model_, execution, site, Phase::kCommit, prefix, point.snapshot);
    StatementRunner unheard(model_, execution, site, phase, prefix, point.snapshot);
    Paths open{Path{}};
    Paths ended;
    Paths passing;  // what has been written before fails if nothing changes until the commit, which tries again
    for (const auto& [statement, written_before] : runs_at(point)) {
        const Step& step = *point.statements[statement];
        Paths next;
        Paths next_passing;
        for (const Path& path : passing) {
            for (Path& taken : (written_before ? earlier : unheard).run(step, statement, path)) {
                next_passing.push_back(taken.how() == PathEnd::kOpen ? std::move(taken) : without(taken, path));
            }
        }
        for (const Path& path : open) {
            for (Path& taken : (written_before ? earlier : runner).run(step, statement, path)) {
                if (taken.how() == PathEnd::kOpen) {
                    next.push_back(std::move(taken));
                } else if (!written_before) {
                    ended.push_back(std::move(taken));
                } else {
                    next_passing.push_back(without(taken, path));
                }
            }
        }
        open = std::move(next);
        passing = std::move(next_passing);
    }
    if (phase == Phase::kRead) {
        std::set<VariableId> buffers;
        for (const auto& [unused, variable] : execution.buffer) {
            buffers.insert(variable);
        }
        for (Paths* paths : {&open, &passing}) {
            for (Path& path : *paths) {
                path.keep_writes(buffers);
            }
        }
    }
    for (const StagingHazard& hazard : runner.hazards()) {
        std::vector<Expression> condition = guard;
        condition.push_back(hazard.condition);
        const Flaw flaw = hazard.flaw == StagingFlaw::kForeign   ? Flaw::kForeignRows
                          : hazard.flaw == StagingFlaw::kMissing ? Flaw::kMissingRows
                                                                 : Flaw::kDoubledRows;
        hazards_.push_back({flaw, conjunction(condition), point.step->position});
        hazard_process_.push_back(execution.process);
    }
    std::move(open.begin(), open.end(), std::back_inserter(ended));
    std::move(passing.begin(), passing.end(), std::back_inserter(ended));
    return ended;
}

void HopBuilder::add_unit(Execution& execution, const CompiledProgram& program, std::size_t index, Value position,
                          const Route& route, std::size_t context, bool detached) {
    const Point& point = program.points[index];
    const ProcessModel& process = model_.process_of(execution);
    const bool has_context = context != SIZE_MAX;
    const Site site = model_.site(execution, has_context ? &process.contexts[context] : nullptr);
    std::vector<Expression> guard{at(execution, position)};
    if (has_context) {
        guard.push_back(in_context(execution, context));
    }
    const std::vector<Expression> here = guard;
    const std::vector<Expression> free = not_held(execution, point, site);
    guard.insert(guard.end(), free.begin(), free.end());
    const ActionKind kind = detached ? ActionKind::kEnvironment : ActionKind::kStep;
    const std::string text = describe(point, site);
    ActionEvent event = event_of_unit(point, site.context);
    event.in_flight = detached;
    const SourcePosition& where = point.step->position;
    const bool stays = point.kind != PointKind::kCommit && index == point.first;  // to be tried again
    for (const Path& path : run_point(execution, program, index, site, guard)) {
        std::vector<Expression> taken = guard;
        taken.push_back(path.guard());
        switch (path.how()) {
            case PathEnd::kOpen: {
                const Path done = marking(execution, point, context, path);
                add_action(kind, taken, overridden(done.writes(), route.success), label(execution, text, where, event));
                if (!detached && point.kind != PointKind::kRead) {
                    add_lost_ack(execution, point, taken, done, route, event);
                }
                break;
            }
            case PathEnd::kSkipped:
                add_action(kind, taken, point.in_transaction ? route.skipped : route.ended,
                           label(execution, text + ": " + path.why(), where, event.with(EventOutcome::kSkipped)));
                break;
            case PathEnd::kFailed:
                if (point.on_error != OnError::kRetry || !stays) {
                    const bool unseen = point.on_error == OnError::kIgnore;
                    add_action(kind, taken, route.after_failure(point.on_error),
                               label(execution, text + (unseen ? ": fails unseen, " : ": fails, ") + path.why(), where,
                                     event.with(failed(point.on_error))));
                }
                break;
        }
    }
    if (detached) {
        return;
    }
    const std::vector<Expression> unrivalled = not_held_by_rivals(execution, point, site);
    if (point.kind != PointKind::kUnit && index > point.first && !unrivalled.empty()) {
        std::vector<Expression> blocked = here;
        blocked.push_back(!conjunction(unrivalled));
        add_action(ActionKind::kEnvironment, blocked, route.after_failure(point.on_error),
                   label(execution, "waits for a lock and is aborted by the store", where,
                         event.as(EventKind::kAbort).with(failed(point.on_error))));
    }
    if (point.kind != PointKind::kRead && has_context) {
        add_serialization_failure(execution, point, position, route, context);
    }
}

// A step of the process reads what the statement writes.
bool HopBuilder::feeds_a_later_step(const Execution& execution, const Point& point) const {
    const ProcessModel& process = model_.process_of(execution);
    std::vector<Problem> ignored;
    for (const Step* statement : point.statements) {
        const ObjectReference target = resolve_object(pipeline_, statement->target, ignored);
        for (const ObjectUse& use : object_uses(pipeline_, process.id)) {
            if (use.is_source && can_be_equal(pipeline_, process.id, target, process.id, use.object)) {
                return true;
            }
        }
    }
    return false;
}

// The effect has happened and the caller sees a failure.
void HopBuilder::add_lost_ack(const Execution& execution, const Point& point, const std::vector<Expression>& guard,
                              const Path& path, const Route& route, const ActionEvent& event) {
    const bool goes_elsewhere = point.kind == PointKind::kLoad || point.on_error == OnError::kFail ||
                                (point.kind == PointKind::kCommit && point.on_error == OnError::kRetry);
    const bool changes_nothing = path.writes().empty() && !goes_elsewhere;
    if (!model_.process_of(execution).faults.lost_ack || changes_nothing) {
        return;
    }
    ActionLabel lost = fault(execution, "lost-ack", "", event.as(EventKind::kLostAck));
    lost.where = point.step->position;
    switch (point.on_error) {
        case OnError::kFail:
            lost.text = "is told that its statement failed, although it took effect";
            lost.event.outcome = EventOutcome::kFailed;
            add_action(ActionKind::kFault, guard, overridden(path.writes(), route.failure), std::move(lost));
            return;
        case OnError::kRetry:
            lost.text = "is told that its statement failed, although it took effect, and sends the step again";
            lost.event.outcome = EventOutcome::kRetried;
            add_action(ActionKind::kFault, guard, overridden(path.writes(), route.again), std::move(lost));
            return;
        case OnError::kIgnore:
            if (point.kind == PointKind::kLoad && !execution.loaded.empty()) {
                ActionLabel left = lost;
                left.text = "is told that a row failed, although it is there, and goes on without the rest";
                left.event.outcome = EventOutcome::kIgnored;
                add_action(ActionKind::kFault, guard, overridden(path.writes(), route.success), std::move(left));
            }
            if (!feeds_a_later_step(execution, point)) {
                return;  // it takes effect sooner or later, and nobody looks before
            }
            lost.text = "goes on although its statement was reported as failed and has not taken effect yet";
            lost.event.outcome = EventOutcome::kIgnored;
            add_action(ActionKind::kFault, guard, route.success, std::move(lost));
            return;
    }
}

}  // namespace oncecheck

// Faults that end incarnations, and what they leave behind: a statement in flight may be applied later, or never; it
// needs no live attempt.
#include <algorithm>

#include "model/pipeline/steps.h"
#include "model/semantics/hop_builder.h"

namespace oncecheck {

namespace {

ActionEvent ending(EventKind kind, bool leaves_statement) {
    ActionEvent event = event_of(kind, nullptr);
    event.leaves_statement = leaves_statement;
    return event;
}

constexpr ActionEvent kLost{.kind = EventKind::kStatementLost, .in_flight = true};

}  // namespace

// The point is a statement that a store can apply although its sender is gone: outside a transaction any (a transaction
// of one statement is no different), of a transaction only the commit.
bool HopBuilder::detachable(const ProcessModel& process, const Point& point) const {
    switch (point.kind) {
        case PointKind::kSpawn:
        case PointKind::kLock:
            return false;
        case PointKind::kRead:
            if (point.in_transaction && point.statements.size() > 1) {
                return false;
            }
            break;
        case PointKind::kUnit:
        case PointKind::kCommit:
        case PointKind::kLoad:
            break;
    }
    std::vector<Problem> ignored;
    return std::any_of(point.statements.begin(), point.statements.end(), [&](const Step* step) {
        const ObjectReference object = resolve_object(pipeline_, step->target, ignored);
        return object.scope == ObjectScope::kStore &&
               (process.faults.detached.contains(object.store) || process.faults.late.contains(object.store));
    });
}

// An error there ends the incarnation: no `on_error` goes on.
bool HopBuilder::fails_attempt(const ProcessModel& process, Value position) const {
    const Positions& places = process.positions;
    if (position >= places.on_start && position - places.on_start < process.on_start.points.size()) {
        return process.on_start.points[position - places.on_start].on_error == OnError::kFail;
    }
    return position >= places.program && position - places.program < process.program.points.size() &&
           process.on_error.points.empty() &&
           process.program.points[position - places.program].on_error == OnError::kFail;
}

// Positions at which no incarnation of the process ever stands.
bool HopBuilder::is_unused(const ProcessModel& process, Value position) const {
    const Positions& places = process.positions;
    return (position == places.read_log && process.on_start.points.empty()) ||
           (process.writes_ahead_at_once() && position == places.write_ahead) ||
           (!process.racy && (position == places.write_ahead_put || position == places.commit_put)) ||
           (position == places.idle && !process.has_background());
}

// What remains of an incarnation that ends at the position: its statements in flight, its own and those of its threads.
// Empty if there is none.
// Where a dead incarnation stands whose statement at the position is still in flight; none: it leaves no statement.
std::optional<Value> HopBuilder::detached_position(const ProcessModel& process, Value position) const {
    const auto among = [&](const CompiledProgram& program, Value first, Value detached) -> std::optional<Value> {
        const bool stands_here = position >= first && position - first < program.points.size();
        if (!stands_here || !detachable(process, program.points[position - first])) {
            return std::nullopt;
        }
        return detached + position - first;
    };
    const Positions& places = process.positions;
    const std::optional<Value> before = among(process.on_start, places.on_start, places.detached_on_start);
    return before ? before : among(process.program, places.program, places.detached);
}

std::optional<Writes> HopBuilder::left_behind(const ProcessModel& process, const Execution& main,
                                              Value position) const {
    Writes left = freed(main);
    bool leaves = false;
    if (const std::optional<Value> detached = detached_position(process, position)) {
        left.insert_or_assign(main.position, Expression::constant(*detached));
        left.erase(main.context);
        for (const VariableId loaded : main.loaded) {
            left.erase(loaded);
        }
        for (const auto* kept : {&main.buffer, &main.holds}) {
            for (const auto& [unused, variable] : *kept) {
                left.erase(variable);
            }
        }
        leaves = true;
    }
    for (const Execution& thread : process.threads) {
        if (thread.slot == main.slot) {
            leaves = leave_thread(process, thread, left) || leaves;
        }
    }
    if (!leaves) {
        return std::nullopt;
    }
    // Private objects stay while a statement may still name them.
    Writes planes;
    clear_plane("session " + model_.site(main, nullptr).session, planes);
    for (const BatchContext& context : process.contexts) {
        clear_plane(model_.site(main, &context).values.attempt, planes);
    }
    for (const auto& [variable, unused] : planes) {
        left.erase(variable);
    }
    return left;
}

// A thread that dies at a statement leaves it in flight; true if there is such a place.
bool HopBuilder::leave_thread(const ProcessModel& process, const Execution& thread, Writes& left) const {
    std::vector<Expression> in_flight;
    Expression after = falsity();
    const Value points = static_cast<Value>(thread.program->points.size());
    for (Value index = 0; index < points; ++index) {
        if (detachable(process, thread.program->points[index])) {
            const Expression there = equals(thread.position, index + 1);
            in_flight.push_back(there);
            after = choose(there, Expression::constant(points + index + 1), after);
        }
    }
    if (in_flight.empty()) {
        return false;
    }
    const Expression stays = disjunction(in_flight);
    for (const auto& [variable, value] : thread_over(thread)) {
        left.insert_or_assign(variable, choose(stays, Expression::variable(variable), value));
    }
    left.insert_or_assign(thread.position, after);
    return true;
}

// Crashes, and the silent end of an incarnation that was replaced. Either may leave statements in flight.
void HopBuilder::add_endings(ProcessModel& process, const Execution& main) {
    const Positions& places = process.positions;
    const Writes gone = freed(main);
    for (Value position = 1; position < places.detached; ++position) {
        if (is_unused(process, position)) {
            continue;
        }
        const std::optional<Writes> left = left_behind(process, main, position);
        if (process.faults.crash) {
            add_action(ActionKind::kFault, {at(main, position)}, gone,
                       fault(main, "crash", "crashes", ending(EventKind::kCrash, false)));
            if (left && !process.faults.detached.empty()) {
                add_action(ActionKind::kFault, {at(main, position)}, *left,
                           fault(main, "crash", "crashes; its statement is still on its way",
                                 ending(EventKind::kCrash, true)));
            }
        }
        if (process.faults.lost_ack && left && fails_attempt(process, position)) {
            add_action(ActionKind::kFault, {at(main, position)}, *left,
                       fault(main, "lost-ack", "is told that its statement failed; it is still on its way",
                             ending(EventKind::kLateStatement, true)));
        }
        if (process.faults.zombie && (process.newest || main.slot > 0)) {
            const Expression replaced =
                process.newest ? !equals(*process.newest, static_cast<Value>(main.slot)) : truth();
            add_action(ActionKind::kEnvironment, {at(main, position), replaced}, gone,
                       label(main, "ends: it was replaced", {}, ending(EventKind::kSilentEnd, false)));
            if (left && !process.faults.detached.empty()) {
                add_action(ActionKind::kEnvironment, {at(main, position), replaced}, *left,
                           label(main, "ends: it was replaced; its statement is still on its way", {},
                                 ending(EventKind::kSilentEnd, true)));
            }
        }
    }
}

// A copy of the statement that lands later does what the statement does now: it writes nothing that is private to the
// attempt, and reads nothing private that the program empties meanwhile. Rows of a view it carries.
bool HopBuilder::can_be_late(const Execution& execution, const Point& point) const {
    const ProcessModel& process = model_.process_of(execution);
    const Program& program = pipeline_.component(process.id).document.steps;
    const auto emptied = [&](const Template& name) {
        bool found = false;
        for_each_step(program, [&](const Step& step) {
            found = found || (step.target.text == name.text &&
                              (step.verb == Verb::kTruncate || step.verb == Verb::kDrop || step.verb == Verb::kDelete ||
                               step.verb == Verb::kOverwrite || step.verb == Verb::kSwap));
        });
        return found;
    };
    return std::all_of(process.contexts.begin(), process.contexts.end(), [&](const BatchContext& context) {
        const Site site = model_.site(execution, &context);
        return std::all_of(point.statements.begin(), point.statements.end(), [&](const Step* step) {
            if (targets_object(*step) && !model_.object(site, step->target).plane.empty()) {
                return false;
            }
            if (!step->source) {
                return true;
            }
            const ObjectInstance& source = model_.object(site, *step->source);
            return source.plane.empty() || source.reference.scope != ObjectScope::kStore || !emptied(*step->source);
        });
    });
}

// An incarnation that is told of a failure and goes on, or sends the step again, while the statement is still on its
// way: that stands where the statement of a dead one would, in the first free slot, with what it reads.
void HopBuilder::add_late_copy(const LateCopy& late) {
    const Execution& main = *late.main;
    const ProcessModel& process = model_.process_of(main);
    const Point& point = *late.point;
    std::vector<Expression> guard{at(main, late.position)};
    for (const Execution& other : process.mains) {
        if (other.slot == main.slot) {
            continue;
        }
        Writes writes = moved(process, main, other);
        for (const auto& [variable, unused] : freed(main)) {
            writes.erase(variable);
        }
        for (const Execution& thread : process.threads) {
            for (const auto& [variable, unused] : thread_over(thread)) {
                writes.erase(variable);
            }
        }
        writes = overridden(std::move(writes), late.after);
        writes.insert_or_assign(other.position, Expression::constant(late.detached));
        writes.insert_or_assign(other.buffer.at(kLandsMark), truth());
        const Expression free = slot_is_free(process, other);
        std::vector<Expression> here = guard;
        here.push_back(free);
        ActionEvent event = ending(EventKind::kLateStatement, true);
        const bool ignores = point.on_error == OnError::kIgnore;
        event.outcome = ignores ? EventOutcome::kIgnored : EventOutcome::kRetried;
        ActionLabel label = fault(main, "lost-ack",
                                  std::string("is told that its statement failed and ") +
                                      (ignores ? "goes on" : "sends it again") + "; the first is still on its way",
                                  event);
        label.where = point.step->position;
        add_action(ActionKind::kFault, here, std::move(writes), std::move(label));
        guard.push_back(!free);
    }
}

// Of statements in the step program whose failure does not end the attempt.
void HopBuilder::note_late_copy(Execution& main, const Point& point, Value position, const Route& route) {
    ProcessModel& process = model_.processes[main.process];
    const std::optional<Value> detached = detached_position(process, position);
    if (!process.faults.lost_ack || point.on_error == OnError::kFail || point.kind == PointKind::kRead || !detached ||
        !can_be_late(main, point)) {
        return;
    }
    for (Execution& each : process.mains) {
        const auto [mark, added] = each.buffer.emplace(kLandsMark, 0);
        if (added) {
            mark->second = model_.add_variable(process.name + " statement in flight lands", 1, 0, false);
        }
    }
    late_copies_.push_back(
        {&main, &point, position, *detached, point.on_error == OnError::kIgnore ? route.skipped : route.again});
}

void HopBuilder::add_detached(ProcessModel& process, Execution& main) {
    if (!process.faults.leaves_statements()) {
        return;
    }
    add_detached(process, main, process.on_start, process.positions.detached_on_start);
    add_detached(process, main, process.program, process.positions.detached);
}

void HopBuilder::add_detached(const ProcessModel& process, Execution& main, const CompiledProgram& program,
                              Value first) {
    const Writes gone = freed(main);
    for (std::size_t index = 0; index < program.points.size(); ++index) {
        const Point& point = program.points[index];
        if (!detachable(process, point)) {
            continue;
        }
        const Value position = first + static_cast<Value>(index);
        Route route{gone, gone, gone, gone, gone};
        if (point.kind == PointKind::kRead) {
            route.success = {{main.position, Expression::constant(position + 1)}};
        }
        const bool before_batch = &program == &process.on_start;
        const bool with_context = !before_batch || process.temporary;
        for (std::size_t context = 0; context < (with_context ? process.contexts.size() : 1); ++context) {
            if (with_context && before_batch && process.contexts[context].batch > 0) {
                continue;
            }
            add_point(main, program, index, position, route, with_context ? context : SIZE_MAX, true);
        }
        std::vector<Expression> lost{at(main, position)};
        if (const auto lands = main.buffer.find(kLandsMark); lands != main.buffer.end()) {
            lost.push_back(equals(lands->second, 0));
        }
        add_action(ActionKind::kEnvironment, std::move(lost), gone,
                   label(main, "(dead) its last statement is never applied", point.step->position, kLost));
    }
}

void HopBuilder::add_detached_thread(ProcessModel& process, Execution& thread) {
    if (!process.faults.leaves_statements()) {
        return;
    }
    const Writes gone = thread_over(thread);
    const Value points = static_cast<Value>(thread.program->points.size());
    for (std::size_t index = 0; index < thread.program->points.size(); ++index) {
        const Point& point = thread.program->points[index];
        if (!detachable(process, point)) {
            continue;
        }
        const Value position = points + static_cast<Value>(index) + 1;
        Route route{gone, gone, gone, gone, gone};
        if (point.kind == PointKind::kRead) {
            route.success = {{thread.position, Expression::constant(position + 1)}};
        }
        for (std::size_t context = 0; context < process.contexts.size(); ++context) {
            if (process.contexts[context].batch == thread.batch) {
                add_point(thread, *thread.program, index, position, route, context, true);
            }
        }
        add_action(ActionKind::kEnvironment, {at(thread, position)}, gone,
                   label(thread, "(dead) its last statement is never applied", point.step->position, kLost));
    }
}

}  // namespace oncecheck

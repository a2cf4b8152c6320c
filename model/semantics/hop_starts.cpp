// Starts of incarnations, and the slots that they take.
#include <algorithm>

#include "model/semantics/hop_builder.h"

namespace oncecheck {

// Slots are interchangeable. Where incarnations are not planned side by side the newest always stands in the first
// slot: a start moves what is there to the first free one.
void HopBuilder::add_starts(ProcessModel& process, const Execution& main) {
    const bool ordered = orders_slots(process);
    if (!ordered || main.slot == 0) {
        add_starts(process, main, slot_is_free(process, main), {}, {});
    }
    for (std::size_t older = 1; ordered && main.slot == 0 && older < process.mains.size(); ++older) {
        std::vector<Expression> guard{!slot_is_free(process, main), slot_is_free(process, process.mains[older])};
        for (std::size_t between = 1; between < older; ++between) {
            guard.push_back(!slot_is_free(process, process.mains[between]));
        }
        add_starts(process, main, conjunction(guard), moved(process, main, process.mains[older]),
                   static_cast<int>(older));
    }
    if (!process.on_start.points.empty()) {
        const SourcePosition& where = pipeline_.component(process.id).document.where;
        add_log_reading(process, main, {at(main, process.positions.read_log)}, {}, ActionKind::kStep,
                        label(main, "reads its progress", where, event_of(EventKind::kReadProgress, nullptr)));
        const Expression complete = process.temporary ? falsity() : process_complete(process);
        add_action(ActionKind::kStep, {at(main, process.positions.read_log), complete}, freed(main),
                   label(main, "finds nothing left to do", where, event_of(EventKind::kNothingLeft, nullptr)));
    }
}

void HopBuilder::add_starts(ProcessModel& process, const Execution& main, const Expression& possible,
                            const Writes& moves, std::optional<int> moved_to) {
    Writes start = moves;
    if (process.newest) {
        start.insert_or_assign(*process.newest, Expression::constant(static_cast<Value>(main.slot)));
    }
    for (const bool zombie : {false, true}) {
        if (zombie && !process.faults.zombie) {
            continue;
        }
        std::vector<Expression> guard{possible, enough_live(process, main, zombie, moved_to.has_value()),
                                      !process_complete(process)};
        ActionLabel name =
            label(main, "starts", pipeline_.component(process.id).document.where, event_of(EventKind::kStart, nullptr));
        name.begins = true;
        name.moved_to = moved_to.value_or(-1);
        if (zombie) {
            name.fault = "zombie";
            name.text = "starts while another incarnation lives";
        }
        if (zombie && process.temporary) {  // no two that live have one identity
            guard.push_back(!equals(*process.generation, kIdentities));
        }
        const ActionKind kind = zombie ? ActionKind::kFault : ActionKind::kStep;
        if (process.on_start.points.empty()) {
            add_log_reading(process, main, guard, start, kind, name);
        } else if (process.temporary) {
            add_start_of_temporary(process, main, guard, start, kind, name);
        } else {
            add_action(kind, guard,
                       overridden(start, {{main.position, Expression::constant(process.positions.on_start)}}), name);
        }
    }
}

// Whose logs the state holds: everybody's, or of a checkpoint that does not last those of the last that has started.
Expression HopBuilder::is_newest(const ProcessModel& process, const Execution& main) const {
    if (!process.temporary) {
        return truth();
    }
    if (process.newest) {
        return equals(*process.newest, static_cast<Value>(main.slot));
    }
    return main.slot == 0 ? truth() : falsity();
}

// Not where something shared is named after a slot: an application's objects, rows that carry their attempt.
bool HopBuilder::orders_slots(const ProcessModel& process) const {
    const auto names_a_slot = [](const auto& named) {
        const ObjectInstance& object = named.second;
        const auto carries_attempt = [](const RowClass& row) {
            return std::any_of(row.tags.begin(), row.tags.end(),
                               [](const auto& tag) { return tag.second.find("<attempt ") != std::string::npos; });
        };
        return object.reference.scope == ObjectScope::kApplication ||
               std::any_of(object.classes.begin(), object.classes.end(), carries_attempt);
    };
    return process.planned == 1 && process.slots > 1 &&
           std::none_of(model_.objects.begin(), model_.objects.end(), names_a_slot);
}

// The incarnation is gone, and none of its threads or statements is left.
Expression HopBuilder::slot_is_free(const ProcessModel& process, const Execution& main) const {
    std::vector<Expression> still{at(main, 0)};
    for (const Execution& thread : process.threads) {
        if (thread.slot == main.slot) {
            still.push_back(equals(thread.position, 0));
        }
    }
    return conjunction(still);
}

// Everything of one slot becomes that of another, and the first is as new.
Writes HopBuilder::moved(const ProcessModel& process, const Execution& from, const Execution& to) const {
    Writes moves = freed(from);
    const auto copy = [&](const Execution& source, const Execution& target) {
        const auto take = [&](VariableId old_place, VariableId new_place) {
            moves.insert_or_assign(new_place, Expression::variable(old_place));
        };
        take(source.position, target.position);
        take(source.context, target.context);
        for (std::size_t row = 0; row < source.loaded.size(); ++row) {
            take(source.loaded[row], target.loaded[row]);
        }
        for (const auto& [fence, variable] : source.holds) {
            take(variable, target.holds.at(fence));
        }
        for (const auto& [name, variable] : source.buffer) {
            take(variable, target.buffer.at(name));
        }
    };
    copy(from, to);
    for (const Execution& thread : process.threads) {
        for (const Execution& other : process.threads) {
            if (thread.slot == from.slot && other.slot == to.slot && thread.block == other.block &&
                thread.batch == other.batch) {
                copy(thread, other);
            }
        }
    }
    for (const BatchContext& context : process.contexts) {
        move_plane(model_.site(from, &context), model_.site(to, &context), moves);
    }
    return moves;
}

// Private objects move with their owner; their names differ in the owner alone.
void HopBuilder::move_plane(const Site& from, const Site& to, Writes& moves) const {
    for (const auto& [identity, object] : model_.objects) {
        if (object.plane.empty() ||
            (object.plane != from.values.attempt && object.plane != "session " + from.session)) {
            continue;
        }
        std::string name = identity;
        for (const auto& [old_owner, new_owner] : {std::pair{from.values.attempt, to.values.attempt},
                                                   std::pair{"session " + from.session, "session " + to.session}}) {
            if (const std::size_t at = name.find(old_owner); at != std::string::npos) {
                name.replace(at, old_owner.size(), new_owner);
            }
        }
        if (!model_.objects.contains(name)) {
            continue;  // of another batch
        }
        const ObjectInstance& target = model_.objects.at(name);
        for (const auto& [row, variable] : object.counts) {
            moves.insert_or_assign(target.counts.at(row), Expression::variable(variable));
        }
        if (object.exists) {
            moves.insert_or_assign(*target.exists, Expression::variable(*object.exists));
        }
    }
}

}  // namespace oncecheck

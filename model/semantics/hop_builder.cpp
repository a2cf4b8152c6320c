#include "model/semantics/hop_builder.h"

#include <algorithm>

#include "model/semantics/hop_objects.h"

namespace oncecheck {

HopBuilder::HopBuilder(const Pipeline& pipeline, const std::vector<ComponentId>& processes,
                       const std::vector<std::size_t>& requirements, const HopOptions& options, Universe universe,
                       std::optional<int> followed)
    : pipeline_(pipeline), ids_(processes), requirements_(requirements) {
    model_.pipeline = &pipeline;
    model_.options = options;
    model_.universe = std::move(universe);
    for (int record = 0; record < static_cast<int>(model_.universe.records.size()); ++record) {
        if (!followed || *followed == record) {
            model_.followed.insert(record);
        }
    }
}

HopModel HopBuilder::explore() {
    for (const ComponentId id : ids_) {
        add_process(id);
    }
    find_objects(model_);
    return model_;
}

HopSystem HopBuilder::build() {
    (void)explore();
    for (ProcessModel& process : model_.processes) {
        compile_programs(process);
    }
    for (ProcessModel& process : model_.processes) {
        add_process_variables(process);
    }
    add_object_variables(model_);
    find_holds();
    prepare_reads();
    find_conflicts();
    add_point_actions();
    for (ProcessModel& process : model_.processes) {
        for (const Execution& main : process.mains) {
            add_starts(process, main);
            add_write_ahead(process, main);
            add_commit(process, main);
        }
        add_expiry(process);
        for (Execution& main : process.mains) {
            add_detached(process, main);
        }
        for (Execution& thread : process.threads) {
            add_detached_thread(process, thread);
        }
        for (const Execution& main : process.mains) {
            add_endings(process, main);
        }
    }
    HopSystem result;
    add_properties(result);
    show_rows(result);
    result.hazards = hazards_;
    result.universe = model_.universe.pattern;
    result.records = model_.universe.records;
    result.system = std::move(model_.system);
    validate(result.system);
    result.model = std::make_shared<const HopModel>(std::move(model_));
    return result;
}

void HopBuilder::add_action(ActionKind kind, std::vector<Expression> guard, const Writes& writes, ActionLabel label) {
    Action action;
    action.kind = kind;
    for (Expression& conjunct : guard) {
        if (conjunct.is_constant(0)) {
            return;
        }
        if (conjunct.op() == Operator::kAnd) {
            action.guard.insert(action.guard.end(), conjunct.operands().begin(), conjunct.operands().end());
        } else if (!conjunct.is_constant(1)) {
            action.guard.push_back(std::move(conjunct));
        }
    }
    for (const auto& [variable, value] : writes) {
        if (!(value.op() == Operator::kVariable && value.variable() == variable)) {
            action.assignments.push_back({variable, value});
        }
    }
    if (action.assignments.empty()) {
        return;  // a step that changes nothing is no step
    }
    action.label = std::move(label);
    model_.system.actions.push_back(std::move(action));
}

ActionLabel HopBuilder::label(const Execution& execution, const std::string& text, const SourcePosition& where,
                              ActionEvent event) const {
    if (execution.background) {
        event.block = static_cast<int>(execution.block);
        event.thread_batch = execution.batch;
    }
    ActionLabel label;
    label.event = event;
    label.process = model_.process_of(execution).name;
    label.slot = execution.slot;
    label.text = execution.background ? "(background) " + text : text;
    label.where = where;
    return label;
}

ActionLabel HopBuilder::fault(const Execution& execution, const std::string& kind, const std::string& text,
                              const ActionEvent& event) const {
    ActionLabel made =
        label(execution, text, pipeline_.component(model_.process_of(execution).id).document.where, event);
    made.fault = kind;
    return made;
}

Expression HopBuilder::at(const Execution& execution, Value position) const {
    return equals(execution.position, position);
}

Expression HopBuilder::in_context(const Execution& execution, std::size_t context) const {
    if (model_.process_of(execution).contexts.size() == 1) {
        return truth();
    }
    return equals(execution.context, static_cast<Value>(context));
}

// The incarnation lives: it has started and is not just a statement that is still in flight.
Expression HopBuilder::live(const ProcessModel& process, const Execution& main) const {
    const Expression position = Expression::variable(main.position);
    return conjunction({!equals(main.position, 0), less(position, Expression::constant(process.positions.detached))});
}

// As many incarnations as planned live, or fewer; the one in the slot of `main` counts only if asked for.
Expression HopBuilder::enough_live(const ProcessModel& process, const Execution& main, bool enough,
                                   bool with_own) const {
    std::vector<Expression> lives;
    for (const Execution& other : process.mains) {
        if (other.slot != main.slot || with_own) {
            lives.push_back(live(process, other));
        }
    }
    const Expression fewer =
        less(add(lives, static_cast<Value>(process.slots)), Expression::constant(static_cast<Value>(process.planned)));
    return enough ? !fewer : fewer;
}

void HopBuilder::clear_execution(const Execution& execution, Writes& writes, bool keep_fences) const {
    writes.insert_or_assign(execution.context, Expression::constant(0));
    for (const VariableId loaded : execution.loaded) {
        writes.insert_or_assign(loaded, Expression::constant(0));
    }
    for (const auto& [unused, variable] : execution.buffer) {
        writes.insert_or_assign(variable, Expression::constant(0));
    }
    for (const auto& [unused, variable] : execution.holds) {
        if (!keep_fences) {
            writes.insert_or_assign(variable, Expression::constant(0));
        }
    }
}

void HopBuilder::clear_plane(const std::string& plane, Writes& writes) const {
    for (const auto& [unused, object] : model_.objects) {
        if (object.plane != plane) {
            continue;
        }
        for (const auto& [row, variable] : object.counts) {
            writes.insert_or_assign(variable, Expression::constant(0));
        }
        if (object.exists) {
            writes.insert_or_assign(*object.exists, Expression::constant(object.initially ? 1 : 0));
        }
    }
}

Writes HopBuilder::thread_over(const Execution& thread) const {
    Writes writes;
    clear_execution(thread, writes, false);
    writes.insert_or_assign(thread.position, Expression::constant(0));
    return writes;
}

Writes HopBuilder::freed(const Execution& main) const {
    const ProcessModel& process = model_.process_of(main);
    Writes writes;
    clear_execution(main, writes, false);
    writes.insert_or_assign(main.position, Expression::constant(0));
    for (const Execution& thread : process.threads) {
        if (thread.slot == main.slot) {
            const Writes over = thread_over(thread);
            writes.insert(over.begin(), over.end());
        }
    }
    clear_plane("session " + model_.site(main, nullptr).session, writes);
    for (const BatchContext& context : process.contexts) {
        clear_plane(model_.site(main, &context).values.attempt, writes);
    }
    return writes;
}

// Fresh names are never used again. Threads of the attempt may still use them.
Writes HopBuilder::attempt_over(const Execution& main) const {
    const ProcessModel& process = model_.process_of(main);
    Writes writes;
    clear_execution(main, writes, true);
    if (!process.has_background()) {
        clear_plane(model_.site(main, &process.contexts.front()).values.attempt, writes);
    }
    return writes;
}

Writes HopBuilder::at_batch(const ProcessModel& process, const Execution& main, Value position,
                            std::size_t context) const {
    Writes writes;
    clear_execution(main, writes, true);
    writes.insert_or_assign(main.position, Expression::constant(position));
    writes.insert_or_assign(main.context, Expression::constant(static_cast<Value>(context)));
    if (process.has_background()) {
        // The plane of an earlier attempt of this batch in this slot; its threads are gone.
        clear_plane(model_.site(main, &process.contexts[context]).values.attempt, writes);
    }
    return writes;
}

std::vector<std::size_t> HopBuilder::contexts_of(const ProcessModel& process, int batch, int generation) const {
    std::vector<std::size_t> found;
    for (std::size_t index = 0; index < process.contexts.size(); ++index) {
        if (process.contexts[index].batch == batch && process.contexts[index].generation == generation) {
            found.push_back(index);
        }
    }
    return found;
}

std::string HopBuilder::describe(const Step& step, const Site& site) const {
    const auto named = [&](const Template& name) { return model_.identity_of(site, name); };
    const std::string source = step.source ? named(*step.source) : "batch " + site.values.batch;
    switch (step.verb) {
        case Verb::kCreate:
            return "creates " + named(step.target);
        case Verb::kTruncate:
            return "truncates " + named(step.target);
        case Verb::kDrop:
            return "drops " + named(step.target);
        case Verb::kAppend:
            return "loads " + source + " into " + named(step.target);
        case Verb::kInsert:
            return "inserts " + (step.has_values ? "a row" : source) + " into " + named(step.target);
        case Verb::kMerge:
            return "merges " + source + " into " + named(step.target);
        case Verb::kDelete:
            return "deletes from " + named(step.target);
        case Verb::kOverwrite:
            return "overwrites " + named(step.target) + " with " + source;
        case Verb::kSwap:
            return "swaps " + named(step.target) + " and " + named(step.partner);
        case Verb::kClaim: {
            std::string key;
            for (const Template& value : step.key) {
                key += (key.empty() ? "" : ", ") + column_value(value, site);
            }
            return "claims (" + key + ") in " + named(step.target);
        }
        case Verb::kCount:
            return "counts " + named(step.target);
        case Verb::kLock:
            return "locks " + named(step.target);
        case Verb::kAcquire:
            return "acquires the fencing token " + named(step.target);
        case Verb::kCheck:
            return "checks the fencing token " + named(step.target);
        case Verb::kCommitOffsets:
            return "stores its position in " + named(step.target);
        case Verb::kTransaction:
        case Verb::kBackground:
            return to_string(step.verb);
    }
    return "";
}

std::string HopBuilder::describe(const Point& point, const Site& site) const {
    if (point.kind == PointKind::kRead) {
        return "begins: " + describe(*point.statements[point.reading], site);
    }
    std::string text;
    for (const Step* statement : point.statements) {
        text += (text.empty() ? "" : ", ") + describe(*statement, site);
    }
    return point.in_transaction ? text + ", in one transaction" : text;
}

}  // namespace oncecheck

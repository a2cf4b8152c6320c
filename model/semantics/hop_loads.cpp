// Loads by executors: rows of the batch appear one by one, in any order, each committed by its task.
#include "model/semantics/hop_builder.h"
#include "model/semantics/statements.h"

namespace oncecheck {

void HopBuilder::add_load(Execution& execution, const Point& point, Value position, const Route& route,
                          std::size_t context, bool detached) {
    const ProcessModel& process = model_.process_of(execution);
    const Site site = model_.site(execution, &process.contexts[context]);
    std::vector<Expression> here{at(execution, position), in_context(execution, context)};
    const std::vector<Expression> free = not_held(execution, point, site);
    here.insert(here.end(), free.begin(), free.end());
    const std::vector<int> records = model_.batch_records(process, process.contexts[context]);
    if (records.empty()) {
        ActionEvent event = event_of(EventKind::kLoad, site.context);
        event.in_flight = detached;
        const Step& step = *point.statements.front();
        add_action(
            detached ? ActionKind::kEnvironment : ActionKind::kStep, here, route.success,
            label(execution, "loads batch " + site.values.batch + " into " + model_.identity_of(site, step.target),
                  step.position, event));
        return;
    }
    for (std::size_t row = 0; row < records.size(); ++row) {
        std::vector<Expression> others_loaded;
        std::vector<Expression> ready = here;
        for (std::size_t other = 0; other < records.size() && records.size() > 1; ++other) {
            const Expression loaded = equals(execution.loaded[other], 1);
            if (other == row) {
                ready.push_back(!loaded);
            } else {
                others_loaded.push_back(loaded);
            }
        }
        add_row_load(execution, point, route, context, detached, {records[row], row, ready, others_loaded});
    }
}

void HopBuilder::add_row_load(Execution& execution, const Point& point, const Route& route, std::size_t context,
                              bool detached, const RowLoad& load) {
    const ProcessModel& process = model_.process_of(execution);
    const Site site = model_.site(execution, &process.contexts[context]);
    const Step& step = *point.statements.front();
    const ActionKind kind = detached ? ActionKind::kEnvironment : ActionKind::kStep;
    ActionEvent event = event_of(EventKind::kLoad, site.context);
    event.in_flight = detached;
    event.record = load.record;
    const std::string text = "loads " + model_.universe.records[static_cast<std::size_t>(load.record)].label +
                             " into " + model_.identity_of(site, step.target);
    StatementRunner runner(model_, execution, site, Phase::kWhole, "load");
    for (const Path& taken : runner.run(step, 0, Path{}, load.record)) {
        const Path path = marking(execution, point, context, taken);
        std::vector<Expression> guard = load.ready;
        guard.push_back(path.guard());
        if (path.how() == PathEnd::kFailed) {
            add_failed_load(point, route, kind, guard, load,
                            label(execution, text + ": fails, " + path.why(), step.position, event));
            continue;
        }
        std::vector<Expression> last = guard;
        last.insert(last.end(), load.others_loaded.begin(), load.others_loaded.end());
        add_action(kind, last, overridden(path.writes(), route.success), label(execution, text, step.position, event));
        if (!load.others_loaded.empty()) {
            std::vector<Expression> more = guard;
            more.push_back(!conjunction(load.others_loaded));
            add_action(kind, more, overridden(path.writes(), {{execution.loaded[load.row], truth()}}),
                       label(execution, text, step.position, event));
        }
        if (process.task_retry && !detached && !path.writes().empty()) {
            ActionLabel retry =
                fault(execution, "task-retry", text + "; the task is run again", event.as(EventKind::kTaskRetry));
            retry.where = step.position;
            add_action(ActionKind::kFault, guard, path.writes(), std::move(retry));
        }
        if (!detached) {
            add_lost_ack(execution, point, guard, path, route, event);
        }
    }
}

// Sent again, the step loads all its rows again: those, too, that it has loaded.
void HopBuilder::add_failed_load(const Point& point, const Route& route, ActionKind kind, std::vector<Expression> guard,
                                 const RowLoad& load, ActionLabel fails) {
    switch (point.on_error) {
        case OnError::kFail:
            fails.event.outcome = EventOutcome::kFailed;
            add_action(kind, guard, route.failure, std::move(fails));
            return;
        case OnError::kIgnore:
            fails.text += ", unseen";
            fails.event.outcome = EventOutcome::kIgnored;
            add_action(kind, guard, route.success, std::move(fails));
            return;
        case OnError::kRetry:
            if (load.others_loaded.empty() || kind != ActionKind::kStep) {
                return;  // nothing changes
            }
            guard.push_back(disjunction(load.others_loaded));
            fails.text += "; the step is sent again";
            fails.event.outcome = EventOutcome::kRetried;
            add_action(kind, guard, route.again, std::move(fails));
            return;
    }
}

}  // namespace oncecheck

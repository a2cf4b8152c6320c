// The micro-batch protocol: an incarnation starts by reading the two progress logs, writes the range of a batch ahead,
// runs the step program, and commits the batch. A re-run writes no log entry before its effects, so two incarnations
// can both run a batch completely; the first conflict is at the commit, after the sink.
//
// Source: Apache Spark, MicroBatchExecution.populateStartOffsets and constructNextBatch, HDFSMetadataLog.add
// (put-if-absent; since SPARK-26425 a lost race at the commit log ends the query).
#include <algorithm>

#include "model/semantics/hop_builder.h"

namespace oncecheck {

void HopBuilder::add_log_reading(ProcessModel& process, const Execution& main, const std::vector<Expression>& guard,
                                 const Writes& start, ActionKind kind, const ActionLabel& name) {
    if (process.temporary) {
        add_temporary_reading(process, main, guard, start, kind, name);
    } else if (process.racy) {
        add_racy_reading(process, main, guard, start, kind, name);
    } else {
        add_fixed_reading(process, main, guard, start, kind, name);
    }
}

// offsets = commits: the next batch is new. offsets = commits + 1: the last batch is run again.
void HopBuilder::add_fixed_reading(ProcessModel& process, const Execution& main, const std::vector<Expression>& guard,
                                   const Writes& start, ActionKind kind, const ActionLabel& name) {
    for (int committed = 0; committed < model_.options.size.batches; ++committed) {
        for (const bool again : {false, true}) {
            for (const std::size_t context : contexts_of(process, committed, 0)) {
                std::vector<Expression> taken = guard;
                taken.push_back(equals(process.commits, static_cast<Value>(committed)));
                taken.push_back(equals(process.offsets, static_cast<Value>(committed + (again ? 1 : 0))));
                ActionLabel reads = name;
                reads.event = event_of(name.event.kind, &process.contexts[context]);
                reads.text += again ? ": runs batch " + std::to_string(committed) + " again"
                                    : ": batch " + std::to_string(committed) + " is next";
                Writes begin = overridden(start, batch_begins(process, main, context, truth()));
                if (again) {
                    begin = overridden(start, at_batch(process, main, process.positions.program, context));
                }
                add_action(kind, taken, begin, std::move(reads));
            }
        }
    }
}

// A new batch: its range is written ahead, now or in a step of its own.
Writes HopBuilder::batch_begins(const ProcessModel& process, const Execution& main, std::size_t context,
                                const Expression& newest) const {
    if (!process.writes_ahead_at_once()) {
        return at_batch(process, main, process.positions.write_ahead, context);
    }
    Writes begin = at_batch(process, main, process.positions.program, context);
    const Value entries = static_cast<Value>(process.contexts[context].batch) + 1;
    begin.insert_or_assign(process.offsets,
                           choose(newest, Expression::constant(entries), Expression::variable(process.offsets)));
    return begin;
}

// The greatest entry of the offset log counts; its commit may be missing.
void HopBuilder::add_racy_reading(ProcessModel& process, const Execution& main, const std::vector<Expression>& guard,
                                  const Writes& start, ActionKind kind, const ActionLabel& name) {
    const int entries = static_cast<int>(process.ends.size());
    const Value length = static_cast<Value>(model_.options.size.batches * model_.options.size.records);
    for (int last = -1; last < entries; ++last) {
        std::vector<Expression> seen = guard;
        for (int entry = std::max(last, 0); entry < entries; ++entry) {
            const Expression absent = equals(process.ends[static_cast<std::size_t>(entry)], 0);
            seen.push_back(entry == last ? !absent : absent);
        }
        for (std::size_t index = 0; index < process.contexts.size(); ++index) {
            const BatchContext& context = process.contexts[index];
            const bool again = context.batch == last;
            const bool next = context.batch == last + 1 && context.end > context.start;
            if (!again && !next) {
                continue;
            }
            std::vector<Expression> taken = seen;
            const int before = again ? last - 1 : last;
            if (before >= 0) {
                taken.push_back(
                    equals(process.ends[static_cast<std::size_t>(before)], static_cast<Value>(context.start)));
            }
            const Expression committed =
                less(Expression::constant(static_cast<Value>(last)), Expression::variable(process.commits));
            if (again) {
                taken.push_back(equals(process.ends[static_cast<std::size_t>(last)], static_cast<Value>(context.end)));
                taken.push_back(!committed);
            } else if (last >= 0) {
                taken.push_back(committed);
            }
            if (next && static_cast<Value>(context.start) == length) {
                continue;
            }
            ActionLabel reads = name;
            reads.event = event_of(name.event.kind, &context);
            reads.text += (again ? ": runs batch " : ": cuts batch ") + std::to_string(context.batch) + " = offsets " +
                          std::to_string(context.start) + ".." + std::to_string(context.end - 1) +
                          (again ? " again" : "");
            const Value position = again ? process.positions.program : process.positions.write_ahead;
            add_action(kind, taken, overridden(start, at_batch(process, main, position, index)), std::move(reads));
        }
    }
}

// A checkpoint that lasts as long as its incarnation has a folder of its own (Apache Spark, StreamingQueryManager:
// "temporary checkpoint location"): a start finds empty logs and takes a new identity, and nobody else ever finds its
// entries. The state holds the logs of the newest incarnation, which decide whether all is done; those of an older one
// say no more than the batch that it is at.
Writes HopBuilder::new_checkpoint(const ProcessModel& process, int generation) const {
    return {{*process.generation, Expression::constant(static_cast<Value>(generation + 1))},
            {process.offsets, Expression::constant(0)},
            {process.commits, Expression::constant(0)}};
}

Expression HopBuilder::had_checkpoints(const ProcessModel& process, int generation) const {
    const Expression count = Expression::variable(*process.generation);
    return generation + 1 < kIdentities ? equals(*process.generation, static_cast<Value>(generation))
                                        : !less(count, Expression::constant(static_cast<Value>(generation)));
}

void HopBuilder::add_start_of_temporary(const ProcessModel& process, const Execution& main,
                                        const std::vector<Expression>& guard, const Writes& start, ActionKind kind,
                                        const ActionLabel& name) {
    for (int generation = 0; generation < kIdentities; ++generation) {
        std::vector<Expression> taken = guard;
        taken.push_back(had_checkpoints(process, generation));
        const Writes fresh = overridden(start, new_checkpoint(process, generation));
        for (const std::size_t context : contexts_of(process, 0, generation)) {
            add_action(kind, taken,
                       overridden(fresh, {{main.position, Expression::constant(process.positions.on_start)},
                                          {main.context, Expression::constant(static_cast<Value>(context))}}),
                       name);
        }
    }
}

// Without on_start the start itself reads, and is the newest from then on.
void HopBuilder::add_temporary_reading(ProcessModel& process, const Execution& main,
                                       const std::vector<Expression>& guard, const Writes& start, ActionKind kind,
                                       const ActionLabel& name) {
    const bool starts = process.on_start.points.empty();
    const Expression newest = starts ? truth() : is_newest(process, main);
    const Expression all = Expression::constant(static_cast<Value>(model_.options.size.batches));
    for (int generation = 0; generation < kIdentities; ++generation) {
        std::vector<Expression> taken = guard;
        Writes fresh = start;
        if (starts) {
            taken.push_back(had_checkpoints(process, generation));
            fresh = overridden(start, new_checkpoint(process, generation));
        }
        ActionLabel reads = name;
        reads.text += generation > 0 ? " with an empty checkpoint" : "";
        const bool behind_all = generation > 0 && process.starts_latest;
        reads.text += behind_all       ? ": begins behind all records that are there"
                      : generation > 0 ? ": begins at the first record"
                                       : "";
        for (const std::size_t context : contexts_of(process, 0, generation)) {
            std::vector<Expression> here = taken;
            if (!starts) {
                here.push_back(in_context(main, context));
            }
            if (behind_all) {
                Writes over = starts ? fresh : overridden(freed(main), fresh);
                over.insert_or_assign(process.offsets, choose(newest, all, Expression::variable(process.offsets)));
                over.insert_or_assign(process.commits, choose(newest, all, Expression::variable(process.commits)));
                add_action(kind, here, over, reads);
                if (starts) {
                    break;
                }
                continue;
            }
            reads.event = event_of(name.event.kind, &process.contexts[context]);
            add_action(kind, here, overridden(fresh, batch_begins(process, main, context, newest)), reads);
        }
    }
}

void HopBuilder::add_write_ahead(ProcessModel& process, const Execution& main) {
    if (process.racy) {
        add_racy_logs(process, main);
        return;
    }
    if (process.writes_ahead_at_once()) {
        return;
    }
    const SourcePosition& where = pipeline_.component(process.id).document.where;
    for (std::size_t index = 0; index < process.contexts.size(); ++index) {
        const int batch = process.contexts[index].batch;
        const std::vector<Expression> here{at(main, process.positions.write_ahead), in_context(main, index)};
        const Expression absent = process.temporary ? truth() : equals(process.offsets, static_cast<Value>(batch));
        const Expression written = choose(is_newest(process, main), Expression::constant(static_cast<Value>(batch + 1)),
                                          Expression::variable(process.offsets));
        std::vector<Expression> writes = here;
        writes.push_back(absent);
        add_action(ActionKind::kStep, writes,
                   {{process.offsets, written}, {main.position, Expression::constant(process.positions.program)}},
                   label(main, "writes the range of batch " + std::to_string(batch) + " to the offset log", where,
                         event_of(EventKind::kWriteAhead, &process.contexts[index])));
        std::vector<Expression> loses = here;
        loses.push_back(!absent);
        add_action(ActionKind::kStep, loses, freed(main),
                   label(main, "finds batch " + std::to_string(batch) + " in the offset log and ends", where,
                         event_of(EventKind::kWriteAheadTaken, &process.contexts[index])));
    }
}

void HopBuilder::add_commit(ProcessModel& process, const Execution& main) {
    if (process.racy) {
        return;  // add_racy_logs has done it
    }
    const SourcePosition& where = pipeline_.component(process.id).document.where;
    const Writes done =
        process.has_background()
            ? overridden(attempt_over(main), {{main.position, Expression::constant(process.positions.idle)}})
            : freed(main);
    for (std::size_t index = 0; index < process.contexts.size(); ++index) {
        const BatchContext& context = process.contexts[index];
        const std::string batch = std::to_string(context.batch);
        const std::vector<Expression> here{at(main, process.positions.commit), in_context(main, index)};
        const auto guarded = [&](const Expression& condition) {
            std::vector<Expression> guard = here;
            guard.push_back(condition);
            return guard;
        };
        const Expression absent =
            process.temporary ? truth() : equals(process.commits, static_cast<Value>(context.batch));
        const Expression newest = is_newest(process, main);
        const Writes committed{
            {process.commits, choose(newest, Expression::constant(static_cast<Value>(context.batch + 1)),
                                     Expression::variable(process.commits))}};
        const bool last = context.batch + 1 == model_.options.size.batches;
        if (last) {
            add_action(ActionKind::kStep, guarded(absent), overridden(done, committed),
                       label(main, "commits batch " + batch, where, event_of(EventKind::kCommit, &context)));
        }
        for (const std::size_t next : contexts_of(process, context.batch + 1, context.generation)) {
            const Writes onward = overridden(attempt_over(main), batch_begins(process, main, next, newest));
            add_action(ActionKind::kStep, guarded(absent), overridden(onward, committed),
                       label(main, "commits batch " + batch, where, event_of(EventKind::kCommit, &context)));
            if (process.faults.purge && !process.temporary) {
                const Expression purged = less(Expression::constant(static_cast<Value>(context.batch + 1)),
                                               Expression::variable(process.offsets));
                // It finds the next entry in the offset log, or the one before gone, and ends.
                add_action(ActionKind::kFault, guarded(conjunction({!absent, purged})),
                           process.writes_ahead_at_once() ? freed(main) : onward,
                           fault(main, "purge", "commits batch " + batch + " again: its old entry has been purged",
                                 event_of(EventKind::kPurge, &context)));
            }
        }
        add_action(ActionKind::kStep, guarded(!absent), freed(main),
                   label(main, "finds batch " + batch + " committed and ends", where,
                         event_of(EventKind::kCommitTaken, &context)));
    }
}

// A store whose put-if-absent is check-then-put: two incarnations can both find an entry absent and both write it.
void HopBuilder::add_racy_logs(ProcessModel& process, const Execution& main) {
    const SourcePosition& where = pipeline_.component(process.id).document.where;
    const int length = model_.options.size.batches * model_.options.size.records;
    const Positions& places = process.positions;
    for (std::size_t index = 0; index < process.contexts.size(); ++index) {
        const BatchContext& context = process.contexts[index];
        const std::string batch = std::to_string(context.batch);
        const std::string range = "offsets " + std::to_string(context.start) + ".." + std::to_string(context.end - 1);
        const VariableId entry = process.ends[static_cast<std::size_t>(context.batch)];
        const auto guarded = [&](Value position, const Expression& condition) {
            return std::vector<Expression>{at(main, position), in_context(main, index), condition};
        };
        const auto go = [&](Value position) { return Writes{{main.position, Expression::constant(position)}}; };
        add_action(ActionKind::kStep, guarded(places.write_ahead, equals(entry, 0)), go(places.write_ahead_put),
                   label(main, "sees no batch " + batch + " in the offset log", where,
                         event_of(EventKind::kWriteAheadLook, &context)));
        add_action(ActionKind::kStep, guarded(places.write_ahead, !equals(entry, 0)), freed(main),
                   label(main, "finds batch " + batch + " in the offset log and ends", where,
                         event_of(EventKind::kWriteAheadTaken, &context)));
        add_action(ActionKind::kStep, guarded(places.write_ahead_put, truth()),
                   overridden(go(places.program), {{entry, Expression::constant(static_cast<Value>(context.end))}}),
                   label(main, "writes batch " + batch + " = " + range + " to the offset log", where,
                         event_of(EventKind::kWriteAhead, &context)));
        const Expression absent =
            less(Expression::variable(process.commits), Expression::constant(static_cast<Value>(context.batch + 1)));
        add_action(ActionKind::kStep, guarded(places.commit, absent), go(places.commit_put),
                   label(main, "sees no batch " + batch + " in the commit log", where,
                         event_of(EventKind::kCommitLook, &context)));
        add_action(ActionKind::kStep, guarded(places.commit, !absent), freed(main),
                   label(main, "finds batch " + batch + " committed and ends", where,
                         event_of(EventKind::kCommitTaken, &context)));
        const Writes committed{
            {process.commits, choose(absent, Expression::constant(static_cast<Value>(context.batch + 1)),
                                     Expression::variable(process.commits))}};
        const std::string text = "commits batch " + batch;
        if (context.end == length) {
            const Writes done =
                process.has_background() ? overridden(attempt_over(main), go(places.idle)) : freed(main);
            add_action(ActionKind::kStep, guarded(places.commit_put, truth()), overridden(done, committed),
                       label(main, text, where, event_of(EventKind::kCommit, &context)));
        }
        for (const std::size_t next : contexts_of(process, context.batch + 1, 0)) {
            const BatchContext& following = process.contexts[next];
            if (following.start != context.end || following.end <= following.start || context.end == length) {
                continue;
            }
            add_action(ActionKind::kStep, guarded(places.commit_put, truth()),
                       overridden(overridden(attempt_over(main), at_batch(process, main, places.write_ahead, next)),
                                  committed),
                       label(main, text + " and cuts the next up to offset " + std::to_string(following.end - 1), where,
                             event_of(EventKind::kCommit, &context)));
        }
    }
}

// Retention removes the records of a batch that has not been processed.
void HopBuilder::add_expiry(ProcessModel& process) {
    for (const auto& [batch, gone] : process.gone) {
        BatchContext expired;
        expired.batch = batch;
        ActionLabel expires =
            fault(process.mains.front(), "expiry",
                  "the records of batch " + std::to_string(batch) + " expire in the log before they are processed",
                  event_of(EventKind::kExpiry, &expired));
        expires.slot = -1;
        std::vector<Expression> idle{equals(gone, 0), less(Expression::variable(process.commits),
                                                           Expression::constant(static_cast<Value>(batch + 1)))};
        for (const Execution& main : process.mains) {
            idle.push_back(equals(main.position, 0));  // the span is an outage
        }
        add_action(ActionKind::kFault, idle, {{gone, truth()}}, std::move(expires));
    }
}

}  // namespace oncecheck

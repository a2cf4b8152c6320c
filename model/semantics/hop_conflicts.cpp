// Transactions above READ COMMITTED that a store aborts because of another.
//
// A store that detects conflicts aborts one only after another has committed since its snapshot and
//   has changed rows that it changes itself (REPEATABLE READ and above), or
//   has written a table that it reads, both are SERIALIZABLE, and one of them is part of a second such pair.
// Such a commit marks every execution that stands inside its transaction; an abort needs the mark. A store that
// serializes by locks may abort either of two that overlap.
//
// Sources: PostgreSQL documentation, Transaction Isolation, 13.2.2 and 13.2.3; PostgreSQL source, README-SSI ("T1 ->
// T2 -> T3 ... T3 is the first to commit"; relation locks of sequential scans).
#include <algorithm>
#include <set>

#include "model/pipeline/steps.h"
#include "model/semantics/hop_builder.h"

namespace oncecheck {

namespace {

using RowsOf = std::map<std::string, std::set<RowClass>>;  // by table

bool meet(const RowsOf& left, const RowsOf& right) {
    return std::any_of(left.begin(), left.end(), [&](const auto& named) {
        const auto found = right.find(named.first);
        return found != right.end() && std::any_of(named.second.begin(), named.second.end(),
                                                   [&](const RowClass& row) { return found->second.contains(row); });
    });
}

bool meet(const std::set<std::string>& left, const std::set<std::string>& right) {
    return std::any_of(left.begin(), left.end(), [&](const std::string& name) { return right.contains(name); });
}

}  // namespace

// What a unit does to tables that others use, too.
struct HopBuilder::Effects {
    RowsOf changes;                // rows that it writes, with those that one of its keys excludes
    RowsOf decides;                // of these, rows that it writes because of what its snapshot shows
    std::set<std::string> reads;   // tables
    std::set<std::string> writes;  // tables
};

// A unit of an execution at work on a batch; `position` is where it stands when another can get in its way.
struct HopBuilder::StandingUnit {
    Execution* execution = nullptr;
    const Point* point = nullptr;
    Value position = 0;
    std::size_t context = 0;
    Effects effects;
    bool isolated = false;  // above READ COMMITTED, in a store that detects conflicts
    bool serializable = false;
};

class HopBuilder::EffectsReader {
  public:
    EffectsReader(const HopModel& model, const Site& site) : model_(model), site_(site) {}

    Effects read(const std::vector<const Step*>& statements) {
        for (const Step* statement : statements) {
            note(*statement, statement == statements.front());
        }
        return std::move(effects_);
    }

  private:
    bool shared(const ObjectInstance& object) const {
        return object.plane.empty() && object.reference.scope == ObjectScope::kStore;
    }

    std::string key(const RowClass& row, const std::vector<std::string>& columns) const {
        return key_of(row, columns, model_.columns, model_.universe.records, *model_.pipeline);
    }

    bool accepted(const Step& step, const RowClass& row) const {
        return std::all_of(step.where.begin(), step.where.end(), [&](const auto& condition) {
            const auto tag = row.tags.find(condition.first);
            return tag != row.tags.end() && tag->second == column_value(condition.second, site_);
        });
    }

    // The rows that the statement takes in, as they are in its target.
    std::set<RowClass> taken(const Step& step) const {
        std::set<RowClass> rows;
        if (step.has_values) {
            rows.insert({});
        } else if (step.source) {
            for (const RowClass& row : model_.object(site_, *step.source).classes) {
                if (accepted(step, row)) {
                    rows.insert(row);
                }
            }
        } else if (site_.context != nullptr) {
            for (const int record : model_.batch_records(model_.process_of(*site_.execution), *site_.context)) {
                rows.insert({record, {}});
            }
        }
        std::set<RowClass> tagged;
        for (RowClass row : rows) {
            for (const auto& [column, value] : step.set) {
                if (model_.columns.relevant.contains(column)) {
                    row.tags.insert_or_assign(column, column_value(value, site_));
                }
            }
            tagged.insert(std::move(row));
        }
        return tagged;
    }

    // Rows of the target that have a key of one of these.
    std::set<RowClass> with_keys(const ObjectInstance& target, const std::set<RowClass>& rows,
                                 const std::vector<std::vector<std::string>>& keys) const {
        std::set<RowClass> found = rows;
        for (const RowClass& there : target.classes) {
            for (const RowClass& row : rows) {
                if (std::any_of(keys.begin(), keys.end(),
                                [&](const auto& columns) { return key(there, columns) == key(row, columns); })) {
                    found.insert(there);
                }
            }
        }
        return found;
    }

    std::set<RowClass> deleted(const Step& step, const ObjectInstance& target) const {
        if (step.source) {
            return with_keys(target, taken(step), {match_columns(step, target)});
        }
        std::set<RowClass> rows;
        for (const RowClass& row : target.classes) {
            if (accepted(step, row)) {
                rows.insert(row);
            }
        }
        return rows;
    }

    void change(const std::string& table, const std::set<RowClass>& rows, bool decided) {
        effects_.changes[table].insert(rows.begin(), rows.end());
        if (decided) {
            effects_.decides[table].insert(rows.begin(), rows.end());
        }
    }

    void note(const Step& step, bool first) {
        if (step.verb == Verb::kAcquire) {
            change("fence " + model_.identity_of(site_, step.target), {RowClass{}}, true);
        } else if (step.verb == Verb::kCommitOffsets) {
            change("position in " + model_.identity_of(site_, step.target) + '/' +
                       model_.process_of(*site_.execution).name,
                   {RowClass{}}, true);
        }
        if (!targets_object(step)) {
            return;
        }
        if (step.source && shared(model_.object(site_, *step.source))) {
            effects_.reads.insert(model_.identity_of(site_, *step.source));
        }
        const ObjectInstance& target = model_.object(site_, step.target);
        if (shared(target)) {
            note_target(step, target, first);
        }
        if (step.verb == Verb::kSwap) {
            effects_.writes.insert(model_.identity_of(site_, step.partner));
        }
    }

    void note_target(const Step& step, const ObjectInstance& target, bool first) {
        const std::string& table = target.identity;
        if (step.verb != Verb::kCount) {
            effects_.writes.insert(table);
        }
        switch (step.verb) {
            case Verb::kClaim:
                if (target.unique_keys.empty()) {
                    effects_.reads.insert(table);
                }
                change(table, {claimed_row(step, target, site_)}, !target.unique_keys.empty());
                break;
            case Verb::kCreate:
                if (!step.filled) {
                    break;
                }
                [[fallthrough]];
            case Verb::kAppend:
            case Verb::kInsert:
                change(table, with_keys(target, taken(step), target.unique_keys),
                       step.on_conflict == OnConflict::kIgnore);
                break;
            case Verb::kMerge:
                effects_.reads.insert(table);
                change(table, with_keys(target, taken(step), {match_columns(step, target)}), true);
                break;
            case Verb::kDelete:
                effects_.reads.insert(table);
                change(table, deleted(step, target), true);
                break;
            case Verb::kOverwrite:  // locks the table; as the first statement before its snapshot
                effects_.reads.insert(table);
                change(table, target.classes, !first);
                break;
            case Verb::kCount:
                effects_.reads.insert(table);
                break;
            default:  // whoever uses a table waits for those who empty or exchange it, and they for him
                break;
        }
    }

    const HopModel& model_;
    const Site& site_;
    Effects effects_;
};

// Every unit that commits something, for each batch.
std::vector<HopBuilder::StandingUnit> HopBuilder::standing_units() {
    std::vector<StandingUnit> units;
    const auto add = [&](Execution& execution, const CompiledProgram& program, Value first, bool with_context) {
        const ProcessModel& process = model_.process_of(execution);
        for (std::size_t index = 0; index < program.points.size(); ++index) {
            const Point& point = program.points[index];
            if (point.kind == PointKind::kRead || point.kind == PointKind::kSpawn || point.kind == PointKind::kLock) {
                continue;
            }
            const bool may_be_aborted = with_context && point.kind != PointKind::kLoad && detects_conflicts(point) &&
                                        (point.kind == PointKind::kUnit || point.snapshot);
            for (std::size_t context = 0; context < (with_context ? process.contexts.size() : 1); ++context) {
                if (execution.background && process.contexts[context].batch != execution.batch) {
                    continue;
                }
                StandingUnit unit;
                unit.execution = &execution;
                unit.point = &point;
                unit.position = first + static_cast<Value>(index);
                unit.context = with_context ? context : SIZE_MAX;
                const Site site = model_.site(execution, with_context ? &process.contexts[context] : nullptr);
                unit.effects = EffectsReader(model_, site).read(point.statements);
                unit.isolated = may_be_aborted;
                unit.serializable = may_be_aborted && isolation(point) == Isolation::kSerializable;
                units.push_back(std::move(unit));
            }
        }
    };
    for (ProcessModel& process : model_.processes) {
        for (Execution& main : process.mains) {
            add(main, process.on_start, process.positions.on_start, process.temporary);
            add(main, process.program, process.positions.program, true);
            add(main, process.on_error, process.positions.on_error, true);
        }
        for (Execution& thread : process.threads) {
            add(thread, *thread.program, 1, true);
        }
    }
    return units;
}

Isolation HopBuilder::isolation(const Point& point) const {
    return isolation_of(pipeline_, point.in_transaction ? point.step : nullptr, point.statements);
}

// The point is a transaction above READ COMMITTED in a store that aborts only what conflicts.
bool HopBuilder::detects_conflicts(const Point& point) const {
    std::vector<Problem> ignored;
    return isolation(point) != Isolation::kReadCommitted &&
           std::any_of(point.statements.begin(), point.statements.end(), [&](const Step* statement) {
               const ObjectReference object = resolve_object(pipeline_, statement->target, ignored);
               return object.scope == ObjectScope::kStore &&
                      pipeline_.component(object.store).settings.meaning("serializable") == "detection";
           });
}

// What marks whom must be known before the actions are made.
void HopBuilder::find_conflicts() {
    const bool any = std::any_of(model_.processes.begin(), model_.processes.end(), [&](const ProcessModel& process) {
        const auto isolated = [&](const Point& point) { return !point.statements.empty() && detects_conflicts(point); };
        const auto has = [&](const CompiledProgram& program) {
            return std::any_of(program.points.begin(), program.points.end(), isolated);
        };
        return has(process.program) || has(process.on_error) ||
               std::any_of(process.program.backgrounds.begin(), process.program.backgrounds.end(), has);
    });
    if (!any) {
        return;
    }
    const std::vector<StandingUnit> units = standing_units();
    const auto depends = [](const StandingUnit& reader, const StandingUnit& writer) {
        return reader.serializable && writer.serializable && reader.execution != writer.execution &&
               meet(reader.effects.reads, writer.effects.writes);
    };
    const auto some_unit = [&](const auto& condition) { return std::any_of(units.begin(), units.end(), condition); };
    for (const StandingUnit& own : units) {
        for (const StandingUnit& other : units) {
            if (!own.isolated || own.execution == other.execution) {
                continue;
            }
            const bool dangerous =
                depends(own, other) && (some_unit([&](const StandingUnit& third) { return depends(third, own); }) ||
                                        some_unit([&](const StandingUnit& third) { return depends(other, third); }));
            if (dangerous || meet(own.effects.decides, other.effects.changes)) {
                note_conflict(own, other);
            }
        }
    }
}

// A commit of the other marks the execution while it stands in its own unit.
void HopBuilder::note_conflict(const StandingUnit& own, const StandingUnit& other) {
    const auto [mark, added] = own.execution->buffer.emplace(kConflictMark, 0);
    if (added) {
        mark->second = model_.add_variable("conflict of " + model_.process_of(*own.execution).name, 1, 0, false);
    }
    Writes& marks = conflicts_[{other.execution, other.point, other.context}];
    const Expression stands = conjunction({at(*own.execution, own.position), in_context(*own.execution, own.context)});
    const auto before = marks.emplace(mark->second, Expression::variable(mark->second)).first;
    before->second = choose(stands, truth(), before->second);
}

// The path with what the commit does to transactions that are under way.
Path HopBuilder::marking(const Execution& execution, const Point& point, std::size_t context, Path path) const {
    const auto marks = conflicts_.find({&execution, &point, context});
    if (marks != conflicts_.end() && !path.writes().empty() && point.kind != PointKind::kRead) {
        for (const auto& [mark, value] : marks->second) {
            path.set(mark, value);
        }
    }
    return path;
}

// When the store may abort the execution that stands at the point.
Expression HopBuilder::conflicts(const Execution& execution, const Point& point) const {
    if (detects_conflicts(point)) {
        const auto mark = execution.buffer.find(kConflictMark);
        return mark == execution.buffer.end() ? falsity() : equals(mark->second, 1);
    }
    const auto locks = [&](const Point& other) {
        return other.kind == PointKind::kUnit && other.in_transaction && !detects_conflicts(other) &&
               isolation(other) != Isolation::kReadCommitted;
    };
    std::vector<Expression> beside;
    for (const Execution* other : model_.executions()) {
        if (other == &execution || !locks(point)) {
            continue;
        }
        const Value first = other->background ? 1 : model_.process_of(*other).positions.program;
        for (std::size_t index = 0; index < other->program->points.size(); ++index) {
            if (locks(other->program->points[index])) {
                beside.push_back(at(*other, first + static_cast<Value>(index)));
            }
        }
    }
    return disjunction(beside);
}

void HopBuilder::add_serialization_failure(const Execution& execution, const Point& point, Value position,
                                           const Route& route, std::size_t context) {
    const Expression may_abort = conflicts(execution, point);
    if (may_abort.is_constant(0)) {
        return;
    }
    const BatchContext& batch = model_.process_of(execution).contexts[context];
    const EventOutcome outcome = point.on_error == OnError::kIgnore ? EventOutcome::kIgnored : EventOutcome::kFailed;
    add_action(ActionKind::kEnvironment, {at(execution, position), in_context(execution, context), may_abort},
               route.after_failure(point.on_error),
               label(execution, "is aborted: its transaction conflicts with another", point.step->position,
                     event_of(EventKind::kAbort, &batch).with(outcome)));
}

}  // namespace oncecheck

// Processes of a hop: which incarnations can live side by side, how their programs are cut, where they can stand.
#include <algorithm>
#include <set>

#include "model/pipeline/steps.h"
#include "model/semantics/hop_builder.h"
#include "model/semantics/hop_objects.h"

namespace oncecheck {

namespace {

bool mentions(const Program& program, const std::string& placeholder) {
    bool found = false;
    for_each_step(program, [&](const Step& step) {
        const auto look = [&](const Template& name) { found = found || name.mentions(placeholder); };
        look(step.target);
        look(step.partner);
        if (step.source) {
            look(*step.source);
        }
        for (const auto& columns : {step.set, step.where}) {
            for (const auto& [unused, value] : columns) {
                look(value);
            }
        }
        for (const Template& value : step.key) {
            look(value);
        }
    });
    return found;
}

// What the statement does depends on the rows that its target holds when it runs, or undoes what another statement of
// the transaction puts there.
bool looks_at_rows(const Step& statement, const std::vector<const Step*>& statements) {
    const auto removes = [](const Step& step) {
        return step.verb == Verb::kDelete || step.verb == Verb::kTruncate || step.verb == Verb::kDrop ||
               step.verb == Verb::kOverwrite || step.verb == Verb::kSwap;
    };
    if (removes(statement) || statement.verb == Verb::kMerge || statement.verb == Verb::kCount) {
        return true;
    }
    return takes_in_records(statement) && std::any_of(statements.begin(), statements.end(), [&](const Step* other) {
               return removes(*other) && other->target == statement.target;
           });
}

bool takes_locks(const Program& program) {
    bool found = false;
    for_each_step(program, [&](const Step& step) { found = found || step.verb == Verb::kLock; });
    return found;
}

}  // namespace

Isolation isolation_of(const Pipeline& pipeline, const Step* transaction, const std::vector<const Step*>& statements) {
    if (transaction != nullptr && transaction->isolation) {
        return *transaction->isolation;
    }
    std::vector<Problem> ignored;
    for (const Step* statement : statements) {
        const ObjectReference object = resolve_object(pipeline, statement->target, ignored);
        if (object.scope != ObjectScope::kStore) {
            continue;
        }
        const std::string name = pipeline.component(object.store).settings.meaning("default_isolation");
        if (name == "serializable") {
            return Isolation::kSerializable;
        }
        if (name == "repeatable-read") {
            return Isolation::kRepeatableRead;
        }
        if (name == "snapshot") {
            return Isolation::kSnapshot;
        }
    }
    return Isolation::kReadCommitted;
}

void HopBuilder::add_process(ComponentId id) {
    const PipelineComponent& component = pipeline_.component(id);
    ProcessModel process;
    process.id = id;
    process.name = component.document.name;
    const auto faults = model_.options.faults.find(id);
    if (faults != model_.options.faults.end()) {
        process.faults = faults->second;
    }
    if (process.faults.zombie && model_.options.size.attempts > 1 && !takes_locks(component.document.steps)) {
        // An incarnation that was replaced can pause before a statement, apply it, and end: whatever a statement in
        // flight can do. The count of faults is the same (a crash, or a zombie). But it would keep its locks.
        process.faults.detached.clear();
        process.faults.late.clear();
    }
    process.temporary = component.settings.meaning("progress") == "temporary";
    process.racy = !process.temporary && component.settings.meaning("put_if_absent") != "atomic";
    process.starts_latest = component.settings.meaning("first_position") == "latest";
    process.gap_fails = component.settings.meaning("source_gap") == "fails";
    process.task_retry = process.faults.task_retry && component.settings.meaning("task_retry") == "possible";
    process.planned = component.document.instances;
    if (const auto runner = pipeline_.find(component.document.run_by); runner && !component.document.run_by.empty()) {
        if (pipeline_.component(*runner).settings.meaning("overlap") == "planned") {
            process.planned = std::max(process.planned, 2);
        }
    }
    process.slots = process.planned;
    if (process.faults.zombie) {
        process.slots += model_.options.size.attempts - 1;
    } else if (process.faults.leaves_statements()) {
        process.slots += std::max(model_.options.size.attempts, 2) - 1;
    }
    for (const Connection& connection : component.document.reads) {
        process.logs.push_back(pipeline_.find(connection.object.text).value());
    }
    const bool moments = mentions(component.document.steps, "now") || mentions(component.document.steps, "try");
    process.contexts = batch_contexts(model_.options.size, process.racy, process.temporary, moments);
    if (process.racy && model_.options.size.records > 1) {  // else there would be one way to cut
        std::erase_if(process.contexts, [&](const BatchContext& context) { return is_ruled_out(process, context); });
    }
    std::size_t blocks = 0;
    for (const Step& step : component.document.steps) {
        blocks += step.verb == Verb::kBackground ? 1 : 0;
    }
    process.renders_batch_in_plane = blocks > 0;
    std::set<int> batches;
    for (const BatchContext& context : process.contexts) {
        batches.insert(context.batch);
    }
    for (int slot = 0; slot < process.slots; ++slot) {
        Execution main;
        main.process = model_.processes.size();
        main.slot = slot;
        process.mains.push_back(main);
        for (std::size_t block = 0; block < blocks; ++block) {
            for (const int batch : batches) {
                Execution thread = main;
                thread.background = true;
                thread.block = block;
                thread.batch = batch;
                process.threads.push_back(thread);
            }
        }
    }
    model_.processes.push_back(std::move(process));
}

// The range holds a key twice, and the log says that no batch does.
bool HopBuilder::is_ruled_out(const ProcessModel& process, const BatchContext& context) const {
    std::set<int> keys;
    for (const int index : model_.batch_records(process, context)) {
        const Record& record = model_.universe.records[static_cast<std::size_t>(index)];
        const std::optional<Records>& said = pipeline_.component(record.log).document.records;
        if (!keys.insert(record.key).second && said && said->key_repeats != KeyRepeats::kInBatch &&
            !model_.options.records_repeat) {
            return true;
        }
    }
    return false;
}

bool HopBuilder::alone() const { return model_.executions().size() == 1; }

// Every write of rows to the object is inside a transaction that checks one and the same fence: they cannot overlap.
bool HopBuilder::fenced_alike(const std::string& target) const {
    std::set<std::string> fences;
    bool all_fenced = true;
    for (const ProcessModel& process : model_.processes) {
        std::map<const Step*, const Step*> transaction_of;
        const Component& component = pipeline_.component(process.id).document;
        for_each_step(component.steps, [&](const Step& step) {
            for (const Step& inner : step.body) {
                if (step.verb == Verb::kTransaction) {
                    transaction_of.emplace(&inner, &step);
                }
            }
        });
        for_each_site(model_, process, [&](const Site& site, const Step& step) {
            if (!writes_target(step) || model_.identity_of(site, step.target) != target) {
                return;
            }
            std::string fence;
            const auto transaction = transaction_of.find(&step);
            if (transaction != transaction_of.end()) {
                for (const Step& inner : transaction->second->body) {
                    fence = inner.verb == Verb::kCheck ? model_.identity_of(site, inner.target) : fence;
                }
            }
            all_fenced = all_fenced && !fence.empty();
            fences.insert(fence);
        });
    }
    return all_fenced && fences.size() == 1;
}

// The client reads rows from a view of its session or application, then sends them to the store.
bool HopBuilder::is_read_by_client(const ProcessModel& process, const Step& step) const {
    if (!step.source || !takes_in_records(step)) {
        return false;
    }
    const Site site = model_.site(process.mains.front(), &process.contexts.front());
    return model_.object(site, *step.source).reference.scope != ObjectScope::kStore &&
           model_.object(site, step.target).reference.scope == ObjectScope::kStore;
}

// Another thread than the one that runs the step writes its source: of another batch, another process, or outside the
// step's block.
bool HopBuilder::others_write_source(const ProcessModel& process, const Step& reader) const {
    const Program& steps = pipeline_.component(process.id).document.steps;
    std::map<const Step*, const Step*> block_of;
    for (const Step& top : steps) {
        if (top.verb == Verb::kBackground) {
            for_each_step(top.body, [&](const Step& inner) { block_of[&inner] = &top; });
        }
    }
    const auto block = [&](const Step& step) {
        const auto found = block_of.find(&step);
        return found == block_of.end() ? nullptr : found->second;
    };
    std::set<std::pair<std::string, int>> read;  // identity and batch
    for_each_site(model_, process, [&](const Site& site, const Step& step) {
        if (&step == &reader) {
            read.emplace(model_.identity_of(site, *step.source), site.context->batch);
        }
    });
    bool found = false;
    for (const ProcessModel& other : model_.processes) {
        for_each_site(model_, other, [&](const Site& site, const Step& step) {
            if (!writes_target(step)) {
                return;
            }
            const std::string written = model_.identity_of(site, step.target);
            const bool same_thread = other.id == process.id && block(step) == block(reader);
            found = found || std::any_of(read.begin(), read.end(), [&](const auto& one) {
                        const bool of_other_batch =
                            block(reader) != nullptr && site.context != nullptr && site.context->batch != one.second;
                        return one.first == written && (!same_thread || of_other_batch);
                    });
        });
    }
    return found;
}

bool HopBuilder::must_split(const ProcessModel& process, const std::vector<const Step*>& statements,
                            const Step* transaction) const {
    if (alone()) {
        return false;
    }
    const Isolation isolation = isolation_of(pipeline_, transaction, statements);
    const Site site = model_.site(process.mains.front(), &process.contexts.front());
    const bool reads_ahead = std::any_of(statements.begin(), statements.end(), [&](const Step* statement) {
        return is_read_by_client(process, *statement) && others_write_source(process, *statement);
    });
    if (reads_ahead && (transaction == nullptr || isolation != Isolation::kSerializable)) {
        return true;
    }
    // What waits for a row has its snapshot already, in which the rest of the transaction then looks.
    const bool one_snapshot = isolation == Isolation::kRepeatableRead || isolation == Isolation::kSnapshot;
    const bool waits = one_snapshot && std::any_of(statements.begin(), statements.end(), [](const Step* statement) {
                           return statement->verb == Verb::kCheck || statement->verb == Verb::kClaim;
                       });
    int touches = 0;  // statements whose moment others could tell
    for (const Step* statement : statements) {
        if (!targets_object(*statement)) {
            continue;
        }
        const ObjectInstance& target = model_.object(site, statement->target);
        if (statement->verb == Verb::kClaim && target.unique_keys.empty() && isolation != Isolation::kSerializable) {
            return true;
        }
        const bool shared = target.plane.empty();
        const bool in_store = target.reference.scope == ObjectScope::kStore;
        const bool merges = statement->verb == Verb::kMerge && !statement->upsert && in_store && shared &&
                            pipeline_.component(target.reference.store).settings.meaning("merge") == "statement";
        if (merges && isolation != Isolation::kSerializable && (waits || !fenced_alike(target.identity))) {
            return true;
        }
        touches += statement->source && model_.object(site, *statement->source).plane.empty() ? 1 : 0;
        touches += shared && looks_at_rows(*statement, statements) ? 1 : 0;
    }
    return isolation != Isolation::kSerializable && touches > (waits ? 0 : 1);
}

void HopBuilder::compile_programs(ProcessModel& process) {
    const Component& component = pipeline_.component(process.id).document;
    CuttingRules rules;
    rules.must_split = [&](const std::vector<const Step*>& statements, const Step* transaction) {
        return must_split(process, statements, transaction);
    };
    rules.one_snapshot = [&](const std::vector<const Step*>& statements, const Step* transaction) {
        const Isolation isolation = isolation_of(pipeline_, transaction, statements);
        return isolation == Isolation::kRepeatableRead || isolation == Isolation::kSnapshot;
    };
    rules.commits_by_task = [&](const Step& load) {
        std::vector<Problem> ignored;
        const ObjectReference object = resolve_object(pipeline_, load.target, ignored);
        return object.scope == ObjectScope::kStore &&
               pipeline_.component(object.store).settings.meaning("commits_a_load") == "task";
    };
    process.program = compile(component.steps, rules);
    process.on_error = compile(component.on_error, rules);
    rules.must_split = [](const std::vector<const Step*>&, const Step*) { return false; };
    process.on_start = compile(component.on_start, rules);
    place(process);
    for (Execution& main : process.mains) {
        main.program = &process.program;
    }
    for (Execution& thread : process.threads) {
        thread.program = &process.program.backgrounds[thread.block];
    }
}

void HopBuilder::place(ProcessModel& process) {
    Positions& at = process.positions;
    Value next = 1;
    at.on_start = next;
    next += static_cast<Value>(process.on_start.points.size());
    at.read_log = next++;
    at.write_ahead = next++;
    at.write_ahead_put = next++;
    at.program = next;
    next += static_cast<Value>(process.program.points.size());
    at.commit = next++;
    at.commit_put = next++;
    at.on_error = next;
    next += static_cast<Value>(process.on_error.points.size());
    at.idle = next++;
    at.detached = next;
    if (process.faults.leaves_statements()) {
        next += static_cast<Value>(process.program.points.size());
        at.detached_on_start = next;
        next += static_cast<Value>(process.on_start.points.size());
    }
    at.largest = next - 1;
}

void HopBuilder::add_execution_variables(Execution& execution, const std::string& name, Value largest) {
    const ProcessModel& process = model_.process_of(execution);
    execution.position = model_.add_variable(name + " position", largest, 0, true);
    execution.context = model_.add_variable(name + " batch", static_cast<Value>(process.contexts.size()) - 1, 0, false);
    std::size_t most = 0;
    for (const BatchContext& context : process.contexts) {
        most = std::max(most, model_.batch_records(process, context).size());
    }
    const bool loads = std::any_of(execution.program->points.begin(), execution.program->points.end(),
                                   [](const Point& point) { return point.kind == PointKind::kLoad; });
    for (std::size_t row = 0; loads && most > 1 && row < most; ++row) {
        execution.loaded.push_back(model_.add_variable(name + " loaded row " + std::to_string(row), 1, 0, false));
    }
    for_each_site(model_, process, [&](const Site& site, const Step& step) {
        if (step.verb != Verb::kAcquire && step.verb != Verb::kCheck) {
            return;
        }
        const std::string fence = model_.identity_of(site, step.target);
        if (!execution.holds.contains(fence)) {
            execution.holds.emplace(fence, model_.add_variable(name + " holds " + fence, 1, 0, false));
        }
    });
}

void HopBuilder::add_process_variables(ProcessModel& process) {
    const Value batches = static_cast<Value>(model_.options.size.batches);
    const Value length = batches * static_cast<Value>(model_.options.size.records);
    if (process.racy) {
        for (Value batch = 0; batch <= batches; ++batch) {
            process.ends.push_back(
                model_.add_variable(process.name + " offset log entry " + std::to_string(batch), length, 0, false));
        }
    } else {
        process.offsets = model_.add_variable(process.name + " offset log", batches, 0, false);
    }
    process.commits = model_.add_variable(process.name + " commit log", batches + 1, 0, false);
    if (process.slots > 1 && !orders_slots(process)) {
        process.newest = model_.add_variable(process.name + " newest", static_cast<Value>(process.slots) - 1, 0, false);
    }
    if (process.temporary) {
        process.generation = model_.add_variable(process.name + " checkpoints", kIdentities, 0, false);
    }
    for (int batch = 0; process.faults.expiry && batch < model_.options.size.batches; ++batch) {
        process.gone.emplace(
            batch, model_.add_variable(process.name + " records expired, batch " + std::to_string(batch), 1, 0, false));
    }
    for (Execution& main : process.mains) {
        add_execution_variables(main, process.name + '/' + std::string(1, static_cast<char>('A' + main.slot)),
                                process.positions.largest);
    }
    for (Execution& thread : process.threads) {
        const Value points = static_cast<Value>(thread.program->points.size());
        add_execution_variables(thread,
                                process.name + '/' + std::string(1, static_cast<char>('A' + thread.slot)) + " thread " +
                                    std::to_string(thread.block) + " of batch " + std::to_string(thread.batch),
                                !process.faults.leaves_statements() ? points : 2 * points);
    }
}

}  // namespace oncecheck

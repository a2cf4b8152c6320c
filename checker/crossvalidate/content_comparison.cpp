#include "checker/crossvalidate/content_comparison.h"

#include <algorithm>
#include <set>

#include "model/pipeline/steps.h"
#include "model/runtime/row_record.h"

namespace oncecheck {

namespace {

// Rows in which a merge adds up show no single records.
std::set<const ObjectInstance*> accumulated(const HopModel& model) {
    std::set<const ObjectInstance*> found;
    for (const ProcessModel& process : model.processes) {
        const Component& component = model.pipeline->component(process.id).document;
        for_each_step(component.steps, [&](const Step& step) {
            for (const Execution& main : process.mains) {
                for (const BatchContext& context : process.contexts) {
                    if (!step.add.empty()) {
                        found.insert(&model.object(model.site(main, &context), step.target));
                    }
                }
            }
        });
    }
    return found;
}

// The columns in which a claim's values stand where the ledger has no key.
std::string column_in_run(const std::string& tag) { return tag.starts_with("key ") ? "key_" + tag.substr(4) : tag; }

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); !from.empty() && at != std::string::npos; at = text.find(from, at)) {
        text.replace(at, from.size(), to);
        at += to.size();
    }
}

}  // namespace

ContentComparison::ContentComparison(const HopSystem& hop, const RunRecord& run, const RunReading& reading,
                                     const ProgramUnits& units)
    : hop_(hop), model_(*hop.model), run_(run), reading_(reading), current_(reading.actors.size(), -1) {
    note_namings(reading, units);
    for (std::size_t index = 0; index < run.columns.size(); ++index) {
        columns_.emplace(run.columns[index], index);
    }
    for (std::size_t index = 0; index < model_.processes.size(); ++index) {
        const ProcessModel& process = model_.processes[index];
        for (const Execution& main : process.mains) {
            for (const BatchContext& context : process.contexts) {
                planes_.emplace(model_.site(main, &context).values.attempt,
                                Plane{index, main.slot, process.renders_batch_in_plane ? context.batch : -1});
            }
        }
    }
    const std::set<const ObjectInstance*> skipped = accumulated(model_);
    for (const auto& [unused, object] : model_.objects) {
        if (object.reference.scope != ObjectScope::kSession && !skipped.contains(&object) && !object.counts.empty()) {
            compared_.push_back(&object);
        }
    }
}

void ContentComparison::note_namings(const RunReading& reading, const ProgramUnits& units) {
    for (std::size_t event = 0; event < run_.events.size(); ++event) {
        const EventReading& read = reading.events[event];
        const RunEvent& happened = run_.events[event];
        if (read.actor < 0 || read.place.unit < 0) {
            continue;
        }
        const Step* step = units.all()[static_cast<std::size_t>(read.place.unit)].step;
        if (read.place.statement >= 0) {
            step = &step->body[static_cast<std::size_t>(read.place.statement)];
        }
        const int attempt = read.attempt == nullptr ? -1 : static_cast<int>(read.attempt - run_.attempts.data());
        note_naming(step->target, happened.target, {read.actor, attempt, &step->target});
        const Template& other = step->source ? *step->source : step->partner;
        note_naming(other, happened.source, {read.actor, attempt, &other});
    }
}

void ContentComparison::note_naming(const Template& name, const std::string& rendered, const Naming& by) {
    if (rendered.empty()) {
        return;
    }
    std::vector<Problem> ignored;
    const ObjectReference object = resolve_object(*model_.pipeline, name, ignored);
    const ProcessModel& process = model_.processes[reading_.actors[static_cast<std::size_t>(by.actor)].process];
    const Component& component = model_.pipeline->component(process.id).document;
    const std::string application = object.scope != ObjectScope::kApplication ? ""
                                    : component.application.empty()           ? component.name
                                                                              : component.application;
    std::vector<Naming>& known = namings_[{object.scope, object.store, application, rendered}];
    const bool is_known = std::any_of(known.begin(), known.end(), [&](const Naming& one) {
        return one.actor == by.actor && one.attempt == by.attempt && one.name == by.name;
    });
    if (!is_known) {
        known.push_back(by);
    }
}

std::optional<std::size_t> ContentComparison::column(const std::string& name) const {
    const auto found = columns_.find(name);
    return found == columns_.end() ? std::nullopt : std::optional(found->second);
}

int ContentComparison::record_of(const RunRecordEntry& entry) const {
    const auto found = std::find_if(hop_.records.begin(), hop_.records.end(), [&](const Record& record) {
        return record.log == entry.log && record.offset == entry.offset;
    });
    return found == hop_.records.end() ? -2 : static_cast<int>(found - hop_.records.begin());
}

ContentComparison::Row ContentComparison::read_row(const std::vector<SqlValue>& values) const {
    Row row;
    row.values = &values;
    const SqlValue& topic = values[column("topic").value()];
    if (!topic) {
        RowValues named;
        for (const auto& [name, place] : columns_) {
            named.emplace(name, values[place]);
        }
        const int found = record_by_columns(*model_.pipeline, run_.inputs.records, named);
        row.record = found < 0 ? -1 : record_of(run_.inputs.records[static_cast<std::size_t>(found)]);
        return row;
    }
    row.record = -2;
    const SqlValue& partition = values[column("partition").value()];
    const SqlValue& offset = values[column("offset").value()];
    for (std::size_t record = 0; record < hop_.records.size(); ++record) {
        const Record& one = hop_.records[record];
        if (model_.pipeline->component(one.log).document.name == *topic &&
            std::to_string(one.partition) == partition.value_or("") &&
            std::to_string(one.partition_offset) == offset.value_or("")) {
            row.record = static_cast<int>(record);
        }
    }
    return row;
}

// Which attempt each incarnation is at.
void ContentComparison::note_ends(std::size_t event) {
    for (; events_ <= event; ++events_) {
        const EventReading& read = reading_.events[events_];
        const RunEvent& happened = run_.events[events_];
        if (read.actor < 0) {
            continue;
        }
        int& current = current_[static_cast<std::size_t>(read.actor)];
        if (happened.attempt >= 0) {
            current = happened.attempt;
            attempted_.emplace(read.actor, run_.attempts[static_cast<std::size_t>(current)].batch);
        }
        if (happened.move.kind == MoveKind::kCommitBatch && happened.outcome == RunOutcome::kDone) {
            current = -1;
        }
    }
}

bool ContentComparison::look_at(std::size_t event) {
    note_ends(event);
    const Content& content = run_.contents[event];
    if (last_ != nullptr && *last_ == content) {
        return false;
    }
    last_ = &content;
    held_.clear();
    for (const ObjectContent& object : content) {
        const auto namings = namings_.find({object.place.scope, object.place.store, object.place.name, object.name});
        if (namings == namings_.end()) {
            continue;
        }
        Held held;
        held.namings = &namings->second;
        held.current = object.current;
        for (const std::vector<SqlValue>& row : object.rows) {
            held.rows.push_back(read_row(row));
        }
        held_.push_back(std::move(held));
    }
    return true;
}

const BatchContext* ContentComparison::context_of(const Naming& naming, const State& state, const Tracked& who) const {
    const ProcessModel& process = model_.processes[reading_.actors[static_cast<std::size_t>(naming.actor)].process];
    if (naming.attempt < 0) {
        const std::vector<const BatchContext*> first = process.contexts_on_start();
        const auto own = std::find_if(first.begin(), first.end(), [&](const BatchContext* context) {
            return context != nullptr &&
                   context->generation == reading_.generations[static_cast<std::size_t>(naming.actor)];
        });
        return own == first.end() ? nullptr : *own;
    }
    const RunAttempt& attempt = run_.attempts[static_cast<std::size_t>(naming.attempt)];
    if (who.life != Life::kAbsent && current_[static_cast<std::size_t>(naming.actor)] == naming.attempt) {
        const Execution& main = process.mains[static_cast<std::size_t>(who.slot)];
        const BatchContext& context = process.contexts[state[main.context]];
        if (context.batch == attempt.batch) {
            return &context;
        }
    }
    const auto fits = [&](const BatchContext& context) {
        return context.batch == attempt.batch && context.start == attempt.start && context.end == attempt.end &&
               context.generation == reading_.generations[static_cast<std::size_t>(naming.actor)];
    };
    const auto found = std::find_if(process.contexts.begin(), process.contexts.end(), fits);
    return found == process.contexts.end() ? nullptr : &*found;
}

const ObjectInstance* ContentComparison::object_of(const Naming& naming, const State& state,
                                                   const Hypothesis& hypothesis) {
    const Tracked& who = hypothesis.actors[static_cast<std::size_t>(naming.actor)];
    const std::size_t process = reading_.actors[static_cast<std::size_t>(naming.actor)].process;
    const BatchContext* context = context_of(naming, state, who);
    if (context == nullptr && naming.attempt >= 0) {
        return nullptr;
    }
    const int slot = std::max<int>(who.slot, 0);
    const auto [found, added] = objects_.emplace(std::tuple(process, slot, context, naming.name), nullptr);
    if (added) {
        const Execution& main = model_.processes[process].mains[static_cast<std::size_t>(slot)];
        const auto object = model_.objects.find(model_.identity_of(model_.site(main, context), *naming.name));
        found->second = object == model_.objects.end() ? nullptr : &object->second;
    }
    const ObjectInstance* object = found->second;
    if (object == nullptr || object->plane.empty()) {
        return object;
    }
    const bool lasts =
        who.life != Life::kAbsent && (model_.processes[process].renders_batch_in_plane ||
                                      current_[static_cast<std::size_t>(naming.actor)] == naming.attempt);
    return lasts ? object : nullptr;
}

// Private to attempts of which none lives: the model clears it when it gives the name to another.
bool ContentComparison::is_left_behind(const ObjectInstance& object, const Hypothesis& hypothesis) const {
    const auto found = planes_.find(object.plane);
    if (found == planes_.end()) {
        return false;
    }
    const Plane& plane = found->second;
    for (std::size_t actor = 0; actor < hypothesis.actors.size(); ++actor) {
        const Tracked& who = hypothesis.actors[actor];
        if (reading_.actors[actor].process == plane.process && who.life != Life::kAbsent && who.slot == plane.slot &&
            (plane.batch < 0 || attempted_.contains({static_cast<int>(actor), plane.batch}))) {
            return false;
        }
    }
    return true;
}

ContentComparison::Contained ContentComparison::contained(const State& state, const Hypothesis& hypothesis) {
    Contained found;
    for (const Held& held : held_) {
        std::set<const ObjectInstance*> objects;
        for (const Naming& naming : *held.namings) {
            if (const ObjectInstance* object = object_of(naming, state, hypothesis)) {
                objects.insert(object);
            }
        }
        for (const ObjectInstance* object : objects) {
            found[object].push_back(&held);
        }
    }
    return found;
}

// UUIDs of queries and attempts become what the model calls them.
std::string ContentComparison::in_model_terms(std::string value, const Hypothesis& hypothesis) const {
    for (const RunAttempt& attempt : run_.attempts) {
        const auto actor = std::find_if(reading_.actors.begin(), reading_.actors.end(), [&](const Actor& one) {
            return model_.processes[one.process].id == attempt.process && one.incarnation == attempt.incarnation;
        });
        if (actor == reading_.actors.end()) {
            continue;
        }
        const auto number = static_cast<std::size_t>(actor - reading_.actors.begin());
        const ProcessModel& process = model_.processes[actor->process];
        const int slot = std::max<int>(hypothesis.actors[number].slot, 0);
        BatchContext context;
        context.batch = attempt.batch;
        context.generation = reading_.generations[number];
        const Site site = model_.site(process.mains[static_cast<std::size_t>(slot)], &context);
        replace_all(value, attempt.query, site.values.query);
        replace_all(value, attempt.attempt, site.values.attempt);
    }
    return value;
}

bool ContentComparison::is_of_class(const Row& row, const RowClass& of, const std::vector<std::string>& tags,
                                    const Hypothesis& hypothesis) const {
    if (row.record != of.record) {
        return false;
    }
    return std::all_of(tags.begin(), tags.end(), [&](const std::string& tag) {
        const std::optional<std::size_t> place = column(column_in_run(tag));
        const SqlValue value = place ? (*row.values)[*place] : std::nullopt;
        const auto expected = of.tags.find(tag);
        if (expected == of.tags.end()) {
            return !value.has_value();
        }
        return expected->second.find("<moment ") != std::string::npos ||
               (value && (*value == expected->second || in_model_terms(*value, hypothesis) == expected->second));
    });
}

std::string ContentComparison::describe(const Row& row) const {
    std::string text = row.record >= 0 ? hop_.records[static_cast<std::size_t>(row.record)].label : "a row";
    for (const auto& [name, place] : columns_) {
        const SqlValue& value = (*row.values)[place];
        text += value ? ' ' + name + '=' + *value : "";
    }
    return text;
}

std::optional<std::string> ContentComparison::difference(const ObjectInstance& object,
                                                         const std::vector<const Held*>& held, const State& state,
                                                         const Hypothesis& hypothesis) const {
    std::set<std::string> names;
    for (const RowClass& row : object.classes) {
        for (const auto& [tag, unused] : row.tags) {
            names.insert(tag);
        }
    }
    const std::vector<std::string> tags(names.begin(), names.end());
    std::map<VariableId, Value> counted;
    for (const Held* contents : held) {
        for (const Row& row : contents->rows) {
            const auto found = std::find_if(object.counts.begin(), object.counts.end(), [&](const auto& one) {
                return is_of_class(row, one.first, tags, hypothesis);
            });
            if (found == object.counts.end()) {
                return object.identity + " holds what it never does in the model: " + describe(row);
            }
            ++counted[found->second];
        }
    }
    for (const auto& [row, variable] : object.counts) {
        const Value there = std::min(counted[variable], object.cap);
        if (there != state[variable]) {
            return hop_.system.variables[variable].name + ' ' + std::to_string(counted[variable]) +
                   " times, in the model " + std::to_string(state[variable]) +
                   (state[variable] == object.cap ? " or more" : "");
        }
    }
    return std::nullopt;
}

std::set<const ObjectInstance*> ContentComparison::targets_of(const std::vector<Early>& early, const State& state,
                                                              const Hypothesis& hypothesis) {
    std::set<const ObjectInstance*> targets;
    for (const Early& unit : early) {
        const auto add = [&](const Step& step) {
            targets.insert(object_of({unit.actor, unit.attempt, &step.target}, state, hypothesis));
        };
        if (unit.step->verb == Verb::kTransaction) {
            std::for_each(unit.step->body.begin(), unit.step->body.end(), add);
        } else {
            add(*unit.step);
        }
    }
    return targets;
}

std::optional<std::string> ContentComparison::difference(const State& state, const Hypothesis& hypothesis,
                                                         const std::vector<Early>& early) {
    const Contained contents = contained(state, hypothesis);
    const std::set<const ObjectInstance*> excused = targets_of(early, state, hypothesis);
    for (const ObjectInstance* object : compared_) {
        if (excused.contains(object) || is_left_behind(*object, hypothesis)) {
            continue;
        }
        const auto found = contents.find(object);
        const std::vector<const Held*> held = found == contents.end() ? std::vector<const Held*>{} : found->second;
        if (!std::all_of(held.begin(), held.end(), [](const Held* one) { return one->current; })) {
            continue;
        }
        if (const auto different = difference(*object, held, state, hypothesis)) {
            return different;
        }
    }
    return std::nullopt;
}

}  // namespace oncecheck

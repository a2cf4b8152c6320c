#include "model/semantics/hop_objects.h"

#include <algorithm>

#include "model/pipeline/graph.h"
#include "model/pipeline/steps.h"
#include "model/semantics/statements.h"

namespace oncecheck {

namespace {

const std::set<std::string> kCoordinates = {"topic", "partition", "offset"};

void find_columns(HopModel& model) {
    Columns& columns = model.columns;
    bool some_key_declared = false;
    for (const ProcessModel& process : model.processes) {
        for (const ComponentId log : process.logs) {
            const std::optional<Records>& records = model.pipeline->component(log).document.records;
            if (!records) {
                continue;
            }
            some_key_declared = some_key_declared || !records->key.empty();
            for (const auto& [column, meaning] : {std::pair{records->id, "id"}, std::pair{records->key, "key"},
                                                  std::pair{records->version, "version"}}) {
                if (!column.empty()) {
                    columns.record_columns.emplace(column, meaning);
                }
            }
        }
    }
    columns.unknown_is_key = !some_key_declared;
    for (const ProcessModel& process : model.processes) {
        const Component& component = model.pipeline->component(process.id).document;
        for (const Program* program : {&component.on_start, &component.steps, &component.on_error}) {
            for_each_step(*program, [&](const Step& step) {
                for (const auto& [column, unused] : step.where) {
                    columns.relevant.insert(column);
                }
                columns.relevant.insert(step.on.begin(), step.on.end());
                if (!step.partition.empty()) {
                    columns.relevant.insert(step.partition);
                }
                for (const auto& [column, unused] : step.set) {
                    if (step.has_values) {
                        columns.relevant.insert(column);
                    }
                }
            });
        }
    }
    for (const PipelineComponent& component : model.pipeline->components) {
        for (const DeclaredObject& object : component.document.objects) {
            columns.relevant.insert(object.primary_key.begin(), object.primary_key.end());
            for (const std::vector<std::string>& key : object.unique) {
                columns.relevant.insert(key.begin(), key.end());
            }
        }
    }
}

// Columns that some step sets on the way to a table, by any step of the hop.
std::set<std::string> set_columns(const HopModel& model) {
    std::set<std::string> found;
    for (const ProcessModel& process : model.processes) {
        for_each_step(model.pipeline->component(process.id).document.steps, [&](const Step& step) {
            for (const auto& [column, unused] : step.set) {
                found.insert(column);
            }
        });
    }
    return found;
}

void check_columns(const HopModel& model) {
    const std::set<std::string> set = set_columns(model);
    std::vector<Problem> problems;
    for (const ProcessModel& process : model.processes) {
        for_each_site(model, process, [&](const Site& site, const Step& step) {
            if (!takes_in_records(step)) {
                return;
            }
            std::vector<std::string> columns = step.verb == Verb::kMerge || step.verb == Verb::kDelete
                                                   ? match_columns(step, model.object(site, step.target))
                                                   : std::vector<std::string>{};
            for (const auto& key : model.object(site, step.target).unique_keys) {
                columns.insert(columns.end(), key.begin(), key.end());
            }
            for (const std::string& column : columns) {
                if (kCoordinates.contains(column) || set.contains(column) || model.columns.unknown_is_key ||
                    model.columns.record_columns.contains(column)) {
                    continue;
                }
                Problem problem{"unknown-column", step.position, "no row has a column '" + column + "'",
                                "a column named in `records` or in `set`, or topic, partition, offset",
                                "name it in the `records` of the log"};
                if (std::find(problems.begin(), problems.end(), problem) == problems.end()) {
                    problems.push_back(std::move(problem));
                }
            }
            if (step.verb == Verb::kMerge && columns.empty()) {
                Problem problem{"merge-key", step.position, "the merge has no key to match on",
                                "`on`, or a primary key of the target", ""};
                if (std::find(problems.begin(), problems.end(), problem) == problems.end()) {
                    problems.push_back(std::move(problem));
                }
            }
        });
    }
    if (!problems.empty()) {
        throw InputError(std::move(problems));
    }
}

ObjectInstance& instance(HopModel& model, const Site& site, const Template& name) {
    const std::string identity = model.identity_of(site, name);
    const auto [found, added] = model.objects.emplace(identity, ObjectInstance{});
    ObjectInstance& object = found->second;
    if (!added) {
        return object;
    }
    std::vector<Problem> ignored;
    object.identity = identity;
    object.reference = resolve_object(*model.pipeline, name, ignored);
    if (object.reference.scope == ObjectScope::kSession) {
        object.plane = "session " + site.session;
    } else if (identity.find(site.values.attempt) != std::string::npos) {
        object.plane = site.values.attempt;
    }
    const DeclaredObject* declared = declaration_of(*model.pipeline, object.reference);
    if (declared != nullptr &&
        model.pipeline->component(object.reference.store).settings.meaning("enforces_keys") == "yes") {
        object.keyed = !declared->primary_key.empty();
        if (object.keyed) {
            object.unique_keys.push_back(declared->primary_key);
        }
        object.unique_keys.insert(object.unique_keys.end(), declared->unique.begin(), declared->unique.end());
    }
    if (!object.unique_keys.empty()) {
        object.cap = 1;
    }
    return object;
}

void note_use(HopModel& model, const Site& site, const Step& step) {
    if (step.verb == Verb::kCommitOffsets) {
        model.progress_marks.emplace(
            model.identity_of(site, step.target) + '/' + model.process_of(*site.execution).name, 0);
    }
    if (!targets_object(step)) {
        return;
    }
    ObjectInstance& target = instance(model, site, step.target);
    if (step.verb == Verb::kCreate) {
        target.initially = false;
    } else if (step.verb == Verb::kDrop) {
        target.may_vanish = true;
    } else if (step.verb == Verb::kCount && target.unique_keys.empty()) {
        target.cap = std::max<Value>(target.cap, static_cast<Value>(model.options.size.records) + 1);
    }
    if (step.verb == Verb::kMerge && !step.add.empty()) {
        target.cap = std::max<Value>(target.cap, 2);  // a row of the target counts records
    }
    if (step.source) {
        instance(model, site, *step.source);
    }
    if (!step.partner.text.empty()) {
        instance(model, site, step.partner);
    }
}

class RowSpreader {
  public:
    explicit RowSpreader(HopModel& model) : model_(model) {}

    // One round over all steps; true if some object got a new row class.
    bool round() {
        changed_ = false;
        for (const ProcessModel& process : model_.processes) {
            for_each_site(model_, process, [&](const Site& site, const Step& step) { spread(site, step); });
        }
        return changed_;
    }

  private:
    void add(const Site& site, const Template& name, RowClass row) {
        changed_ = instance(model_, site, name).classes.insert(std::move(row)).second || changed_;
    }

    RowClass with_set(const Site& site, const Step& step, RowClass row) const {
        for (const auto& [column, value] : step.set) {
            if (model_.columns.relevant.contains(column)) {
                row.tags.insert_or_assign(column, column_value(value, site));
            }
        }
        return row;
    }

    void spread(const Site& site, const Step& step) {
        if (step.verb == Verb::kClaim) {
            add(site, step.target, claimed_row(step, instance(model_, site, step.target), site));
        } else if (step.verb == Verb::kSwap) {
            exchange(site, step);
        } else if (step.has_values) {
            add(site, step.target, with_set(site, step, {}));
        } else if (step.source && takes_in_records(step)) {
            const std::set<RowClass> rows = instance(model_, site, *step.source).classes;
            for (const RowClass& row : rows) {
                add(site, step.target, with_set(site, step, row));
            }
        } else if (takes_in_records(step) && site.context != nullptr) {
            for (const int record : model_.batch_records(model_.process_of(*site.execution), *site.context)) {
                add(site, step.target, with_set(site, step, {record, {}}));
            }
        }
    }

    void exchange(const Site& site, const Step& step) {
        ObjectInstance& one = instance(model_, site, step.target);
        ObjectInstance& other = instance(model_, site, step.partner);
        one.cap = other.cap = std::max(one.cap, other.cap);
        const std::set<RowClass> left = instance(model_, site, step.target).classes;
        const std::set<RowClass> right = instance(model_, site, step.partner).classes;
        for (const RowClass& row : left) {
            add(site, step.partner, row);
        }
        for (const RowClass& row : right) {
            add(site, step.target, row);
        }
    }

    HopModel& model_;
    bool changed_ = false;
};

}  // namespace

void for_each_site(const HopModel& model, const ProcessModel& process,
                   const std::function<void(const Site&, const Step&)>& visit) {
    const Component& component = model.pipeline->component(process.id).document;
    for (const Execution& main : process.mains) {
        for (const BatchContext* context : process.contexts_on_start()) {
            const Site before = model.site(main, context);
            for_each_step(component.on_start, [&](const Step& step) { visit(before, step); });
        }
        for (const BatchContext& context : process.contexts) {
            const Site site = model.site(main, &context);
            for_each_step(component.steps, [&](const Step& step) { visit(site, step); });
            for_each_step(component.on_error, [&](const Step& step) { visit(site, step); });
        }
    }
}

void find_objects(HopModel& model) {
    find_columns(model);
    for (const ProcessModel& process : model.processes) {
        for_each_site(model, process, [&](const Site& site, const Step& step) { note_use(model, site, step); });
    }
    RowSpreader spreader(model);
    while (spreader.round()) {
    }
    check_columns(model);
}

void add_object_variables(HopModel& model) {
    for (auto& [identity, object] : model.objects) {
        if (!object.initially || object.may_vanish) {
            object.exists = model.add_variable(identity + " exists", 1, object.initially ? 1 : 0, false);
        }
        for (const RowClass& row : object.classes) {
            std::string name = identity + " has ";
            name += row.record >= 0 ? model.universe.records[static_cast<std::size_t>(row.record)].label : "row";
            for (const auto& [column, value] : row.tags) {
                name += ' ' + column + '=' + value;
            }
            object.counts.emplace(row, model.add_variable(name, object.cap, 0, false));
        }
    }
    const Value length = static_cast<Value>(model.options.size.batches * model.options.size.records);
    for (auto& [identity, variable] : model.progress_marks) {
        variable = model.add_variable("position in " + identity, length, 0, false);
    }
}

}  // namespace oncecheck

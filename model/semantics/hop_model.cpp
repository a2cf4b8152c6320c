#include "model/semantics/hop_model.h"

#include <algorithm>

namespace oncecheck {

VariableId HopModel::add_variable(const std::string& name, Value largest, Value initial, bool control) {
    system.variables.push_back({name, std::max<Value>(largest, 1), initial, control});
    return static_cast<VariableId>(system.variables.size() - 1);
}

std::vector<const BatchContext*> ProcessModel::contexts_on_start() const {
    if (!temporary) {
        return {nullptr};
    }
    std::vector<const BatchContext*> found;
    for (const BatchContext& context : contexts) {
        if (context.batch == 0) {
            found.push_back(&context);
        }
    }
    return found;
}

Site HopModel::site(const Execution& execution, const BatchContext* context) const {
    const ProcessModel& process = processes[execution.process];
    const PipelineComponent& component = pipeline->component(process.id);
    const std::string slot(1, static_cast<char>('A' + execution.slot));
    Site site;
    site.execution = &execution;
    site.context = context;
    site.session = process.name + '/' + slot;
    site.application =
        (component.document.application.empty() ? process.name : component.document.application) + '/' + slot;
    site.values.settings = &component.settings;
    site.values.query = "<query " + process.name + ">";
    site.values.instance = std::to_string(execution.slot % process.planned);
    site.values.attempt = "<attempt " + site.session + ">";
    if (context == nullptr) {
        return site;
    }
    if (context->generation > 0) {
        site.values.query = (context->generation == 1 ? "<new query " : "<newest query ") + process.name + '>';
    }
    site.values.batch = std::to_string(context->batch);
    site.values.start_offset = std::to_string(context->start);
    site.values.end_offset = std::to_string(context->end);
    site.values.moment = "<moment " + std::to_string(context->moment) + ">";
    if (process.renders_batch_in_plane) {
        site.values.attempt = "<attempt " + site.session + site.values.batch + ">";
    }
    return site;
}

std::string HopModel::identity_of(const Site& site, const Template& name) const {
    std::vector<Problem> ignored;
    return identity(*pipeline, resolve_object(*pipeline, name, ignored), site.values, site.session, site.application);
}

std::string HopModel::uncut_name(const Site& site, const Template& name) const {
    std::vector<Problem> ignored;
    const ObjectReference object = resolve_object(*pipeline, name, ignored);
    NamingRules rules = naming_rules(*pipeline, object);
    rules.longest.reset();
    return std::to_string(object.store) + '.' + render(object.name, rules, site.values).text;
}

const ObjectInstance& HopModel::object(const Site& site, const Template& name) const {
    return objects.at(identity_of(site, name));
}

std::vector<int> HopModel::batch_records(const ProcessModel& process, const BatchContext& context) const {
    std::vector<int> found;
    for (const int index : followed) {
        const Record& record = universe.records[static_cast<std::size_t>(index)];
        const bool reads = std::find(process.logs.begin(), process.logs.end(), record.log) != process.logs.end();
        if (reads && record.offset >= context.start && record.offset < context.end) {
            found.push_back(index);
        }
    }
    return found;
}

std::vector<const Execution*> HopModel::executions() const {
    std::vector<const Execution*> found;
    for (const ProcessModel& process : processes) {
        for (const Execution& main : process.mains) {
            found.push_back(&main);
        }
        for (const Execution& thread : process.threads) {
            found.push_back(&thread);
        }
    }
    return found;
}

ActionEvent event_of(EventKind kind, const BatchContext* context) {
    ActionEvent event;
    event.kind = kind;
    if (context != nullptr) {
        event.batch = context->batch;
        event.start = context->start;
        event.end = context->end;
        event.generation = context->generation;
    }
    return event;
}

std::string column_value(const Template& value, const Site& site) {
    return render(value, NamingRules{}, site.values).text;
}

std::string key_of(const RowClass& row, const std::vector<std::string>& columns, const Columns& names,
                   const std::vector<Record>& records, const Pipeline& pipeline) {
    std::string key;
    for (const std::string& column : columns) {
        key += '|';
        const auto tag = row.tags.find(column);
        if (tag != row.tags.end()) {
            key += tag->second;
            continue;
        }
        if (row.record < 0) {
            key += "null";
            continue;
        }
        const Record& record = records[static_cast<std::size_t>(row.record)];
        const auto named = names.record_columns.find(column);
        const std::string meaning =
            named != names.record_columns.end() ? named->second : (names.unknown_is_key ? "key" : "id");
        if (column == "topic") {
            key += pipeline.component(record.log).document.name;
        } else if (column == "partition") {
            key += "p" + std::to_string(record.partition);
        } else if (column == "offset") {
            key += "o" + std::to_string(record.partition_offset);
        } else if (meaning == "key") {
            key += "k" + std::to_string(record.key);
        } else {
            key += "r" + std::to_string(row.record);  // an id or a version: no two records agree
        }
    }
    return key;
}

}  // namespace oncecheck

#include "model/document/component_reader.h"

#include <filesystem>
#include <set>
#include <utility>

#include "model/document/assumptions_reader.h"
#include "model/document/config_file.h"
#include "model/document/source_text.h"
#include "model/document/sql_reader.h"
#include "model/document/step_reader.h"

namespace oncecheck {

namespace {

// The name that a key gives.
Template read_key(const JsonMember& json, Reading& reading) {
    if (json.key.empty()) {
        reading.problem("value", json.key_where, "this key is empty", "a name");
    }
    return parse_template(json.key, json.key_where, reading.problems);
}

// ---- what a process reads and writes

constexpr Member<Connection> kConnection[] = {
    {"config", member<&Connection::config, read_settings>},
    {"where", nullptr},
};

std::vector<Connection> read_connections(const JsonValue& value, Reading& reading) {
    std::vector<Connection> connections;
    if (!value.is_object()) {
        for (Template& object : read_templates(value, reading)) {
            const SourcePosition position = object.where;
            connections.push_back({std::move(object), {}, position});
        }
    }
    for (const JsonMember& json : value.members) {
        Connection connection{read_key(json, reading), {}, json.key_where};
        read_object(connection, json.value, kConnection, reading);
        connections.push_back(std::move(connection));
    }
    return connections;
}

// ---- how a process cuts batches and changes records

constexpr Member<Component> kBatchBy[] = {
    {"rows", [](Component& component, const JsonValue& value,
                Reading& reading) { component.batch_rows = read_positive(value, reading); }},
    {"interval", nullptr},
};

void read_batch_by(Component& component, const JsonValue& value, Reading& reading) {
    constexpr const char* kExpected = "{\"rows\": 500}";
    if (value.is_object()) {
        read_object(component, value, kBatchBy, reading);
        if (value.members.empty()) {
            require_key(value, "rows", reading);
        }
    } else if (value.is_string()) {
        const bool known = value.text == "poll";
        reading.problem(
            known ? "unsupported" : "value", value.where,
            known ? "this version does not support batches cut by polls" : in_quotes(value.text) + " is not known here",
            kExpected);
    } else {
        reading.wrong_type(value, kExpected);
    }
}

void read_uses(Transform& transform, const JsonValue& value, Reading& reading) {
    for (const std::string& use : read_names(value, reading)) {
        if (use == "now") {
            transform.uses_now = true;
        } else if (use == "random") {
            transform.uses_random = true;
        } else if (!use.empty()) {
            unknown_word(use, value.where, {"now", "random"}, {}, reading);
        }
    }
}

constexpr Member<Transform> kTransform[] = {
    {"aggregate", member<&Transform::aggregate, read_names>},
    {"lookup", member<&Transform::lookup, read_name>},
    {"uses", read_uses},
};

void read_transform(Component& component, const JsonValue& value, Reading& reading) {
    read_object(component.transform.emplace(), value, kTransform, reading);
}

// ---- programs

// The key under which the program stands is the last part of the pointer. False, with a problem, if it is the second.
bool take_program_key(Component& component, const JsonValue& value, Reading& reading) {
    const std::string& pointer = value.where.pointer;
    const std::string key = pointer.substr(pointer.rfind('/') + 1);
    if (!component.steps_key.empty()) {
        reading.problem("conflict", value.where,
                        "a process has one program, and '" + component.steps_key + "' and '" + key + "' are two",
                        "one of them");
        return false;
    }
    component.steps_key = key;
    return true;
}

void read_steps(Component& component, const JsonValue& value, Reading& reading) {
    if (take_program_key(component, value, reading)) {
        component.steps = read_program(value, reading);
    }
}

// The file is read when all members are known: its names depend on what the process writes.
void read_sql(Component& component, const JsonValue& value, Reading& reading) {
    if (take_program_key(component, value, reading)) {
        component.sql_file = read_name(value, reading);
    }
}

// The one store that the process writes: the longest component that is a prefix of every name. Empty: none or several.
std::string written_store(const Component& component, const Reading& reading) {
    std::set<std::string> stores;
    for (const Connection& connection : component.writes) {
        const std::string& name = connection.object.text;
        std::string store;
        for (const std::string& candidate : reading.components) {
            const bool is_prefix =
                name.starts_with(candidate) &&
                (name.size() == candidate.size() || name[candidate.size()] == '.' || name[candidate.size()] == '/');
            store = is_prefix && candidate.size() > store.size() ? candidate : store;
        }
        stores.insert(store);
    }
    return stores.size() == 1 ? *stores.begin() : "";
}

void load_sql(Component& component, const JsonValue& named, Reading& reading) {
    if (component.sql_file.empty()) {
        return;
    }
    if (!component.sql_file.ends_with(".sql")) {
        reading.problem("unsupported", named.where, "this is no SQL file", "the name of a .sql file");
        return;
    }
    component.sql_file = (std::filesystem::path(reading.folder) / component.sql_file).string();
    if (std::optional<std::string> text = reading.named_files(component.sql_file, named.where, reading.problems)) {
        component.sql_text = std::move(*text);
        const SqlSurroundings surroundings{written_store(component, reading), reading.components, named.where.pointer,
                                           reading.steps_left};
        component.steps = read_sql_program(component.sql_text, component.sql_file, surroundings, reading.problems);
    }
}

// ---- what a store holds

std::vector<std::vector<std::string>> read_unique(const JsonValue& value, Reading& reading) {
    const bool several = value.is_array() && !value.items.empty() && value.items.front().is_array();
    if (!several) {
        return {read_names(value, reading)};
    }
    std::vector<std::vector<std::string>> keys;
    for (const JsonValue& item : value.items) {
        if (item.is_array()) {
            keys.push_back(read_names(item, reading));
        } else {
            reading.wrong_type(item, "a list of columns, as the others are");
        }
    }
    return keys;
}

constexpr Member<DeclaredObject> kDeclaredObject[] = {
    {"primary_key", member<&DeclaredObject::primary_key, read_names>},
    {"unique", member<&DeclaredObject::unique, read_unique>},
    {"view", member<&DeclaredObject::view, read_boolean>},
    {"exclusive", member<&DeclaredObject::exclusive, read_boolean>},
    {"config", member<&DeclaredObject::config, read_settings>},
};

void read_declared_objects(Component& component, const JsonValue& value, Reading& reading) {
    if (!value.is_object()) {
        reading.wrong_type(value, "an object from names to tables or topics");
    }
    for (const JsonMember& json : value.members) {
        DeclaredObject object;
        object.name = read_key(json, reading);
        object.where = json.key_where;
        read_object(object, json.value, kDeclaredObject, reading);
        component.objects.push_back(std::move(object));
    }
}

constexpr Member<Records> kRecords[] = {
    {"id", member<&Records::id, read_name>},
    {"key", member<&Records::key, read_name>},
    {"key_space", member<&Records::key_space, read_name>},
    {"version", member<&Records::version, read_name>},
    {"ordered_by", member<&Records::ordered_by, read_name>},
    {"key_repeats", choice<&Records::key_repeats, kKeyRepeatsNames>},
};

void read_records(Component& component, const JsonValue& value, Reading& reading) {
    Records& records = component.records.emplace();
    records.where = value.where;
    read_object(records, value, kRecords, reading);
}

// ---- what a reconciliation compares

Reconciliation& reconciliation_of(Component& component, const JsonValue& value) {
    if (!component.reconciliation) {
        component.reconciliation.emplace().where = value.where;
    }
    return *component.reconciliation;
}

void read_compares(Component& component, const JsonValue& value, Reading& reading) {
    constexpr const char* kExpected = "[source, sink]: the name of a log and of a table";
    Reconciliation& reconciliation = reconciliation_of(component, value);
    if (!value.is_array()) {
        reading.wrong_type(value, kExpected);
    } else if (value.items.size() != 2) {
        reading.problem("value", value.where, "a reconciliation compares two things", kExpected);
    } else {
        reconciliation.compares = read_templates(value, reading);
    }
}

void read_by(Component& component, const JsonValue& value, Reading& reading) {
    Reconciliation& reconciliation = reconciliation_of(component, value);
    if (const auto by = read_choice(value, kComparedByNames, kUnsupportedComparedBy, reading)) {
        reconciliation.by = *by;
    }
}

template <auto kTime>
void read_time_of_reconciliation(Component& component, const JsonValue& value, Reading& reading) {
    reconciliation_of(component, value).*kTime = read_duration(value, reading);
}

// ---- settings in two places

void read_type(Component& component, const JsonValue& value, Reading& reading) {
    component.type = read_name(value, reading);
    component.type_where = value.where;
}

void read_assume(Component& component, const JsonValue& value, Reading& reading) {
    read_assumptions(component.assume, value, reading);
}

void read_run_by(Component& component, const JsonValue& value, Reading& reading) {
    component.run_by = read_name(value, reading);
    component.run_by_where = value.where;
}

// Adds the settings of the configuration file to those of the document.
void merge_config_file(Component& component, const JsonValue& named, Reading& reading) {
    if (component.config_file.empty()) {
        return;
    }
    const std::string path = (std::filesystem::path(reading.folder) / component.config_file).string();
    for (auto& [name, setting] : read_config_file(path, named.where, reading.problems, reading.named_files)) {
        const auto [existing, added] = component.config.try_emplace(name, setting);
        if (!added) {
            reading.problem("setting-twice", existing->second.where,
                            "the setting " + in_quotes(name) + " is here and in " + to_string(setting.where),
                            "each setting in one place");
        }
    }
}

constexpr Member<Component> kComponent[] = {
    {"type", read_type},
    {"version", member<&Component::version, read_name>},
    {"config", member<&Component::config, read_settings>},
    {"config_file", member<&Component::config_file, read_name>},
    {"assume", read_assume},
    {"reads", member<&Component::reads, read_connections>},
    {"writes", member<&Component::writes, read_connections>},
    {"batch_by", read_batch_by},
    {"steps", read_steps},
    {"foreachBatch", read_steps},
    {"foreach", nullptr},
    {"sql", read_sql},
    {"on_start", member<&Component::on_start, read_program>},
    {"on_error", member<&Component::on_error, read_program>},
    {"resume_from", member<&Component::resume_from, read_name>},
    {"transform", read_transform},
    {"instances", member<&Component::instances, read_positive>},
    {"run_by", read_run_by},
    {"application", member<&Component::application, read_name>},
    {"tables", read_declared_objects},
    {"topics", read_declared_objects},
    {"cluster", member<&Component::cluster, read_name>},
    {"location", member<&Component::location, read_name>},
    {"records", read_records},
    {"compares", read_compares},
    {"by", read_by},
    {"window", read_time_of_reconciliation<&Reconciliation::window>},
    {"lateness", read_time_of_reconciliation<&Reconciliation::lateness>},
};

}  // namespace

Component read_component(const std::string& name, const JsonValue& value, Reading& reading) {
    Component component;
    component.name = name;
    component.where = value.where;
    if (name.empty()) {
        reading.problem("value", value.where, "a component has a name", "a key that is not empty");
    }
    if (value.is_string()) {
        read_type(component, value, reading);
        return component;
    }
    if (!value.is_object()) {
        reading.wrong_type(value, "an object, or a string that is the type");
        return component;
    }
    read_members(component, value, {kComponent}, reading);
    require_key(value, "type", reading);
    if (const JsonValue* named = value.find("config_file")) {
        merge_config_file(component, *named, reading);
    }
    if (const JsonValue* named = value.find("sql")) {
        load_sql(component, *named, reading);
    }
    return component;
}

}  // namespace oncecheck

#include "model/catalogue/catalogue_reader.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <stdexcept>

#include "model/catalogue/json_object.h"
#include "model/catalogue/meanings.h"
#include "model/catalogue/setting_value.h"

namespace oncecheck {

namespace {

using nlohmann::json;

constexpr int kMaxDepth = 16;

constexpr std::pair<const char*, Role> kRoles[] = {
    {"process", Role::kProcess}, {"store", Role::kStore}, {"runner", Role::kRunner}, {"observer", Role::kObserver}};

constexpr std::pair<const char*, Protocol> kProtocols[] = {
    {"none", Protocol::kNone}, {"micro-batch", Protocol::kMicroBatch}, {"producer", Protocol::kProducer},
    {"log", Protocol::kLog},   {"tables", Protocol::kTables},          {"reconciliation", Protocol::kReconciliation}};

constexpr std::pair<const char*, SettingType> kSettingTypes[] = {{"string", SettingType::kString},
                                                                 {"boolean", SettingType::kBoolean},
                                                                 {"integer", SettingType::kInteger},
                                                                 {"duration", SettingType::kDuration},
                                                                 {"enumeration", SettingType::kEnumeration}};

constexpr const char* kAssumedTimes[] = {"max_outage",        "min_restart_delay",       "max_pause",
                                         "max_retry_horizon", "max_checkpoint_duration", "max_event_age"};

// ---------- settings

void read_default(JsonObject object, SettingSpec& spec) {
    VersionedDefault entry;
    entry.since = object.optional_string("since");
    const json* const value = object.get("value");
    if (value == nullptr) {
        object.problem("value", "'value' is missing", "a string or null");
    } else if (!value->is_null()) {
        entry.value = object.optional_string("value");
        if (!parse_setting_value(spec, *entry.value)) {
            object.problem("value", "the default does not fit its setting", describe_type(spec));
        }
    }
    if (!spec.defaults.empty() && compare_versions(spec.defaults.back().since, entry.since) >= 0) {
        object.problem("since", "defaults stand oldest first", "a version after " + spec.defaults.back().since);
    }
    object.finish();
    spec.defaults.push_back(std::move(entry));
}

SettingSpec read_setting(const std::string& name, JsonObject object) {
    SettingSpec spec;
    spec.name = name;
    spec.type = object.word("type", kSettingTypes);
    spec.unit = object.optional_string("unit");
    spec.values = object.strings("values");
    spec.meaning = object.required_string("meaning");
    spec.source = object.required_string("source");
    if ((spec.type == SettingType::kEnumeration) == spec.values.empty()) {
        object.problem("values", "an enumeration has values, and nothing else has");
    }
    if (spec.type == SettingType::kDuration && !parse_vendor_duration("1", spec.unit)) {
        object.problem("unit", "a duration needs a unit of time", "ms, s, min, h or d");
    }
    for (JsonObject& entry : object.objects("defaults")) {
        read_default(entry, spec);
    }
    object.finish();
    return spec;
}

// ---------- formulas

bool is_assumed_time(const std::string& name) {
    return name.starts_with("assume.") &&
           std::find(std::begin(kAssumedTimes), std::end(kAssumedTimes), name.substr(7)) != std::end(kAssumedTimes);
}

Formula read_formula(JsonObject& object, const std::string& key, const ComponentType& type) {
    const std::string text = object.required_string(key);
    try {
        Formula formula = Formula::parse(text);
        for (const std::string& name : formula.names()) {
            if (name != "version" && !is_assumed_time(name) && !type.settings.contains(name)) {
                object.problem(key, "the formula names '" + name + "', which is no setting of " + type.name,
                               "a setting, `version`, or `assume.` and a time");
            }
        }
        return formula;
    } catch (const std::invalid_argument& error) {
        if (!text.empty()) {
            object.problem(key, std::string("the formula does not parse: ") + error.what());
        }
        return Formula(Formula::Node{});
    }
}

// ---------- meanings

void check_value(JsonObject& object, const std::string& key, const std::string& value,
                 const RequiredMeaning* required) {
    if (required == nullptr || value.empty() || is_allowed(*required, value)) {
        return;
    }
    std::string expected;
    for (const std::string_view allowed : required->values) {
        expected += (expected.empty() ? "" : ", ") + std::string(allowed);
    }
    object.problem(key, "'" + value + "' is no value of this meaning",
                   expected.empty() ? "a positive whole number" : expected);
}

SemanticsSpec read_meaning(const std::string& name, JsonObject object, const ComponentType& type) {
    const RequiredMeaning* const required = find_required_meaning(type.protocol, name);
    SemanticsSpec spec;
    spec.name = name;
    for (JsonObject& entry : object.objects("cases")) {
        Formula when = read_formula(entry, "when", type);
        std::string value = entry.required_string("value");
        check_value(entry, "value", value, required);
        spec.cases.push_back({std::move(when), std::move(value), entry.required_string("source")});
        entry.finish();
    }
    spec.otherwise = object.required_string("otherwise");
    check_value(object, "otherwise", spec.otherwise, required);
    spec.source = object.required_string("source");
    object.finish();
    return spec;
}

void check_required_meanings(const ComponentType& type, ProblemSink& sink) {
    for (const RequiredMeaning& required : required_meanings()) {
        if (required.protocol == type.protocol && !type.semantics.contains(std::string(required.name))) {
            sink.add("/meanings", "the protocol needs the meaning '" + std::string(required.name) + "'");
        }
    }
}

// ---------- conditions

void read_condition(JsonObject object, ComponentType& type) {
    ConditionSpec spec{object.required_string("id"), read_formula(object, "formula", type),
                       object.optional_string("excludes"), object.required_string("consequence"),
                       object.required_string("source")};
    const bool twice = std::any_of(type.conditions.begin(), type.conditions.end(),
                                   [&](const ConditionSpec& other) { return other.id == spec.id; });
    if (twice) {
        object.problem("id", "there is another condition '" + spec.id + "'");
    }
    object.finish();
    type.conditions.push_back(std::move(spec));
}

// ---------- the file

void read_versions(JsonObject& object, ComponentType& type) {
    type.versions = object.strings("versions");
    type.assumed_version = object.required_string("assumed_version");
    const auto older = [](const std::string& a, const std::string& b) { return compare_versions(a, b) < 0; };
    if (!std::is_sorted(type.versions.begin(), type.versions.end(), older)) {
        object.problem("versions", "versions stand oldest first");
    }
    if (std::find(type.versions.begin(), type.versions.end(), type.assumed_version) == type.versions.end()) {
        object.problem("assumed_version", "this is none of the versions");
    }
}

void check_place(JsonObject& object, const ComponentType& type) {
    const std::filesystem::path path(type.file);
    if (path.stem() != type.name) {
        object.problem("type", "the file is named after another type", path.stem().string());
    }
    if (path.parent_path().filename() != type.vendor) {
        object.problem("vendor", "the folder is named after another vendor", path.parent_path().filename().string());
    }
}

ComponentType read_type(const json& document, const std::string& file, ProblemSink& sink) {
    JsonObject object(document, "", sink);
    ComponentType type;
    type.file = file;
    (void)object.optional_string("$schema");
    type.name = object.required_string("type");
    type.vendor = object.required_string("vendor");
    type.label = object.required_string("label");
    type.role = object.word("role", kRoles);
    type.protocol = object.word("protocol", kProtocols);
    type.source = object.optional_string("source");
    if (type.role != Role::kObserver) {
        read_versions(object, type);
    } else if (type.source.empty()) {
        object.problem("source", "an observer is nobody's product: say where it is described");
    }
    check_place(object, type);
    type.program_keys = object.strings("program_keys");
    type.ignore_setting_case = object.flag("ignore_setting_case");
    type.ignored_settings = object.strings("ignored_settings");
    for (auto& [name, entry] : object.members("settings")) {
        type.settings.emplace(name, read_setting(name, entry));
    }
    for (auto& [name, entry] : object.members("meanings")) {
        type.semantics.emplace(name, read_meaning(name, entry, type));
    }
    check_required_meanings(type, sink);
    for (JsonObject& entry : object.objects("conditions")) {
        read_condition(entry, type);
    }
    object.finish();
    return type;
}

// Refuses what nlohmann-json lets pass: a key that stands twice in one object, and nesting without end.
class StructureCheck {
  public:
    explicit StructureCheck(ProblemSink& sink) : sink_(sink) {}

    bool operator()(int depth, json::parse_event_t event, json& parsed) {
        const auto level = static_cast<std::size_t>(depth);
        if (event == json::parse_event_t::object_start) {
            keys_.resize(std::max(keys_.size(), level + 2));
            keys_[level + 1].clear();
        } else if (event == json::parse_event_t::key && !keys_[level].insert(parsed.get<std::string>()).second) {
            sink_.add("", "the key '" + parsed.get<std::string>() + "' stands twice in one object");
        }
        return depth <= kMaxDepth;
    }

  private:
    ProblemSink& sink_;
    std::vector<std::set<std::string>> keys_;
};

int line_of(const std::string& text, std::size_t byte) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
    return 1 + static_cast<int>(std::count(text.begin(), end, '\n'));
}

}  // namespace

ComponentType read_component_type(const std::string& text, const std::string& file, std::vector<Problem>& problems) {
    ProblemSink sink(file, problems);
    StructureCheck check(sink);
    try {
        const json document = json::parse(text, std::ref(check), true, true);
        return read_type(document, file, sink);
    } catch (const json::parse_error& error) {
        sink.add_at(line_of(text, error.byte), error.what(), "a JSON document");
        return {};
    }
}

}  // namespace oncecheck

#include "model/document/requirement_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace oncecheck {

namespace {

constexpr const char* kEverywhere = "*";

constexpr Member<Requirement> kQualifiers[] = {
    {"from", member<&Requirement::from, read_name>},
    {"expect", [](Requirement& requirement, const JsonValue& value,
                  Reading& reading) { requirement.expect = read_choice(value, kExpectationNames, {}, reading); }},
    {"reason", member<&Requirement::reason, read_name>},
};

// The member that names the kind; null, with a problem, if none or several do, or if it is not supported.
const JsonMember* find_kind(const JsonValue& value, Reading& reading) {
    std::vector<const JsonMember*> kinds;
    std::vector<std::string> words;
    for (const JsonMember& json : value.members) {
        if (find_name(kRequirementNames, json.key) != nullptr || contains(kUnsupportedRequirements, json.key)) {
            kinds.push_back(&json);
            words.push_back(json.key);
        }
    }
    const std::vector<std::string> known = all_names(kRequirementNames);
    if (kinds.size() != 1) {
        std::string hint;
        for (const JsonMember& json : value.members) {
            hint = hint.empty() && kinds.empty() ? suggestion(json.key, known) : hint;
        }
        reading.problem("requirement", value.where,
                        kinds.empty() ? "no key of this requirement names its kind"
                                      : "several keys name the kind of this requirement: " + alternatives(words),
                        "one of " + alternatives(known), hint);
        return nullptr;
    }
    if (contains(kUnsupportedRequirements, kinds.front()->key)) {
        unsupported_key(*kinds.front(), reading);
        return nullptr;
    }
    return kinds.front();
}

bool may_hold_everywhere(RequirementKind kind) {
    return kind == RequirementKind::kIsolatedStaging || kind == RequirementKind::kProgress;
}

std::optional<Requirement> read_requirement(const JsonValue& value, Reading& reading) {
    if (!value.is_object()) {
        reading.wrong_type(value, "an object such as {\"exactly-once\": \"warehouse.ledger\"}");
        return std::nullopt;
    }
    const JsonMember* const kind = find_kind(value, reading);
    if (kind == nullptr) {
        return std::nullopt;
    }
    Requirement requirement;
    requirement.kind = find_name(kRequirementNames, kind->key)->value;
    requirement.where = value.where;
    const Member<Requirement> named[] = {{kind->key.c_str(), member<&Requirement::targets, read_names>}};
    read_members(requirement, value, {named, kQualifiers}, reading);
    const std::vector<std::string>& targets = requirement.targets;
    if (!may_hold_everywhere(requirement.kind) &&
        std::find(targets.begin(), targets.end(), kEverywhere) != targets.end()) {
        reading.problem("value", kind->value.where, "'*' is for 'isolated-staging' and 'progress' only", "a name");
    }
    return requirement;
}

}  // namespace

std::vector<Requirement> read_requirements(const JsonValue& value, Reading& reading) {
    std::vector<Requirement> requirements;
    if (!value.is_array()) {
        reading.wrong_type(value, "a list of requirements");
    } else if (value.items.empty()) {
        reading.problem("value", value.where, "nothing is required", "at least one requirement",
                        "without 'require' the defaults apply");
    }
    for (const JsonValue& item : value.items) {
        if (std::optional<Requirement> requirement = read_requirement(item, reading)) {
            requirements.push_back(std::move(*requirement));
        }
    }
    return requirements;
}

}  // namespace oncecheck

#include <algorithm>
#include <set>

#include "model/catalogue/catalogue.h"
#include "model/catalogue/setting_value.h"
#include "model/catalogue/text.h"

namespace oncecheck {

namespace {

// "15" is known for "15.4": the listed version is a prefix of the stated one, part by part.
bool is_known(const std::vector<std::string>& versions, const std::string& stated) {
    return std::any_of(versions.begin(), versions.end(),
                       [&](const std::string& known) { return stated == known || stated.starts_with(known + "."); });
}

std::string choose_version(const ComponentType& type, const std::string& stated, const SourcePosition& component,
                           std::vector<Finding>& findings) {
    if (type.versions.empty() || is_known(type.versions, stated)) {
        return stated;
    }
    const std::string cause = stated.empty() ? "no version is stated for this " + type.name
                                             : "the catalogue does not know version " + stated + " of " + type.name;
    findings.push_back({"version-assumed", component, cause + "; " + type.assumed_version + " is assumed"});
    return type.assumed_version;
}

ResolvedSetting default_of(const SettingSpec& spec, const std::string& version, const SourcePosition& component) {
    ResolvedSetting setting;
    setting.where = component;
    setting.source = spec.source;
    for (const VersionedDefault& candidate : spec.defaults) {
        if (candidate.since.empty() || compare_versions(candidate.since, version) <= 0) {
            setting.value = candidate.value;
        }
    }
    return setting;
}

bool is_ignored(const ComponentType& type, const std::string& name) {
    return std::any_of(type.ignored_settings.begin(), type.ignored_settings.end(), [&](const std::string& pattern) {
        return pattern.ends_with('*') ? name.starts_with(pattern.substr(0, pattern.size() - 1)) : name == pattern;
    });
}

const SettingSpec* find_setting(const ComponentType& type, const std::string& name) {
    const auto exact = type.settings.find(name);
    if (exact != type.settings.end()) {
        return &exact->second;
    }
    if (type.ignore_setting_case) {
        for (const auto& [known, spec] : type.settings) {
            if (to_lower(known) == to_lower(name)) {
                return &spec;
            }
        }
    }
    return nullptr;
}

std::string to_text(const FormulaValue& value, const std::string& written) {
    if (const auto* const truth = std::get_if<bool>(&value)) {
        return *truth ? "true" : "false";
    }
    const auto* const word = std::get_if<std::string>(&value);
    return word != nullptr ? *word : written;
}

ResolvedSetting stated_setting(const SettingSpec& spec, const Setting& stated, std::vector<Problem>& problems) {
    ResolvedSetting setting;
    setting.stated = true;
    setting.where = stated.where;
    if (stated.kind == Setting::Kind::kNull) {
        return setting;
    }
    const std::optional<FormulaValue> value = parse_setting_value(spec, stated.text);
    if (value) {
        setting.value = to_text(*value, stated.text);
    } else {
        problems.push_back({"setting-type", stated.where, "'" + stated.text + "' is no value of " + spec.name,
                            describe_type(spec), ""});
    }
    return setting;
}

}  // namespace

ResolvedSettings ResolvedSettings::resolve(const ComponentType& type, const std::string& stated_version,
                                           const SourcePosition& component, const Settings& stated,
                                           std::vector<Problem>& problems, std::vector<Finding>& findings) {
    ResolvedSettings result;
    result.type_ = &type;
    result.version_ = choose_version(type, stated_version, component, findings);
    for (const auto& [name, spec] : type.settings) {
        result.settings_[name] = default_of(spec, result.version_, component);
    }
    std::set<std::string> seen;
    for (const auto& [name, setting] : stated) {
        const SettingSpec* const spec = find_setting(type, name);
        if (spec == nullptr) {
            if (!is_ignored(type, name)) {
                findings.push_back({"unknown-setting", setting.where,
                                    "the catalogue does not know the setting " + name + " of " + type.name +
                                        "; it is not taken into account"});
            }
        } else if (!seen.insert(spec->name).second) {
            problems.push_back(
                {"duplicate-key", setting.where, name + " is another spelling of " + spec->name, "one of the two", ""});
        } else {
            result.settings_[spec->name] = stated_setting(*spec, setting, problems);
        }
    }
    return result;
}

FormulaValue ResolvedSettings::value(const std::string& name) const {
    const auto setting = settings_.find(name);
    if (setting == settings_.end() || !setting->second.value) {
        return std::monostate{};
    }
    return parse_setting_value(type_->settings.at(name), *setting->second.value).value_or(std::monostate{});
}

std::string ResolvedSettings::meaning(const std::string& name, const FormulaEnvironment& other) const {
    const auto spec = type_->semantics.find(name);
    if (spec == type_->semantics.end()) {
        throw InternalError(type_->file + ": no meaning " + name);
    }
    const FormulaEnvironment names = environment(other);
    for (const SemanticsCase& candidate : spec->second.cases) {
        if (holds(candidate.when, names) == true) {
            return candidate.value;
        }
    }
    return spec->second.otherwise;
}

std::string ResolvedSettings::meaning(const std::string& name) const { return meaning(name, FormulaEnvironment()); }

FormulaEnvironment ResolvedSettings::environment(FormulaEnvironment other) const {
    return [this, other = std::move(other)](const std::string& name) -> std::optional<FormulaValue> {
        if (name == "version") {
            return FormulaValue(version_);
        }
        if (settings_.contains(name)) {
            return value(name);
        }
        return other ? other(name) : std::nullopt;
    };
}

}  // namespace oncecheck

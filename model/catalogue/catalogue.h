// The catalogue: what component types there are, their settings with defaults by version, and what the settings mean.
// Data from specs/components/<vendor>/<type>.json; no C++ names a vendor. Every default, semantics and condition
// states its source.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/catalogue/formula.h"
#include "model/document/document.h"
#include "model/errors.h"

namespace oncecheck {

// kObserver: reads on and takes no part in delivery, so that everything is as if it were not there.
enum class Role { kProcess, kStore, kRunner, kObserver };

// How a process behaves or what a store is; the translation has one for each. kNone: a runner.
// kReconciliation: an observer that compares a log with a table.
enum class Protocol { kNone, kMicroBatch, kProducer, kLog, kTables, kReconciliation };

enum class SettingType { kString, kBoolean, kInteger, kDuration, kEnumeration };

// The default of a setting from a version on ("" = from the first). No value: the vendor has no default.
struct VersionedDefault {
    std::string since;
    std::optional<std::string> value;
};

struct SettingSpec {
    std::string name;
    SettingType type = SettingType::kString;
    std::string unit;                 // of a number or duration without a suffix: "ms", "s", "bytes", "rows", ...
    std::vector<std::string> values;  // of an enumeration
    std::vector<VersionedDefault> defaults;  // oldest first
    std::string meaning;
    std::string source;
};

// One named meaning: the first case whose formula is true gives the value; `otherwise` if none.
struct SemanticsCase {
    Formula when;
    std::string value;
    std::string source;
};
struct SemanticsSpec {
    std::string name;
    std::vector<SemanticsCase> cases;
    std::string otherwise;
    std::string source;
};

// A condition that rules a fault out (`excludes`), with its consequence when it is false.
struct ConditionSpec {
    std::string id;
    Formula formula;
    std::string excludes;     // "detached", "zombie", "task-retry", "expiry", "purge", ... or empty
    std::string consequence;  // when false
    std::string source;
};

struct ComponentType {
    std::string name;
    std::string vendor;
    std::string label;  // for prose: "Spark Structured Streaming query"
    Role role = Role::kStore;
    Protocol protocol = Protocol::kNone;
    std::string source;                     // where it is described, if it is nobody's product
    std::vector<std::string> versions;      // known ones, oldest first; none: it has no versions
    std::string assumed_version;            // where a document names none or an unknown one
    std::vector<std::string> program_keys;  // the keys under which its step program may stand
    std::map<std::string, SettingSpec> settings;
    std::map<std::string, SemanticsSpec> semantics;
    std::vector<ConditionSpec> conditions;
    bool ignore_setting_case = false;  // the vendor takes "failondataloss" for "failOnDataLoss"
    // Settings without a bearing on delivery, accepted without a finding: names, or prefixes that end in '*'.
    std::vector<std::string> ignored_settings;
    std::string file;
};

class Catalogue {
  public:
    // Reads every file below `directory`/components, sorted by path. Throws InputError (code "catalogue").
    [[nodiscard]] static Catalogue load(const std::string& directory);

    // Null if there is no such type.
    [[nodiscard]] const ComponentType* find(const std::string& type) const;
    [[nodiscard]] const std::map<std::string, ComponentType>& types() const { return types_; }

  private:
    std::map<std::string, ComponentType> types_;
};

// A setting as it applies to one component: stated, or the version's default.
struct ResolvedSetting {
    std::optional<std::string> value;  // empty: neither stated nor a default
    bool stated = false;
    SourcePosition where;  // of the statement; for a default: of the component
    std::string source;    // of the default

    bool operator==(const ResolvedSetting&) const = default;
};

// A component's settings in one place: stated ones and defaults of its version. Refers to its ComponentType, so the
// catalogue has to outlive it.
class ResolvedSettings {
  public:
    // Adds findings: unknown version ("version-assumed"), settings that the catalogue does not know
    // ("unknown-setting"). Adds problems: a value of the wrong type (code "setting-type").
    [[nodiscard]] static ResolvedSettings resolve(const ComponentType& type, const std::string& stated_version,
                                                  const SourcePosition& component, const Settings& stated,
                                                  std::vector<Problem>& problems, std::vector<Finding>& findings);

    [[nodiscard]] const std::string& version() const { return version_; }
    [[nodiscard]] const std::map<std::string, ResolvedSetting>& all() const { return settings_; }
    // The value as a formula value: durations in ms, integers, booleans, strings; unset if there is none.
    [[nodiscard]] FormulaValue value(const std::string& name) const;
    // The catalogue's meaning of that name ("double_match"). An unknown formula does not apply, so the first case
    // that is certainly true wins, else `otherwise`. Throws InternalError if the type has no such meaning.
    [[nodiscard]] std::string meaning(const std::string& name, const FormulaEnvironment& other) const;
    [[nodiscard]] std::string meaning(const std::string& name) const;

    // Names: settings of this component, `version` (compares by parts), and whatever `other` knows; `other` may be
    // empty. Valid as long as these settings are.
    [[nodiscard]] FormulaEnvironment environment(FormulaEnvironment other) const;
    [[nodiscard]] const ComponentType& type() const { return *type_; }

  private:
    const ComponentType* type_ = nullptr;
    std::string version_;
    std::map<std::string, ResolvedSetting> settings_;
};

// Compares versions by their dotted numbers: "3.10" > "3.9". Returns <0, 0, >0.
[[nodiscard]] int compare_versions(const std::string& left, const std::string& right);

}  // namespace oncecheck

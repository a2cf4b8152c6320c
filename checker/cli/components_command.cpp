#include "checker/cli/arguments.h"
#include "checker/cli/command.h"
#include "checker/cli/exit_codes.h"
#include "checker/cli/output.h"
#include "checker/cli/specs_directory.h"
#include "checker/report/text_page.h"
#include "model/catalogue/catalogue.h"
#include "model/document/reader.h"

namespace oncecheck {

namespace {

const char* role_text(Role role) {
    switch (role) {
        case Role::kProcess:
            return "process";
        case Role::kStore:
            return "store";
        case Role::kRunner:
            return "runner";
        case Role::kObserver:
            return "observer";
    }
    return "";
}

std::string type_text(const SettingSpec& setting) {
    switch (setting.type) {
        case SettingType::kString:
            return "string";
        case SettingType::kBoolean:
            return "boolean";
        case SettingType::kInteger:
            return "integer";
        case SettingType::kDuration:
            return "duration";
        case SettingType::kEnumeration:
            break;
    }
    std::string text;
    for (const std::string& value : setting.values) {
        text += (text.empty() ? "" : " | ") + value;
    }
    return text;
}

// "true", "3000 before 3.1 and 5000 since": every default with the version from which it holds.
std::string defaults_text(const SettingSpec& setting) {
    if (setting.defaults.empty()) {
        return "none";
    }
    std::string text;
    for (const VersionedDefault& entry : setting.defaults) {
        text += (text.empty() ? "" : "; ") + entry.value.value_or("none") +
                (entry.since.empty() ? "" : " since " + entry.since);
    }
    return text;
}

std::string comma_list(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

std::string list_of_types(const Catalogue& catalogue) {
    TextPage page;
    for (const auto& [name, type] : catalogue.types()) {
        page.paragraph(padded(name, 28) + padded(role_text(type.role), 10),
                       type.label + (type.versions.empty() ? "" : "; versions " + comma_list(type.versions)));
    }
    return page.text(false);
}

void print_settings(TextPage& page, const ComponentType& type) {
    for (const auto& [name, setting] : type.settings) {
        page.blank();
        page.paragraph("  ", inked(Ink::kBold, name));
        page.paragraph("      ", setting.meaning);
        page.paragraph("      type: ", type_text(setting) + (setting.unit.empty() ? "" : ", in " + setting.unit));
        page.paragraph("      default: ", defaults_text(setting));
        page.paragraph("      source: ", setting.source);
    }
}

void print_semantics(TextPage& page, const ComponentType& type) {
    for (const auto& [name, semantics] : type.semantics) {
        page.blank();
        page.paragraph("  ", inked(Ink::kBold, name));
        for (const SemanticsCase& entry : semantics.cases) {
            page.paragraph("      ", entry.value + " if " + entry.when.text());
            page.paragraph("        source: ", entry.source);
        }
        page.paragraph("      ", semantics.otherwise + (semantics.cases.empty() ? "" : " otherwise"));
        page.paragraph("        source: ", semantics.source);
    }
}

void print_conditions(TextPage& page, const ComponentType& type) {
    for (const ConditionSpec& condition : type.conditions) {
        page.blank();
        page.paragraph("  ", inked(Ink::kBold, condition.id));
        page.paragraph("      ", condition.formula.text());
        if (!condition.excludes.empty()) {
            page.paragraph("      excludes: ", condition.excludes);
        }
        page.paragraph("      else: ", condition.consequence);
        page.paragraph("      source: ", condition.source);
    }
}

std::string explanation_of(const ComponentType& type, bool colour) {
    TextPage page;
    page.paragraph("", inked(Ink::kBold, type.name) + ": " + type.label + " (" + role_text(type.role) + ')');
    if (!type.versions.empty()) {
        page.paragraph("Versions: ",
                       comma_list(type.versions) + "; " + type.assumed_version + " is assumed where none is stated");
    }
    if (!type.source.empty()) {
        page.paragraph("Source: ", type.source);
    }
    if (!type.program_keys.empty()) {
        page.paragraph("Step program under: ", comma_list(type.program_keys));
    }
    const auto part = [&](const char* title, bool any, void (*print)(TextPage&, const ComponentType&)) {
        if (any) {
            page.blank();
            page.line(inked(Ink::kBold, title));
            print(page, type);
        }
    };
    part("Settings", !type.settings.empty(), print_settings);
    part("What the settings mean", !type.semantics.empty(), print_semantics);
    part("Conditions", !type.conditions.empty(), print_conditions);
    return page.text(colour);
}

const ComponentType& type_of(const Catalogue& catalogue, const std::string& name) {
    const ComponentType* const type = catalogue.find(name);
    if (type == nullptr) {
        std::vector<std::string> names;
        for (const auto& [other, ignored] : catalogue.types()) {
            names.push_back(other);
        }
        const std::string nearest = did_you_mean(name, names);
        throw UsageError(
            "there is no component type '" + name + "'" +
            (nearest.empty() ? "; 'oncecheck components' lists them" : "; did you mean '" + nearest + "'?"));
    }
    return *type;
}

}  // namespace

int run_components(const Arguments& arguments) {
    std::string name;
    std::string specs;
    CommandLine line("components", "Lists the component types of the catalogue, or explains the settings of one.",
                     "oncecheck components | less");
    line.add_option("TYPE", name, "A component type; without it, all are listed");
    line.add_option("--specs", specs, "The directory of the catalogue")->type_name("DIRECTORY");
    if (!line.read(arguments)) {
        return kExitAsExpected;
    }
    const Catalogue catalogue = Catalogue::load(specs_directory(specs));
    print_output(name.empty() ? list_of_types(catalogue)
                              : explanation_of(type_of(catalogue, name), wants_colour(ColourChoice::kAuto, stdout)));
    return kExitAsExpected;
}

}  // namespace oncecheck

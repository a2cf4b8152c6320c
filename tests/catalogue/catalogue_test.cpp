// GCC 12 takes valijson's string replacement for an overlapping copy (GCC bug 105329).
#pragma GCC diagnostic ignored "-Wrestrict"

#include "model/catalogue/catalogue.h"

#include <gtest/gtest.h>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "model/catalogue/meanings.h"

namespace oncecheck {
namespace {

using nlohmann::json;

const std::string kSpecs = ONCECHECK_SOURCE_SPECS;

const Catalogue& shipped() {
    static const Catalogue kCatalogue = Catalogue::load(kSpecs);
    return kCatalogue;
}

std::string read_file(const std::string& path) {
    std::ifstream stream(path);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
}

// Empty if the document follows the catalogue's schema.
std::string schema_violations(const json& document) {
    const json schema_document = json::parse(read_file(kSpecs + "/schema/catalogue.schema.json"));
    valijson::Schema schema;
    valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_document), schema);
    valijson::ValidationResults results;
    valijson::Validator().validate(schema, valijson::adapters::NlohmannJsonAdapter(document), &results);
    std::string text;
    valijson::ValidationResults::Error error;
    while (results.popError(error)) {
        text += error.description + "\n";
    }
    return text;
}

// Calls `check` with every string of a JSON value.
void each_string(const json& value, const std::function<void(const std::string&)>& check) {
    if (value.is_string()) {
        check(value.get<std::string>());
    }
    for (const json& member : value.is_structured() ? value : json::array()) {
        each_string(member, check);
    }
}

TEST(ShippedCatalogue, HasTheTypesThatTheExamplesUse) {
    for (const char* const name : {"kafka-topic", "kafka-producer", "spark-structured-streaming", "postgresql", "mysql",
                                   "kubernetes", "airflow", "reconciliation"}) {
        ASSERT_NE(shipped().find(name), nullptr) << name;
        EXPECT_EQ(shipped().find(name)->name, name);
    }
    EXPECT_EQ(shipped().find("no-such-type"), nullptr);
}

TEST(ShippedCatalogue, FollowsItsSchema) {
    for (const auto& [name, type] : shipped().types()) {
        EXPECT_EQ(schema_violations(json::parse(read_file(type.file))), "") << name;
    }
}

TEST(ShippedCatalogue, HasASchemaThatRefusesWhatTheReaderRefuses) {
    const json sound = json::parse(read_file(shipped().find("kafka-topic")->file));
    json unknown_key = sound;
    unknown_key["colour"] = "blue";
    EXPECT_NE(schema_violations(unknown_key), "");
    json without_source = sound;
    without_source["settings"]["retention.ms"].erase("source");
    EXPECT_NE(schema_violations(without_source), "");
    json values_of_a_duration = sound;
    values_of_a_duration["settings"]["retention.ms"]["values"] = {"1"};
    EXPECT_NE(schema_violations(values_of_a_duration), "");
    json without_versions = sound;
    without_versions.erase("versions");
    EXPECT_NE(schema_violations(without_versions), "");
    const json observer = json::parse(read_file(shipped().find("reconciliation")->file));
    json without_description = observer;
    without_description.erase("source");
    EXPECT_NE(schema_violations(without_description), "");
    json with_version = observer;
    with_version["versions"] = {"1"};
    EXPECT_NE(schema_violations(with_version), "");
}

TEST(ShippedCatalogue, StatesASourceForEveryFact) {
    for (const auto& [name, type] : shipped().types()) {
        for (const auto& [setting, spec] : type.settings) {
            EXPECT_NE(spec.source, "") << name << " " << setting;
            EXPECT_NE(spec.meaning, "") << name << " " << setting;
        }
        for (const auto& [meaning, spec] : type.semantics) {
            EXPECT_NE(spec.source, "") << name << " " << meaning;
            for (const SemanticsCase& entry : spec.cases) {
                EXPECT_NE(entry.source, "") << name << " " << meaning;
            }
        }
        for (const ConditionSpec& spec : type.conditions) {
            EXPECT_NE(spec.source, "") << name << " " << spec.id;
            EXPECT_NE(spec.consequence, "") << name << " " << spec.id;
        }
    }
}

TEST(ShippedCatalogue, CitesPagesThatAReaderCanFind) {
    for (const auto& [name, type] : shipped().types()) {
        each_string(json::parse(read_file(type.file)), [&, owner = name](const std::string& text) {
            EXPECT_EQ(text.find("facts/"), std::string::npos) << owner << ": " << text;
        });
    }
}

TEST(ShippedCatalogue, GivesEveryMeaningOfEveryProtocol) {
    std::set<Protocol> seen;
    for (const auto& [name, type] : shipped().types()) {
        seen.insert(type.protocol);
        for (const RequiredMeaning& required : required_meanings()) {
            if (required.protocol == type.protocol) {
                EXPECT_TRUE(type.semantics.contains(std::string(required.name))) << name << " " << required.name;
            }
        }
    }
    for (const RequiredMeaning& required : required_meanings()) {
        EXPECT_TRUE(seen.contains(required.protocol)) << required.name;
    }
}

TEST(ShippedCatalogue, ResolvesEveryTypeAtEveryVersionWithoutAProblem) {
    for (const auto& [name, type] : shipped().types()) {
        for (const std::string& version : type.versions) {
            std::vector<Problem> problems;
            std::vector<Finding> findings;
            const ResolvedSettings settings = ResolvedSettings::resolve(type, version, {}, {}, problems, findings);
            EXPECT_TRUE(problems.empty() && findings.empty()) << name << " " << version;
            for (const auto& [meaning, spec] : type.semantics) {
                EXPECT_NE(settings.meaning(meaning), "") << name << " " << version << " " << meaning;
            }
        }
    }
}

TEST(Rules, HaveAPageForEveryFindingAndCategory) {
    for (const char* const rule : {"version-assumed",
                                   "unknown-setting",
                                   "unused-object",
                                   "written-never-read",
                                   "never-happens",
                                   "read-never-written",
                                   "condition-not-met",
                                   "name-cut",
                                   "adjacent-placeholders",
                                   "key-not-enforced",
                                   "checkpoint-temporary",
                                   "checkpoint-store-unknown",
                                   "exclusive-assumed",
                                   "key-space-assumed",
                                   "deterministic-assumed",
                                   "fault-excluded",
                                   "OC-1-source",
                                   "OC-2-progress",
                                   "OC-3-sink",
                                   "OC-4-staging",
                                   "OC-5-replay"}) {
        const std::string page = read_file(kSpecs + "/rules/" + rule + ".md");
        EXPECT_TRUE(page.starts_with("# " + std::string(rule) + "\n")) << rule;
        for (const char* const part : {"\n## Fails\n", "\n## Passes\n", "\n## References\n"}) {
            EXPECT_NE(page.find(part), std::string::npos) << rule << part;
        }
        EXPECT_EQ(page.find("facts/"), std::string::npos) << rule;
    }
}

}  // namespace
}  // namespace oncecheck

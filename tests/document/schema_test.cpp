// The JSON Schema describes what the reader accepts: it accepts the full example, uses no key that the example lacks,
// and rejects nothing that the reader lets pass.

// GCC 12 sees overlapping copies in the string concatenations of valijson (GCC bug 105651).
#pragma GCC diagnostic ignored "-Wrestrict"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "tests/document/reading_fixture.h"

namespace oncecheck {
namespace {

using nlohmann::json;

const char* const kFull = ONCECHECK_TESTS "/document/full.json";

json schema_text() { return json::parse(file_text(ONCECHECK_SOURCE_SPECS "/schema/pipeline.schema.json")); }

class PipelineSchema : public testing::Test {
  protected:
    PipelineSchema() {
        const json text = schema_text();
        valijson::SchemaParser(valijson::SchemaParser::kDraft7)
            .populateSchema(valijson::adapters::NlohmannJsonAdapter(text), schema_);
    }

    [[nodiscard]] bool accepts(const json& document) const {
        valijson::Validator validator;
        return validator.validate(schema_, valijson::adapters::NlohmannJsonAdapter(document), nullptr);
    }

    // Every document the schema rejects must be rejected by the reader too. Returns whether the schema rejects.
    [[nodiscard]] bool check_agreement(const json& document, const std::string& change) const {
        bool read = true;
        try {
            (void)parse_documents(document.dump(), kFull, {});
        } catch (const InputError&) {
            read = false;
        }
        const bool accepted = accepts(document);
        EXPECT_TRUE(accepted || !read) << "the reader lets pass: " << change;
        return !accepted;
    }

  private:
    valijson::Schema schema_;
};

// The pointers of all values of the document, itself included.
std::vector<json::json_pointer> all_places(const json& document) {
    std::vector<json::json_pointer> places;
    const json flat = document.flatten();
    std::set<std::string> seen;
    for (const auto& [text, value] : flat.items()) {
        for (json::json_pointer pointer(text);; pointer.pop_back()) {
            if (seen.insert(pointer.to_string()).second) {
                places.push_back(pointer);
            }
            if (pointer.empty()) {
                break;
            }
        }
    }
    return places;
}

TEST_F(PipelineSchema, AcceptsTheFullExample) { EXPECT_TRUE(accepts(json::parse(file_text(kFull)))); }

TEST_F(PipelineSchema, AcceptsTheShortestDocument) {
    EXPECT_TRUE(accepts(json::parse(R"({"components": {"a": "t"}})")));
}

TEST_F(PipelineSchema, RejectsWhatAReplacementOfAValueByOneOfAnotherTypeMakesWrongNoMoreThanTheReader) {
    const json full = json::parse(file_text(kFull));
    const json values[] = {nullptr,
                           true,
                           7,
                           -0.5,
                           "mutated",
                           "",
                           json::array(),
                           json::array({1}),
                           json::object(),
                           json::object({{"mutated", 1}})};
    int rejected = 0;
    for (const json::json_pointer& place : all_places(full)) {
        for (const json& value : values) {
            json mutated = full;
            mutated[place] = value;
            rejected += check_agreement(mutated, place.to_string() + " = " + value.dump()) ? 1 : 0;
        }
    }
    EXPECT_GT(rejected, 1'000);
}

TEST_F(PipelineSchema, RejectsAddedAndMissingKeysNoMoreThanTheReader) {
    const json full = json::parse(file_text(kFull));
    int rejected = 0;
    for (const json::json_pointer& place : all_places(full)) {
        if (full[place].is_object()) {
            for (const char* key : {"mutated", "type", "steps", "where", "ttl", ""}) {
                json added = full;
                added[place][key] = "x";
                rejected += check_agreement(added, place.to_string() + " with " + key) ? 1 : 0;
            }
        }
        if (!place.empty()) {
            json removed = full;
            json& parent = removed[place.parent_pointer()];
            parent.is_object() ? (void)parent.erase(place.back()) : parent.erase(std::stoul(place.back()));
            rejected += check_agreement(removed, "without " + place.to_string()) ? 1 : 0;
        }
    }
    EXPECT_GT(rejected, 100);
}

void collect_properties(const json& schema, std::set<std::string>& names) {
    if (schema.is_object() && schema.contains("properties") && schema["properties"].is_object()) {
        for (const auto& [name, value] : schema["properties"].items()) {
            names.insert(name);
        }
    }
    for (const json& part : schema) {
        if (part.is_structured()) {
            collect_properties(part, names);
        }
    }
}

TEST_F(PipelineSchema, HasNoKeyThatTheFullExampleLacks) {
    std::set<std::string> names;
    collect_properties(schema_text(), names);
    std::set<std::string> used;
    for (const json::json_pointer& place : all_places(json::parse(file_text(kFull)))) {
        if (!place.empty()) {
            used.insert(place.back());
        }
    }
    for (const std::string& name : names) {
        EXPECT_TRUE(used.contains(name)) << name;
    }
}

TEST_F(PipelineSchema, DescribesEveryKey) {
    const json schema = schema_text();
    for (const auto& [name, property] : schema["properties"].items()) {
        EXPECT_TRUE(property.contains("description") || property.contains("$ref")) << name;
    }
}

}  // namespace
}  // namespace oncecheck

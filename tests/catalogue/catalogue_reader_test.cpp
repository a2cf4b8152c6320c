#include "model/catalogue/catalogue_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

namespace oncecheck {
namespace {

using nlohmann::json;

// A small file without a mistake.
json sound_file() {
    return json::parse(R"({
      "type": "ledger", "vendor": "acme", "label": "Acme ledger", "role": "store", "protocol": "log",
      "versions": ["1", "2"], "assumed_version": "2",
      "settings": {
        "keep": { "type": "duration", "unit": "s", "meaning": "How long.", "source": "Acme manual",
                  "defaults": [ { "value": "60" }, { "since": "2", "value": "90" } ] },
        "mode": { "type": "enumeration", "values": ["safe", "fast"], "defaults": [ { "value": "safe" } ],
                  "meaning": "Which.", "source": "Acme manual" } },
      "meanings": { "compacted": { "cases": [ { "when": "mode = 'fast'", "value": "yes", "source": "Acme manual" } ],
                                   "otherwise": "no", "source": "Acme manual" } },
      "conditions": [ { "id": "kept-long-enough", "formula": "assume.max_outage < keep", "excludes": "expiry",
                        "consequence": "Lost.", "source": "Acme manual" } ] })");
}

std::vector<Problem> problems_of(const std::string& text) {
    std::vector<Problem> problems;
    (void)read_component_type(text, "acme/ledger.json", problems);
    return problems;
}

// The pointers of what is wrong after a change to the sound file, in the order of the reader.
std::vector<std::string> pointers_after(const std::function<void(json&)>& change) {
    json file = sound_file();
    change(file);
    std::vector<std::string> pointers;
    for (const Problem& problem : problems_of(file.dump())) {
        EXPECT_EQ(problem.code, "catalogue");
        EXPECT_EQ(problem.where.file, "acme/ledger.json");
        pointers.push_back(problem.where.pointer);
    }
    return pointers;
}

using Pointers = std::vector<std::string>;

TEST(CatalogueReader, ReadsASoundFile) {
    std::vector<Problem> problems;
    const ComponentType type = read_component_type(sound_file().dump(), "acme/ledger.json", problems);
    EXPECT_TRUE(problems.empty());
    EXPECT_EQ(type.protocol, Protocol::kLog);
    EXPECT_EQ(type.settings.at("keep").defaults.at(1).since, "2");
    EXPECT_EQ(type.semantics.at("compacted").cases.at(0).value, "yes");
    EXPECT_EQ(type.conditions.at(0).excludes, "expiry");
}

TEST(CatalogueReader, RefusesUnknownKeysAtEveryLevel) {
    EXPECT_EQ(pointers_after([](json& file) { file["colour"] = 1; }), Pointers{"/colour"});
    EXPECT_EQ(pointers_after([](json& file) { file["settings"]["keep"]["defualt"] = "1"; }),
              Pointers{"/settings/keep/defualt"});
    EXPECT_EQ(pointers_after([](json& file) { file["meanings"]["compacted"]["cases"][0]["if"] = "x"; }),
              Pointers{"/meanings/compacted/cases/0/if"});
    EXPECT_EQ(pointers_after([](json& file) { file["conditions"][0]["when"] = "x"; }), Pointers{"/conditions/0/when"});
}

TEST(CatalogueReader, RefusesFactsWithoutASource) {
    EXPECT_EQ(pointers_after([](json& file) { file["settings"]["keep"].erase("source"); }), Pointers{"/settings/keep"});
    EXPECT_EQ(pointers_after([](json& file) { file["meanings"]["compacted"].erase("source"); }),
              Pointers{"/meanings/compacted"});
    EXPECT_EQ(pointers_after([](json& file) { file["meanings"]["compacted"]["cases"][0].erase("source"); }),
              Pointers{"/meanings/compacted/cases/0"});
    EXPECT_EQ(pointers_after([](json& file) { file["conditions"][0]["source"] = ""; }),
              Pointers{"/conditions/0/source"});
}

TEST(CatalogueReader, RefusesFormulasThatDoNotParseOrNameOtherThings) {
    const auto with_formula = [](const std::string& text) {
        return pointers_after([&](json& file) { file["conditions"][0]["formula"] = text; });
    };
    EXPECT_EQ(with_formula("keep <"), Pointers{"/conditions/0/formula"});
    EXPECT_EQ(with_formula("kept < 3"), Pointers{"/conditions/0/formula"});
    EXPECT_EQ(with_formula("assume.luck < 3"), Pointers{"/conditions/0/formula"});
    EXPECT_EQ(with_formula("process.idempotent"), Pointers{"/conditions/0/formula"});
    EXPECT_EQ(with_formula("store.retention.ms < 3"), Pointers{"/conditions/0/formula"});
    EXPECT_EQ(with_formula("version >= '2' and assume.max_event_age < keep"), Pointers{});
    EXPECT_EQ(pointers_after([](json& file) { file["meanings"]["compacted"]["cases"][0]["when"] = "size > 3"; }),
              Pointers{"/meanings/compacted/cases/0/when"});
}

TEST(CatalogueReader, RefusesDefaultsThatDoNotFit) {
    EXPECT_EQ(pointers_after([](json& file) { file["settings"]["keep"]["defaults"][1]["value"] = "long"; }),
              Pointers{"/settings/keep/defaults/1/value"});
    EXPECT_EQ(pointers_after([](json& file) { file["settings"]["mode"]["defaults"][0]["value"] = "slow"; }),
              Pointers{"/settings/mode/defaults/0/value"});
    EXPECT_EQ(pointers_after([](json& file) { file["settings"]["keep"]["defaults"][1].erase("since"); }),
              Pointers{"/settings/keep/defaults/1/since"});
    EXPECT_EQ(pointers_after([](json& file) { file["settings"]["keep"]["defaults"][0]["value"] = 60; }).at(0),
              "/settings/keep/defaults/0/value");
}

TEST(CatalogueReader, RefusesSettingsThatContradictTheirType) {
    EXPECT_EQ(pointers_after([](json& file) { file["settings"]["keep"]["unit"] = "rows"; }).at(0),
              "/settings/keep/unit");
    EXPECT_EQ(pointers_after([](json& file) { file["settings"]["keep"]["values"] = {"1"}; }),
              Pointers{"/settings/keep/values"});
    EXPECT_EQ(pointers_after([](json& file) { file["settings"]["keep"]["type"] = "time"; }).at(0),
              "/settings/keep/type");
}

TEST(CatalogueReader, RefusesMeaningsThatTheTranslationDoesNotKnow) {
    EXPECT_EQ(pointers_after([](json& file) { file["meanings"].erase("compacted"); }), Pointers{"/meanings"});
    EXPECT_EQ(pointers_after([](json& file) { file["meanings"]["compacted"]["otherwise"] = "perhaps"; }),
              Pointers{"/meanings/compacted/otherwise"});
    EXPECT_EQ(pointers_after([](json& file) { file["meanings"]["compacted"]["cases"][0]["value"] = "perhaps"; }),
              Pointers{"/meanings/compacted/cases/0/value"});
}

TEST(CatalogueReader, RefusesAFileInTheWrongPlaceOrOrder) {
    EXPECT_EQ(pointers_after([](json& file) { file["type"] = "book"; }), Pointers{"/type"});
    EXPECT_EQ(pointers_after([](json& file) { file["vendor"] = "apex"; }), Pointers{"/vendor"});
    EXPECT_EQ(pointers_after([](json& file) { file["versions"] = {"2", "1"}; }), Pointers{"/versions"});
    EXPECT_EQ(pointers_after([](json& file) { file["assumed_version"] = "3"; }), Pointers{"/assumed_version"});
    EXPECT_EQ(pointers_after([](json& file) { file.erase("versions"); }), (Pointers{"/assumed_version"}));
    const auto observer = [](json& file) {
        file.erase("versions");
        file.erase("assumed_version");
        file["role"] = "observer";
    };
    EXPECT_EQ(pointers_after(observer), Pointers{"/source"}) << "it is nobody's product";
    EXPECT_EQ(pointers_after([](json& file) { file["conditions"].push_back(file["conditions"][0]); }),
              Pointers{"/conditions/1/id"});
}

TEST(CatalogueReader, EscapesPointers) {
    EXPECT_EQ(pointers_after([](json& file) {
                  file["settings"]["a/b~c"] = file["settings"]["keep"];
                  file["settings"]["a/b~c"]["x"] = 1;
              }),
              Pointers{"/settings/a~1b~0c/x"});
}

TEST(CatalogueReader, RefusesOtherKindsOfValuesWithoutACrash) {
    const json flat = sound_file().flatten();
    for (const auto& [pointer, value] : flat.items()) {
        for (const json& other : {json(), json(1), json(true), json::array({1}), json::object({{"x", 1}})}) {
            json file = sound_file();
            file[json::json_pointer(pointer)] = other;
            const bool null_default =
                other.is_null() && pointer.ends_with("/value") && pointer.starts_with("/settings");
            EXPECT_EQ(problems_of(file.dump()).empty(), null_default) << pointer << " " << other;
        }
    }
}

TEST(CatalogueReader, RefusesBytesThatAreNoDocument) {
    for (const std::string& text : {std::string(), std::string("{"), std::string("[]"), std::string("\xff\xfe"),
                                    std::string(100'000, '['), sound_file().dump() + "x"}) {
        EXPECT_FALSE(problems_of(text).empty());
    }
    const std::vector<Problem> problems = problems_of("{\n  \"type\": \"ledger\",\n  oops\n}");
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems[0].where.line, 3);
}

TEST(CatalogueReader, RefusesAKeyThatStandsTwice) {
    std::string text = sound_file().dump();
    text.insert(1, "\"label\": \"another\",");
    ASSERT_EQ(problems_of(text).size(), 1U);
    EXPECT_EQ(problems_of(text)[0].code, "catalogue");
}

// A directory that is removed with the test.
class CatalogueDirectory : public testing::Test {
  protected:
    CatalogueDirectory()
        : root_(std::filesystem::path(testing::TempDir()) /
                ("oncecheck-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
        std::filesystem::remove_all(root_);
        std::filesystem::create_directories(root_ / "components");
    }
    ~CatalogueDirectory() override { std::filesystem::remove_all(root_); }

    void write(const std::string& path, const json& document) const {
        const std::filesystem::path file = root_ / "components" / path;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << document.dump(2);
    }

    std::vector<Problem> load_problems() const {
        try {
            (void)Catalogue::load(root_.string());
            return {};
        } catch (const InputError& error) {
            return error.problems();
        }
    }

    std::filesystem::path root_;
};

TEST_F(CatalogueDirectory, IsReadWhole) {
    write("acme/ledger.json", sound_file());
    json other = sound_file();
    other["type"] = "book";
    write("acme/book.json", other);
    EXPECT_EQ(Catalogue::load(root_.string()).types().size(), 2U);
}

TEST_F(CatalogueDirectory, ReportsTheProblemsOfAllFilesTogether) {
    json broken = sound_file();
    broken["role"] = "nobody";
    write("acme/ledger.json", broken);
    broken["type"] = "book";
    write("acme/book.json", broken);
    const std::vector<Problem> problems = load_problems();
    ASSERT_EQ(problems.size(), 2U);
    EXPECT_TRUE(problems[0].where.file.ends_with("acme/book.json"));
    EXPECT_TRUE(problems[1].where.file.ends_with("acme/ledger.json"));
    EXPECT_EQ(problems[1].where.pointer, "/role");
}

TEST_F(CatalogueDirectory, RefusesOneTypeInTwoFiles) {
    write("acme/ledger.json", sound_file());
    write("more/acme/ledger.json", sound_file());
    ASSERT_EQ(load_problems().size(), 1U);
    EXPECT_EQ(load_problems()[0].where.pointer, "/type");
}

TEST_F(CatalogueDirectory, HasToExist) {
    std::filesystem::remove_all(root_);
    ASSERT_EQ(load_problems().size(), 1U);
    EXPECT_EQ(load_problems()[0].code, "catalogue");
}

}  // namespace
}  // namespace oncecheck

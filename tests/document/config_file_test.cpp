#include "model/document/config_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/document/reading_fixture.h"

namespace oncecheck {
namespace {

Settings parsed(const std::string& text, bool trim = false) {
    std::vector<Problem> problems;
    Settings settings = parse_properties(text, "f.properties", trim, problems);
    EXPECT_TRUE(problems.empty());
    return settings;
}

std::string value_of(const std::string& text, const std::string& name) {
    const Settings settings = parsed(text);
    return settings.contains(name) ? settings.at(name).text : "(none)";
}

// A directory of its own, gone with the test.
class ConfigFile : public testing::Test {
  protected:
    ConfigFile() { std::filesystem::create_directories(folder_); }
    ~ConfigFile() override { std::filesystem::remove_all(folder_); }

    void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

    [[nodiscard]] std::vector<Document> read(const std::string& members) const {
        return parse_documents(with_component(members), (folder_ / "doc.json").string(), {});
    }
    [[nodiscard]] Problem problem(const std::string& members) const {
        try {
            (void)read(members);
        } catch (const InputError& error) {
            EXPECT_EQ(error.problems().size(), 1U);
            return error.problems().front();
        }
        return {};
    }
    [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

  private:
    std::filesystem::path folder_ =
        std::filesystem::path(testing::TempDir()) /
        ("config_file_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST(Properties, KeysEndAtEqualsColonOrBlank) {
    EXPECT_EQ(value_of("a=1", "a"), "1");
    EXPECT_EQ(value_of("a : 1", "a"), "1");
    EXPECT_EQ(value_of("a 1", "a"), "1");
    EXPECT_EQ(value_of("  a\t=\t=1 ", "a"), "=1 ");
    EXPECT_EQ(value_of("a", "a"), "");
    EXPECT_EQ(value_of("a\\=b\\ c=1", "a=b c"), "1");
}

TEST(Properties, CommentsAndEmptyLinesAreSkipped) {
    EXPECT_EQ(parsed("# a=1\n! b=2\n\n   # c=3\\\nd=4#5\r\n").size(), 1U);
    EXPECT_EQ(value_of("d=4#5", "d"), "4#5");
}

TEST(Properties, LinesGoOnAfterABackslash) {
    EXPECT_EQ(value_of("a=1,\\\n   2,\\\r\n\t3\nb=4", "a"), "1,2,3");
    EXPECT_EQ(value_of("a=1\\\\\nb=2", "a"), "1\\");
    EXPECT_EQ(value_of("a=1\\\n# no comment", "a"), "1# no comment");
    EXPECT_EQ(value_of("a=1\\", "a"), "1");
}

TEST(Properties, EscapesAreRead) {
    EXPECT_EQ(value_of("a=\\t\\n\\r\\f\\q\\u0041\\u00e9", "a"), "\t\n\r\fqA\xC3\xA9");
    EXPECT_EQ(value_of("a=\\uD83D\\uDE00", "a"), "\xF0\x9F\x98\x80");
}

TEST(Properties, SettingsKnowTheirLine) {
    const Settings settings = parsed("# x\n\n a=1\\\n2\nb=3");
    EXPECT_EQ(settings.at("a").where, (SourcePosition{"f.properties", 3, 2, "a"}));
    EXPECT_EQ(settings.at("b").where, (SourcePosition{"f.properties", 5, 1, "b"}));
    EXPECT_EQ(settings.at("b").kind, Setting::Kind::kString);
}

TEST(Properties, WrongFilesAreProblems) {
    const auto code = [](const std::string& text) {
        std::vector<Problem> problems;
        (void)parse_properties(text, "f", false, problems);
        return problems.empty() ? "" : problems.front().code + " " + to_string(problems.front().where);
    };
    EXPECT_EQ(code("a=1\n\na:2"), "duplicate-key f:3:1");
    EXPECT_EQ(code("a=\\u12"), "syntax f:1:1");
    EXPECT_EQ(code("a=\\ud800"), "syntax f:1:1");
    EXPECT_EQ(code("a=1\nb=\xFF"), "utf-8 f:2:3");
}

TEST_F(ConfigFile, SettingsJoinThoseOfTheDocument) {
    write("p.properties", "acks=all\n");
    const Component component =
        read(R"("config_file": "p.properties", "config": {"linger.ms": 5})").front().components[0];
    EXPECT_EQ(component.config.at("acks").text, "all");
    EXPECT_EQ(component.config.at("acks").where, (SourcePosition{path("p.properties"), 1, 1, "acks"}));
    EXPECT_EQ(component.config.at("linger.ms").text, "5");
    EXPECT_EQ(component.config_file, "p.properties");
}

TEST_F(ConfigFile, SparkDefaultsAreSeparatedByBlanksAndTrimmed) {
    write("spark-defaults.conf", "# comment\nspark.task.maxFailures   4  \nspark.speculation\ttrue\n");
    const Component component = read(R"("config_file": "spark-defaults.conf")").front().components[0];
    EXPECT_EQ(component.config.at("spark.task.maxFailures").text, "4");
    EXPECT_EQ(component.config.at("spark.speculation").text, "true");
}

TEST_F(ConfigFile, ASettingInBothPlacesNamesBoth) {
    write("p.properties", "# x\nacks=all\n");
    const Problem twice = problem(R"("config_file": "p.properties", "config": {"acks": "1"})");
    EXPECT_EQ(twice.code, "setting-twice");
    EXPECT_EQ(twice.where.pointer, "/components/c/config/acks");
    EXPECT_NE(twice.message.find(path("p.properties") + ":2"), std::string::npos);
}

TEST(NamedFiles, AreReadAsTheCallerWants) {
    std::vector<std::string> asked;
    ReadOptions options;
    options.named_files = [&](const std::string& path, const SourcePosition&, std::vector<Problem>&) {
        asked.push_back(path);
        return std::optional<std::string>("acks=all\n");
    };
    const std::string text = R"({"components": {"c": {"type": "t", "config_file": "p.properties"}}})";
    const Document document = parse_documents(text, "nowhere/doc.json", options).front();
    EXPECT_EQ(asked, std::vector<std::string>{"nowhere/p.properties"});
    EXPECT_EQ(document.components.front().config.at("acks").text, "all");
}

TEST_F(ConfigFile, AMissingFileIsNamedWhereTheDocumentNamesIt) {
    for (const char* name : {"nope.properties", "..properties/x.properties"}) {
        const Problem missing = problem("\"config_file\": \"" + std::string(name) + "\"");
        EXPECT_EQ(missing.code, "file");
        EXPECT_EQ(missing.where.pointer, "/components/c/config_file");
    }
}

TEST_F(ConfigFile, OtherKindsAreNotSupported) {
    for (const char* name : {"connect.json", "flink.yaml", "x"}) {
        EXPECT_EQ(problem("\"config_file\": \"" + std::string(name) + "\"").code, "unsupported");
    }
}

TEST_F(ConfigFile, ProblemsOfVariantsAreReportedOnce) {
    write("p.properties", "a=1\na=2\n");
    try {
        (void)parse_documents(R"({"components": {"c": {"type": "t", "config_file": "p.properties"}},
                                  "variants": {"v": {}, "w": {}}})",
                              path("doc.json"), {});
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.problems().size(), 1U);
    }
}

}  // namespace
}  // namespace oncecheck

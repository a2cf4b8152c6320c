// The program itself and the commands that explain the catalogue.

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace oncecheck {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class Commands : public ProgramTest {
  protected:
    void expect_usage_error(const Arguments& arguments, const std::string& message) const {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.code, 2) << testing::PrintToString(arguments);
        EXPECT_EQ(outcome.out, "");
        EXPECT_TRUE(contains(outcome.error, message)) << outcome.error;
    }
};

TEST_F(Commands, AreListedByHelp) {
    const Outcome outcome = run({"--help"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.error, "");
    for (const std::string name :
         {"verify", "export", "certify", "simulate", "replay", "crossvalidate", "components", "rules", "schema"}) {
        EXPECT_TRUE(contains(outcome.out, "\n  " + name)) << outcome.out;
    }
    EXPECT_FALSE(contains(outcome.out, "repair")) << "not in this version";
}

TEST_F(Commands, HaveAHelpThatEndsWithAnExample) {
    for (const std::string name :
         {"verify", "export", "certify", "simulate", "replay", "crossvalidate", "components", "rules", "schema"}) {
        const Outcome outcome = run({name, "--help"});
        EXPECT_EQ(outcome.code, 0) << name;
        const std::size_t last = outcome.out.rfind("Example: oncecheck " + name);
        ASSERT_NE(last, std::string::npos) << outcome.out;
        EXPECT_EQ(outcome.out.find('\n', last), outcome.out.find_last_not_of('\n') + 1) << outcome.out;
    }
}

TEST_F(Commands, PrintTheVersion) {
    const std::string version = "oncecheck " ONCECHECK_VERSION "\n";
    EXPECT_EQ(run({"--version"}).out, version);
    EXPECT_EQ(run({"verify", "--version"}).out, version);
}

TEST_F(Commands, AreNeeded) { expect_usage_error({}, "Usage: oncecheck COMMAND"); }

TEST_F(Commands, ThatDoNotExistAreRefusedWithASuggestion) {
    expect_usage_error({"vefiry", "x.json"}, "there is no command 'vefiry'; did you mean 'verify'?");
    expect_usage_error({"x"}, "there is no command 'x'");
    expect_usage_error({"--halp"}, "there is no option '--halp'");
}

TEST_F(Commands, ThatComeLaterAreRefused) {
    expect_usage_error({"repair", "x.json"}, "the command 'repair' is not in this version");
    expect_usage_error({"conditions"}, "not in this version");
}

TEST_F(Commands, ListAndExplainComponents) {
    EXPECT_TRUE(contains(run({"components"}).out, "\npostgresql  "));
    const Outcome one = run({"components", "kafka-topic"});
    EXPECT_EQ(one.code, 0);
    for (const std::string part : {"retention.ms", "type: duration, in ms", "default: 604800000", "source: "}) {
        EXPECT_TRUE(contains(one.out, part)) << part << '\n' << one.out;
    }
    expect_usage_error({"components", "kafka-topik"}, "did you mean 'kafka-topic'?");
    expect_usage_error({"components", "--specs", "none"}, "--specs");
}

TEST_F(Commands, ListAndPrintRules) {
    EXPECT_TRUE(contains(run({"rules"}).out, "OC-4-staging  "));
    EXPECT_TRUE(run({"rules", "OC-4-staging"}).out.starts_with("# OC-4-staging\n"));
    expect_usage_error({"rules", "OC-4-stagin"}, "did you mean 'OC-4-staging'?");
    expect_usage_error({"rules", "../README"}, "there is no rule '../README'");
}

TEST_F(Commands, PrintSchemas) {
    for (const std::string name : {"pipeline", "report", "catalogue", "certificate"}) {
        const Outcome outcome = run({"schema", name});
        EXPECT_EQ(nlohmann::json::parse(outcome.out)["$schema"], "http://json-schema.org/draft-07/schema#") << name;
    }
    EXPECT_EQ(run({"schema"}).out, run({"schema", "pipeline"}).out);
    expect_usage_error({"schema", "reprot"}, "did you mean 'report'?");
}

TEST_F(Commands, TakeTheCatalogueFromTheEnvironment) {
    EXPECT_EQ(run({"rules"}, "", {"ONCECHECK_SPECS=/nowhere"}).code, 2);
    EXPECT_EQ(run({"rules", "--specs", ONCECHECK_SOURCE_SPECS}, "", {"ONCECHECK_SPECS=/nowhere"}).code, 0);
}

}  // namespace
}  // namespace oncecheck

// `oncecheck export`: where files go, what is never overwritten, what is refused.
#include "tests/cli/program.h"

namespace oncecheck {

namespace {

using ExportCommandTest = ProgramTest;

TEST_F(ExportCommandTest, PrintsWhatIsOneFile) {
    write("p.json", appending_pipeline("events", ""));
    const Outcome outcome = run({"export", "--to", "mermaid", "p.json"});
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_TRUE(outcome.out.starts_with("flowchart LR\n")) << outcome.out;
}

TEST_F(ExportCommandTest, DrawsWhatAReconciliationComparesAsNoFlowOfData) {
    const Outcome outcome =
        run({"export", "--to", "dot", std::string(ONCECHECK_TESTS) + "/cases/beyond/reconciliation-by-count.json"});
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_NE(outcome.out.find(R"("key_audit" [shape=note)"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find(R"("payments_topic" -> "key_audit" [style=dotted])"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find(R"("db" -> "key_audit" [label="payments", style=dotted])"), std::string::npos);
}

TEST_F(ExportCommandTest, WantsADirectoryForSeveralFiles) {
    write("p.json", appending_pipeline("events", ""));
    const Outcome outcome = run({"export", "--to", "tla", "p.json"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.error.find("--directory"), std::string::npos) << outcome.error;
    EXPECT_TRUE(outcome.out.empty());
}

TEST_F(ExportCommandTest, ListsTheFilesThatItWritesIntoADirectoryOfItsOwn) {
    write("p.json", appending_pipeline("events", ""));
    const Outcome outcome = run({"export", "--to", "tla", "--directory", "models", "p.json"});
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_NE(outcome.out.find("models/"), std::string::npos);
    EXPECT_NE(outcome.out.find(".tla\n"), std::string::npos);
    EXPECT_NE(outcome.out.find(".cfg\n"), std::string::npos);
}

TEST_F(ExportCommandTest, OverwritesOnlyWithForce) {
    write("p.json", appending_pipeline("events", ""));
    write("graph.dot", "mine");
    const Outcome refused = run({"export", "--to", "dot", "--output", "graph.dot", "p.json"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.error.find("--force"), std::string::npos) << refused.error;
    EXPECT_EQ(file_text(path("graph.dot")), "mine");
    EXPECT_EQ(run({"export", "--to", "dot", "--output", "graph.dot", "--force", "p.json"}).code, 0);
    EXPECT_TRUE(file_text(path("graph.dot")).starts_with("digraph"));
}

TEST_F(ExportCommandTest, WritesNoFileIfOneIsThere) {
    write("p.json", appending_pipeline("events", ""));
    const Outcome first = run({"export", "--to", "tla", "--directory", "models", "p.json"});
    const std::string module = first.out.substr(0, first.out.find('\n'));
    std::filesystem::remove(path(module));
    EXPECT_EQ(run({"export", "--to", "tla", "--directory", "models", "p.json"}).code, 2);
    EXPECT_FALSE(std::filesystem::exists(path(module)));
}

TEST_F(ExportCommandTest, NeverOverwritesItsInput) {
    const std::string text = appending_pipeline("events", "");
    write("p.json", text);
    EXPECT_EQ(run({"export", "--to", "dot", "--output", "p.json", "--force", "p.json"}).code, 2);
    EXPECT_EQ(file_text(path("p.json")), text);
}

TEST_F(ExportCommandTest, SaysThatThereIsNoRunWhereNothingIsViolated) {
    write("p.json", holding_pipeline("events"));
    const Outcome outcome = run({"export", "--to", "itf", "p.json"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_TRUE(outcome.out.empty());
    EXPECT_NE(outcome.error.find("violated"), std::string::npos) << outcome.error;
}

TEST_F(ExportCommandTest, GivesTheRunsOfOneRequirement) {
    write("p.json", appending_pipeline("events", ""));
    const Outcome outcome =
        run({"export", "--to", "itf", "--requirement", "no-duplicate:db.rows", "--directory", "runs", "p.json"});
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_NE(outcome.out.find(".itf.json\n"), std::string::npos);
    const Outcome unknown = run({"export", "--to", "itf", "--requirement", "no-duplicates", "p.json"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_NE(unknown.error.find("did you mean 'no-duplicate'"), std::string::npos) << unknown.error;
}

TEST_F(ExportCommandTest, RefusesToWriteNothing) {
    std::string text = appending_pipeline("events", "");
    const std::string requirement = R"("no-duplicate": "db.rows", "from": "events")";
    write("p.json", text.replace(text.find(requirement), requirement.size(), R"("progress": "load")"));
    const Outcome outcome = run({"export", "--to", "smtlib", "p.json"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.error.find("nothing to export as smtlib"), std::string::npos) << outcome.error;
}

TEST_F(ExportCommandTest, RefusesWhatItDoesNotKnow) {
    write("p.json", appending_pipeline("events", ""));
    EXPECT_EQ(run({"export", "--to", "pdf", "p.json"}).code, 2);
    EXPECT_EQ(run({"export", "p.json"}).code, 2);
    EXPECT_EQ(run({"export", "--to", "tla", "--steps", "3", "p.json"}).code, 2);
    EXPECT_EQ(run({"export", "--to", "dot", "--variant", "other", "p.json"}).code, 2);
    EXPECT_EQ(run({"export", "--to", "dot", "missing.json"}).code, 2);
    EXPECT_EQ(run({"export", "--to", "dot", "--output", "no/such/graph.dot", "p.json"}).code, 2);
}

}  // namespace

}  // namespace oncecheck

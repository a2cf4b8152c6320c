// Engines that contradict each other, and what is kept of it.
#include "checker/export/bundle.h"

#include <gtest/gtest.h>

#include <fstream>

#include "checker/engines/explicit_engine.h"
#include "tests/export/small_system.h"

namespace oncecheck {

namespace {

namespace fs = std::filesystem;

// Says that everything holds.
class Yes : public Engine {
  public:
    [[nodiscard]] std::string_view name() const override { return "yes"; }
    [[nodiscard]] CheckResult check(const TransitionSystem& system, const Limits&, const Progress&) const override {
        CheckResult result;
        result.properties.assign(system.properties.size(), Exhausted{});
        return result;
    }
};

TransitionSystem violated_system() {
    TransitionSystem system = small_system();
    system.properties = {{"counted", equals(5, 2)}};
    return system;
}

Contradiction contradiction() {
    std::vector<std::unique_ptr<Engine>> engines;
    engines.push_back(std::make_unique<ExplicitEngine>());
    engines.push_back(std::make_unique<Yes>());
    try {
        (void)check_system(violated_system(), engines, {}, {});
    } catch (const Contradiction& found) {
        return found;
    }
    throw InternalError("nobody noticed");
}

Dispute dispute() {
    Document document;
    document.file = "pipeline.json";
    document.variant = "other";
    document.text = "{}";
    return dispute_of(contradiction(), document);
}

TEST(Contradiction, IsThrownWithBothAnswers) {
    const Contradiction::Details details = contradiction().details();
    EXPECT_EQ(details.question, "counted");
    ASSERT_EQ(details.answers.size(), 2U);
    EXPECT_EQ(details.answers[0].engine, "explicit");
    EXPECT_TRUE(std::holds_alternative<Counterexample>(details.answers[0].outcome));
    EXPECT_EQ(details.answers[1].engine, "yes");
    EXPECT_TRUE(std::holds_alternative<Exhausted>(details.answers[1].outcome));
}

TEST(Bundle, HoldsDocumentSystemAnswersAndTraces) {
    std::map<std::string, std::string> files;
    for (const ExportedFile& file : render_bundle(dispute())) {
        EXPECT_TRUE(files.emplace(file.name, file.text).second) << file.name;
    }
    EXPECT_EQ(files["document.json"], "{}");
    EXPECT_NE(files["README.txt"].find("explicit: violated: a run of 2 steps with 0 faults"), std::string::npos)
        << files["README.txt"];
    EXPECT_NE(files["README.txt"].find("yes: holds"), std::string::npos);
    EXPECT_NE(files["README.txt"].find("pipeline.json, variant other"), std::string::npos);
    for (const char* name : {"system.pml", "initiation.smt2", "consecution.smt2", "safety.smt2", "run-2.smt2",
                             "trace-explicit.itf.json"}) {
        EXPECT_FALSE(files[name].empty()) << name;
    }
}

TEST(Bundle, NeverTouchesADirectoryThatIsThere) {
    std::string pattern = (fs::temp_directory_path() / "oncecheck-XXXXXX").string();
    const fs::path parent = mkdtemp(pattern.data());
    const fs::path first = write_to_fresh_directory(parent, "bundle", {{"a", "1"}});
    const fs::path second = write_to_fresh_directory(parent, "bundle", {{"a", "2"}});
    EXPECT_EQ(first, parent / "bundle");
    EXPECT_EQ(second, parent / "bundle-2");
    std::string text;
    std::ifstream(first / "a") >> text;
    EXPECT_EQ(text, "1");
    fs::remove_all(parent);
}

}  // namespace

}  // namespace oncecheck

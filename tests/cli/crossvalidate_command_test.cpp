// The campaign from the command line.

#include "tests/cli/program.h"

namespace oncecheck {

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class CrossvalidateCommand : public ProgramTest {};

TEST_F(CrossvalidateCommand, PrintsItsCountsAndSeed) {
    const Outcome outcome = run({"crossvalidate", "--pipelines", "3", "--schedules", "5", "--seed", "7", "--quiet"});
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "3 agrees")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "seed 7")) << outcome.out;
}

TEST_F(CrossvalidateCommand, TakesADocumentWithReconciliations) {
    const Outcome outcome = run({"crossvalidate", "--schedules", "20", "--seed", "1", "--quiet",
                                 std::string(ONCECHECK_TESTS) + "/cases/beyond/reconciliation-by-count.json"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.error;
}

TEST_F(CrossvalidateCommand, OverwritesNoFile) {
    const std::string file = write("records.jsonl", "mine");
    const Outcome outcome = run({"crossvalidate", "--pipelines", "1", "--output", file});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.error, "is there already")) << outcome.error;
}

TEST_F(CrossvalidateCommand, SaysWhereItsStoreCanBe) {
    const Outcome outcome = run({"crossvalidate", "--store", "mysql://somewhere"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.error, "--store")) << outcome.error;
}

}  // namespace

}  // namespace oncecheck

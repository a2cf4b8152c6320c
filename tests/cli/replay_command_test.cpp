// `oncecheck replay` as a user calls it.
#include "tests/cases/support/documents.h"
#include "tests/cli/program.h"

namespace oncecheck {

namespace {

class Replay : public ProgramTest {
  protected:
    // A staging table that two attempts share: loses rows beside a zombie.
    std::string shared_staging() const {
        QueryDocument document;
        document.faults = R"("crash", "zombie")";
        document.program = R"([ { "truncate": "db.stg" }, { "append": "db.stg" },
                                { "insert": "db.payments", "from": "db.stg" } ])";
        document.require = R"({ "no-loss": "db.payments", "from": "payments_topic" })";
        return write("pipeline.json", document.text());
    }
};

TEST_F(Replay, ConfirmsAViolationAndShowsTheStatementsThatRan) {
    const Outcome outcome = run({"replay", shared_staging()});
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_NE(outcome.out.find("INSERT INTO stg"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("confirmed: "), std::string::npos) << outcome.out;
}

TEST_F(Replay, RunsATraceThatItHasSaved) {
    const std::string pipeline = shared_staging();
    ASSERT_EQ(run({"replay", "--save", "run.json", pipeline}).code, 0);
    const Outcome again = run({"replay", "--trace", "run.json", pipeline});
    EXPECT_EQ(again.code, 0) << again.error;
    EXPECT_NE(again.out.find("confirmed: "), std::string::npos) << again.out;
}

TEST_F(Replay, RefusesATraceOfAnotherDocument) {
    ASSERT_EQ(run({"replay", "--save", "run.json", shared_staging()}).code, 0);
    QueryDocument other;
    other.faults = R"("crash")";
    other.program = R"([ { "append": "db.payments" } ])";
    const Outcome outcome = run({"replay", "--trace", "run.json", write("other.json", other.text())});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.error.find("[trace-file]"), std::string::npos) << outcome.error;
}

TEST_F(Replay, NamesTheRequirementsThatThereAre) {
    const Outcome outcome = run({"replay", "--requirement", "no-los", shared_staging()});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.error.find("no-los"), std::string::npos) << outcome.error;
}

TEST_F(Replay, HasNothingToRunWhereNothingIsViolated) {
    QueryDocument document;
    document.program = R"([ { "append": "db.payments" } ])";
    document.require = R"({ "no-loss": "db.payments", "from": "payments_topic" })";
    const Outcome outcome = run({"replay", write("pipeline.json", document.text())});
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_NE(outcome.out.find("nothing to replay"), std::string::npos) << outcome.out;
}

}  // namespace

}  // namespace oncecheck

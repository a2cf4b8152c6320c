// `oncecheck verify --certificate` and `oncecheck certify`: where files go, and what each exit code means.
#include <filesystem>

#include "tests/cli/program.h"

namespace oncecheck {

namespace {

class CertifyCommandTest : public ProgramTest {
  protected:
    Outcome verify(const Arguments& more) const {
        write("p.json", appending_pipeline("events", "violated"));
        Arguments arguments{"verify", "--quiet", "p.json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments);
    }

    // A valid certificate, with the text changed once.
    void change(const std::string& from, const std::string& to) const {
        ASSERT_EQ(verify({"--certificate", "c.json"}).code, 0);
        std::string text = file_text(path("c.json"));
        const std::size_t at = text.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        write("c.json", text.replace(at, from.size(), to));
    }
};

TEST_F(CertifyCommandTest, AcceptsWhatVerifyHasWritten) {
    ASSERT_EQ(verify({"--certificate", "c.json"}).code, 0);
    const Outcome outcome = run({"certify", "c.json"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.error;
    EXPECT_TRUE(outcome.out.starts_with("c.json: valid: no-duplicate of db.rows from events violated")) << outcome.out;
}

TEST_F(CertifyCommandTest, RefusesWhatWasChangedSinceAndSaysWhere) {
    change("\"verdict\": \"violated\"", "\"verdict\": \"holds\"");
    const Outcome outcome = run({"certify", "c.json"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_TRUE(outcome.out.starts_with("c.json: refused: evidence of load")) << outcome.out;
}

TEST_F(CertifyCommandTest, CannotReadWhatIsNoCertificate) {
    change("\"certificate\": 1", "\"certificate\": 7");
    const Outcome outcome = run({"certify", "c.json"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(outcome.error.find("c.json:2:") != std::string::npos) << outcome.error;
    EXPECT_EQ(run({"certify", "p.json"}).code, 2);
    EXPECT_EQ(run({"certify", "nowhere.json"}).code, 2);
}

TEST_F(CertifyCommandTest, WritesOneFileARequirementIntoADirectory) {
    std::string text = appending_pipeline("events", "violated");
    text.replace(text.find("\"require\": ["), 12, "\"require\": [ { \"progress\": \"load\" },");
    write("two.json", text);
    ASSERT_EQ(run({"verify", "--quiet", "--certificate", "evidence", "two.json"}).code, 0);
    EXPECT_TRUE(std::filesystem::exists(path("evidence/two.1-progress.certificate.json")));
    EXPECT_TRUE(std::filesystem::exists(path("evidence/two.2-no-duplicate.certificate.json")));
    const Outcome outcome = run({"certify", "--obligations", "smt", "evidence/two.1-progress.certificate.json",
                                 "evidence/two.2-no-duplicate.certificate.json"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.error;
    for (const char* name : {"smt/1-1-initiation.smt2", "smt/1-1-consecution.smt2", "smt/1-1-descent.smt2"}) {
        EXPECT_NE(file_text(path(name)).find("(check-sat)"), std::string::npos) << name;
    }
}

TEST_F(CertifyCommandTest, WritesTheObligationsOfALargeSetInPartsAndNamesThemOnce) {
    write("p.json", file_text(ONCECHECK_TESTS "/cases/beyond/deployment-allows-zombie.json"));
    ASSERT_LE(run({"verify", "--quiet", "--certificate", "evidence", "p.json"}).code, 1);
    const Outcome outcome = run({"certify", "--obligations", "smt", "evidence/p.2-no-duplicate.certificate.json"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.error;
    EXPECT_NE(outcome.out.find(": initiation, consecution, safety: state by state"), std::string::npos) << outcome.out;
    for (const char* name : {"smt/1-1-consecution-1-of-3.smt2", "smt/1-1-consecution-3-of-3.smt2"}) {
        EXPECT_NE(file_text(path(name)).find("(check-sat)"), std::string::npos) << name;
    }
    EXPECT_FALSE(std::filesystem::exists(path("smt/1-1-consecution.smt2")));
}

TEST_F(CertifyCommandTest, SaysHowEachProofWasChecked) {
    std::string text = appending_pipeline("events", "violated");
    text.replace(text.find("\"require\": ["), 12, "\"require\": [ { \"progress\": \"load\" },");
    write("two.json", text);
    ASSERT_EQ(run({"verify", "--quiet", "--certificate", "evidence", "two.json"}).code, 0);
    const std::string file = "evidence/two.1-progress.certificate.json";
    const std::string proof = "\n  evidence of load, events[0]: initiation, consecution, descent: ";
    const Outcome walked = run({"certify", file});
    EXPECT_EQ(walked.code, 0) << walked.out << walked.error;
    EXPECT_NE(walked.out.find(proof + "state by state, 8 in all\n"), std::string::npos) << walked.out;
    const Outcome solved = run({"certify", "--solver", file});
    EXPECT_EQ(solved.code, 0) << solved.out << solved.error;
    EXPECT_NE(solved.out.find(proof + "by Z3\n"), std::string::npos) << solved.out;
}

TEST_F(CertifyCommandTest, OverwritesNoInput) {
    const Outcome outcome = verify({"--certificate", "p.json"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(file_text(path("p.json")), appending_pipeline("events", "violated"));
}

TEST_F(CertifyCommandTest, RefusesACertificateOfAnotherCatalogue) {
    ASSERT_EQ(verify({"--certificate", "c.json"}).code, 0);
    std::filesystem::copy(ONCECHECK_SOURCE_SPECS, path("specs"), std::filesystem::copy_options::recursive);
    EXPECT_EQ(run({"certify", "--specs", "specs", "c.json"}).code, 0);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path("specs/components"))) {
        if (entry.path().filename() == "mysql.json") {
            write_text(entry.path().string(), file_text(entry.path().string()) + ' ');
        }
    }
    const Outcome outcome = run({"certify", "--specs", "specs", "c.json"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_TRUE(outcome.out.starts_with("c.json: refused: catalogue: ")) << outcome.out;
}

}  // namespace

}  // namespace oncecheck

// `oncecheck verify` as a program: exit codes, which stream holds what, report files, and the order of precedence.

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace oncecheck {
namespace {

using nlohmann::json;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class VerifyCommand : public ProgramTest {
  protected:
    const std::string fails_ = write("fails.json", appending_pipeline("fails", ""));
    const std::string expected_ = write("expected.json", appending_pipeline("expected", "violated"));
    const std::string holds_ = write("holds.json", holding_pipeline("holds"));
    const std::string broken_ = write("broken.json", "{ \"components\": { \"a\": 3 } }");
};

// ---- exit codes

TEST_F(VerifyCommand, EndsWith0IfEveryVerdictIsAsExpected) {
    const Outcome outcome = run({"verify", holds_, expected_});
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_TRUE(contains(outcome.out, "expected: violated, as expected")) << outcome.out;
    EXPECT_EQ(outcome.error, "");
}

TEST_F(VerifyCommand, EndsWith1IfAVerdictIsNotAsExpected) {
    const Outcome outcome = run({"verify", holds_, fails_});
    EXPECT_EQ(outcome.code, 1) << outcome.error;
    EXPECT_TRUE(contains(outcome.out, "FAIL: fails.json: violated")) << outcome.out;
}

TEST_F(VerifyCommand, EndsWith3IfTimeRunsOut) {
    const std::string slow = ONCECHECK_EXAMPLES "/card-payments/pipeline.json";
    const Outcome outcome = run({"verify", "--timeout", "1ms", slow, holds_});
    EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.error;
    EXPECT_TRUE(contains(outcome.out, "undecided")) << outcome.out;
}

TEST_F(VerifyCommand, ReportsTheOthersAndEndsWith2IfOneInputIsBad) {
    for (const std::string& bad : {std::string("missing.json"), broken_, std::string(".")}) {
        const Outcome outcome = run({"verify", bad, fails_});
        EXPECT_EQ(outcome.code, 2);
        EXPECT_TRUE(contains(outcome.out, "fails: violated")) << outcome.out;
        EXPECT_TRUE(contains(outcome.error, bad)) << outcome.error;
    }
}

// ---- bad input

TEST_F(VerifyCommand, SaysWhereTheInputIsWrong) {
    const Outcome outcome = run({"verify", broken_});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.error.starts_with("broken.json:1:24: error: ")) << outcome.error;
    EXPECT_TRUE(contains(outcome.error, "  1 | { \"components\": { \"a\": 3 } }\n    |                        ^\n"))
        << outcome.error;
}

TEST_F(VerifyCommand, RefusesWhatIsNoDocument) {
    write("empty.json", "");
    write("bytes.json", std::string("\xff\xfe\0{", 4));
    for (const std::string file : {"empty.json", "bytes.json", "missing.json", ".", "/dev/null"}) {
        const Outcome outcome = run({"verify", "--format", "json", file});
        EXPECT_EQ(outcome.code, 2) << file;
        EXPECT_EQ(outcome.out, "") << file;
        EXPECT_TRUE(contains(outcome.error, "error: ")) << file << outcome.error;
    }
}

TEST_F(VerifyCommand, QuotesStandardInput) {
    const Outcome good = run({"verify", "-"}, holding_pipeline("piped"));
    EXPECT_EQ(good.code, 0) << good.error;
    EXPECT_TRUE(contains(good.out, "piped: holds")) << good.out;
    const Outcome bad = run({"verify", "-"}, "{\n  \"componants\": {} }");
    EXPECT_EQ(bad.code, 2);
    EXPECT_TRUE(contains(bad.error, "  2 |   \"componants\": {} }\n")) << bad.error;
    EXPECT_TRUE(contains(bad.error, "components")) << bad.error;
}

TEST_F(VerifyCommand, SaysOnceWhatIsWrongInAllVariants) {
    std::string text = appending_pipeline("twins", "");
    text.replace(text.find("postgresql"), 10, "postgresqq");
    text.insert(text.rfind('}'), ", \"variants\": { \"one\": {}, \"two\": {} }");
    const Outcome outcome = run({"verify", write("twins.json", text)});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.error.find("postgresqq'"), outcome.error.rfind("postgresqq'")) << outcome.error;
}

// ---- bad usage

TEST_F(VerifyCommand, RefusesBadUsage) {
    const std::vector<Arguments> bad = {
        {"verify"},
        {"verify", "--records", "5", holds_},
        {"verify", "--batches", "0", holds_},
        {"verify", "--attempts", "4", holds_},
        {"verify", "--faults", "-1", holds_},
        {"verify", "--jobs", "0", holds_},
        {"verify", "--jobs", "many", holds_},
        {"verify", "--timeout", "soon", holds_},
        {"verify", "--timeout", "0s", holds_},
        {"verify", "--memory", "-1G", holds_},
        {"verify", "--memory", "lots", holds_},
        {"verify", "--engine", "magic", holds_},
        {"verify", "--format", "poem", holds_},
        {"verify", "--color", "red", holds_},
        {"verify", "--output", "json", holds_},
        {"verify", "--output", "poem=x", holds_},
        {"verify", "--output", "json=", holds_},
        {"verify", "--output", "json=.", holds_},
        {"verify", "--output", "json=none/x.json", holds_},
        {"verify", "--output", "json=x", "--output", "text=./x", holds_},
        {"verify", "--set", "novalue", holds_},
        {"verify", "--set", "unknown=value", holds_},
        {"verify", "--variant", "none", holds_},
        {"verify", "--specs", "none", holds_},
        {"verify", holds_, holds_},
    };
    for (const Arguments& arguments : bad) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.code, 2) << testing::PrintToString(arguments);
        EXPECT_EQ(outcome.out, "") << testing::PrintToString(arguments);
        EXPECT_NE(outcome.error, "") << testing::PrintToString(arguments);
    }
}

TEST_F(VerifyCommand, SuggestsTheOptionThatWasMeant) {
    const Outcome outcome = run({"verify", "--formt", "json", holds_});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.error, "there is no option '--formt'; did you mean '--format'?")) << outcome.error;
    EXPECT_TRUE(contains(run({"verify", "--stric"}).error, "did you mean '--strict'?"));
}

// ---- formats and streams

TEST_F(VerifyCommand, PrintsNothingButJsonOnStandardOutput) {
    const Outcome one = run({"verify", "--format", "json", "--verbose", fails_});
    EXPECT_EQ(one.code, 1);
    EXPECT_EQ(json::parse(one.out)["verdict"], "violated");
    EXPECT_TRUE(contains(one.error, "fails.json")) << one.error;
    const Outcome several = run({"verify", "--format", "json", fails_, "missing.json"});
    EXPECT_EQ(json::parse(several.out)["reports"].size(), 1U);
}

TEST_F(VerifyCommand, SaysNothingOnStandardErrorIfQuiet) {
    EXPECT_EQ(run({"verify", "--quiet", "--verbose", holds_}).error, "");
}

TEST_F(VerifyCommand, ColoursOnlyIfAskedWhereThereIsNoTerminal) {
    const auto coloured = [&](const Arguments& arguments, const std::vector<std::string>& environment) {
        const Outcome outcome = run(arguments, "", environment);
        return contains(outcome.out, "\x1b[") || contains(outcome.error, "\x1b[");
    };
    EXPECT_FALSE(coloured({"verify", fails_}, {}));
    EXPECT_FALSE(coloured({"verify", broken_}, {}));
    EXPECT_FALSE(coloured({"verify", fails_}, {"NO_COLOR=1"}));
    EXPECT_FALSE(coloured({"verify", "--color", "never", fails_}, {}));
    EXPECT_TRUE(coloured({"verify", "--color", "always", fails_}, {}));
    EXPECT_FALSE(coloured({"verify", "--color", "always", "--format", "json", fails_}, {}));
}

TEST_F(VerifyCommand, PrintsTheSameWhateverTheNumberOfThreads) {
    json one = json::parse(run({"verify", "--format", "json", "--jobs", "1", fails_}).out);
    json four = json::parse(run({"verify", "--format", "json", "--jobs", "4", fails_}).out);
    one["statistics"].erase("measured");
    four["statistics"].erase("measured");
    EXPECT_EQ(one, four);
}

// ---- report files

TEST_F(VerifyCommand, WritesReportFilesBesideTheReport) {
    const Outcome outcome =
        run({"verify", "--output", "json=r.json", "--output", "text=r.txt", "--color", "always", fails_});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_TRUE(contains(outcome.out, "violated"));
    EXPECT_EQ(json::parse(file_text(path("r.json")))["verdict"], "violated");
    EXPECT_TRUE(file_text(path("r.txt")).starts_with("fails: violated\n")) << file_text(path("r.txt"));
}

TEST_F(VerifyCommand, OverwritesAnOlderReport) {
    write("r.json", std::string(100'000, 'x'));
    EXPECT_EQ(run({"verify", "--output", "json=r.json", holds_}).code, 0);
    EXPECT_EQ(json::parse(file_text(path("r.json")))["verdict"], "holds");
}

TEST_F(VerifyCommand, NeverOverwritesItsInput) {
    std::filesystem::create_symlink(path(holds_), path("link.json"));
    std::filesystem::create_hard_link(path(holds_), path("hard.json"));
    const std::string before = file_text(path(holds_));
    for (const std::string target : {"holds.json", "./holds.json", "link.json", "hard.json"}) {
        const Outcome outcome = run({"verify", "--output", "json=" + target, holds_});
        EXPECT_EQ(outcome.code, 2) << target;
        EXPECT_TRUE(contains(outcome.error, "would be overwritten")) << outcome.error;
        EXPECT_EQ(outcome.out, "") << target;
        EXPECT_EQ(file_text(path(holds_)), before) << target;
    }
}

TEST_F(VerifyCommand, NeverOverwritesAConfigurationFileEvenOfABadDocument) {
    write("load.properties", "startingOffsets=earliest\n");
    std::string text = holding_pipeline("configured");
    text.replace(text.find("\"foreachBatch\""), 0, "\"config_file\" : \"load.properties\", ");
    text.erase(text.find(", \"startingOffsets\": \"earliest\""), 31);
    write("configured.json", text);
    write("bad.json", "{ \"config_file\":\n\"load.properties\" ");
    for (const std::string file : {"configured.json", "bad.json"}) {
        const Outcome outcome = run({"verify", "--output", "text=load.properties", file, holds_});
        EXPECT_EQ(outcome.code, 2) << file;
        EXPECT_EQ(file_text(path("load.properties")), "startingOffsets=earliest\n") << file;
    }
}

TEST_F(VerifyCommand, FailsIfAReportCannotBeWritten) {
    const Outcome full = finish(start({"verify", holds_}, "", {}, "/dev/full"));
    EXPECT_EQ(full.code, 2);
    EXPECT_TRUE(contains(full.error, "cannot write to standard output")) << full.error;
    EXPECT_EQ(run({"verify", "--output", "json=/dev/full", holds_}).code, 2);
}

// ---- variants and let

TEST_F(VerifyCommand, VerifiesTheDocumentAndItsVariants) {
    std::string text = appending_pipeline("family", "violated");
    text.insert(text.rfind('}'), ", \"variants\": { \"crashes\": { \"expect\": \"violated\" } }");
    write("family.json", text);
    const json all = json::parse(run({"verify", "--format", "json", "family.json"}).out);
    ASSERT_EQ(all["reports"].size(), 2U);
    EXPECT_EQ(all["reports"][0]["variant"], nullptr);
    EXPECT_EQ(all["reports"][1]["variant"], "crashes");
    for (const std::string name : {"", "base"}) {
        EXPECT_EQ(json::parse(run({"verify", "--format", "json", "--variant", name, "family.json"}).out)["variant"],
                  nullptr);
    }
    EXPECT_EQ(json::parse(run({"verify", "--format", "json", "--variant", "crashes", "family.json"}).out)["variant"],
              "crashes");
    EXPECT_TRUE(contains(run({"verify", "--variant", "crashs", "family.json"}).error, "did you mean 'crashes'?"));
}

TEST_F(VerifyCommand, SetsAName) {
    std::string text = appending_pipeline("named", "violated");
    text.replace(text.find("\"db.rows\" } ]"), 9, "\"$table\"");
    text.insert(1, " \"let\": { \"table\": \"db.other\" },");
    write("named.json", text);
    const Outcome outcome = run({"verify", "--set", "table=db.rows", "named.json"});
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_TRUE(contains(outcome.out, "db.rows"));
}

// ---- signals

TEST_F(VerifyCommand, KeepsItsVerdictIfTheReaderGoesAway) {
    int ends[2] = {-1, -1};
    ASSERT_EQ(pipe(ends), 0);
    close(ends[0]);
    const pid_t child = start({"verify", fails_}, "", {}, "/dev/fd/" + std::to_string(ends[1]));
    close(ends[1]);
    const Outcome outcome = finish(child);
    EXPECT_EQ(outcome.code, 1) << outcome.error;
    EXPECT_EQ(outcome.error, "");
}

TEST_F(VerifyCommand, EndsWith130OnInterrupt) {
    // A document that never comes. As soon as it can be written to, the program waits for it.
    ASSERT_EQ(mkfifo(path("never").c_str(), 0600), 0);
    const pid_t child = start({"verify", "never"});
    int writer = -1;
    for (int tries = 0; writer < 0 && tries < 1'000; ++tries) {
        usleep(10'000);
        writer = open(path("never").c_str(), O_WRONLY | O_NONBLOCK);
    }
    kill(child, SIGINT);
    EXPECT_EQ(finish(child).code, 130);
    close(writer);
}

}  // namespace
}  // namespace oncecheck

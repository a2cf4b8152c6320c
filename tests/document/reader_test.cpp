#include "model/document/reader.h"

#include <gtest/gtest.h>

#include "tests/document/reading_fixture.h"

namespace oncecheck {
namespace {

TEST(Reader, ReadsTheShortestDocument) {
    const Document document = read_one(R"({"components": {"a": "kafka"}})");
    EXPECT_EQ(document.file, "test.json");
    EXPECT_EQ(document.pipeline, "test");
    ASSERT_EQ(document.components.size(), 1U);
    EXPECT_EQ(document.components[0].name, "a");
    EXPECT_EQ(document.components[0].type, "kafka");
    EXPECT_FALSE(document.require.has_value());
    EXPECT_FALSE(document.assume.faults.has_value());
    EXPECT_EQ(document.text, R"({"components": {"a": "kafka"}})");
}

TEST(Reader, KeepsNameProseAndTheOrderOfComponents) {
    const Document document = read_one(
        R"({"$schema": "s", "pipeline": "n", "description": "d", "components": {"z": "t", "a": "t", "m": "t"}})");
    EXPECT_EQ(document.pipeline, "n");
    EXPECT_EQ(document.description, "d");
    EXPECT_EQ(document.components[0].name, "z");
    EXPECT_EQ(document.components[1].name, "a");
    EXPECT_EQ(document.components[2].name, "m");
}

TEST(Reader, RefusesWhatIsNoDocument) {
    EXPECT_EQ(codes_of("[]"), Codes{"type "});
    EXPECT_EQ(codes_of("null"), Codes{"type "});
    EXPECT_EQ(codes_of("{}"), Codes{"missing-key "});
    EXPECT_EQ(codes_of(R"({"components": {}})"), Codes{"value /components"});
    EXPECT_EQ(codes_of(R"({"components": []})"), Codes{"type /components"});
    EXPECT_EQ(codes_of(R"({"components": {"": "t"}})"), Codes{"value /components/"});
}

TEST(Reader, UnknownKeysGetASuggestion) {
    const std::vector<Problem> problems = problems_of(with_members(R"("requires": [])"));
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems[0].code, "unknown-key");
    EXPECT_EQ(problems[0].where, (SourcePosition{"test.json", 1, 28, "/requires"}));
    EXPECT_NE(problems[0].hint.find("'require'"), std::string::npos);
}

TEST(Reader, CollectsAllProblemsUpToABound) {
    EXPECT_EQ(codes_of(R"({"pipeline": 1, "components": {"a": 2, "b": {"version": 3}}, "nope": 4})"),
              (Codes{"type /pipeline", "type /components/a", "type /components/b/version", "missing-key /components/b",
                     "unknown-key /nope"}));
    std::string many = R"({"components": {"a": "t")";
    for (int count = 0; count < 1000; ++count) {
        many += ", \"c" + std::to_string(count) + "\": 1";
    }
    EXPECT_EQ(problems_of(many + "}}").size(), 100U);
}

TEST(Reader, FilesThatCannotBeReadAreNamed) {
    for (const std::string path : {"/nonexistent/x.json", ONCECHECK_TESTS}) {
        try {
            (void)read_documents(path, {});
            FAIL() << path;
        } catch (const InputError& error) {
            EXPECT_EQ(error.problems().front().code, "file");
            EXPECT_EQ(error.problems().front().where.file, path);
        }
    }
}

TEST(Reader, ReadsFilesWithTheirConfigurationFiles) {
    const std::vector<Document> documents = read_documents(ONCECHECK_TESTS "/document/full.json", {});
    ASSERT_EQ(documents.size(), 3U);
    EXPECT_EQ(documents[0].components[0].config.at("acks").text, "all");
    EXPECT_EQ(documents[0].text, file_text(ONCECHECK_TESTS "/document/full.json"));
}

// ---- let

TEST(Let, StandsForStrings) {
    const Document document = read_one(R"({"let": {"t": "kafka", "n": "$t", "v": "1"},
        "components": {"a": "$n", "b": {"type": "$t", "version": "$v", "config": {"x": "$v"}}}})");
    EXPECT_EQ(document.components[0].type, "kafka");
    EXPECT_EQ(document.components[1].version, "1");
    EXPECT_EQ(document.components[1].config.at("x").text, "1");
}

TEST(Let, StepsAreSplicedIntoTheList) {
    const Document document = read_one(R"({
        "let": {"stg": "w.stg", "load": [{"truncate": "$stg"}, {"append": "$stg"}], "one": {"drop": "$stg"}},
        "components": {"p": {"type": "t", "steps": ["$load", {"check": "f"}, "$one"]},
                       "q": {"type": "t", "steps": "$load", "on_start": "$one"}}})");
    const Program& steps = document.components[0].steps;
    ASSERT_EQ(steps.size(), 4U);
    EXPECT_EQ(steps[0].verb, Verb::kTruncate);
    EXPECT_EQ(steps[0].target.text, "w.stg");
    EXPECT_EQ(steps[0].target.where.pointer, "/let/stg");
    EXPECT_EQ(steps[1].position.pointer, "/let/load/1");
    EXPECT_EQ(steps[2].verb, Verb::kCheck);
    EXPECT_EQ(steps[3].verb, Verb::kDrop);
    EXPECT_EQ(document.components[1].steps.size(), 2U);
    EXPECT_EQ(document.components[1].on_start.size(), 1U);
}

TEST(Let, IsPlainTextInsideALongerString) {
    EXPECT_EQ(read_step(R"({"truncate": "w.$stg"})").target.text, "w.$stg");
    EXPECT_EQ(read_step(R"({"truncate": "$.id"})").target.text, "$.id");
    EXPECT_EQ(read_step(R"({"truncate": "$"})").target.text, "$");
}

TEST(Let, AnUndefinedNameGetsASuggestion) {
    const std::vector<Problem> problems =
        problems_of(R"({"let": {"staging": "x"}, "components": {"p": {"type": "$stagign", "steps": ["$nope"]}}})");
    ASSERT_EQ(problems.size(), 2U);
    EXPECT_EQ(problems[0].code, "let");
    EXPECT_EQ(problems[0].where.pointer, "/components/p/type");
    EXPECT_NE(problems[0].hint.find("$staging"), std::string::npos);
    EXPECT_EQ(problems[1].where.pointer, "/components/p/steps/0");
}

TEST(Let, NamesThatReferToThemselvesAreFound) {
    EXPECT_EQ(codes_of(R"({"let": {"a": "$b", "b": "$a"}, "components": {"c": "$a"}})"), Codes{"let /components/c"});
    EXPECT_EQ(codes_of(R"({"let": {"a": ["$a"]}, "components": {"c": {"type": "t", "steps": "$a"}}})"),
              Codes{"let /let/a/0"});
    EXPECT_EQ(codes_of(R"({"let": {"a": {"transaction": ["$a"]}}, "components": {"c": {"type": "t", "steps": "$a"}}})"),
              Codes{"let /let/a/transaction/0"});
}

// Names that stand for ten of the next name each, the last for these steps.
std::string multiplied(const std::string& steps) {
    std::string text = R"({"let": {"a0": [)" + steps + "]";
    for (int level = 1; level < 14; ++level) {
        const std::string below = "\"$a" + std::to_string(level - 1) + "\"";
        text += ", \"a" + std::to_string(level) + "\": [" + below;
        for (int count = 0; count < 9; ++count) {
            text += ", " + below;
        }
        text += "]";
    }
    return text + R"(}, "components": {"c": {"type": "t", "steps": "$a13"}}})";
}

TEST(Let, NamesThatMultiplyStepsAreBounded) {
    EXPECT_EQ(problems_of(multiplied(R"({"truncate": "x"})")).front().code, "size");
    EXPECT_EQ(problems_of(multiplied("")).front().code, "size");
}

TEST(Let, ALongChainOfStepListsIsRefused) {
    std::string text = R"({"let": {"a0": [{"truncate": "x"}])";
    for (int level = 1; level < 1000; ++level) {
        text += ", \"a" + std::to_string(level) + "\": [\"$a" + std::to_string(level - 1) + "\"]";
    }
    text += R"(}, "components": {"c": {"type": "t", "steps": "$a999"}}})";
    EXPECT_EQ(problems_of(text).front().code, "nesting");
}

TEST(Let, ValuesAreStringsOrSteps) {
    EXPECT_EQ(codes_of(with_members(R"("let": {"a": 1, "b": [1, "x"], "c d": "x"})")),
              (Codes{"type /let/a", "type /let/b/0", "type /let/b/1", "let /let/c d"}));
    EXPECT_EQ(codes_of(with_members(R"("let": [])")), Codes{"type /let"});
    EXPECT_EQ(codes_of(R"({"let": {"a": [{"drop": "x"}]}, "components": {"c": "$a"}})"), Codes{"type /let/a"});
    EXPECT_EQ(codes_of(R"({"let": {"a": "x"}, "components": {"c": {"type": "t", "steps": ["$a"]}}})"),
              Codes{"type /let/a"});
}

TEST(Let, AnUnusedNameIsNoProblem) { EXPECT_TRUE(codes_of(with_members(R"("let": {"a": [{"x": 1}]})")).empty()); }

// ---- --set

const char* const kTwin =
    R"({"let": {"stg": "w.a"}, "components": {"p": {"type": "t", "steps": [{"truncate": "$stg"}]}},
                              "variants": {"v": {"let": {"stg": "w.b"}}}})";

TEST(Set, ReplacesLetInTheDocumentAndItsVariants) {
    const ReadOptions options{{{"stg", "w.c"}}};
    for (const Document& document : parse_documents(kTwin, "test.json", options)) {
        EXPECT_EQ(document.components[0].steps[0].target.text, "w.c");
    }
}

TEST(Set, AnUndefinedNameIsAProblem) {
    EXPECT_EQ(codes_of(kTwin, {{{"sgt", "x"}}}), Codes{"set /let"});
    EXPECT_NE(problems_of(kTwin, {{{"sgt", "x"}}}).front().hint.find("stg"), std::string::npos);
    EXPECT_EQ(codes_of(with_members(R"("description": "")"), {{{"stg", "x"}}}), Codes{"set /let"});
}

// ---- variants

TEST(Variants, FollowTheDocumentFullyResolved) {
    const std::vector<Document> documents = parse_documents(kTwin, "test.json", {});
    ASSERT_EQ(documents.size(), 2U);
    EXPECT_EQ(documents[0].variant, "");
    EXPECT_EQ(documents[0].components[0].steps[0].target.text, "w.a");
    EXPECT_EQ(documents[1].variant, "v");
    EXPECT_EQ(documents[1].components[0].steps[0].target.text, "w.b");
    EXPECT_EQ(documents[1].components[0].steps[0].target.where.pointer, "/variants/v/let/stg");
    EXPECT_EQ(documents[1].where.pointer, "/variants/v");
    EXPECT_FALSE(documents[1].expect.has_value());
}

TEST(Variants, ReplaceTheGivenKeysOfAssume) {
    const std::vector<Document> documents = parse_documents(
        with_members(
            R"("assume": {"faults": ["crash"], "except": {"zombie": "r"}, "max_outage": "1h", "max_pause": "1s"},
                        "variants": {"v": {"expect": "violated", "assume": {"except": {"crash": "s"}, "max_outage": "2h"}}})"),
        "test.json", {});
    const Assumptions& assume = documents[1].assume;
    EXPECT_EQ(assume.faults, std::vector<Fault>{Fault::kCrash});
    ASSERT_EQ(assume.except.size(), 1U);
    EXPECT_EQ(assume.except[0].fault, Fault::kCrash);
    EXPECT_EQ(assume.times.at("max_outage").milliseconds, 7'200'000);
    EXPECT_EQ(assume.times.at("max_pause").milliseconds, 1'000);
    EXPECT_EQ(documents[1].expect, Expectation::kViolated);
    EXPECT_EQ(documents[0].assume.times.at("max_outage").milliseconds, 3'600'000);
    EXPECT_FALSE(documents[0].expect.has_value());
}

TEST(Variants, OtherKeysAreNotSupported) {
    EXPECT_EQ(codes_of(with_members(R"("variants": {"v": {"components": {}, "require": [], "nope": 1}})")),
              (Codes{"unsupported /variants/v/components", "unsupported /variants/v/require",
                     "unknown-key /variants/v/nope"}));
}

TEST(Variants, WrongOnesAreProblems) {
    EXPECT_EQ(codes_of(with_members(R"("variants": [])")), Codes{"type /variants"});
    EXPECT_EQ(codes_of(with_members(R"("variants": {"v": 1, "": {}})")),
              (Codes{"type /variants/v", "value /variants/"}));
    EXPECT_EQ(codes_of(with_members(R"("variants": {"v": {"expect": "fails"}})")), Codes{"value /variants/v/expect"});
}

TEST(Variants, ALetNameThatTheDocumentLacksWouldChangeNothing) {
    EXPECT_EQ(codes_of(with_members(R"("let": {"stg": "a"}, "variants": {"v": {"let": {"sgt": "b"}}})")),
              Codes{"unknown-key /variants/v/let/sgt"});
}

TEST(Variants, AreBoundedInNumber) {
    std::string text = R"("variants": {"v": {})";
    for (int count = 0; count < 100; ++count) {
        text += ", \"v" + std::to_string(count) + "\": {}";
    }
    EXPECT_EQ(codes_of(with_members(text + "}")), Codes{"size /variants"});
}

// ---- small words

TEST(Durations, HaveAUnit) {
    EXPECT_EQ(parse_duration("250ms"), 250);
    EXPECT_EQ(parse_duration("0s"), 0);
    EXPECT_EQ(parse_duration("90s"), 90'000);
    EXPECT_EQ(parse_duration("45m"), 2'700'000);
    EXPECT_EQ(parse_duration("1h"), 3'600'000);
    EXPECT_EQ(parse_duration("7d"), 604'800'000);
    for (const char* text : {"", "45", "m", "-1m", "+1m", "1.5h", "1 m", " 1m", "1m ", "1M", "1min", "1h30m",
                             "99999999999999999999ms", "9223372036854775807d"}) {
        EXPECT_EQ(parse_duration(text), std::nullopt) << text;
    }
}

TEST(DidYouMean, NamesTheNearestWithinAThirdOfTheLength) {
    EXPECT_EQ(did_you_mean("bacth", {"query", "batch"}), "batch");
    EXPECT_EQ(did_you_mean("zombi", {"crash", "zombie"}), "zombie");
    EXPECT_EQ(did_you_mean("foreachbatch", {"foreach", "foreachBatch"}), "foreachBatch");
    EXPECT_EQ(did_you_mean("x", {"y"}), "");
    EXPECT_EQ(did_you_mean("steps", {"topics"}), "");
    EXPECT_EQ(did_you_mean("", {"a"}), "");
    EXPECT_EQ(did_you_mean(std::string(100'000, 'a'), {std::string(100'000, 'b')}), "");
}

}  // namespace
}  // namespace oncecheck

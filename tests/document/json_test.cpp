#include "model/document/json.h"

#include <gtest/gtest.h>

#include "tests/document/reading_fixture.h"

namespace oncecheck {
namespace {

std::string place(const JsonValue& value) {
    return std::to_string(value.where.line) + ":" + std::to_string(value.where.column) + " " + value.where.pointer;
}

Problem problem_of(const std::string& text) {
    try {
        (void)parse_json(text, "f");
    } catch (const InputError& error) {
        return error.problems().front();
    }
    return {};
}

TEST(Json, EveryValueAndKeyKnowsItsPlace) {
    const JsonValue root = parse_json("{\n  \"a\": [1, \"x\",\n   true], \"b/c~\": {\"d\": null}\n}", "f");
    EXPECT_EQ(place(root), "1:1 ");
    const JsonValue& list = *root.find("a");
    EXPECT_EQ(place(list), "2:8 /a");
    EXPECT_EQ(place(list.items[0]), "2:9 /a/0");
    EXPECT_EQ(place(list.items[1]), "2:12 /a/1");
    EXPECT_EQ(place(list.items[2]), "3:4 /a/2");
    EXPECT_EQ(root.members[1].key_where, (SourcePosition{"f", 3, 11, "/b~1c~0"}));
    EXPECT_EQ(place(*root.find("b/c~")->find("d")), "3:25 /b~1c~0/d");
}

TEST(Json, PlacesAfterNumbersAndClosingBracketsAreRight) {
    const JsonValue root = parse_json("[[1],[-2.5e3],{\"k\":7},8]", "f");
    EXPECT_EQ(place(root.items[1].items[0]), "1:7 /1/0");
    EXPECT_EQ(place(*root.items[2].find("k")), "1:20 /2/k");
    EXPECT_EQ(place(root.items[3]), "1:23 /3");
}

TEST(Json, ColumnsCountCodePointsAndLinesEndAsOnAnySystem) {
    EXPECT_EQ(place(parse_json("[\"\xC3\xA9\xF0\x9F\x98\x80\", 1]", "f").items[1]), "1:8 /1");
    EXPECT_EQ(place(parse_json("[\r\n1,\r2]", "f").items[0]), "2:1 /0");
    EXPECT_EQ(place(parse_json("[\r\n1,\r2]", "f").items[1]), "3:1 /1");
}

TEST(Json, CommentsAreBlanksExceptInStrings) {
    const JsonValue root = parse_json("// \xC3\xA9\n[/* \" */ 1, \"// \\\" /* x */\", /* \xC3\xA9 */ 2] // end", "f");
    EXPECT_EQ(place(root.items[0]), "2:10 /0");
    EXPECT_EQ(root.items[1].text, "// \" /* x */");
    EXPECT_EQ(place(root.items[2]), "2:38 /2");
}

TEST(Json, NumbersKeepTheirSpelling) {
    const JsonValue root = parse_json("[604800000, -1, 0.10, 1e3, 18446744073709551616]", "f");
    EXPECT_EQ(root.items[0].text, "604800000");
    EXPECT_EQ(root.items[1].text, "-1");
    EXPECT_EQ(root.items[2].text, "0.10");
    EXPECT_EQ(root.items[3].text, "1e3");
    EXPECT_EQ(root.items[4].text, "18446744073709551616");
    EXPECT_EQ(root.items[4].kind, JsonValue::Kind::kReal);
}

TEST(Json, AByteOrderMarkIsSkipped) { EXPECT_EQ(place(parse_json("\xEF\xBB\xBF[1]", "f").items[0]), "1:2 /0"); }

TEST(Json, DuplicateKeysAreNamedWithTheirSecondPlace) {
    const Problem problem = problem_of("{\"a\": 1,\n \"b\": {\"c\": 1, \"c\": 2}}");
    EXPECT_EQ(problem.code, "duplicate-key");
    EXPECT_EQ(problem.where, (SourcePosition{"f", 2, 16, "/b/c"}));
}

TEST(Json, KeysThatDifferInEscapesOnlyAreDuplicates) {
    EXPECT_EQ(problem_of(R"({"a": 1, "\u0061": 2})").code, "duplicate-key");
}

TEST(Json, AllDuplicateKeysAreCollected) {
    try {
        (void)parse_json(R"({"a": 1, "a": 2, "b": {"c": 1, "c": 2}})", "f");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.problems().size(), 2U);
    }
}

TEST(Json, SyntaxErrorsNameTheirPlace) {
    const Problem problem = problem_of("{\n  \"a\": 1,\n  oops\n}");
    EXPECT_EQ(problem.code, "syntax");
    EXPECT_EQ(problem.where.line, 3);
    EXPECT_EQ(problem.where.column, 3);
}

TEST(Json, WhatIsNotJsonIsASyntaxError) {
    for (const char* text :
         {"{", "[1,]", "{\"a\"}", "nul", "1 2", "{}{}", "/", "/* x", "\"a\nb\"", "[1e999]", "\"\\ud800\""}) {
        EXPECT_EQ(problem_of(text).code, "syntax") << text;
    }
}

TEST(Json, NothingIsNamedAsSuch) {
    for (const char* text : {"", " \n\t", "// only a comment", "\xEF\xBB\xBF"}) {
        EXPECT_EQ(problem_of(text).code, "empty") << text;
    }
}

TEST(Json, NestingIsBoundedAt128Levels) {
    EXPECT_EQ(problem_of(std::string(128, '[') + std::string(128, ']')), Problem{});
    EXPECT_EQ(problem_of(std::string(129, '[') + std::string(129, ']')).code, "nesting");
    EXPECT_EQ(problem_of(std::string(10'000, '[') + std::string(10'000, ']')).code, "nesting");
    std::string objects;
    for (int level = 0; level < 10'000; ++level) {
        objects += "{\"a\":";
    }
    EXPECT_EQ(problem_of(objects).code, "nesting");
}

TEST(Json, InvalidUtf8IsNamedWithItsPlace) {
    // A lone continuation byte, an overlong form, a surrogate, a value past U+10FFFF, a sequence cut short.
    for (const char* bytes : {"\x80", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82"}) {
        const Problem problem = problem_of("[1,\n \"" + std::string(bytes) + "\"]");
        EXPECT_EQ(problem.code, "utf-8");
        EXPECT_EQ(problem.where.line, 2);
        EXPECT_EQ(problem.where.column, 3);
    }
    EXPECT_EQ(problem_of("[1] // \xFF").code, "utf-8");
}

TEST(Json, ATreeOfTooManyBytesIsRefused) {
    // Long keys around many values: without a bound, the pointers alone would take 30 GB.
    std::string text = "{\"" + std::string(100'000, 'k') + "\": [0";
    for (int count = 0; count < 300'000; ++count) {
        text += ",0";
    }
    EXPECT_EQ(problem_of(text + "]}").code, "size");
}

}  // namespace
}  // namespace oncecheck

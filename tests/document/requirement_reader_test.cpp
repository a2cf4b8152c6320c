#include "model/document/requirement_reader.h"

#include <gtest/gtest.h>

#include "tests/document/reading_fixture.h"

namespace oncecheck {
namespace {

Codes require_codes(const std::string& requirement) {
    return codes_of(with_members("\"require\": [" + requirement + "]"));
}

Requirement requirement(const std::string& text) {
    return read_one(with_members("\"require\": [" + text + "]")).require->front();
}

TEST(Requirements, OneKeyNamesTheKind) {
    for (const char* kind : {"exactly-once", "no-loss", "no-duplicate", "no-stale", "isolated-staging", "progress"}) {
        const Requirement read = requirement("{\"" + std::string(kind) + "\": \"w.a\"}");
        EXPECT_STREQ(to_string(read.kind), kind);
        EXPECT_EQ(read.targets, std::vector<std::string>{"w.a"});
        EXPECT_FALSE(read.expect.has_value());
        EXPECT_EQ(read.where.pointer, "/require/0");
    }
}

TEST(Requirements, TheOtherKeysQualify) {
    const Requirement read =
        requirement(R"({"from": "t", "expect": "violated", "reason": "r", "no-loss": ["w.a", "w.b"]})");
    EXPECT_EQ(read.targets, (std::vector<std::string>{"w.a", "w.b"}));
    EXPECT_EQ(read.from, "t");
    EXPECT_EQ(read.expect, Expectation::kViolated);
    EXPECT_EQ(read.reason, "r");
    EXPECT_EQ(requirement(R"({"no-loss": "w.a", "expect": "holds"})").expect, Expectation::kHolds);
}

TEST(Requirements, EverywhereIsForIsolatedStagingAndProgress) {
    EXPECT_EQ(requirement(R"({"progress": "*"})").targets, std::vector<std::string>{"*"});
    EXPECT_EQ(requirement(R"({"isolated-staging": "*"})").targets, std::vector<std::string>{"*"});
    EXPECT_EQ(require_codes(R"({"exactly-once": "*"})"), Codes{"value /require/0/exactly-once"});
}

TEST(Requirements, OtherKindsAreNotSupported) {
    for (const char* kind :
         {"no-dirty-read", "order", "atomic-visibility", "agreement", "latency", "detected", "no-false-alarm"}) {
        EXPECT_EQ(require_codes("{\"" + std::string(kind) + "\": \"w.a\", \"within\": \"5m\"}"),
                  Codes{"unsupported /require/0/" + std::string(kind)});
    }
}

TEST(Requirements, WrongOnesAreProblems) {
    EXPECT_EQ(require_codes("{}"), Codes{"requirement /require/0"});
    EXPECT_EQ(require_codes(R"({"exactly_once": "w.a"})"), Codes{"requirement /require/0"});
    EXPECT_EQ(require_codes(R"({"no-loss": "w.a", "progress": "p"})"), Codes{"requirement /require/0"});
    EXPECT_EQ(require_codes(R"({"no-loss": "w.a", "form": "t"})"), Codes{"unknown-key /require/0/form"});
    EXPECT_EQ(require_codes(R"({"no-loss": "w.a", "expect": "maybe"})"), Codes{"value /require/0/expect"});
    EXPECT_EQ(require_codes(R"({"no-loss": true})"), Codes{"type /require/0/no-loss"});
    EXPECT_EQ(require_codes(R"({"no-loss": []})"), Codes{"value /require/0/no-loss"});
    EXPECT_EQ(require_codes(R"("no-loss")"), Codes{"type /require/0"});
    EXPECT_EQ(codes_of(with_members(R"("require": [])")), Codes{"value /require"});
    EXPECT_EQ(codes_of(with_members(R"("require": {})")), Codes{"type /require"});
}

}  // namespace
}  // namespace oncecheck

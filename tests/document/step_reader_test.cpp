#include "model/document/step_reader.h"

#include <gtest/gtest.h>

#include "tests/document/reading_fixture.h"

namespace oncecheck {
namespace {

// The problems of one step, with pointers relative to it.
Codes step_codes(const std::string& step) {
    Codes codes = codes_of(with_steps(step));
    for (std::string& code : codes) {
        const std::string base = "/components/p/steps/0";
        const std::size_t at = code.find(base);
        code = at == std::string::npos ? code : code.replace(at, base.size(), "");
    }
    return codes;
}

TEST(Steps, DefaultsAreTheFirstListed) {
    const Step create = read_step(R"({"create": "w.a"})");
    EXPECT_EQ(create.verb, Verb::kCreate);
    EXPECT_EQ(create.if_exists, IfExists::kFail);
    EXPECT_FALSE(create.source.has_value());
    EXPECT_FALSE(create.temporary);
    EXPECT_EQ(create.on_error, OnError::kFail);
    const Step append = read_step(R"({"append": "w.a"})");
    EXPECT_EQ(append.on_conflict, OnConflict::kFail);
    EXPECT_EQ(append.by, LoadedBy::kExecutors);
    EXPECT_EQ(read_step(R"({"merge": "w.a"})").only, MergeOnly::kBoth);
    EXPECT_EQ(read_step(R"({"claim": "w.a", "key": "{batch}"})").if_claimed, IfClaimed::kSkip);
    EXPECT_FALSE(read_step(R"({"transaction": []})").isolation.has_value());
    EXPECT_FALSE(read_step(R"({"commit_offsets": "group"})").if_unchanged);
}

TEST(Steps, EveryVerbReadsItsTarget) {
    for (const char* verb : {"create", "truncate", "drop", "append", "insert", "merge", "overwrite", "count", "lock",
                             "acquire", "check", "commit_offsets"}) {
        const Step step = read_step("{\"" + std::string(verb) + "\": \"w.x_{batch}\"}");
        EXPECT_STREQ(to_string(step.verb), verb);
        EXPECT_EQ(step.target.text, "w.x_{batch}");
        EXPECT_TRUE(step.target.mentions("batch"));
        EXPECT_EQ(step.position.pointer, "/components/p/steps/0");
    }
}

TEST(Steps, AnyStepCarriesConfigAndOnError) {
    const Step step = read_step(R"({"truncate": "w.a", "on_error": "retry", "config": {"truncate": true}})");
    EXPECT_EQ(step.on_error, OnError::kRetry);
    EXPECT_EQ(step.config.at("truncate").text, "true");
    EXPECT_EQ(step.config.at("truncate").kind, Setting::Kind::kBoolean);
}

TEST(Steps, CreateReadsItsQualifiers) {
    const Step step = read_step(R"({"create": "v", "if_exists": "keep", "as": "w.s", "temporary": true})");
    EXPECT_EQ(step.if_exists, IfExists::kKeep);
    EXPECT_EQ(step.source->text, "w.s");
    EXPECT_TRUE(step.filled);
    EXPECT_TRUE(step.temporary);
    EXPECT_TRUE(read_step(R"({"create": "v", "as": "batch"})").filled);
    EXPECT_FALSE(read_step(R"({"create": "v"})").filled);
}

TEST(Steps, BatchAsASourceIsNoObject) {
    EXPECT_FALSE(read_step(R"({"create": "v", "as": "batch"})").source.has_value());
    EXPECT_FALSE(read_step(R"({"merge": "v", "using": "batch"})").source.has_value());
    EXPECT_EQ(read_step(R"({"overwrite": "v", "from": "w.s"})").source->text, "w.s");
}

TEST(Steps, InsertReadsItsQualifiers) {
    const Step step = read_step(R"({"insert": "w.a", "from": "w.s", "where": {"b": "{batch}", "n": 1},
        "set": {"run": "{attempt}"}, "dedupe_by": "v", "on_conflict": "ignore"})");
    EXPECT_EQ(step.source->text, "w.s");
    EXPECT_TRUE(step.where.at("b").mentions("batch"));
    EXPECT_EQ(step.where.at("n").text, "1");
    EXPECT_TRUE(step.set.at("run").mentions("attempt"));
    EXPECT_EQ(step.dedupe_by, "v");
    EXPECT_EQ(step.on_conflict, OnConflict::kIgnore);
    EXPECT_FALSE(step.has_values);
}

TEST(Steps, InsertOfConstantsKeepsTheirColumns) {
    const Step step = read_step(R"({"insert": "w.a", "values": {"b": "{batch}"}, "set": {"c": "1"}})");
    EXPECT_TRUE(step.has_values);
    EXPECT_TRUE(step.set.at("b").mentions("batch"));
    EXPECT_EQ(step.set.size(), 2U);
    EXPECT_EQ(step_codes(R"({"insert": "w.a", "values": {"a": 1}, "from": "w.s"})"), Codes{"conflict "});
    EXPECT_EQ(step_codes(R"({"insert": "w.a", "values": 1})"), Codes{"type /values"});
    EXPECT_EQ(step_codes(R"({"insert": "w.a", "values": [1, "x"]})"), Codes{"unsupported /values"});
}

TEST(Steps, MergeReadsItsQualifiers) {
    const Step step = read_step(R"({"merge": "w.a", "using": "w.s", "on": ["k", "l"], "newer_by": "v", "dedupe_by": "u",
        "only": "matched", "add": "amount", "where": {"b": "{batch}"}})");
    EXPECT_EQ(step.source->text, "w.s");
    EXPECT_EQ(step.on, (std::vector<std::string>{"k", "l"}));
    EXPECT_EQ(step.newer_by, "v");
    EXPECT_EQ(step.dedupe_by, "u");
    EXPECT_EQ(step.only, MergeOnly::kMatched);
    EXPECT_EQ(step.add, std::vector<std::string>{"amount"});
    EXPECT_EQ(step.where.size(), 1U);
}

TEST(Steps, DeleteSaysWhichRows) {
    EXPECT_EQ(read_step(R"({"delete": "w.a", "where": {"b": "{batch}"}})").where.size(), 1U);
    EXPECT_EQ(read_step(R"({"delete": "w.a", "using": "w.s", "on": "k"})").on.size(), 1U);
    EXPECT_EQ(step_codes(R"({"delete": "w.a"})"), Codes{"missing-key "});
    EXPECT_EQ(step_codes(R"({"delete": "w.a", "where": {"b": "1"}, "using": "w.s"})"), Codes{"conflict "});
}

TEST(Steps, OverwriteAndCommitOffsetsReadTheirQualifiers) {
    EXPECT_EQ(read_step(R"({"overwrite": "w.a", "partition": "day"})").partition, "day");
    const Step commit = read_step(R"({"commit_offsets": "w.o", "if": "unchanged", "set": {"b": "{batch}"}})");
    EXPECT_TRUE(commit.if_unchanged);
    EXPECT_EQ(commit.set.size(), 1U);
    EXPECT_EQ(step_codes(R"({"commit_offsets": "w.o", "if": "changed"})"), Codes{"value /if"});
}

TEST(Steps, SwapHasTwoObjects) {
    const Step step = read_step(R"({"swap": ["w.a", "w.b"]})");
    EXPECT_EQ(step.target.text, "w.a");
    EXPECT_EQ(step.partner.text, "w.b");
    EXPECT_EQ(step_codes(R"({"swap": ["w.a"]})"), Codes{"value /swap"});
    EXPECT_EQ(step_codes(R"({"swap": "w.a"})"), Codes{"type /swap"});
}

TEST(Steps, ClaimNeedsAKey) {
    const Step step = read_step(R"({"claim": "w.d", "key": ["{query}", "{batch}"], "if_claimed": "fail"})");
    ASSERT_EQ(step.key.size(), 2U);
    EXPECT_TRUE(step.key[1].mentions("batch"));
    EXPECT_EQ(step.if_claimed, IfClaimed::kFail);
    EXPECT_EQ(step_codes(R"({"claim": "w.d"})"), Codes{"missing-key "});
}

TEST(Steps, CountComparesWithTheBatchOnly) {
    EXPECT_TRUE(step_codes(R"({"count": "w.s", "equals": "batch"})").empty());
    EXPECT_EQ(step_codes(R"({"count": "w.s", "equals": "w.t"})"), Codes{"unsupported /equals"});
}

TEST(Steps, BodiesAreNested) {
    const Step step =
        read_step(R"({"background": [{"transaction": [{"truncate": "w.a"}, {"append": "w.a", "by": "driver"}],
                                                    "isolation": "snapshot"}]})");
    EXPECT_EQ(step.verb, Verb::kBackground);
    ASSERT_EQ(step.body.size(), 1U);
    EXPECT_EQ(step.body[0].isolation, Isolation::kSnapshot);
    ASSERT_EQ(step.body[0].body.size(), 2U);
    EXPECT_EQ(step.body[0].body[1].by, LoadedBy::kDriver);
}

TEST(Steps, TransactionsHoldNeitherTransactionsNorBackgrounds) {
    EXPECT_EQ(step_codes(R"({"transaction": [{"transaction": []}]})"), Codes{"nested-transaction /transaction/0"});
    EXPECT_EQ(step_codes(R"({"transaction": [{"background": [{"transaction": []}]}]})"),
              (Codes{"background-in-transaction /transaction/0", "nested-transaction /transaction/0/background/0"}));
    EXPECT_EQ(codes_of(R"({"let": {"t": {"transaction": []}},
                           "components": {"p": {"type": "t", "steps": [{"transaction": ["$t"]}]}}})"),
              Codes{"nested-transaction /let/t"});
}

TEST(Steps, NestingIsBounded) {
    std::string steps = R"({"truncate": "x"})";
    for (int level = 0; level < 17; ++level) {
        steps = "{\"background\": [" + steps + "]}";
    }
    EXPECT_EQ(problems_of(with_steps(steps)).front().code, "nesting");
}

TEST(Steps, ExactlyOneKeyNamesAStep) {
    EXPECT_EQ(step_codes(R"({"truncate": "w.a", "append": "w.a"})"), Codes{"step "});
    EXPECT_EQ(step_codes(R"({"truncate": "w.a", "rename": ["a", "b"]})"), Codes{"step "});
    EXPECT_EQ(step_codes("{}"), Codes{"step "});
    EXPECT_EQ(step_codes(R"({"trunacte": "w.a"})"), Codes{"step "});
    EXPECT_NE(problems_of(with_steps(R"({"trunacte": "w.a"})")).front().hint.find("truncate"), std::string::npos);
    const std::string message = problems_of(with_steps(R"({"truncate": "a", "append": "a"})")).front().message;
    EXPECT_NE(message.find("'truncate' or 'append'"), std::string::npos);
}

TEST(Steps, AQualifierBelongsToItsVerb) {
    EXPECT_EQ(step_codes(R"({"truncate": "w.a", "where": {"b": "1"}})"), Codes{"unknown-key /where"});
    EXPECT_EQ(step_codes(R"({"append": "w.a", "usign": "batch"})"), Codes{"unknown-key /usign"});
    EXPECT_EQ(step_codes(R"({"merge": "w.a", "isolation": "snapshot"})"), Codes{"unknown-key /isolation"});
}

TEST(Steps, WhatThisVersionDoesNotSupportIsSaidSo) {
    for (const char* verb : {"put", "rename", "remove", "produce", "call", "each", "restore", "recreate", "resize"}) {
        EXPECT_EQ(step_codes("{\"" + std::string(verb) + "\": \"x\", \"do\": []}"),
                  Codes{"unsupported /" + std::string(verb)});
    }
    EXPECT_EQ(step_codes(R"({"lock": "w.l", "ttl": "1m"})"), Codes{"unsupported /ttl"});
    EXPECT_EQ(step_codes(R"({"claim": "w.l", "key": ["1"], "ttl": "1m"})"), Codes{"unsupported /ttl"});
}

TEST(Steps, WrongValuesAreProblems) {
    EXPECT_EQ(step_codes("1"), Codes{"type "});
    EXPECT_EQ(step_codes(R"("truncate")"), Codes{"type "});
    EXPECT_EQ(step_codes(R"({"truncate": 1})"), Codes{"type /truncate"});
    EXPECT_EQ(step_codes(R"({"truncate": ""})"), Codes{"value /truncate"});
    EXPECT_EQ(step_codes(R"({"truncate": "w.{bach}"})"), Codes{"template /truncate"});
    EXPECT_EQ(step_codes(R"({"append": "w.a", "by": "driverr"})"), Codes{"value /by"});
    EXPECT_EQ(step_codes(R"({"append": "w.a", "by": 1})"), Codes{"type /by"});
    EXPECT_EQ(step_codes(R"({"append": "w.a", "set": {"a": null, "b": "{x}"}})"),
              (Codes{"type /set/a", "template /set/b"}));
    EXPECT_EQ(step_codes(R"({"create": "w.a", "temporary": "yes"})"), Codes{"type /temporary"});
    EXPECT_EQ(step_codes(R"({"merge": "w.a", "on": []})"), Codes{"value /on"});
    EXPECT_EQ(step_codes(R"({"transaction": {}})"), Codes{"type /transaction"});
    EXPECT_EQ(codes_of(R"({"components": {"p": {"type": "t", "steps": {"truncate": "x"}}}})"),
              Codes{"type /components/p/steps"});
}

}  // namespace
}  // namespace oncecheck

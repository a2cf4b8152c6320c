#include "model/document/template.h"

#include <gtest/gtest.h>

namespace oncecheck {
namespace {

std::vector<Problem> problems_in(const std::string& text) {
    std::vector<Problem> problems;
    (void)parse_template(text, {"f", 1, 2, "/x"}, problems);
    return problems;
}

Template parsed(const std::string& text) {
    std::vector<Problem> problems;
    Template result = parse_template(text, {}, problems);
    EXPECT_TRUE(problems.empty()) << text;
    return result;
}

TEST(Template, IsLiteralsAndPlaceholders) {
    const Template name = parsed("stg_{query}_{now:yyyyMMdd}{row.event_id}");
    const std::vector<TemplatePiece> expected = {{false, "stg_", ""},
                                                 {true, "query", ""},
                                                 {false, "_", ""},
                                                 {true, "now", "yyyyMMdd"},
                                                 {true, "row", "event_id"}};
    EXPECT_EQ(name.pieces, expected);
    EXPECT_EQ(name.text, "stg_{query}_{now:yyyyMMdd}{row.event_id}");
    EXPECT_TRUE(name.mentions("row"));
    EXPECT_FALSE(name.mentions("batch"));
    EXPECT_FALSE(name.mentions("stg_"));
}

TEST(Template, WithoutPlaceholdersIsOneLiteral) {
    EXPECT_EQ(parsed("ledger").pieces, (std::vector<TemplatePiece>{{false, "ledger", ""}}));
    EXPECT_TRUE(parsed("").pieces.empty());
}

TEST(Template, KnowsEveryPlaceholder) {
    for (const char* name : {"query", "batch", "partition", "start_offset", "end_offset", "task", "now", "now:HH:mm",
                             "try", "attempt", "task_attempt", "uuid", "row.id", "instance", "config.group.id"}) {
        EXPECT_TRUE(problems_in(std::string("{") + name + "}").empty()) << name;
    }
}

TEST(Template, ArgumentsMayHoldTheirSeparator) {
    EXPECT_EQ(parsed("{config.group.id}").pieces.front().argument, "group.id");
    EXPECT_EQ(parsed("{now:HH:mm}").pieces.front().argument, "HH:mm");
}

TEST(Template, WrongPlaceholdersAreProblems) {
    for (const char* text : {"{bach}", "{}", "{batch.x}", "{batch:}", "{row}", "{row.}", "{row:id}", "{config}",
                             "{now.x}", "{now:}", "{batch", "a{", "{a{batch}", "batch}", "{ batch }"}) {
        const std::vector<Problem> problems = problems_in(text);
        ASSERT_EQ(problems.size(), 1U) << text;
        EXPECT_EQ(problems.front().code, "template");
        EXPECT_EQ(problems.front().where.pointer, "/x");
    }
}

TEST(Template, AMisspeltPlaceholderGetsASuggestion) {
    EXPECT_NE(problems_in("stg_{bacth}").front().hint.find("batch"), std::string::npos);
}

TEST(Template, WhatCouldBeReadIsReturned) {
    std::vector<Problem> problems;
    const Template name = parse_template("a_{bach}_{batch}_{", {}, problems);
    EXPECT_EQ(problems.size(), 2U);
    EXPECT_TRUE(name.mentions("batch"));
}

TEST(Template, EqualityIsThatOfTheText) {
    std::vector<Problem> problems;
    EXPECT_EQ(parse_template("a", {"f", 1, 1, ""}, problems), parse_template("a", {"g", 2, 2, ""}, problems));
}

}  // namespace
}  // namespace oncecheck

// Names are compared as the store sees them: after folding and truncation.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/pipeline/graph.h"
#include "model/pipeline/naming.h"
#include "tests/cases/support/documents.h"
#include "tests/cases/support/pipelines.h"

namespace oncecheck {

namespace {

Template parsed(const std::string& text) {
    std::vector<Problem> problems;
    Template name = parse_template(text, {}, problems);
    EXPECT_TRUE(problems.empty());
    return name;
}

NameValues attempt(const std::string& batch, const std::string& attempt_id) {
    NameValues values;
    values.query = "q";
    values.batch = batch;
    values.attempt = attempt_id;
    return values;
}

const NamingRules kPostgresql{63, true, false};

// 16 + 1 + 36 = 53 bytes leave room for 10 more.
const std::string kSixteen(16, 's');

TEST(RenderedName, KeepsWhatFits) {
    const RenderedName name = render(parsed(kSixteen + "_{query}_{batch}"), {64, true, false}, attempt("7", "a"));
    EXPECT_EQ(name.text, kSixteen + "_q_7");
    EXPECT_TRUE(name.dropped.empty());
}

TEST(RenderedName, LosesAPlaceholderThatIsCutInPart) {
    const Template name = parsed(kSixteen + "_{query}_{batch}");  // 64 bytes
    EXPECT_EQ(render(name, kPostgresql, attempt("0", "a")).dropped, std::vector<std::string>{"batch"});
    EXPECT_EQ(render(name, kPostgresql, attempt("0", "a")).text, render(name, kPostgresql, attempt("1", "a")).text);
}

TEST(RenderedName, LosesEverythingBehindTheCut) {
    const RenderedName name = render(parsed(kSixteen + "_{query}_{batch}_{attempt}"), kPostgresql, attempt("0", "a"));
    EXPECT_EQ(name.dropped, (std::vector<std::string>{"batch", "attempt"}));
}

TEST(RenderedName, IsRefusedWhereOverflowIsAnError) {
    const Template name = parsed(kSixteen + "_{query}_{batch}");
    const NamingRules strict{63, false, true};
    EXPECT_TRUE(render(name, strict, attempt("0", "a")).too_long);
    EXPECT_NE(render(name, strict, attempt("0", "a")).text, render(name, strict, attempt("1", "a")).text);
}

TEST(RenderedName, IsFoldedOnlyWhereTheStoreFolds) {
    EXPECT_EQ(render(parsed("STG"), kPostgresql, {}).text, render(parsed("stg"), kPostgresql, {}).text);
    EXPECT_NE(render(parsed("STG"), {63, false, false}, {}).text, render(parsed("stg"), {63, false, false}, {}).text);
}

// Two queries with a staging table each, of these names.
bool share(const std::string& cards, const std::string& transfers) {
    const auto program = [](const std::string& staging) {
        return R"([ { "append": "db.)" + staging + R"(" }, { "insert": "db.payments", "from": "db.)" + staging +
               "\" } ]";
    };
    TwoQueriesDocument document;
    document.program = program(cards);
    document.second_program = program(transfers);
    const Pipeline pipeline = resolved(document.text());
    const auto reference = [&](const std::string& name) {
        std::vector<Problem> problems;
        return resolve_object(pipeline, parsed("db." + name), problems);
    };
    return can_be_equal(pipeline, pipeline.find("cards").value(), reference(cards), pipeline.find("transfers").value(),
                        reference(transfers));
}

TEST(NamesOfTwoQueries, MeetAfterFolding) { EXPECT_TRUE(share("STG", "stg")); }

TEST(NamesOfTwoQueries, DifferByTheQuery) { EXPECT_FALSE(share("stg_{query}", "stg_{query}")); }

TEST(NamesOfTwoQueries, MeetWhereTheQueryIsCutOff) {
    const std::string longest(40, 'l');
    EXPECT_TRUE(share(longest + "_{query}", longest + "_{query}"));
}

TEST(NamesOfTwoQueries, MeetIfTheyCarryTheBatchAlone) { EXPECT_TRUE(share("stg_{batch}", "stg_{batch}")); }

TEST(NamesOfTwoQueries, MeetIfTheyCarryTheTimeAlone) { EXPECT_TRUE(share("stg_{now}", "stg_{now}")); }

// The text that a setting stands for is folded like any other.
TEST(NamesOfTwoQueries, MeetAfterFoldingOfASetting) {
    const auto program = R"([ { "truncate": "db.{config.kafka.group.id}" } ])";
    const auto group = [](const std::string& id) {
        return R"({ "type": "spark-structured-streaming", "version": "3.5.1", "reads": "payments_topic",
                    "config": { "checkpointLocation": "hdfs://nn/)" +
               id + R"(", "kafka.group.id": ")" + id + R"(" }, "foreachBatch": )";
    };
    QueryDocument document;
    document.program = R"([ { "append": "db.payments" } ])";
    document.components =
        R"(, "upper": )" + group("STG") + program + R"( }, "lower": )" + group("stg") + program + " }";
    const Pipeline pipeline = resolved(document.text());
    std::vector<Problem> problems;
    const ObjectReference staging = resolve_object(pipeline, parsed("db.{config.kafka.group.id}"), problems);
    EXPECT_TRUE(
        can_be_equal(pipeline, pipeline.find("upper").value(), staging, pipeline.find("lower").value(), staging));
}

// Spark resolves names without regard to case (spark.sql.caseSensitive is off unless stated).
TEST(NamesOfTwoQueries, OfOneApplicationMeetWhateverTheCaseOfTheirViews) {
    TwoQueriesDocument document;
    document.program = R"([ { "create": "global_temp.updates", "as": "batch", "if_exists": "replace" } ])";
    document.second_program = R"([ { "create": "global_temp.Updates", "as": "batch", "if_exists": "replace" } ])";
    document.cards = R"(, "application": "app")";
    document.transfers = document.cards;
    document.require = R"({ "progress": "*" })";
    EXPECT_EQ(hops(resolved(document.text())).size(), 1U);
}

TEST(NameThatIsCut, IsAFinding) {
    QueryDocument document;
    document.program = R"([ { "append": "db.)" + kSixteen + R"(_{query}_{batch}" } ])";
    document.require = R"({ "progress": "enrich" })";
    const Pipeline pipeline = resolved(document.text());
    EXPECT_TRUE(std::any_of(pipeline.findings.begin(), pipeline.findings.end(),
                            [](const Finding& finding) { return finding.rule == "name-cut"; }));
}

// As one fence they would keep out an incarnation that in truth has a fence of its own.
TEST(NameThatIsCut, IsRefusedOfAFence) {
    QueryDocument document;
    document.program = R"([ { "append": "db.payments" } ])";
    document.query = R"(, "on_start": [ { "acquire": "db.)" + kSixteen + kSixteen + R"(_{query}" } ])";
    try {
        (void)resolved(document.text());
        ADD_FAILURE() << "not refused";
    } catch (const InputError& error) {
        ASSERT_EQ(error.problems().size(), 1U);
        EXPECT_EQ(error.problems().front().code, "fence-name-cut");
    }
}

}  // namespace

}  // namespace oncecheck

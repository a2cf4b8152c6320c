// Temporary tables of a store live in the session that creates them.
#include <gtest/gtest.h>

#include "tests/cases/support/documents.h"
#include "tests/cases/support/pipelines.h"

namespace oncecheck {

namespace {

Pipeline pipeline_of(const std::string& steps, const std::string& tables = "{}") {
    QueryDocument document;
    document.program = steps;
    document.tables = tables;
    return resolved(document.text());
}

std::vector<std::string> codes(const std::string& steps, const std::string& tables = "{}") {
    std::vector<std::string> found;
    try {
        (void)pipeline_of(steps, tables);
    } catch (const InputError& error) {
        for (const Problem& problem : error.problems()) {
            found.push_back(problem.code);
        }
    }
    return found;
}

using Codes = std::vector<std::string>;

TEST(TemporaryTables, AreObjectsOfTheSession) {
    const Pipeline pipeline = pipeline_of(R"([ { "drop": "db.mine" },
        { "transaction": [ { "create": "db.mine", "as": "batch", "temporary": true },
                           { "insert": "db.payments", "from": "db.mine" } ] } ])");
    const Program& steps = pipeline.component(*pipeline.find("enrich")).document.steps;
    std::vector<Problem> ignored;
    EXPECT_EQ(resolve_object(pipeline, steps[0].target, ignored).scope, ObjectScope::kSession);
    EXPECT_EQ(resolve_object(pipeline, steps[1].body[0].target, ignored).scope, ObjectScope::kSession);
    EXPECT_EQ(resolve_object(pipeline, *steps[1].body[1].source, ignored).scope, ObjectScope::kSession);
    EXPECT_EQ(resolve_object(pipeline, steps[1].body[1].target, ignored).scope, ObjectScope::kStore);
}

TEST(TemporaryTables, AreNotSeenByExecutors) {
    EXPECT_EQ(codes(R"([ { "create": "db.mine", "temporary": true }, { "append": "db.mine" },
                         { "insert": "db.payments", "from": "db.mine" } ])"),
              Codes{"executors-and-session"});
    EXPECT_EQ(codes(R"([ { "create": "db.mine", "temporary": true }, { "append": "db.mine", "by": "driver" },
                         { "insert": "db.payments", "from": "db.mine" } ])"),
              Codes{});
}

TEST(TemporaryTables, AreRefusedWhereTheyWouldNotBeWhatTheStoreHas) {
    const std::string insert = R"({ "insert": "db.payments", "from": "db.mine" } ])";
    const std::string create = R"([ { "create": "db.mine", "as": "batch", "temporary": true }, )";
    EXPECT_EQ(codes(create + insert, R"({ "mine": { "primary_key": ["payment_id"] } })"), Codes{"unsupported"});
    EXPECT_EQ(codes(create + R"({ "merge": "db.mine", "on": ["payment_id"] }, )" + insert), Codes{"unsupported"});
    EXPECT_EQ(codes(create + R"({ "truncate": "db.MINE" }, )" + insert), Codes{"unsupported"});
    EXPECT_EQ(codes(create + R"({ "create": "mine", "as": "batch" }, )" + insert), Codes{"unsupported"});
    const std::string name = "db.a_name_that_is_longer_than_sixty_three_bytes_of_which_the_batch_is_cut_{batch}";
    EXPECT_EQ(codes(R"([ { "create": ")" + name + R"(", "as": "batch", "temporary": true },
                         { "insert": "db.payments", "from": ")" +
                    name + R"(" } ])"),
              Codes{"unsupported"});
}

}  // namespace

}  // namespace oncecheck

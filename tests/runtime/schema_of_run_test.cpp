#include "model/runtime/schema_of_run.h"

#include <gtest/gtest.h>

#include "tests/runtime/store_bed.h"

namespace oncecheck {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* kAttempt = "0a0a0a0a-0b0b-0c0c-0d0d-0e0e0e0e0e0e";

using SchemaOfRunNames = StoreBed;
INSTANTIATE_TEST_SUITE_P(On, SchemaOfRunNames, testing::Values(Driver::kSqlite, Driver::kPostgresql), driver_name);

TEST_P(SchemaOfRunNames, LongNamesAreCutWhereTheDeclaredStoreCutsThem) {
    const std::string head(50, 'x');
    open(query_pipeline(R"([{ "append": "db.)" + head + R"({attempt}", "by": "driver" }])"));
    Incarnation one(stores(), "0a0a0a0a-0b0b-0c0c-0d0d-000000000000");
    Incarnation other(stores(), "0a0a0a0a-0b0b-0c0c-0d0d-111111111111");
    one.run_program();
    other.run_program();
    const ObjectContent* const table = content_of(head + "0a0a0a0a-0b0b");
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(table->rows.size(), 4U);
    EXPECT_EQ(stores().content().size(), 1U);
    const RunObject object =
        stores().schema().object(one.context.process, one.program().front().target, one.context.values, "");
    EXPECT_EQ(object.name, table->name);
}

TEST_P(SchemaOfRunNames, NamesAreCutBetweenCharacters) {
    const std::string head = std::string(62, 'x') + "\u00e9\u00e9";
    open(query_pipeline(R"([{ "append": "db.)" + head + R"(", "by": "driver" }])"));
    Incarnation one(stores(), kAttempt);
    one.run_program();
    EXPECT_EQ(names(), (Texts{std::string(62, 'x')}));
    EXPECT_EQ(content_of(std::string(62, 'x'))->rows.size(), 2U);
}

TEST_P(SchemaOfRunNames, NamesFoldAndMayNeedQuotes) {
    for (const std::string name : {"Payments", "ORDER", "my table", "a\\\"b", "1st", "it's", "\u00dcber", "a.b",
                                   "select", "User", "offset", "a-b", "$x", "Values"}) {
        open(query_pipeline(R"([{ "create": "db.)" + name + R"(" }, { "append": "db.)" + name +
                            R"(", "by": "driver" }, { "insert": "db.)" + name + R"(", "from": "db.)" + name +
                            R"(" }, { "merge": "db.)" + name + R"(", "on": ["payment_id"], "newer_by": "event_time" },
                            { "delete": "db.)" +
                            name + R"(", "using": "batch", "on": ["payment_id"] },
                            { "drop": "db.)" +
                            name + R"(" }])"));
        Incarnation one(stores(), kAttempt);
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(one.run(one.program()[i]).outcome(), StepOutcome::kDone) << name;
        }
        const RunObject object =
            stores().schema().object(one.context.process, one.program().front().target, one.context.values, "");
        EXPECT_EQ(names(), (Texts{object.name})) << name;
        one.run_program(3);
        EXPECT_EQ(names(), (Texts{})) << name;
        one.disconnect();
    }
}

TEST_P(SchemaOfRunNames, ValuesMayHoldQuotesAndOtherScripts) {
    open(query_pipeline(R"([{ "append": "db.payments", "by": "driver", "set": { "Tag-1": "{config.a}" } },
                            { "merge": "db.ledger", "using": "db.payments" }])",
                        R"({ "ledger": { "primary_key": ["payment_id"] } })"));
    Incarnation one(stores(), kAttempt);
    const std::string odd = "'); DROP TABLE payments; -- \\ \" \u65e5\u672c";
    one.context.rows = {record(0, odd, 1)};
    one.run_program();
    EXPECT_EQ(column("ledger", "payment_id"), (Texts{odd}));
    EXPECT_EQ(column("ledger", "Tag-1"), (Texts{"{config.a}"}));
}

TEST_P(SchemaOfRunNames, MomentsAndNumbersRenderAsTheyAre) {
    PlaceholderValues values;
    values.batch = 12;
    values.now_milliseconds = 1'700'000'000'000;
    values.attempt = kAttempt;
    const auto rendered = [&](const std::string& text) {
        std::vector<Problem> problems;
        return render_text(parse_template(text, {}, problems), values);
    };
    EXPECT_EQ(rendered("s_{batch}_{now}_{now:yyyyMMdd-HHmmss}"), "s_12_1700000000_20231114-221320");
    EXPECT_EQ(rendered("{uuid}"), kAttempt);
}

}  // namespace
}  // namespace oncecheck

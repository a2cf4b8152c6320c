#include "model/document/component_reader.h"

#include <gtest/gtest.h>

#include "tests/document/reading_fixture.h"

namespace oncecheck {
namespace {

Component component(const std::string& members) { return read_one(with_component(members)).components.front(); }

// The problems of a component of these members, with pointers relative to it.
Codes component_codes(const std::string& members) {
    Codes codes = codes_of(with_component(members));
    for (std::string& code : codes) {
        const std::string base = "/components/c";
        code.replace(code.find(base), base.size(), "");
    }
    return codes;
}

TEST(Components, KnowWhereTheyAndTheirTypesStand) {
    const Component c = component(R"("version": "15")");
    EXPECT_EQ(c.where.pointer, "/components/c");
    EXPECT_EQ(c.type_where.pointer, "/components/c/type");
    EXPECT_EQ(c.version, "15");
    EXPECT_EQ(c.instances, 1);
    EXPECT_TRUE(c.steps_key.empty());
}

TEST(Components, HaveSettingsOfScalars) {
    const Component c = component(R"("config": {"a": "x", "b": 604800000, "c": true, "d": null, "e": 0.50})");
    EXPECT_EQ(c.config.at("a"), (Setting{Setting::Kind::kString, "x", c.config.at("a").where}));
    EXPECT_EQ(c.config.at("b").text, "604800000");
    EXPECT_EQ(c.config.at("b").kind, Setting::Kind::kNumber);
    EXPECT_EQ(c.config.at("c").kind, Setting::Kind::kBoolean);
    EXPECT_EQ(c.config.at("d").kind, Setting::Kind::kNull);
    EXPECT_EQ(c.config.at("e").text, "0.50");
    EXPECT_EQ(component_codes(R"("config": {"a": [1], "b": {}})"), (Codes{"type /config/a", "type /config/b"}));
}

TEST(Components, ReadAndWriteANameAListOrAMap) {
    EXPECT_EQ(component(R"("reads": "t")").reads[0].object.text, "t");
    EXPECT_EQ(component(R"("reads": ["t", "u_{instance}"])").reads.size(), 2U);
    const Component c = component(R"("writes": {"w.a": {"config": {"x": 1}}, "w.b": {}})");
    ASSERT_EQ(c.writes.size(), 2U);
    EXPECT_EQ(c.writes[0].object.text, "w.a");
    EXPECT_EQ(c.writes[0].config.at("x").text, "1");
    EXPECT_EQ(c.writes[1].position.pointer, "/components/c/writes/w.b");
    EXPECT_EQ(component_codes(R"("reads": {"t": {"where": {}}})"), Codes{"unsupported /reads/t/where"});
    EXPECT_EQ(component_codes(R"("reads": [1], "writes": 2)"), (Codes{"type /reads/0", "type /writes"}));
    EXPECT_EQ(component_codes(R"("reads": [], "writes": {"": {}})"), (Codes{"value /reads", "value /writes/"}));
}

TEST(Components, CutBatchesByRowsOnly) {
    EXPECT_EQ(component(R"("batch_by": {"rows": 500})").batch_rows, 500);
    EXPECT_EQ(component_codes(R"("batch_by": {"interval": "10m"})"), Codes{"unsupported /batch_by/interval"});
    EXPECT_EQ(component_codes(R"("batch_by": "poll")"), Codes{"unsupported /batch_by"});
    EXPECT_EQ(component_codes(R"("batch_by": "pol")"), Codes{"value /batch_by"});
    EXPECT_EQ(component_codes(R"("batch_by": {})"), Codes{"missing-key /batch_by"});
    EXPECT_EQ(component_codes(R"("batch_by": {"rows": 0})"), Codes{"value /batch_by/rows"});
}

TEST(Components, HaveOneProgramUnderEitherKey) {
    EXPECT_EQ(component(R"("steps": [])").steps_key, "steps");
    const Component c = component(R"("foreachBatch": [{"truncate": "w.a"}])");
    EXPECT_EQ(c.steps_key, "foreachBatch");
    EXPECT_EQ(c.steps.size(), 1U);
    EXPECT_EQ(component_codes(R"("steps": [], "foreachBatch": [])"), Codes{"conflict /foreachBatch"});
    EXPECT_EQ(component_codes(R"("foreach": [])"), Codes{"unsupported /foreach"});
    EXPECT_EQ(component_codes(R"("steps": [], "sql": "x.sql")"), Codes{"conflict /sql"});
}

TEST(Components, HaveFurtherPrograms) {
    const Component c =
        component(R"("on_start": [{"acquire": "f"}], "on_error": [{"drop": "w.a"}], "resume_from": "w.o")");
    EXPECT_EQ(c.on_start[0].verb, Verb::kAcquire);
    EXPECT_EQ(c.on_error[0].verb, Verb::kDrop);
    EXPECT_EQ(c.resume_from, "w.o");
}

TEST(Components, TransformRecords) {
    EXPECT_FALSE(component(R"("version": "1")").transform.has_value());
    const Transform transform =
        *component(R"("transform": {"aggregate": ["k"], "lookup": "w.t", "uses": "now"})").transform;
    EXPECT_EQ(transform.aggregate, std::vector<std::string>{"k"});
    EXPECT_EQ(transform.lookup, "w.t");
    EXPECT_TRUE(transform.uses_now);
    EXPECT_FALSE(transform.uses_random);
    EXPECT_FALSE(transform.deterministic());
    EXPECT_TRUE(component(R"("transform": {"aggregate": ["k"]})").transform->deterministic());
    EXPECT_EQ(component_codes(R"("transform": {"uses": "clock"})"), Codes{"value /transform/uses"});
    EXPECT_EQ(component_codes(R"("transform": "x")"), Codes{"type /transform"});
}

TEST(Components, RunAsInstances) {
    EXPECT_EQ(component(R"("instances": 3)").instances, 3);
    EXPECT_EQ(component_codes(R"("instances": 0)"), Codes{"value /instances"});
    EXPECT_EQ(component_codes(R"("instances": -1)"), Codes{"value /instances"});
    EXPECT_EQ(component_codes(R"("instances": 99999999999)"), Codes{"value /instances"});
    EXPECT_EQ(component_codes(R"("instances": 1.5)"), Codes{"type /instances"});
    const Component c = component(R"("run_by": "k8s", "application": "app")");
    EXPECT_EQ(c.run_by, "k8s");
    EXPECT_EQ(c.run_by_where.pointer, "/components/c/run_by");
    EXPECT_EQ(c.application, "app");
}

TEST(Components, DeclareTablesAndTopics) {
    const Component c = component(R"("cluster": "m", "location": "eu", "tables": {
        "ledger": {"primary_key": ["k"], "unique": [["a"], ["b", "c"]], "view": true, "exclusive": true, "config": {"x": 1}},
        "stg_{batch}": {"primary_key": "k", "unique": ["a", "b"]}}, "topics": {"t": {}})");
    ASSERT_EQ(c.objects.size(), 3U);
    EXPECT_EQ(c.objects[0].primary_key, std::vector<std::string>{"k"});
    EXPECT_EQ(c.objects[0].unique, (std::vector<std::vector<std::string>>{{"a"}, {"b", "c"}}));
    EXPECT_TRUE(c.objects[0].view);
    EXPECT_TRUE(c.objects[0].exclusive);
    EXPECT_EQ(c.objects[0].config.size(), 1U);
    EXPECT_TRUE(c.objects[1].name.mentions("batch"));
    EXPECT_EQ(c.objects[1].unique, (std::vector<std::vector<std::string>>{{"a", "b"}}));
    EXPECT_EQ(c.objects[2].where.pointer, "/components/c/topics/t");
    EXPECT_EQ(c.cluster, "m");
    EXPECT_EQ(c.location, "eu");
    EXPECT_EQ(component_codes(R"("tables": ["a"])"), Codes{"type /tables"});
    EXPECT_EQ(component_codes(R"("tables": {"a": null, "b_{x}": {}, "": {}})"),
              (Codes{"type /tables/a", "template /tables/b_{x}", "value /tables/"}));
    EXPECT_EQ(component_codes(R"("tables": {"a": {"unique": [["a"], "b"]}})"), Codes{"type /tables/a/unique/1"});
}

TEST(Components, DescribeRecords) {
    const Records records = *component(R"("records": {"id": "i", "key": "k", "key_space": "s", "version": "v",
        "key_repeats": "never", "ordered_by": "v"})")
                                 .records;
    EXPECT_EQ(records.id, "i");
    EXPECT_EQ(records.key, "k");
    EXPECT_EQ(records.key_space, "s");
    EXPECT_EQ(records.version, "v");
    EXPECT_EQ(records.ordered_by, "v");
    EXPECT_EQ(records.key_repeats, KeyRepeats::kNever);
    EXPECT_EQ(component_codes(R"("records": {"key_repeats": "always", "ids": "x"})"),
              (Codes{"value /records/key_repeats", "unknown-key /records/ids"}));
}

TEST(Components, AssumeForThemselves) {
    const Component c = component(R"("assume": {"faults": ["crash"], "max_outage": "1m"})");
    EXPECT_EQ(c.assume.faults, std::vector<Fault>{Fault::kCrash});
    EXPECT_EQ(c.assume.times.at("max_outage").milliseconds, 60'000);
}

TEST(Components, WrongOnesAreProblems) {
    EXPECT_EQ(codes_of(R"({"components": {"c": 1}})"), Codes{"type /components/c"});
    EXPECT_EQ(codes_of(R"({"components": {"c": {}}})"), Codes{"missing-key /components/c"});
    EXPECT_EQ(codes_of(R"({"components": {"c": ""}})"), Codes{"value /components/c"});
    EXPECT_EQ(component_codes(R"("raeds": "t")"), Codes{"unknown-key /raeds"});
}

TEST(Components, ReconcileASourceWithASink) {
    EXPECT_FALSE(component(R"("version": "1")").reconciliation.has_value());
    const Reconciliation reconciliation =
        *component(R"("compares": ["t", "w.a"], "by": "count", "window": "10m", "lateness": "1m")").reconciliation;
    ASSERT_EQ(reconciliation.compares.size(), 2U);
    EXPECT_EQ(reconciliation.compares[1].text, "w.a");
    EXPECT_EQ(reconciliation.compares[1].where.pointer, "/components/c/compares/1");
    EXPECT_EQ(reconciliation.by, ComparedBy::kCount);
    EXPECT_EQ(reconciliation.window->milliseconds, 600'000);
    EXPECT_EQ(reconciliation.lateness->milliseconds, 60'000);
    EXPECT_EQ(reconciliation.where.pointer, "/components/c/compares");
    EXPECT_EQ(component(R"("compares": ["t", "w.a"])").reconciliation->by, ComparedBy::kKey) << "by default";
}

TEST(Components, ReconcileByCountOrKeyOnly) {
    for (const char* const by : {"bucket", "sum", "checksum"}) {
        const std::vector<Problem> problems = problems_of(with_component(R"("by": ")" + std::string(by) + '"'));
        ASSERT_EQ(problems.size(), 1U) << by;
        EXPECT_EQ(problems[0].code, "unsupported") << by;
        EXPECT_EQ(problems[0].expected, "'count' or 'key'") << by;
    }
    EXPECT_EQ(problems_of(with_component(R"("by": "keys")"))[0].hint, "did you mean 'key'?");
    EXPECT_EQ(component_codes(R"("compares": ["t"], "by": 1, "window": 10, "lateness": "1")"),
              (Codes{"value /compares", "type /by", "type /window", "value /lateness"}));
    EXPECT_EQ(component_codes(R"("compares": "t", "by": "each")"), (Codes{"type /compares", "value /by"}));
}

}  // namespace
}  // namespace oncecheck

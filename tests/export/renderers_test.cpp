// What each renderer makes of the same small system, and of the graph of an example.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checker/export/drawing.h"
#include "checker/export/graph_text.h"
#include "checker/export/itf.h"
#include "checker/export/promela.h"
#include "checker/export/smtlib.h"
#include "checker/export/tla.h"
#include "model/transition/evaluator.h"
#include "tests/cases/support/documents.h"
#include "tests/cases/support/pipelines.h"
#include "tests/export/golden.h"
#include "tests/export/small_system.h"

namespace oncecheck {

namespace {

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) {
        ++found;
    }
    return found;
}

// A run of the small system: swap, count, lose an answer.
Trace small_run() {
    const TransitionSystem system = small_system();
    Trace trace{system.initial(), {}};
    for (const std::size_t action : {std::size_t{3}, std::size_t{0}, std::size_t{2}}) {
        trace.steps.push_back({action, perform(system.actions[action], trace.last())});
    }
    return trace;
}

TEST(Promela, IsAsItWas) { expect_golden("small.pml", render_promela(small_system(), "a small system")); }

TEST(Promela, OfSeveralSystemsIsAsItWas) {
    expect_golden("choice.pml", render_promela_choice({small_system(), small_system()}));
}

TEST(Promela, RefusesWhatNeedsMoreThanThirtyOneBits) {
    TransitionSystem system = small_system();
    system.variables[5].largest = 0x80000000;
    EXPECT_THROW((void)render_promela(system, ""), UsageError);
}

TEST(SmtLib, ObligationsAreAsTheyWere) {
    const TransitionSystem system = small_system();
    for (const Obligation obligation : kObligations) {
        expect_golden(std::string("small.") + to_string(obligation) + ".smt2",
                      render_smtlib(system, obligation, !system.properties[0].bad, system.properties[0]));
    }
}

TEST(SmtLib, RunsAreAsTheyWere) {
    const TransitionSystem system = small_system();
    expect_golden("small.run.smt2", render_smtlib_run(system, system.properties[0], 2));
}

TEST(SmtLib, NamesEveryAssertionOnce) {
    const TransitionSystem system = small_system();
    const std::string text = render_smtlib_run(system, system.properties[0], 2);
    EXPECT_EQ(count(text, "(assert "), count(text, ":named |# "));
    EXPECT_EQ(count(text, "pipeline.json#/components/cards/foreachBatch/0|"), 8U);  // four actions, twice
}

TEST(Tla, ModuleAndConfigurationAreAsTheyWere) {
    expect_golden("cards_payments_0.tla", render_tla_module(small_system()));
    expect_golden("cards_payments_0.cfg", render_tla_configuration(small_system()));
}

TEST(Tla, EachActionSaysWhatBecomesOfEveryVariable) {
    const TransitionSystem system = small_system();
    const std::string module = render_tla_module(system);
    EXPECT_EQ(count(module, "UNCHANGED <<"), system.actions.size());
    EXPECT_EQ(tla_module_name(system), "cards_payments_0");
}

TEST(Itf, TraceIsAsItWas) {
    expect_golden("small.itf.json", render_itf(small_system(), small_run(), {"pipeline.json", "0:loss:db.rows", 0}));
}

TEST(Itf, EveryStateHasEveryVariableAsABigNumber) {
    const auto json = nlohmann::json::parse(render_itf(small_system(), small_run(), {"pipeline.json", "progress", 3}));
    ASSERT_EQ(json["states"].size(), 4U);
    EXPECT_EQ(json["#meta"]["trapStates"], 3);
    for (const auto& state : json["states"]) {
        for (const auto& variable : json["vars"]) {
            ASSERT_TRUE(state.contains(variable.get<std::string>())) << variable;
        }
        EXPECT_TRUE(state["UNCHANGED_2"]["#bigint"].is_string());
    }
    EXPECT_EQ(json["states"][0]["mbt::actionTaken"], "init");
    EXPECT_EQ(json["states"][1]["mbt::actionTaken"], "cards (2): loses */ an answer [fault: lost-ack]");
}

Drawing drawn() {
    return draw(resolved(TwoQueriesDocument{.program = R"([ { "truncate": "db.stg" }, { "append": "db.stg" },
                                                          { "insert": "db.payments", "from": "db.stg" } ])"}
                             .text()));
}

TEST(Graph, IsAsItWas) {
    expect_golden("two_queries.dot", render_dot(drawn()));
    expect_golden("two_queries.mmd", render_mermaid(drawn()));
}

TEST(Graph, FramesBothQueriesWithTheStoreThatOnlyTheyTouch) {
    const Drawing drawing = drawn();
    ASSERT_EQ(drawing.hops.size(), 1U);
    EXPECT_EQ(drawing.hops[0].nodes.size(), drawing.nodes.size());
    EXPECT_TRUE(drawing.outside().empty());
}

TEST(Graph, EscapesWhatWouldEndAString) {
    Drawing drawing = drawn();
    drawing.nodes[0].name = "a\"b\\\n<c>";
    EXPECT_EQ(count(render_dot(drawing), R"("a\"b\\ <c>")"), 2U);  // the node and an edge
    EXPECT_EQ(count(render_mermaid(drawing), "a#34;b\\ #60;c#62;"), 1U);
}

}  // namespace

}  // namespace oncecheck

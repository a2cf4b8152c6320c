// Which engine answers what, and that they do not contradict each other.
#include "checker/compose/system_check.h"

#include <gtest/gtest.h>

#include "tests/engines/naive_search.h"
#include "tests/smt/systems.h"

namespace oncecheck {

namespace {

using testing::RandomSystem;
using testing::set;
using testing::shared_staging;
using testing::SystemBuilder;
using testing::two_phase_commit;

SystemOutcome check(const TransitionSystem& system, EngineChoice engine, const Limits& limits = {}) {
    validate(system);
    return check_system(system, engine, limits, {});
}

// More bits than explicit search can pack. The first variable counts steps; `reachable` says whether the last count is.
TransitionSystem too_wide(bool reachable) {
    constexpr Value kSteps = 20;
    SystemBuilder build;
    std::vector<Expression> same;
    for (Value step = 0; step < kSteps; ++step) {
        const VariableId wide = build.variable("wide" + std::to_string(step), 0xffffffff);
        const VariableId before = wide == 0 ? 0 : wide - 1;
        build.action(ActionKind::kStep, "step", {equals(wide, 0), wide == 0 ? truth() : equals(before, 7)},
                     {set(wide, 7)});
        same.push_back(equals(wide, reachable ? 7 : 8));
    }
    build.property("not all", conjunction(same));
    return build.system();
}

TEST(Auto, TakesExplicitSearchWhereItDoes) {
    const SystemOutcome outcome = check(shared_staging(1), EngineChoice::kAuto);
    ASSERT_EQ(outcome.turns.size(), 1U);
    EXPECT_EQ(outcome.turns[0].engine, "explicit");
    EXPECT_EQ(outcome.turns[0].decided, 2U);
    EXPECT_EQ(outcome.engines, std::vector<std::string>({"explicit", "explicit"}));
    EXPECT_EQ(outcome.progress_engine, "explicit");
}

TEST(Auto, TakesInductionWhereStatesDoNotFit) {
    Limits limits;
    limits.memory_bytes = std::size_t{48} << 20;
    const SystemOutcome outcome = check(two_phase_commit(9, false), EngineChoice::kAuto, limits);
    EXPECT_TRUE(std::holds_alternative<Inductive>(outcome.result.properties[0]));
    EXPECT_EQ(outcome.engines[0], "induction");
    ASSERT_EQ(outcome.turns.size(), 2U);
    EXPECT_EQ(outcome.turns[0].decided, 0U);
    EXPECT_NE(outcome.turns[0].reason.find("memory"), std::string::npos) << outcome.turns[0].reason;
    EXPECT_EQ(outcome.turns[1].decided, 1U);
}

TEST(Auto, ProvesWhatCannotBePacked) {
    const SystemOutcome outcome = check(too_wide(false), EngineChoice::kAuto);
    EXPECT_EQ(outcome.engines[0], "induction");
}

TEST(Auto, FindsTheShortestRunOfWhatCannotBePacked) {
    const SystemOutcome outcome = check(too_wide(true), EngineChoice::kAuto);
    const auto* const run = std::get_if<Counterexample>(&outcome.result.properties[0]);
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->trace.steps.size(), 20U);
}

TEST(Auto, SaysWhatEachEngineMissed) {
    Limits limits;
    limits.memory_bytes = 1;
    const SystemOutcome outcome = check(two_phase_commit(3, false), EngineChoice::kAuto, limits);
    const auto* const unknown = std::get_if<Unknown>(&outcome.result.properties[0]);
    ASSERT_NE(unknown, nullptr);
    EXPECT_EQ(outcome.engines[0], "");
    for (const char* engine : {"explicit: ", "induction: ", "spacer: ", "bmc: "}) {
        EXPECT_NE(unknown->reason.find(engine), std::string::npos) << unknown->reason;
    }
}

TEST(Auto, AsksNobodyElseWhenAllRunsWithinTheBudgetAreSearched) {
    Limits limits;
    limits.fault_budget = 0;
    const SystemOutcome outcome = check(shared_staging(1), EngineChoice::kAuto, limits);
    EXPECT_EQ(outcome.turns.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<Unknown>(outcome.result.properties[0]));
}

TEST(AllEngines, DoNotContradictEachOtherOnRandomSystems) {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        SCOPED_TRACE(seed);
        const TransitionSystem system = RandomSystem(seed).make();
        const NaiveSearch search(system, std::nullopt, 20'000);
        const SystemOutcome outcome = check(system, EngineChoice::kAll);
        for (std::size_t index = 0; index < system.properties.size(); ++index) {
            const auto best = search.best(system.properties[index].bad);
            EXPECT_FALSE(outcome.engines[index].empty());
            EXPECT_EQ(outcome.turns.size(), 4U);
            EXPECT_EQ(std::holds_alternative<Counterexample>(outcome.result.properties[index]), best.has_value());
        }
    }
}

// A loss in complete states, none of which is ever reached unless `possible`; the other property is about every state.
TransitionSystem completing(bool possible) {
    SystemBuilder build;
    const VariableId at = build.variable("at", 3);
    const VariableId row = build.variable("row", 1);
    build.action(ActionKind::kStep, "moves", {equals(at, 0)}, {set(at, 1), set(row, 1)});
    build.action(ActionKind::kStep, "moves back", {equals(at, 1)}, {set(at, 0)});
    build.action(ActionKind::kStep, "ends", {equals(at, possible ? 1 : 2)}, {set(at, 3)});
    build.system().complete = equals(at, 3);
    build.property("no-loss", conjunction({equals(at, 3), equals(row, 0)}));
    build.property("never two", equals(at, 2));
    return build.system();
}

TEST(CompleteStates, ThatNothingReachesLeaveNothingToJudge) {
    for (const EngineChoice engine : {EngineChoice::kAuto, EngineChoice::kExplicit, EngineChoice::kInduction,
                                      EngineChoice::kSpacer, EngineChoice::kAll}) {
        const SystemOutcome outcome = check(completing(false), engine);
        const auto* const unknown = std::get_if<Unknown>(&outcome.result.properties[0]);
        ASSERT_NE(unknown, nullptr);
        EXPECT_NE(unknown->reason.find("no complete state"), std::string::npos) << unknown->reason;
        EXPECT_EQ(outcome.engines[0], "");
        EXPECT_NE(outcome.engines[1], "");
    }
}

TEST(CompleteStates, ThatSomeRunReachesAreJudged) {
    for (const EngineChoice engine : {EngineChoice::kExplicit, EngineChoice::kInduction, EngineChoice::kSpacer}) {
        EXPECT_NE(check(completing(true), engine).engines[0], "");
    }
}

TEST(OneEngine, IsAskedAlone) {
    const TransitionSystem system = two_phase_commit(2, false);
    EXPECT_EQ(check(system, EngineChoice::kExplicit).engines[0], "explicit");
    EXPECT_EQ(check(system, EngineChoice::kInduction).engines[0], "induction");
    EXPECT_EQ(check(system, EngineChoice::kSpacer).engines[0], "spacer");
    EXPECT_EQ(check(two_phase_commit(2, true), EngineChoice::kBmc).engines[0], "bmc");
}

}  // namespace

}  // namespace oncecheck

#include "checker/smt/bmc_engine.h"

#include <gtest/gtest.h>

#include <set>

#include "model/transition/evaluator.h"
#include "tests/smt/oracle.h"
#include "tests/smt/systems.h"

namespace oncecheck {
namespace {

using testing::RandomSystem;
using testing::set;
using testing::shared_staging;
using testing::Shortest;
using testing::shortest_violations;
using testing::SystemBuilder;
using testing::two_phase_commit;

CheckResult check(const TransitionSystem& system, const BmcSettings& settings = {}, const Limits& limits = {}) {
    validate(system);
    return BmcEngine(settings).check(system, limits, {});
}

Limits with_budget(int faults) {
    Limits limits;
    limits.fault_budget = faults;
    return limits;
}

// Faults and steps of a counterexample that replays; fails otherwise.
std::pair<int, int> cost(const TransitionSystem& system, std::size_t property, const Outcome& outcome) {
    const auto* const found = std::get_if<Counterexample>(&outcome);
    if (found == nullptr) {
        ADD_FAILURE() << "no counterexample for " << system.properties[property].name;
        return {-1, -1};
    }
    EXPECT_EQ(replay(system, found->trace), std::nullopt);
    EXPECT_NE(evaluate(system.properties[property].bad, found->trace.last()), 0U);
    EXPECT_EQ(found->faults, fault_count(system, found->trace));
    return {static_cast<int>(found->faults), static_cast<int>(found->trace.steps.size())};
}

// A clock that runs until it does what it should not.
TransitionSystem counter(Value last) {
    SystemBuilder build;
    const VariableId count = build.variable("count", last);
    build.action(ActionKind::kStep, "ticks", {less(Expression::variable(count), Expression::constant(last))},
                 {{count, add({Expression::variable(count), truth()}, last)}});
    build.property("never last", equals(count, last));
    return build.system();
}

// Two steps to fail without a fault after `detour` extra ones, one step with a fault.
TransitionSystem shortcut(Value detour) {
    TransitionSystem system = counter(detour);
    system.actions.push_back({ActionKind::kFault, {}, {set(0, detour)}, {}});
    return system;
}

TEST(BmcEngine, FindsFewestFaultsAndThenFewestStepsOnRandomSystems) {
    BmcSettings settings;
    settings.most_steps = 10;
    int violated = 0;
    int with_faults = 0;
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        SCOPED_TRACE(seed);
        const TransitionSystem system = RandomSystem(seed).make();
        const Shortest expected = shortest_violations(system, settings.most_faults);
        const CheckResult result = check(system, settings);
        ASSERT_EQ(result.properties.size(), expected.size());
        for (std::size_t index = 0; index < expected.size(); ++index) {
            const Outcome& outcome = result.properties[index];
            if (!expected[index]) {
                EXPECT_FALSE(std::holds_alternative<Counterexample>(outcome));
            } else if (expected[index]->second <= settings.most_steps) {
                EXPECT_EQ(cost(system, index, outcome), *expected[index]);
                ++violated;
                with_faults += expected[index]->first > 0 ? 1 : 0;
            }
            if (std::holds_alternative<Exhausted>(outcome)) {
                EXPECT_EQ(shortest_violations(system, 100)[index], std::nullopt);
            }
        }
    }
    EXPECT_GT(violated, 100);
    EXPECT_GT(with_faults, 20) << violated;
}

TEST(BmcEngine, SaysTruthfullyHowFarItSearched) {
    BmcSettings settings;
    settings.most_steps = 3;
    for (std::uint32_t seed = 1000; seed < 1200; ++seed) {
        SCOPED_TRACE(seed);
        const TransitionSystem system = RandomSystem(seed).make();
        const Shortest expected = shortest_violations(system, 10);
        const CheckResult result = check(system, settings, with_budget(1));
        for (std::size_t index = 0; index < expected.size(); ++index) {
            if (const auto* const unknown = std::get_if<Unknown>(&result.properties[index]);
                unknown && expected[index]) {
                EXPECT_GE(*expected[index], std::make_pair(unknown->faults, unknown->steps));
            }
        }
    }
}

TEST(BmcEngine, NeverTurnsAResourceLimitIntoAVerdict) {
    const TransitionSystem system = shared_staging(1);
    const Shortest expected = shortest_violations(system, 2);
    std::set<std::size_t> kinds;
    for (unsigned resources = 1; resources < 40'000'000; resources = resources * 2 + 1) {
        SCOPED_TRACE(resources);
        BmcSettings settings;
        settings.query.resources = resources;
        const CheckResult result = check(system, settings);
        for (std::size_t index = 0; index < expected.size(); ++index) {
            kinds.insert(result.properties[index].index());
            if (const auto* const unknown = std::get_if<Unknown>(&result.properties[index])) {
                EXPECT_NE(unknown->reason.find("gave up"), std::string::npos) << unknown->reason;
                EXPECT_GE(*expected[index], std::make_pair(unknown->faults, unknown->steps));
            } else {
                EXPECT_EQ(cost(system, index, result.properties[index]), *expected[index]);
            }
        }
    }
    EXPECT_EQ(kinds, (std::set<std::size_t>{Outcome(Counterexample{}).index(), Outcome(Unknown{}).index()}));
}

TEST(BmcEngine, IsUndecidedWithoutResources) {
    BmcSettings settings;
    settings.query.resources = 1;
    for (const Outcome& outcome : check(two_phase_commit(4, false), settings).properties) {
        ASSERT_TRUE(std::holds_alternative<Unknown>(outcome));
        EXPECT_EQ(std::get<Unknown>(outcome).faults, 0);
    }
}

TEST(BmcEngine, IsUndecidedAfterTheDeadline) {
    Limits limits;
    limits.deadline = std::chrono::steady_clock::now();
    for (const Outcome& outcome : check(shared_staging(1), {}, limits).properties) {
        ASSERT_TRUE(std::holds_alternative<Unknown>(outcome));
        EXPECT_NE(std::get<Unknown>(outcome).reason.find("time limit"), std::string::npos);
    }
}

TEST(BmcEngine, ObeysADeadlineWithinAQuery) {
    BmcSettings settings;
    settings.most_steps = 200;
    Limits limits;
    const auto start = std::chrono::steady_clock::now();
    limits.deadline = start + std::chrono::milliseconds(500);
    TransitionSystem system = shared_staging(4);
    system.properties.pop_back();
    const CheckResult result = check(system, settings, limits);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
    EXPECT_TRUE(std::holds_alternative<Unknown>(result.properties[0]));
}

TEST(BmcEngine, IsUndecidedWithoutMemory) {
    Limits limits;
    limits.memory_bytes = 1;
    for (const Outcome& outcome : check(shared_staging(1), {}, limits).properties) {
        ASSERT_TRUE(std::holds_alternative<Unknown>(outcome));
        EXPECT_NE(std::get<Unknown>(outcome).reason.find("memory limit"), std::string::npos);
    }
}

TEST(BmcEngine, PrefersALongRunWithoutFaultsToAShortOneWithAFault) {
    const TransitionSystem system = shortcut(9);
    EXPECT_EQ(cost(system, 0, check(system).properties[0]), std::make_pair(0, 9));
}

TEST(BmcEngine, ReportsFewestFaultsOnlyUpToItsDepth) {
    BmcSettings settings;
    settings.most_steps = 5;
    const TransitionSystem system = shortcut(9);
    EXPECT_EQ(cost(system, 0, check(system, settings).properties[0]), std::make_pair(1, 1));
}

TEST(BmcEngine, FindsNothingBeyondTheFaultBudget) {
    const TransitionSystem system = shared_staging(1);
    for (const Outcome& outcome : check(system, {}, with_budget(0)).properties) {
        EXPECT_TRUE(std::holds_alternative<Unknown>(outcome));
        EXPECT_EQ(std::get<Unknown>(outcome).faults, 1);
        EXPECT_EQ(std::get<Unknown>(outcome).steps, 0);
    }
    const Shortest expected = shortest_violations(system, 3);
    for (int budget = 1; budget <= 3; ++budget) {
        const CheckResult result = check(system, {}, with_budget(budget));
        for (std::size_t index = 0; index < expected.size(); ++index) {
            if (expected[index]->first <= budget) {
                EXPECT_EQ(cost(system, index, result.properties[index]), *expected[index]);
            } else {
                EXPECT_TRUE(std::holds_alternative<Unknown>(result.properties[index]));
            }
        }
    }
}

TEST(BmcEngine, FindsABadInitialState) {
    TransitionSystem system = counter(3);
    system.properties.push_back({"never first", equals(0, 0)});
    const CheckResult result = check(system);
    EXPECT_EQ(cost(system, 0, result.properties[0]), std::make_pair(0, 3));
    EXPECT_EQ(cost(system, 1, result.properties[1]), std::make_pair(0, 0));
}

TEST(BmcEngine, ProvesOnlyWhereEveryRunEnds) {
    TransitionSystem system = counter(4);
    system.properties[0].bad = falsity();
    const Expression count = Expression::variable(0);
    const Expression never = conjunction({less(count, Expression::constant(2)), less(Expression::constant(2), count)});
    system.properties.push_back({"both", never});
    const CheckResult ends = check(system);
    EXPECT_TRUE(std::holds_alternative<Exhausted>(ends.properties[1]));
    system.actions[0].kind = ActionKind::kFault;
    const CheckResult faults = check(system, {}, with_budget(2));
    EXPECT_TRUE(std::holds_alternative<Unknown>(faults.properties[1]));
}

TEST(BmcEngine, ExhaustsABudgetInSpiteOfLoops) {
    SystemBuilder build;
    const VariableId light = build.variable("light", 2);
    const VariableId broken = build.variable("broken", 1);
    for (Value now = 0; now < 3; ++now) {
        build.action(ActionKind::kStep, "switches", {equals(light, now)}, {set(light, (now + 1) % 3)});
    }
    build.action(ActionKind::kFault, "breaks", {equals(light, 2)}, {set(broken, 1)});
    build.property("works", conjunction({equals(broken, 1), equals(light, 1)}));
    BmcSettings settings;
    settings.most_steps = 1'000'000;  // would not end if only the depth ended it
    EXPECT_EQ(cost(build.system(), 0, check(build.system(), settings).properties[0]), std::make_pair(1, 5));
    const CheckResult without = check(build.system(), settings, with_budget(0));
    ASSERT_TRUE(std::holds_alternative<Unknown>(without.properties[0]));
    EXPECT_EQ(std::get<Unknown>(without.properties[0]).faults, 1);
}

TEST(BmcEngine, DoesNotDecideProgress) {
    TransitionSystem system = counter(3);
    EXPECT_EQ(check(system).progress, std::nullopt);
    system.complete = equals(0, 3);
    ASSERT_TRUE(check(system).progress.has_value());
    EXPECT_TRUE(std::holds_alternative<Unknown>(*check(system).progress));
}

TEST(BmcEngine, CountsToLargeNumbersWithinTheDepthThatItSearches) {
    SystemBuilder build;
    const VariableId count = build.variable("count", 1'000'000);
    build.action(ActionKind::kStep, "ticks", {}, {{count, add({Expression::variable(count), truth()}, 1'000'000)}});
    build.property("below seven", !less(Expression::variable(count), Expression::constant(7)));
    EXPECT_EQ(cost(build.system(), 0, check(build.system()).properties[0]), std::make_pair(0, 7));
}

TEST(BmcEngine, AgreesWithTheOracleOnAStagingTableThatAttemptsShare) {
    const TransitionSystem system = shared_staging(1);
    const Shortest expected = shortest_violations(system, 2);
    const CheckResult result = check(system);
    for (std::size_t index = 0; index < expected.size(); ++index) {
        EXPECT_EQ(cost(system, index, result.properties[index]), *expected[index]);
    }
}

TEST(BmcEngine, GivesTheSameTraceEveryTime) {
    const TransitionSystem system = shared_staging(2);
    const CheckResult first = check(system);
    const CheckResult second = check(system);
    for (std::size_t index = 0; index < first.properties.size(); ++index) {
        EXPECT_EQ(std::get<Counterexample>(first.properties[index]).trace,
                  std::get<Counterexample>(second.properties[index]).trace);
    }
}

TEST(BmcEngine, TellsHowFarItIs) {
    std::vector<std::string> told;
    const CheckResult result =
        BmcEngine().check(counter(2), {}, [&](const std::string& status) { told.push_back(status); });
    ASSERT_EQ(told.size(), 3U);
    EXPECT_EQ(told[1], "bounded model checking: 0 faults, 1 step");
    EXPECT_EQ(result.properties.size(), 1U);
}

}  // namespace
}  // namespace oncecheck

#include "checker/smt/spacer_engine.h"

#include <gtest/gtest.h>

#include "checker/smt/horn_clauses.h"
#include "tests/engines/naive_search.h"
#include "tests/smt/systems.h"

namespace oncecheck {
namespace {

using testing::RandomSystem;
using testing::set;
using testing::SystemBuilder;
using testing::two_phase_commit;

CheckResult check(const TransitionSystem& system, const SpacerSettings& settings = {}, const Limits& limits = {}) {
    validate(system);
    return SpacerEngine(settings).check(system, limits, {});
}

TEST(SpacerEngine, AgreesWithNaiveSearchOnRandomSystems) {
    int proved = 0;
    int violated = 0;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        const TransitionSystem system = RandomSystem(seed).make();
        const NaiveSearch search(system, std::nullopt, 20'000);
        const CheckResult result = check(system);
        ASSERT_EQ(result.properties.size(), system.properties.size());
        for (std::size_t index = 0; index < system.properties.size(); ++index) {
            const auto best = search.best(system.properties[index].bad);
            const Outcome& outcome = result.properties[index];
            if (const auto* const invariant = std::get_if<Inductive>(&outcome)) {
                EXPECT_FALSE(best);
                EXPECT_EQ(invariant->k, 1);
                ++proved;
            } else if (const auto* const run = std::get_if<Counterexample>(&outcome)) {
                ASSERT_TRUE(best);
                EXPECT_EQ(std::pair(static_cast<int>(run->faults), static_cast<int>(run->trace.steps.size())), *best);
                ++violated;
            } else {  // more faults than bounded model checking looks at
                ASSERT_TRUE(best) << std::get<Unknown>(outcome).reason;
                EXPECT_GT(best->first, BmcSettings{}.most_faults);
            }
        }
    }
    EXPECT_GT(proved, 25);
    EXPECT_GT(violated, 15);
}

TEST(SpacerEngine, ProvesTwoPhaseCommit) {
    EXPECT_TRUE(std::holds_alternative<Inductive>(check(two_phase_commit(2, false)).properties[0]));
}

TEST(SpacerEngine, FindsTheShortestRunOfAnError) {
    const CheckResult result = check(two_phase_commit(3, true));
    const auto* const run = std::get_if<Counterexample>(&result.properties[0]);
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->faults, 0U);
}

TEST(SpacerEngine, FindsABadStateFromWhichNothingFollows) {
    SystemBuilder build;
    const VariableId at = build.variable("at", 2);
    build.action(ActionKind::kStep, "moves", {equals(at, 0)}, {set(at, 2)});
    build.property("never two", equals(at, 2));
    EXPECT_TRUE(std::holds_alternative<Counterexample>(check(build.system()).properties[0]));
}

TEST(SpacerEngine, TakesNoLimitForAVerdict) {
    Limits late;
    late.deadline = std::chrono::steady_clock::now();
    Limits small;
    small.memory_bytes = 1;
    SpacerSettings poor;
    poor.query.resources = 1;
    SpacerSettings unproved;
    unproved.proof.resources = 1;
    const TransitionSystem system = two_phase_commit(2, false);
    for (const CheckResult& result :
         {check(system, {}, late), check(system, {}, small), check(system, poor), check(system, unproved)}) {
        const auto* const unknown = std::get_if<Unknown>(&result.properties[0]);
        ASSERT_NE(unknown, nullptr);
        EXPECT_FALSE(unknown->reason.empty());
    }
}

TEST(HornClauses, AreSatisfiableWhereTheInitialStateIsNotBad) {
    SystemBuilder build;
    const VariableId still = build.variable("still", 3, 1);
    const auto answer = [&](Value value) {
        return solve_horn_clauses(build.system(), equals(still, value), {{1}}, {}).answer;
    };
    build.property("never two", equals(still, 2));
    EXPECT_EQ(answer(2), Answer::kUnsat);
    EXPECT_EQ(answer(1), Answer::kSat);
}

}  // namespace
}  // namespace oncecheck

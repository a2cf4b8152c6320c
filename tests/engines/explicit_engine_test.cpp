// The explicit engine against the oracle on random systems, and on systems whose answers are known.
#include "checker/engines/explicit_engine.h"

#include <gtest/gtest.h>

#include <set>

#include "checker/engines/slice.h"
#include "tests/engines/naive_search.h"
#include "tests/engines/random_system.h"
#include "tests/engines/two_phase_commit.h"

namespace oncecheck {
namespace {

constexpr std::size_t kMostStates = 1200;

CheckResult check(const TransitionSystem& system, int jobs = 1, std::optional<int> budget = std::nullopt) {
    Limits limits;
    limits.jobs = jobs;
    limits.fault_budget = budget;
    return ExplicitEngine().check(system, limits, {});
}

// Everything about an outcome, for comparison between numbers of jobs.
std::string describe(const TransitionSystem& system, const Outcome& outcome) {
    if (const auto* exhausted = std::get_if<Exhausted>(&outcome)) {
        return "exhausted " + std::to_string(exhausted->states) + ' ' + std::to_string(exhausted->transitions) + ' ' +
               std::to_string(exhausted->depth) + ' ' + std::to_string(exhausted->most_faults);
    }
    if (const auto* unknown = std::get_if<Unknown>(&outcome)) {
        return "unknown " + unknown->reason + ' ' + std::to_string(unknown->faults) + ' ' +
               std::to_string(unknown->steps);
    }
    const auto& found = std::get<Counterexample>(outcome);
    std::string text = "run " + std::to_string(found.faults) + ' ' + std::to_string(found.trap_states);
    EXPECT_EQ(replay(system, found.trace), std::nullopt);
    for (const TraceStep& step : found.trace.steps) {
        text += ' ' + std::to_string(step.action);
    }
    return text;
}

std::vector<std::string> describe(const TransitionSystem& system, const CheckResult& result) {
    std::vector<std::string> lines{std::to_string(result.states)};
    for (const Outcome& outcome : result.properties) {
        lines.push_back(describe(system, outcome));
    }
    lines.push_back(result.progress ? describe(system, *result.progress) : "no progress asked");
    return lines;
}

NaiveSearch::Level level_of(const Counterexample& found) {
    return {static_cast<int>(found.faults), static_cast<int>(found.trace.steps.size())};
}

// What the engine must say, from the oracle.
class Expected {
  public:
    Expected(const TransitionSystem& system, std::optional<int> budget)
        : system_(system), slice_(slice(system)), naive_(system, budget, kMostStates), budget_(budget) {
        for (const auto& [state, level] : naive_.levels()) {
            const auto [at, is_new] = kept_.try_emplace(project(state), level, state);
            if (level < at->second.first) {
                at->second = {level, state};
            }
        }
    }

    [[nodiscard]] bool too_large() const { return naive_.too_large(); }
    [[nodiscard]] std::size_t states() const { return kept_.size(); }

    void compare(const CheckResult& result) const {
        ASSERT_EQ(result.properties.size(), system_.properties.size());
        bool all_violated = true;
        for (std::size_t i = 0; i < system_.properties.size(); ++i) {
            const Expression& bad = system_.properties[i].bad;
            const auto best = naive_.best(bad);
            all_violated = all_violated && best;
            if (const auto* found = std::get_if<Counterexample>(&result.properties[i])) {
                ASSERT_TRUE(best);
                EXPECT_EQ(level_of(*found), *best);
                EXPECT_EQ(fault_count(system_, found->trace), found->faults);
                EXPECT_NE(evaluate(bad, found->trace.last()), 0U);
                EXPECT_EQ(replay(system_, found->trace), std::nullopt);
            } else {
                EXPECT_FALSE(best);
                compare_without_violation(result.properties[i]);
            }
        }
        const bool asks_progress = !system_.complete.is_constant(0);
        EXPECT_EQ(result.progress.has_value(), asks_progress);
        if (asks_progress && result.progress) {
            compare_progress(*result.progress);
        }
        if (asks_progress || !all_violated) {
            EXPECT_EQ(result.states, kept_.size());
            compare_coverage(result);
        }
    }

  private:
    [[nodiscard]] State project(State state) const {
        for (std::size_t i = 0; i < state.size(); ++i) {
            state[i] = slice_.kept[i] ? state[i] : 0;
        }
        return state;
    }

    void compare_coverage(const CheckResult& result) const {
        ASSERT_TRUE(result.coverage);
        EXPECT_EQ(result.coverage->whole, !cut());
        if (!result.coverage->whole) {
            return;
        }
        bool completes = false;
        std::vector<bool> occurs(system_.actions.size(), false);
        for (const auto& [state, level] : naive_.levels()) {
            completes = completes || evaluate(system_.complete, state) != 0;
            for (std::size_t index = 0; index < occurs.size(); ++index) {
                occurs[index] = occurs[index] || enabled(system_.actions[index], state);
            }
        }
        for (const std::size_t silent : slice_.silent) {
            occurs[silent] = true;
        }
        EXPECT_EQ(result.coverage->occurred, occurs);
        EXPECT_EQ(result.coverage->completed, completes);
    }

    // The budget left out transitions to states that were not found.
    [[nodiscard]] bool cut() const {
        for (const auto& [state, level] : naive_.levels()) {
            for (const Action& action : system_.actions) {
                if (enabled(action, state) && kept_.count(project(perform(action, state))) == 0) {
                    return true;
                }
            }
        }
        return false;
    }

    void compare_without_violation(const Outcome& outcome) const {
        if (cut()) {
            const auto* unknown = std::get_if<Unknown>(&outcome);
            ASSERT_NE(unknown, nullptr);
            EXPECT_EQ(unknown->faults, *budget_ + 1);
            return;
        }
        const auto* exhausted = std::get_if<Exhausted>(&outcome);
        ASSERT_NE(exhausted, nullptr);
        Exhausted expected{.states = kept_.size()};
        for (const auto& [state, best] : kept_) {
            expected.most_faults = std::max(expected.most_faults, best.first.first);
            expected.depth = std::max(expected.depth, best.first.second);
            for (const Action& action : system_.actions) {
                const bool moves = enabled(action, best.second) && project(perform(action, best.second)) != state;
                expected.transitions += moves ? 1 : 0;
            }
        }
        EXPECT_EQ(exhausted->states, expected.states);
        EXPECT_EQ(exhausted->transitions, expected.transitions);
        EXPECT_EQ(exhausted->depth, expected.depth);
        EXPECT_EQ(exhausted->most_faults, expected.most_faults);
    }

    void compare_progress(const Outcome& outcome) const {
        const auto best = naive_.best_trap();
        const auto* found = std::get_if<Counterexample>(&outcome);
        ASSERT_EQ(found != nullptr, best.has_value());
        if (found == nullptr) {
            compare_without_violation(outcome);
            return;
        }
        EXPECT_EQ(level_of(*found), *best);
        EXPECT_EQ(replay(system_, found->trace), std::nullopt);
        std::set<State> trap;
        for (const State& state : naive_.reachable(found->trace.last(), false)) {
            EXPECT_EQ(evaluate(system_.complete, state), 0U);
            trap.insert(project(state));
        }
        EXPECT_EQ(found->trap_states, trap.size());
    }

    const TransitionSystem& system_;
    Slice slice_;
    NaiveSearch naive_;
    std::optional<int> budget_;
    std::map<State, std::pair<NaiveSearch::Level, State>> kept_;  // by projection: the best level and state
};

// Compares systems that are small and not trivial until `wanted` of them were found.
void compare_random_systems(std::uint64_t first_seed, std::size_t wide, int wanted) {
    int compared = 0;
    for (std::uint64_t seed = first_seed; compared < wanted; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", wide variables " + std::to_string(wide));
        const TransitionSystem system = RandomSystem(seed, wide).make();
        validate(system);
        const Expected expected(system, std::nullopt);
        if (expected.too_large() || expected.states() < 4) {
            continue;
        }
        ++compared;
        const CheckResult result = check(system);
        expected.compare(result);
        const int budget = static_cast<int>(seed % 3);
        const CheckResult limited = check(system, 1, budget);
        Expected(system, budget).compare(limited);
        for (const int jobs : {2, 3}) {
            EXPECT_EQ(describe(system, check(system, jobs)), describe(system, result));
            EXPECT_EQ(describe(system, check(system, jobs, budget)), describe(system, limited));
        }
        ASSERT_FALSE(testing::Test::HasFailure());
    }
}

TEST(ExplicitEngine, AgreesWithTheOracleOnStatesOfOneWord) { compare_random_systems(1, 0, 1600); }
TEST(ExplicitEngine, AgreesWithTheOracleOnStatesOfTwoWords) { compare_random_systems(100'000, 3, 300); }
TEST(ExplicitEngine, AgreesWithTheOracleOnStatesOfFourWords) { compare_random_systems(200'000, 7, 300); }
TEST(ExplicitEngine, AgreesWithTheOracleOnStatesOfEightWords) { compare_random_systems(300'000, 15, 200); }

TEST(ExplicitEngine, FindsTheKnownNumberOfStatesOfTwoPhaseCommit) {
    const std::vector<std::pair<std::size_t, std::size_t>> known{{3, 288}, {5, 8832}, {7, 296'448}};
    for (const auto& [managers, states] : known) {
        const CheckResult result = check(two_phase_commit({.managers = managers}), 2);
        const auto* exhausted = std::get_if<Exhausted>(&result.properties.front());
        ASSERT_NE(exhausted, nullptr);
        EXPECT_EQ(exhausted->states, states);
        EXPECT_TRUE(std::holds_alternative<Exhausted>(*result.progress));
    }
}

TEST(ExplicitEngine, GivesTheSameOutcomesForEveryNumberOfJobsOnLargeSystems) {
    for (const bool commits_early : {false, true}) {
        const TransitionSystem system =
            two_phase_commit({.managers = 6, .commits_early = commits_early, .crashes = true});
        const auto expected = describe(system, check(system));
        for (const int jobs : {2, 3, 5}) {
            EXPECT_EQ(describe(system, check(system, jobs)), expected);
        }
    }
}

TEST(ExplicitEngine, PrefersFewerFaultsToFewerSteps) {
    TransitionSystem system;
    system.variables = {{"position", 9, 0, true}};
    const auto move = [&](ActionKind kind, Value from, Value to) {
        system.actions.push_back({kind, {equals(0, from)}, {{0, Expression::constant(to)}}, {}});
    };
    for (Value from = 0; from < 9; ++from) {
        move(ActionKind::kStep, from, from + 1);
    }
    move(ActionKind::kFault, 0, 9);
    system.properties = {{"never arrives", equals(0, 9)}};
    const CheckResult result = check(system);
    const auto& found = std::get<Counterexample>(result.properties.front());
    EXPECT_EQ(found.faults, 0U);
    EXPECT_EQ(found.trace.steps.size(), 9U);
}

TEST(ExplicitEngine, KeepsToTheFaultBudget) {
    TransitionSystem system;
    system.variables = {{"faults", 5, 0, false}};
    system.actions = {{ActionKind::kFault, {}, {{0, add({Expression::variable(0), Expression::constant(1)}, 5)}}, {}}};
    system.properties = {{"fewer than four", equals(0, 4)}, {"fewer than six", falsity()}};
    const CheckResult three = check(system, 1, 3);
    ASSERT_TRUE(std::holds_alternative<Unknown>(three.properties[0]));
    EXPECT_EQ(std::get<Unknown>(three.properties[0]).faults, 4);
    EXPECT_NE(std::get<Unknown>(three.properties[0]).reason.find("at most 3 faults"), std::string::npos);
    const CheckResult four = check(system, 1, 4);
    EXPECT_TRUE(std::holds_alternative<Counterexample>(four.properties[0]));
    EXPECT_TRUE(std::holds_alternative<Unknown>(four.properties[1]));
    EXPECT_TRUE(std::holds_alternative<Exhausted>(check(system, 1, 5).properties[1]));
}

TEST(ExplicitEngine, IsUndecidedWhenTheMemoryDoesNotSuffice) {
    for (const int jobs : {1, 2}) {
        Limits limits;
        limits.jobs = jobs;
        limits.memory_bytes = std::size_t{2} << 20;
        const CheckResult result = ExplicitEngine().check(two_phase_commit({.managers = 8}), limits, {});
        const auto& unknown = std::get<Unknown>(result.properties.front());
        EXPECT_EQ(unknown.reason.find("memory limit of 2 MiB"), 0U);
        EXPECT_GT(unknown.steps, 3);
        EXPECT_TRUE(std::holds_alternative<Unknown>(*result.progress));
        EXPECT_LE(result.bytes, limits.memory_bytes);
    }
}

TEST(ExplicitEngine, IsUndecidedWhenTheTimeDoesNotSuffice) {
    Limits limits;
    limits.deadline = std::chrono::steady_clock::now();
    const CheckResult result = ExplicitEngine().check(two_phase_commit({.managers = 8}), limits, {});
    EXPECT_EQ(std::get<Unknown>(result.properties.front()).reason.find("time limit"), 0U);
    EXPECT_EQ(std::get<Unknown>(*result.progress).reason.find("time limit"), 0U);
}

TEST(ExplicitEngine, IsUndecidedWhenAStateNeedsTooManyWords) {
    TransitionSystem system;
    std::vector<Expression> all_set;
    for (VariableId id = 0; id < 17; ++id) {
        system.variables.push_back({"wide " + std::to_string(id), 0xffffffff, 0, false});
        system.actions.push_back({ActionKind::kStep, {}, {{id, Expression::constant(7)}}, {}});
        all_set.push_back(equals(id, 7));
    }
    system.properties = {{"not all set", conjunction(all_set)}};
    system.complete = equals(0, 7);
    const CheckResult result = check(system);
    EXPECT_TRUE(std::holds_alternative<Unknown>(result.properties.front()));
    EXPECT_TRUE(std::holds_alternative<Unknown>(*result.progress));
}

TEST(ExplicitEngine, RefusesAValueThatItsVariableCannotHold) {
    TransitionSystem system;
    system.variables = {{"small", 2, 0, false}, {"large", 5, 4, false}};
    system.actions = {{ActionKind::kStep, {}, {{0, Expression::variable(1)}}, {}},
                      {ActionKind::kStep, {}, {{1, Expression::constant(5)}}, {}}};
    system.properties = {{"not two", equals(0, 2)}};
    EXPECT_THROW(static_cast<void>(check(system)), InternalError);
}

TEST(ExplicitEngine, FindsDeepWaysBackToCompletion) {
    // Up to the top and all the way down again: every state's only way to completion leads through earlier levels.
    constexpr Value kTop = 3000;
    TransitionSystem system;
    system.variables = {{"height", kTop, 0, true}, {"done", 1, 0, false}};
    system.actions.push_back(
        {ActionKind::kEnvironment, {}, {{0, add({Expression::variable(0), Expression::constant(1)}, kTop)}}, {}});
    for (Value height = 1; height <= kTop; ++height) {
        system.actions.push_back({ActionKind::kStep, {equals(0, height)}, {{0, Expression::constant(height - 1)}}, {}});
    }
    system.actions.push_back({ActionKind::kStep, {equals(0, 0)}, {{1, Expression::constant(1)}}, {}});
    system.properties = {{"never", falsity()}};
    system.complete = conjunction({equals(0, 0), equals(1, 1)});
    EXPECT_TRUE(std::holds_alternative<Exhausted>(*check(system).progress));
}

}  // namespace
}  // namespace oncecheck

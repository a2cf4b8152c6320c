#include "checker/engines/point_of_no_return.h"

#include <gtest/gtest.h>

#include "checker/engines/explicit_engine.h"
#include "tests/engines/naive_search.h"
#include "tests/engines/random_system.h"

namespace oncecheck {
namespace {

// By trying each state of the trace with the oracle.
std::optional<std::size_t> naive_point(const TransitionSystem& system, std::size_t property, const Trace& trace) {
    const NaiveSearch naive(system, 0, 1);
    for (std::size_t i = 0; i <= trace.steps.size(); ++i) {
        bool clean = false;
        for (const State& state : naive.reachable(i == 0 ? trace.initial : trace.steps[i - 1].after, true)) {
            clean = clean ||
                    (evaluate(system.complete, state) != 0 && evaluate(system.properties[property].bad, state) == 0);
        }
        if (!clean) {
            return i;
        }
    }
    return std::nullopt;
}

TEST(PointOfNoReturn, AgreesWithTheOracleOnRandomSystems) {
    int inside = 0;
    for (std::uint64_t seed = 1; inside < 60; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const TransitionSystem system = RandomSystem(seed, 0).make();
        if (NaiveSearch(system, std::nullopt, 300).too_large()) {
            continue;
        }
        const CheckResult result = ExplicitEngine().check(system, {}, {});
        for (std::size_t property = 0; property < system.properties.size(); ++property) {
            if (const auto* found = std::get_if<Counterexample>(&result.properties[property])) {
                const auto point = point_of_no_return(system, property, found->trace, {});
                ASSERT_EQ(point, naive_point(system, property, found->trace));
                inside += point && *point > 0 ? 1 : 0;
            }
        }
    }
}

TEST(PointOfNoReturn, IsTheStepThatLosesTheRow) {
    // 0 read, 1 acknowledged before writing, 2 restarted, 3 done; written only on the way from 0.
    TransitionSystem system;
    system.variables = {{"position", 3, 0, true}, {"written", 1, 0, false}};
    const auto move = [&](ActionKind kind, Value from, Value to, bool writes) {
        std::vector<Assignment> assignments{{0, Expression::constant(to)}};
        if (writes) {
            assignments.push_back({1, Expression::constant(1)});
        }
        system.actions.push_back({kind, {equals(0, from)}, assignments, {}});
    };
    move(ActionKind::kStep, 0, 1, false);
    move(ActionKind::kStep, 1, 3, true);
    move(ActionKind::kFault, 1, 2, false);
    move(ActionKind::kStep, 2, 3, false);
    system.complete = equals(0, 3);
    system.properties = {{"no-loss", conjunction({system.complete, equals(1, 0)})}};
    const CheckResult result = ExplicitEngine().check(system, {}, {});
    const auto& found = std::get<Counterexample>(result.properties.front());
    ASSERT_EQ(found.trace.steps.size(), 3U);
    EXPECT_EQ(point_of_no_return(system, 0, found.trace, {}), 2U);
    Limits no_time;
    no_time.deadline = std::chrono::steady_clock::now();
    EXPECT_EQ(point_of_no_return(system, 0, found.trace, no_time), std::nullopt);
}

}  // namespace
}  // namespace oncecheck

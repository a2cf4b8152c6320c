// Queries that the solver gives up, one at a time or all from one on: they never become a verdict. Whatever an engine
// still says is what the oracle says.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "checker/smt/bmc_engine.h"
#include "checker/smt/formula_solver.h"
#include "checker/smt/induction_engine.h"
#include "checker/smt/script_check.h"
#include "checker/smt/solver.h"
#include "checker/smt/spacer_engine.h"
#include "tests/engines/naive_search.h"
#include "tests/smt/systems.h"

namespace oncecheck {
namespace {

using testing::RandomSystem;

// Gives up the query of one number, or all from it on; counts queries.
class GivenUp {
  public:
    GivenUp(int number, bool all_after) {
        limits_.filter = std::make_shared<const AnswerFilter>([this, number, all_after](Answer answer) {
            const bool gives_up = all_after ? count_ >= number : count_ == number;
            ++count_;
            return gives_up ? Answer::kUnknown : answer;
        });
    }
    GivenUp(const GivenUp&) = delete;
    GivenUp& operator=(const GivenUp&) = delete;

    [[nodiscard]] const SolverLimits& limits() const { return limits_; }
    [[nodiscard]] int count() const { return count_; }

  private:
    SolverLimits limits_;
    int count_ = 0;
};

using Check = std::function<CheckResult(const TransitionSystem&, const SolverLimits&)>;

void expect_true(const TransitionSystem& system, const NaiveSearch& oracle, const CheckResult& result, int& unknown) {
    for (std::size_t index = 0; index < system.properties.size(); ++index) {
        const auto best = oracle.best(system.properties[index].bad);
        const Outcome& outcome = result.properties[index];
        if (std::holds_alternative<Unknown>(outcome)) {
            ++unknown;
        } else if (const auto* run = std::get_if<Counterexample>(&outcome)) {
            ASSERT_TRUE(best);
            EXPECT_EQ(std::pair(static_cast<int>(run->faults), static_cast<int>(run->trace.steps.size())), *best);
        } else {
            EXPECT_FALSE(best);
        }
    }
}

// Of each system: no query, each of the first ones alone, and all from each of these on.
void expect_no_verdict_from_queries_that_are_given_up(const Check& check, std::uint32_t systems) {
    constexpr int kMostQueries = 25;
    int unknown = 0;
    for (std::uint32_t seed = 0; seed < systems; ++seed) {
        const TransitionSystem system = RandomSystem(seed).make();
        const NaiveSearch oracle(system, std::nullopt, 20'000);
        const GivenUp none(std::numeric_limits<int>::max(), false);
        int ignored = 0;
        expect_true(system, oracle, check(system, none.limits()), ignored);
        for (int number = 0; number < std::min(none.count(), kMostQueries); ++number) {
            for (const bool all_after : {false, true}) {
                SCOPED_TRACE(std::to_string(seed) + ' ' + std::to_string(number));
                const GivenUp given_up(number, all_after);
                expect_true(system, oracle, check(system, given_up.limits()), unknown);
                EXPECT_GT(given_up.count(), number);
            }
        }
    }
    EXPECT_GT(unknown, 0);
}

TEST(GivenUpQueries, AreNoVerdictOfBoundedModelChecking) {
    expect_no_verdict_from_queries_that_are_given_up(
        [](const TransitionSystem& system, const SolverLimits& limits) {
            BmcSettings settings;
            settings.query = limits;
            return BmcEngine(settings).check(system, {}, {});
        },
        6);
}

TEST(GivenUpQueries, AreNoVerdictOfInduction) {
    expect_no_verdict_from_queries_that_are_given_up(
        [](const TransitionSystem& system, const SolverLimits& limits) {
            InductionSettings settings;
            settings.query = limits;
            return InductionEngine(settings).check(system, {}, {});
        },
        3);
}

TEST(GivenUpQueries, AreNoVerdictOfSpacer) {
    expect_no_verdict_from_queries_that_are_given_up(
        [](const TransitionSystem& system, const SolverLimits& limits) {
            SpacerSettings settings;
            settings.proof = limits;
            settings.runs.query = limits;
            return SpacerEngine(settings).check(system, {}, {});
        },
        3);
}

TEST(GivenUpQueries, LeaveNeitherModelNorCore) {
    const GivenUp all(0, true);
    Solver solver(Theory::kFiniteDomain, all.limits());
    const z3::expr a = solver.terms().bool_const("a");
    const std::vector<z3::expr> assumptions{a, !a};
    EXPECT_EQ(solver.check(), Answer::kUnknown);
    EXPECT_NE(solver.reason(), "");
    EXPECT_EQ(solver.check(assumptions), Answer::kUnknown);
    EXPECT_TRUE(solver.core().empty());
    EXPECT_THROW((void)solver.is_true(a), std::bad_optional_access);
}

std::vector<Claim> claims(std::initializer_list<const char*> texts) {
    std::vector<Claim> result;
    for (const char* text : texts) {
        result.push_back({Formula::parse(text), true});
    }
    return result;
}

TEST(GivenUpQueries, AreNoAnswerAboutFormulas) {
    const std::vector<Claim> wanted = claims({"a * 3 > 1814400000", "a != 604800001"});
    const GivenUp none(std::numeric_limits<int>::max(), false);
    ASSERT_EQ(FormulaSolver(none.limits()).least("a", wanted).value, 604'800'002);
    for (int number = 0; number < none.count(); ++number) {
        const GivenUp one(number, false);
        EXPECT_EQ(FormulaSolver(one.limits()).least("a", wanted).answer, Answer::kUnknown) << number;
    }
}

TEST(GivenUpQueries, KeepEveryClaimInACore) {
    const std::vector<Claim> all = claims({"c > 1", "a > 5", "b = 2", "a + b < 7", "a < 100"});
    for (int number = 1; number < 6; ++number) {  // the first one finds the contradiction
        const GivenUp given_up(number, true);
        FormulaSolver solver(given_up.limits());
        ASSERT_EQ(solver.check(all), Answer::kUnsat);
        const std::vector<std::size_t> core = solver.minimal_core(all);
        for (const std::size_t needed : {1U, 2U, 3U}) {
            EXPECT_NE(std::find(core.begin(), core.end(), needed), core.end()) << number;
        }
    }
}

TEST(Script, IsAnsweredByAFreshSolver) {
    const std::string start =
        "(set-logic QF_BV)\n(declare-const x (_ BitVec 2))\n(assert (! (bvult #b01 x) :named n))\n";
    EXPECT_EQ(check_script(start + "(check-sat)\n(exit)\n", {}).answer, Answer::kSat);
    EXPECT_EQ(check_script(start + "(assert (= x #b00))(check-sat)", {}).answer, Answer::kUnsat);
    EXPECT_THROW((void)check_script("(assert undeclared)", {}), SolverError);
    EXPECT_THROW((void)check_script("(assert", {}), SolverError);
    const GivenUp all(0, true);
    const ScriptAnswer given_up = check_script(start, all.limits());
    EXPECT_EQ(given_up.answer, Answer::kUnknown);
    EXPECT_NE(given_up.reason, "");
}

}  // namespace
}  // namespace oncecheck

#include "checker/smt/induction_engine.h"

#include <gtest/gtest.h>

#include <functional>

#include "checker/smt/invariant_proof.h"
#include "checker/smt/invariant_search.h"
#include "tests/engines/naive_search.h"
#include "tests/engines/random_system.h"
#include "tests/smt/systems.h"

namespace oncecheck {
namespace {

using testing::set;
using testing::shared_staging;
using testing::SystemBuilder;
using testing::two_phase_commit;

CheckResult check(const TransitionSystem& system, const InductionSettings& settings = {}, const Limits& limits = {}) {
    validate(system);
    return InductionEngine(settings).check(system, limits, {});
}

// Calls visit for every combination of values; false if they are more than `most`.
bool for_each_state(const TransitionSystem& system, std::size_t most, const std::function<void(const State&)>& visit) {
    std::size_t states = 1;
    for (const Variable& variable : system.variables) {
        states *= variable.largest + std::size_t{1};
        if (states > most) {
            return false;
        }
    }
    for (std::size_t number = 0; number < states; ++number) {
        State state;
        std::size_t rest = number;
        for (const Variable& variable : system.variables) {
            state.push_back(static_cast<Value>(rest % (variable.largest + std::size_t{1})));
            rest /= variable.largest + std::size_t{1};
        }
        visit(state);
    }
    return true;
}

// The definition, by enumeration; for k = 1.
void expect_inductive(const TransitionSystem& system, const Expression& bad, const Expression& invariant) {
    EXPECT_NE(evaluate(invariant, system.initial()), 0U);
    (void)for_each_state(system, 20'000, [&](const State& state) {
        if (evaluate(invariant, state) == 0) {
            return;
        }
        EXPECT_EQ(evaluate(bad, state), 0U);
        for (const Action& action : system.actions) {
            if (enabled(action, state)) {
                EXPECT_NE(evaluate(invariant, perform(action, state)), 0U);
            }
        }
    });
}

struct Tally {
    int proved = 0;
    int open = 0;
    int refuted = 0;
    int longer = 0;  // k > 1
};

void compare_with_naive_search(const TransitionSystem& system, const InductionSettings& settings, Tally& tally) {
    const NaiveSearch search(system, std::nullopt, 20'000);
    if (search.too_large()) {
        return;
    }
    const CheckResult result = check(system, settings);
    ASSERT_EQ(result.properties.size(), system.properties.size());
    for (std::size_t index = 0; index < system.properties.size(); ++index) {
        const Expression& bad = system.properties[index].bad;
        const bool violated = search.best(bad).has_value();
        ASSERT_FALSE(std::holds_alternative<Exhausted>(result.properties[index]));
        const auto* const proved = std::get_if<Inductive>(&result.properties[index]);
        if (proved == nullptr) {
            ++(violated ? tally.refuted : tally.open);
            continue;
        }
        ASSERT_FALSE(violated) << system.properties[index].name;
        ++tally.proved;
        tally.longer += proved->k > 1 ? 1 : 0;
        for (const auto& [state, unused] : search.levels()) {
            ASSERT_NE(evaluate(proved->invariant, state), 0U);
        }
        if (proved->k == 1) {
            expect_inductive(system, bad, proved->invariant);
        }
    }
}

TEST(InductionEngine, ProvesOnlyWhatHoldsOnRandomSystems) {
    Tally tally;
    for (std::uint32_t seed = 0; seed < 150; ++seed) {
        SCOPED_TRACE(seed);
        compare_with_naive_search(testing::RandomSystem(seed).make(), {}, tally);
    }
    EXPECT_GT(tally.proved, 70);
    EXPECT_GT(tally.refuted, 25);
    EXPECT_LT(tally.open, 5);
}

TEST(InductionEngine, ProvesOnlyWhatHoldsWithFewSamples) {
    InductionSettings settings;
    settings.sample = {1, 2, 0, 0};
    Tally tally;
    for (std::uint32_t seed = 300; seed < 400; ++seed) {
        SCOPED_TRACE(seed);
        compare_with_naive_search(testing::RandomSystem(seed).make(), settings, tally);
    }
    EXPECT_GT(tally.proved, 50);
    EXPECT_LT(tally.open, 5);
}

TEST(InductionEngine, ProvesOnlyWhatHoldsWithClausesOfOneLiteral) {
    InductionSettings settings;
    settings.most_literals = 1;
    Tally tally;
    for (std::uint32_t seed = 600; seed < 800; ++seed) {
        SCOPED_TRACE(seed);
        compare_with_naive_search(testing::RandomSystem(seed).make(), settings, tally);
    }
    EXPECT_GT(tally.proved, 60);
    EXPECT_GT(tally.longer, 2);
}

TEST(InductionEngine, ProvesOnlyWhatHoldsOnWiderSystems) {
    Tally tally;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        compare_with_naive_search(RandomSystem(seed, 0).make(), {}, tally);
    }
    EXPECT_GT(tally.proved, 20);
    EXPECT_GT(tally.refuted, 10);
}

TEST(InductionEngine, ProvesTwoPhaseCommit) {
    const TransitionSystem system = two_phase_commit(6, false);
    const CheckResult result = check(system);
    const auto* const proved = std::get_if<Inductive>(&result.properties[0]);
    ASSERT_NE(proved, nullptr);
    EXPECT_EQ(proved->k, 1);
}

TEST(InductionEngine, LeavesViolationsToOthers) {
    for (const TransitionSystem& system : {two_phase_commit(4, true), shared_staging(1)}) {
        for (const Outcome& outcome : check(system).properties) {
            const auto* const unknown = std::get_if<Unknown>(&outcome);
            ASSERT_NE(unknown, nullptr);
            EXPECT_NE(unknown->reason.find("violates"), std::string::npos) << unknown->reason;
        }
    }
}

TEST(InductionEngine, DoesNotDecideProgress) {
    const CheckResult result = check(shared_staging(1));
    ASSERT_TRUE(result.progress);
    EXPECT_TRUE(std::holds_alternative<Unknown>(*result.progress));
}

// Two loops that no step joins, of equal length; the bad state hangs on the second one. What is not reachable looks
// good for many steps, one variable at a time.
TransitionSystem parity() {
    SystemBuilder build;
    std::vector<VariableId> bits;
    for (int i = 0; i < 6; ++i) {
        bits.push_back(build.variable("bit" + std::to_string(i), 1));
    }
    for (std::size_t i = 1; i < bits.size(); ++i) {  // flips two at a time
        const auto flipped = [&](VariableId bit) { return Assignment{bit, !Expression::variable(bit)}; };
        build.action(ActionKind::kStep, "flips", {}, {flipped(bits[i - 1]), flipped(bits[i])});
    }
    std::vector<Expression> bad{equals(bits[0], 1)};
    for (std::size_t i = 1; i < bits.size(); ++i) {
        bad.push_back(equals(bits[i], 0));
    }
    build.property("even", conjunction(bad));
    return build.system();
}

TEST(InductionEngine, LeavesOpenWhatItsClausesCannotSay) {
    const CheckResult result = check(parity());
    const auto* const unknown = std::get_if<Unknown>(&result.properties[0]);
    ASSERT_NE(unknown, nullptr);
    EXPECT_NE(unknown->reason.find("no inductive invariant"), std::string::npos) << unknown->reason;
}

TEST(InductionEngine, TakesNoLimitForAVerdict) {
    Limits late;
    late.deadline = std::chrono::steady_clock::now();
    Limits small;
    small.memory_bytes = 1;
    InductionSettings poor;
    poor.query.resources = 1;
    const TransitionSystem system = two_phase_commit(4, false);
    for (const CheckResult& result : {check(system, {}, late), check(system, {}, small), check(system, poor)}) {
        const auto* const unknown = std::get_if<Unknown>(&result.properties[0]);
        ASSERT_NE(unknown, nullptr);
        EXPECT_FALSE(unknown->reason.empty());
    }
}

TEST(InductionEngine, GivesUpOnCountersThatAreTooLarge) {
    SystemBuilder build;
    const VariableId count = build.variable("count", 1'000'000);
    build.action(ActionKind::kStep, "counts", {}, {{count, add({Expression::variable(count), truth()}, 999'999)}});
    build.property("never full", equals(count, 1'000'000));
    const CheckResult result = check(build.system());
    EXPECT_TRUE(std::holds_alternative<Unknown>(result.properties[0]));
}

TEST(InductionEngine, ProvesASystemInWhichNothingMoves) {
    SystemBuilder build;
    const VariableId still = build.variable("still", 3, 1);
    build.property("never two", equals(still, 2));
    EXPECT_TRUE(std::holds_alternative<Inductive>(check(build.system()).properties[0]));
}

// A counter 0..3 that leaps from 3 to 0, and a state 5 that only 4 leads to.
TransitionSystem leaping() {
    SystemBuilder build;
    const VariableId count = build.variable("count", 5);
    for (Value value = 0; value < 5; ++value) {
        build.action(ActionKind::kStep, "counts", {equals(count, value)}, {set(count, value == 3 ? 0 : value + 1)});
    }
    build.property("never five", equals(count, 5));
    return build.system();
}

Answer refuted(const TransitionSystem& system, const Inductive& evidence, SolverLimits query = {}) {
    const Limits limits;
    LimitedQueries queries(query, limits);
    return refute_invariant(system, system.properties[0].bad, evidence, queries);
}

TEST(InvariantProof, AcceptsAnInductiveInvariantOnly) {
    const TransitionSystem system = leaping();
    const auto up_to = [](Value value) { return less(Expression::variable(0), Expression::constant(value + 1)); };
    EXPECT_EQ(refuted(system, {up_to(3), 1}), Answer::kUnsat);
    EXPECT_EQ(refuted(system, {up_to(4), 1}), Answer::kSat);       // 4 leads to 5
    EXPECT_EQ(refuted(system, {up_to(2), 1}), Answer::kSat);       // 2 leads to 3
    EXPECT_EQ(refuted(system, {up_to(5), 1}), Answer::kSat);       // 5 is bad
    EXPECT_EQ(refuted(system, {!equals(0, 0), 1}), Answer::kSat);  // not initially
    EXPECT_EQ(refuted(system, {conjunction({up_to(3), up_to(4)}), 1}), Answer::kUnsat);
}

TEST(InvariantProof, LooksAtSeveralStatesBefore) {
    const TransitionSystem system = leaping();
    const Expression not_bad = !equals(0, 5);
    EXPECT_EQ(refuted(system, {not_bad, 1}), Answer::kSat);
    EXPECT_EQ(refuted(system, {not_bad, 2}), Answer::kUnsat);  // nothing leads to 4
}

TEST(InvariantProof, LooksAtDifferentStatesOnly) {
    TransitionSystem system = leaping();
    system.actions.push_back({ActionKind::kStep, {equals(0, 4)}, {{0, Expression::variable(0)}}, {}});
    EXPECT_EQ(refuted(system, {!equals(0, 5), 2}), Answer::kUnsat);
    system.actions.push_back({ActionKind::kStep, {equals(0, 5)}, {set(0, 4)}, {}});
    EXPECT_EQ(refuted(system, {!equals(0, 5), 2}), Answer::kUnsat);
    system.actions.push_back({ActionKind::kStep, {equals(0, 2)}, {set(0, 4)}, {}});
    EXPECT_EQ(refuted(system, {!equals(0, 5), 2}), Answer::kSat);
}

TEST(InvariantProof, ChecksTheFirstStatesOfLongerInductions) {
    SystemBuilder build;
    const VariableId count = build.variable("count", 3);
    build.action(ActionKind::kStep, "leaps", {equals(count, 0)}, {set(count, 3)});
    build.property("never three", equals(count, 3));
    EXPECT_EQ(refuted(build.system(), {!equals(count, 3), 2}), Answer::kSat);
}

TEST(InvariantProof, IsOpenWhenTheSolverGivesUp) {
    const TransitionSystem system = two_phase_commit(5, false);
    const CheckResult result = check(system);
    EXPECT_EQ(refuted(system, std::get<Inductive>(result.properties[0]), {1, {}, 0}), Answer::kUnknown);
    EXPECT_EQ(refuted(system, std::get<Inductive>(result.properties[0])), Answer::kUnsat);
}

TEST(InvariantProof, AcceptsNothingWhereverTheSolverGivesUp) {
    const TransitionSystem system = two_phase_commit(3, false);
    const CheckResult result = check(system);
    const Inductive too_weak{!system.properties[0].bad, 1};
    const auto answer = [&](const Inductive& evidence, std::size_t most_queries) {
        const Limits limits;
        LimitedQueries queries({}, limits, most_queries);
        return refute_invariant(system, system.properties[0].bad, evidence, queries);
    };
    std::size_t enough = 0;
    while (answer(too_weak, enough) == Answer::kUnknown) {
        ++enough;
    }
    EXPECT_EQ(answer(too_weak, enough), Answer::kSat);
    EXPECT_GT(enough, 1U);
    for (enough = 0; answer(std::get<Inductive>(result.properties[0]), enough) == Answer::kUnknown; ++enough) {
    }
    EXPECT_EQ(answer(std::get<Inductive>(result.properties[0]), enough), Answer::kUnsat);
    EXPECT_GT(enough, system.actions.size() / 2);
}

TEST(InductionEngine, ProvesNothingFalseWhereverTheSolverGivesUp) {
    for (const bool error : {false, true}) {
        const TransitionSystem system = two_phase_commit(2, error);
        InductionSettings settings;
        settings.sample = {1, 2, 0, 0};
        bool proved = false;
        for (settings.most_queries = 0; settings.most_queries < 400 && !proved; settings.most_queries += 17) {
            const CheckResult result = check(system, settings);
            proved = std::holds_alternative<Inductive>(result.properties[0]);
        }
        EXPECT_EQ(proved, !error);
    }
}

TEST(InvariantSearch, GivesUpWhenTheSolverDoes) {
    const TransitionSystem system = two_phase_commit(4, false);
    const VariableSet cone = cone_of_influence(system, {system.properties[0].bad});
    const ValueSets values = reachable_values(system, 10).value();
    const Vocabulary vocabulary(system, cone, values);
    const ReachableSample sample = sample_reachable(system, cone, vocabulary, {});
    const Limits limits;
    LimitedQueries queries({1, {}, 0}, limits);
    InvariantSearch search(system, values, vocabulary, sample.states, {true}, {3, 1}, queries);
    EXPECT_FALSE(search.run()[0]);
    EXPECT_TRUE(search.gave_up());
}

TEST(InvariantProof, AgreesWithTheDefinitionOnRandomInvariants) {
    int inductive = 0;
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        testing::RandomSystem random(seed);
        const TransitionSystem system = random.make();
        const Expression invariant = disjunction({random.condition(2), random.condition(2)});
        const Expression bad = seed % 2 == 0 ? falsity() : system.properties[0].bad;
        bool holds = evaluate(invariant, system.initial()) != 0;
        (void)for_each_state(system, 20'000, [&](const State& state) {
            if (evaluate(invariant, state) == 0) {
                return;
            }
            holds = holds && evaluate(bad, state) == 0;
            for (const Action& action : system.actions) {
                holds = holds && (!enabled(action, state) || evaluate(invariant, perform(action, state)) != 0);
            }
        });
        const Limits limits;
        LimitedQueries queries({}, limits);
        EXPECT_EQ(refute_invariant(system, bad, {invariant, 1}, queries), holds ? Answer::kUnsat : Answer::kSat);
        inductive += holds ? 1 : 0;
    }
    EXPECT_GT(inductive, 20);
    EXPECT_LT(inductive, 200);
}

}  // namespace
}  // namespace oncecheck

// What a shared search finds is what each question finds alone.
#include "checker/certificate/shared_search.h"

#include <gtest/gtest.h>

#include "checker/certificate/prover.h"
#include "tests/engines/naive_search.h"
#include "tests/engines/random_system.h"

namespace oncecheck {
namespace {

constexpr std::size_t kMostStates = 800;

// Each property alone, all together, and progress if there is any.
std::vector<Question> questions_about(const TransitionSystem& system) {
    std::vector<Question> questions;
    std::vector<std::size_t> all;
    for (std::size_t property = 0; property < system.properties.size(); ++property) {
        questions.push_back({system, {property}, false});
        all.push_back(property);
    }
    questions.push_back({system, all, false});
    if (!system.complete.is_constant(0)) {
        questions.push_back({system, {}, true});
        questions.push_back({system, all, true});
    }
    return questions;
}

TEST(SharedSearch, FindsWhatEachQuestionFindsAlone) {
    std::size_t proofs = 0;
    std::size_t runs = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const TransitionSystem system = RandomSystem(seed, seed % 2).make();
        if (NaiveSearch(system, std::nullopt, kMostStates).too_large()) {
            continue;
        }
        const std::vector<Question> questions = questions_about(system);
        Prover prover(EngineChoice::kExplicit, {});
        for (const Question& question : questions) {
            prover.expect(question);
        }
        for (const Question& question : questions) {
            const Found alone = find_evidence(question, EngineChoice::kExplicit, {});
            const Found shared = prover.find(question);
            ASSERT_EQ(shared.index(), alone.index()) << seed;
            if (const auto* proof = std::get_if<CertifiedProof>(&alone)) {
                EXPECT_EQ(std::get<CertifiedProof>(shared), *proof) << seed;
                ++proofs;
            } else if (const auto* run = std::get_if<CertifiedRun>(&alone)) {
                EXPECT_EQ(std::get<CertifiedRun>(shared), *run) << seed;
                ++runs;
            }
        }
    }
    EXPECT_GT(proofs, 100U);
    EXPECT_GT(runs, 100U);
}

// Counts to `largest`; `other` is set on the way and read by nothing.
TransitionSystem counter(Value largest) {
    TransitionSystem system;
    system.name = "counter";
    system.variables = {{"count", 5, 0, false}, {"other", 1, 0, false}};
    for (Value count = 0; count < largest; ++count) {
        system.actions.push_back({ActionKind::kStep,
                                  {equals(0, count)},
                                  {{0, Expression::constant(count + 1)}, {1, Expression::constant(1)}},
                                  {}});
    }
    system.properties = {{"never 3", equals(0, 3)}, {"never 5", equals(0, 5)}, {"never other", equals(1, 1)}};
    system.complete = equals(0, largest);
    return system;
}

TEST(SharedSearch, AdmitsQuestionsAboutTheSameStates) {
    const TransitionSystem system = counter(4);
    TransitionSystem renamed = system;
    renamed.name = "another";
    renamed.actions[0].label.text = "counts";
    renamed.properties = {{"never 1", equals(0, 1)}};
    const SharedSearch search({system, {0}, true});
    EXPECT_TRUE(search.admits({system, {1}, false}));
    EXPECT_TRUE(search.admits({renamed, {0}, true}));
    EXPECT_FALSE(search.answers({renamed, {0}, true}));
    EXPECT_TRUE(search.answers({system, {0}, false}));
}

TEST(SharedSearch, AdmitsNoQuestionAboutOtherStates) {
    const TransitionSystem system = counter(4);
    const SharedSearch search({system, {0}, true});
    EXPECT_FALSE(search.admits({counter(5), {0}, false}));
    EXPECT_FALSE(search.admits({system, {2}, false}));  // reads a variable that did not matter
    const auto changed = [&](const auto& change) {
        TransitionSystem other = system;
        change(other);
        return search.admits({other, {0}, true});
    };
    EXPECT_TRUE(changed([](TransitionSystem&) {}));
    EXPECT_FALSE(changed([](TransitionSystem& other) { other.variables[0].initial = 1; }));
    EXPECT_FALSE(changed([](TransitionSystem& other) { other.actions[0].kind = ActionKind::kFault; }));
    EXPECT_FALSE(changed([](TransitionSystem& other) { other.actions[0].guard = {equals(0, 2)}; }));
    EXPECT_FALSE(changed([](TransitionSystem& other) { other.actions[0].assignments.pop_back(); }));
    EXPECT_FALSE(changed([](TransitionSystem& other) { other.actions[0].assignments[0].value = falsity(); }));
    EXPECT_FALSE(changed([](TransitionSystem& other) { other.actions.pop_back(); }));
    EXPECT_FALSE(changed([](TransitionSystem& other) { other.complete = equals(0, 2); }));
}

TEST(SharedSearch, IsOneForQuestionsThatItAdmits) {
    const TransitionSystem system = counter(4);
    SharedSearch search({system, {0}, false});
    search.add({system, {1}, false});
    EXPECT_TRUE(std::holds_alternative<Counterexample>(search.result({system, {0}, false}, {}).properties.front()));
    EXPECT_TRUE(std::holds_alternative<Exhausted>(search.result({system, {1}, false}, {}).properties.front()));
    EXPECT_TRUE(search.proof({system, {1}, false}));
    EXPECT_FALSE(search.proof({system, {1}, true}));
}

TEST(SharedSearch, LeavesOpenWhatALimitKeptItFrom) {
    const TransitionSystem system = counter(4);
    SharedSearch search({system, {1}, true});
    Limits limits;
    limits.deadline = std::chrono::steady_clock::now();
    const CheckResult result = search.result({system, {1}, true}, limits);
    EXPECT_TRUE(std::holds_alternative<Unknown>(result.properties.front()));
    EXPECT_FALSE(search.proof({system, {1}, true}));
}

}  // namespace
}  // namespace oncecheck

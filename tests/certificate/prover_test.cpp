// Evidence about random systems: what the oracle says holds has a proof that walk and Z3 accept, what it says is
// violated a run; and a proof that is changed is refused.
#include "checker/certificate/prover.h"

#include <gtest/gtest.h>

#include <numeric>

#include "checker/certificate/proof_check.h"
#include "tests/engines/naive_search.h"
#include "tests/engines/random_system.h"

namespace oncecheck {
namespace {

constexpr std::size_t kMostStates = 800;

const CheckMethod kBySolver{.limits = {}, .most_walked = 0};

// "" if the evidence is accepted, else where it is refused.
std::string refusal_with(const CheckMethod& method, const TransitionSystem& system, const Found& found) {
    try {
        if (const auto* proof = std::get_if<CertifiedProof>(&found)) {
            check_proof(system, *proof, "proof", method);
        } else if (const auto* run = std::get_if<CertifiedRun>(&found)) {
            check_run(system, *run, "run", method);
        } else {
            return std::get<NoEvidence>(found).reason;
        }
    } catch (const Refusal& refused) {
        return refused.where + ": " + refused.message;
    } catch (const NotDecided& open) {
        return "undecided " + open.where + ": " + open.message;
    }
    return "";
}

// What the walk says; the solver has to agree in whether the evidence is accepted.
std::string refusal(const TransitionSystem& system, const Found& found) {
    std::string walked = refusal_with({}, system, found);
    const std::string solved = refusal_with(kBySolver, system, found);
    EXPECT_EQ(walked.empty(), solved.empty()) << walked << " / " << solved;
    return walked;
}

// The same proof with scripts that fit it again.
CertifiedProof rewritten(const TransitionSystem& system, Proof proof) {
    std::vector<Obligation> scripts = obligations(system, proof);
    return {std::move(proof), std::move(scripts)};
}

TEST(Prover, ProvesWhatHoldsAndShowsARunOfWhatDoesNot) {
    int proofs = 0;
    int runs = 0;
    int traps = 0;
    for (std::uint64_t seed = 0; seed < 250; ++seed) {
        const TransitionSystem system = RandomSystem(seed, seed % 2).make();
        const NaiveSearch oracle(system, std::nullopt, kMostStates);
        if (oracle.too_large() || overflowing_action(system)) {
            continue;
        }
        for (std::size_t property = 0; property < system.properties.size(); ++property) {
            const Found found = find_evidence({system, {property}, false}, EngineChoice::kExplicit, {});
            const bool violated = oracle.best(system.properties[property].bad).has_value();
            EXPECT_EQ(std::holds_alternative<CertifiedRun>(found), violated) << seed;
            EXPECT_EQ(refusal(system, found), "") << seed;
            (violated ? runs : proofs) += 1;
        }
        if (!system.complete.is_constant(0)) {
            const Found found = find_evidence({system, {}, true}, EngineChoice::kExplicit, {});
            const bool violated = oracle.best_trap().has_value();
            EXPECT_EQ(std::holds_alternative<CertifiedRun>(found), violated) << seed;
            EXPECT_EQ(refusal(system, found), "") << seed;
            (violated ? traps : proofs) += 1;
        }
    }
    EXPECT_GT(proofs, 60);
    EXPECT_GT(runs, 20);
    EXPECT_GT(traps, 20);
}

// Steps: start -> work -> done, with a crash back to start.
TransitionSystem small_job() {
    TransitionSystem system;
    system.name = "job";
    system.variables = {{"position", 2, 0, true}, {"rows", 2, 0, false}};
    ActionLabel label;
    system.actions = {
        {ActionKind::kStep, {equals(0, 0)}, {{0, Expression::constant(1)}}, label},
        {ActionKind::kStep, {equals(0, 1)}, {{0, Expression::constant(2)}, {1, Expression::constant(1)}}, label},
        {ActionKind::kFault, {equals(0, 1)}, {{0, Expression::constant(0)}}, label}};
    system.properties = {{"no two rows", equals(1, 2)}};
    system.complete = equals(0, 2);
    return system;
}

CertifiedProof proof_of(const TransitionSystem& system) {
    return std::get<CertifiedProof>(find_evidence({system, {0}, true}, EngineChoice::kExplicit, {}));
}

TEST(Prover, WritesFourObligationsWhereProgressIsAskedFor) {
    const CertifiedProof proof = proof_of(small_job());
    ASSERT_EQ(proof.obligations.size(), 4U);
    EXPECT_EQ(proof.obligations[0].name, "initiation");
    EXPECT_EQ(proof.obligations[1].name, "consecution");
    EXPECT_EQ(proof.obligations[2].name, "safety");
    EXPECT_EQ(proof.obligations[3].name, "descent");
}

TEST(Prover, RefusesEveryDiagramThatMissesAStateOrHasABadOneMore) {
    const TransitionSystem system = small_job();
    const CertifiedProof good = proof_of(system);
    ASSERT_EQ(refusal(system, good), "");
    const auto& set = std::get<Diagram>(good.proof.set);
    for (std::size_t node = 0; node < set.nodes.size(); ++node) {
        for (std::size_t edge = 0; edge < set.nodes[node].edges.size(); ++edge) {
            Proof proof = good.proof;
            std::get<Diagram>(proof.set).nodes[node].edges[edge].target = {};
            EXPECT_NE(refusal(system, rewritten(system, proof)), "") << node << ' ' << edge;
        }
        if (set.nodes[node].edges.size() > system.variables[set.nodes[node].variable].largest) {
            continue;  // there is no other value
        }
        Proof proof = good.proof;
        std::get<Diagram>(proof.set).nodes[node].otherwise = {true, kInside};
        EXPECT_NE(refusal(system, rewritten(system, proof)), "") << node;
    }
}

TEST(Prover, RefusesRanksThatDoNotFallAndMovesThatAreFaultsOrImpossible) {
    const TransitionSystem system = small_job();
    const CertifiedProof good = proof_of(system);
    Proof flat = good.proof;
    flat.ranking->rank = {{}, {true, 1}};
    EXPECT_EQ(refusal(system, rewritten(system, flat)).rfind("proof, descent", 0), 0U);
    for (const std::uint32_t action : {0U, 1U, 2U, 3U, 9U}) {
        Proof wrong = good.proof;
        wrong.ranking->move = {{}, {true, action}};
        EXPECT_EQ(refusal(system, rewritten(system, wrong)).rfind("proof, descent", 0), 0U) << action;
    }
}

TEST(Prover, RefusesAWayToCompletionThatNeedsAFault) {
    TransitionSystem system = small_job();
    const CertifiedProof good = proof_of(system);
    system.actions[1].kind = ActionKind::kFault;
    EXPECT_EQ(refusal(system, rewritten(system, good.proof)).rfind("proof, descent", 0), 0U);
}

TEST(Prover, MovesByTheFirstActionOfAShortestWay) {
    TransitionSystem system = small_job();
    const Action& done = system.actions[1];
    const Action round_about{ActionKind::kStep, {equals(0, 1)}, {{0, Expression::constant(0)}}, {}};
    system.actions = {round_about, system.actions[0], done, done, system.actions[0]};
    const auto found = find_evidence({system, {0}, true}, EngineChoice::kExplicit, {});
    const Ranking& ranking = *std::get<CertifiedProof>(found).proof.ranking;
    EXPECT_EQ(ranking.rank.at({0, 0}), 2U);
    EXPECT_EQ(ranking.move.at({0, 0}), 1U);
    EXPECT_EQ(ranking.rank.at({1, 0}), 1U);
    EXPECT_EQ(ranking.move.at({1, 0}), 2U);
    EXPECT_EQ(ranking.rank.at({2, 1}), 0U);
}

TEST(Prover, RefusesATrapThatCanBeLeft) {
    TransitionSystem system = small_job();
    system.actions[1].assignments[0].value = Expression::constant(0);  // never done
    const Found found = find_evidence({system, {}, true}, EngineChoice::kExplicit, {});
    ASSERT_EQ(refusal(system, found), "");
    const auto& run = std::get<CertifiedRun>(found);
    EXPECT_NE(refusal(small_job(), run), "");
    CertifiedRun without = run;
    without.trap.reset();
    EXPECT_NE(refusal(system, without), "");
}

TEST(Prover, TakesAnInvariantThatIsAnExpression) {
    const TransitionSystem system = small_job();
    const auto proof_with = [&](const Expression& set) { return rewritten(system, {set, {0}, std::nullopt}); };
    EXPECT_EQ(refusal(system, proof_with(!equals(1, 2))), "");
    EXPECT_NE(refusal(system, proof_with(truth())), "");
    EXPECT_NE(refusal(system, proof_with(equals(1, 1))), "");
    EXPECT_NE(refusal(system, proof_with(equals(1, 0))), "");
}

TEST(Prover, NeverTakesAGivenUpQueryForAnAnswer) {
    const TransitionSystem system = small_job();
    const CertifiedProof good = proof_of(system);
    for (int silent = 0; silent < 4; ++silent) {
        int asked = 0;
        CheckMethod method = kBySolver;
        method.limits.filter = std::make_shared<const AnswerFilter>(
            [&](Answer answer) { return asked++ == silent ? Answer::kUnknown : answer; });
        EXPECT_THROW(check_proof(system, good, "proof", method), NotDecided) << silent;
    }
    CheckMethod few = kBySolver;
    few.limits.resources = 1;
    EXPECT_THROW(check_proof(system, good, "proof", few), NotDecided);
}

TEST(Prover, DoesNotProveASystemThatMayAssignTooMuch) {
    TransitionSystem system = small_job();
    system.actions[1].assignments[1].value = add({Expression::variable(1), Expression::constant(2)}, 3);
    EXPECT_THROW(check_proof(system, rewritten(system, {truth(), {}, std::nullopt}), "proof", {}), NotDecided);
}

}  // namespace
}  // namespace oncecheck

// Consecution in parts: together they are about every action, and none can be left out.
#include "checker/certificate/obligations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "checker/certificate/diagram_builder.h"
#include "checker/certificate/proof_check.h"
#include "checker/smt/script_check.h"

namespace oncecheck {
namespace {

constexpr std::size_t kPairs = 9;
constexpr std::size_t kParts = 4;

// Bits of which i and i + kPairs are equal; action i sets both. The more of them, the more nodes has the set in this
// order.
TransitionSystem twins() {
    TransitionSystem system;
    system.name = "twins";
    for (std::size_t bit = 0; bit < 2 * kPairs; ++bit) {
        system.variables.push_back({"bit " + std::to_string(bit), 1, 0, false});
    }
    for (VariableId bit = 0; bit < kPairs; ++bit) {
        const Assignment left{bit, Expression::constant(1)};
        const Assignment right{bit + static_cast<VariableId>(kPairs), Expression::constant(1)};
        system.actions.push_back({ActionKind::kStep, {}, {left, right}, {}});
    }
    return system;
}

// The same, but this action sets only one bit.
TransitionSystem twins_but(std::size_t action) {
    TransitionSystem system = twins();
    system.actions[action].assignments.pop_back();
    return system;
}

Proof equal_twins(const TransitionSystem& system) {
    std::vector<VariableId> order(system.variables.size());
    std::iota(order.begin(), order.end(), 0U);
    DiagramBuilder builder(system, order);
    for (Value left = 0; left < (Value{1} << kPairs); ++left) {
        State state;
        for (std::size_t bit = 0; bit < 2 * kPairs; ++bit) {
            state.push_back((left >> (bit % kPairs)) & 1U);
        }
        builder.add(state);
    }
    return {builder.set(), {}, std::nullopt};
}

std::vector<Obligation> consecution_of(const TransitionSystem& system) {
    std::vector<Obligation> all = obligations(system, equal_twins(system));
    std::erase_if(all, [](const Obligation& one) { return !one.name.starts_with("consecution"); });
    return all;
}

TEST(Obligations, DivideConsecutionOfASetOfManyNodes) {
    const std::vector<Obligation> parts = consecution_of(twins());
    ASSERT_EQ(parts.size(), kParts);
    for (std::size_t part = 0; part < parts.size(); ++part) {
        EXPECT_EQ(parts[part].name, "consecution " + std::to_string(part + 1) + " of " + std::to_string(kParts));
        EXPECT_EQ(check_script(parts[part].script, {}).answer, Answer::kUnsat) << part;
    }
}

TEST(Obligations, DoNotDivideConsecutionOfASetOfFewNodes) {
    const TransitionSystem system = twins();
    const std::vector<Obligation> all = obligations(system, {Diagram{{}, {true, kInside}}, {}, std::nullopt});
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[1].name, "consecution");
}

TEST(Obligations, HaveOnePartThatIsNotMetForEveryActionThatLeavesTheSet) {
    std::size_t last = 0;
    for (std::size_t action = 0; action < kPairs; ++action) {
        std::vector<std::size_t> refuted;
        const std::vector<Obligation> parts = consecution_of(twins_but(action));
        for (std::size_t part = 0; part < parts.size(); ++part) {
            if (check_script(parts[part].script, {}).answer == Answer::kSat) {
                refuted.push_back(part);
            }
        }
        ASSERT_EQ(refuted.size(), 1U) << action;
        EXPECT_GE(refuted.front(), last) << action;
        last = refuted.front();
    }
    EXPECT_EQ(last, kParts - 1);
}

// "" or where the proof is refused.
std::string refusal(const TransitionSystem& system, const CertifiedProof& proof) {
    try {
        check_proof(system, proof, "proof", {});
    } catch (const Refusal& refused) {
        return refused.where;
    }
    return "";
}

TEST(Obligations, AreRefusedIfAPartIsMissingOrThereTwice) {
    const TransitionSystem system = twins();
    const Proof proof = equal_twins(system);
    const CertifiedProof good{proof, obligations(system, proof)};
    ASSERT_EQ(good.obligations.size(), 1 + kParts);
    EXPECT_EQ(refusal(system, good), "");
    CertifiedProof missing = good;
    missing.obligations.pop_back();
    EXPECT_EQ(refusal(system, missing), "proof");
    CertifiedProof twice = good;
    twice.obligations[2] = twice.obligations[1];
    EXPECT_EQ(refusal(system, twice), "proof, consecution 2 of 4");
    CertifiedProof exchanged = good;
    std::swap(exchanged.obligations[2], exchanged.obligations[1]);
    EXPECT_EQ(refusal(system, exchanged), "proof, consecution 1 of 4");
}

}  // namespace
}  // namespace oncecheck

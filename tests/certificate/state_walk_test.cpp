// The walk over the states of a proof: what it refuses in small systems, and that it agrees with Z3 about random
// systems with diagrams that are right, and with diagrams that were changed.
#include "checker/certificate/state_walk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "checker/certificate/prover.h"
#include "checker/smt/script_check.h"
#include "tests/engines/naive_search.h"
#include "tests/engines/random_system.h"

namespace oncecheck {
namespace {

constexpr std::size_t kMostStates = 20'000;
constexpr DiagramTarget kIn{true, kInside};
constexpr DiagramTarget kOut{true, kOutside};

// position: 0 -> 1 -> 2, and a crash from 1 back to 0; `note` is written and never read; `mode` is read by nothing but
// the crash, and never written.
TransitionSystem job() {
    TransitionSystem system;
    system.name = "job";
    system.variables = {{"position", 2, 0, true}, {"note", 3, 0, false}, {"mode", 1, 0, false}};
    const auto to = [](Value position) { return Assignment{0, Expression::constant(position)}; };
    const Assignment note{1, Expression::constant(3)};
    system.actions = {{ActionKind::kStep, {equals(0, 0)}, {to(1)}, {}},
                      {ActionKind::kStep, {equals(0, 1)}, {to(2), note}, {}},
                      {ActionKind::kFault, {equals(0, 1), equals(2, 1)}, {to(0)}, {}}};
    system.properties = {{"never bad", falsity()}};
    system.complete = equals(0, 2);
    return system;
}

// All states; the rank is 2 - position, the move that of the position.
Proof good() {
    const Diagram rank{{{0, {{0, {true, 2}}, {1, {true, 1}}}, {true, 0}}}, {false, 0}};
    const Diagram move{{{0, {{0, {true, 0}}}, {true, 1}}}, {false, 0}};
    return {Diagram{{}, kIn}, {0}, Ranking{rank, move}};
}

// "" or the obligation that is not met.
std::string unmet(const TransitionSystem& system, const Proof& proof) {
    const auto found = StateWalk(system, proof).run();
    return found ? found->obligation : "";
}

TEST(StateWalk, CountsStatesThatDifferInVariablesThatMatter) {
    const TransitionSystem system = job();
    EXPECT_EQ(StateWalk(system, good()).size(), 6U);  // positions and modes
    Proof proof = good();
    proof.set = Diagram{{{1, {{0, kIn}, {3, kIn}}, kOut}, {0, {{0, {false, 0}}, {2, {false, 0}}}, kOut}}, {false, 1}};
    ASSERT_EQ(check(std::get<Diagram>(proof.set), system), "");
    EXPECT_EQ(StateWalk(system, proof).size(), 8U);
    proof.set = Diagram{{}, kOut};
    EXPECT_EQ(StateWalk(system, proof).size(), 0U);
    TransitionSystem reading = job();
    reading.complete = equals(1, 3);
    EXPECT_EQ(StateWalk(reading, good()).size(), 24U);  // and notes
    reading = job();
    reading.properties[0].bad = equals(1, 2);
    EXPECT_EQ(StateWalk(reading, good()).size(), 24U);
    proof = good();
    proof.ranking->move.nodes[0].variable = 1;
    EXPECT_EQ(StateWalk(system, proof).size(), 24U);
}

TEST(StateWalk, CountsToTheLargestNumberAndNoFurther) {
    TransitionSystem system = job();
    for (VariableId id = 3; id < 100; ++id) {
        system.variables.push_back({"bit", 1, 0, false});
        system.actions[0].guard.push_back(!equals(id, 1));
    }
    const Proof proof = good();
    EXPECT_EQ(StateWalk(system, proof).size(), std::numeric_limits<std::uint64_t>::max());
}

TEST(StateWalk, AcceptsWhatIsMet) { EXPECT_EQ(unmet(job(), good()), ""); }

TEST(StateWalk, LooksAtEveryValueOfAVariableThatADiagramSkips) {
    TransitionSystem system = job();
    system.properties[0].bad = conjunction({equals(0, 2), equals(2, 1)});  // no run has mode 1, but the set does
    EXPECT_EQ(unmet(system, good()), "safety");
    system = job();
    system.actions[1].guard.push_back(equals(2, 0));
    EXPECT_EQ(unmet(system, good()), "descent");
}

TEST(StateWalk, FollowsVariablesThatAnAssignmentReads) {
    TransitionSystem system = job();
    system.actions[0].assignments.push_back({2, choose(equals(1, 3), Expression::constant(1), falsity())});
    Proof proof = good();
    proof.set = Diagram{{{2, {{0, kIn}}, kOut}}, {false, 0}};  // mode is 0: not so after a step with note 3
    EXPECT_EQ(StateWalk(system, proof).size(), 12U);           // positions and notes
    EXPECT_EQ(unmet(system, proof), "consecution");
}

TEST(StateWalk, RefusesASetThatMissesAState) {
    Proof proof = good();
    proof.set = Diagram{{{0, {{0, kOut}}, kIn}}, {false, 0}};
    EXPECT_EQ(unmet(job(), proof), "initiation");
    proof.set = Diagram{{{0, {{1, kOut}}, kIn}}, {false, 0}};
    EXPECT_EQ(unmet(job(), proof), "consecution");
    proof.set = Diagram{{{0, {{2, kOut}}, kIn}}, {false, 0}};
    EXPECT_EQ(unmet(job(), proof), "consecution");
    proof.set = Diagram{{}, kOut};
    EXPECT_EQ(unmet(job(), proof), "initiation");
}

TEST(StateWalk, NoticesAChangeOfTheLastVariableAlone) {
    TransitionSystem system = job();
    system.actions.pop_back();
    Proof proof = good();
    ASSERT_EQ(StateWalk(system, proof).size(), 3U);  // positions
    proof.set = Diagram{{{0, {{1, kOut}}, kIn}}, {false, 0}};
    EXPECT_EQ(unmet(system, proof), "consecution");
}

TEST(StateWalk, RefusesAValueThatItsVariableDoesNotHold) {
    TransitionSystem system = job();
    system.actions[1].assignments[0].value = Expression::constant(3);
    system.complete = equals(0, 1);
    Proof proof = good();
    EXPECT_EQ(unmet(system, proof), "consecution");  // although the diagram skips the variable
}

TEST(StateWalk, RefusesABadState) {
    TransitionSystem system = job();
    system.properties[0].bad = equals(0, 2);
    EXPECT_EQ(unmet(system, good()), "safety");
    Proof unasked = good();
    unasked.properties = {};
    EXPECT_EQ(unmet(system, unasked), "");
}

TEST(StateWalk, RefusesMovesThatAreImpossibleOrFaultsOrNone) {
    for (const std::uint32_t move : {0U, 1U, 2U, 3U, 99U}) {
        Proof proof = good();
        proof.ranking->move = Diagram{{}, {true, move}};
        EXPECT_EQ(unmet(job(), proof), "descent") << move;
    }
    TransitionSystem system = job();
    system.actions[1].kind = ActionKind::kFault;
    EXPECT_EQ(unmet(system, good()), "descent");
}

TEST(StateWalk, RefusesRanksThatDoNotFall) {
    Proof proof = good();
    proof.ranking->rank.nodes[0].edges[1].target.number = 2;
    EXPECT_EQ(unmet(job(), proof), "descent");
    proof = good();
    proof.ranking->rank.nodes[0].otherwise.number = 1;
    EXPECT_EQ(unmet(job(), proof), "descent");
    proof.ranking->rank = Diagram{{}, {true, 7}};
    EXPECT_EQ(unmet(job(), proof), "descent");
}

TEST(StateWalk, DoesNotFollowWaysThatLeadToNoState) {
    TransitionSystem system = job();
    Diagram set{{{2, {{0, kOut}}, kOut}}, {}};  // a node without a state, below sixty others
    for (VariableId id = 3; id < 63; ++id) {
        system.variables.push_back({"bit", 1, 0, false});
    }
    const auto next = [&](VariableId id, DiagramTarget zero, DiagramTarget one) {
        set.nodes.push_back({id, {{0, zero}}, one});
        return DiagramTarget{false, static_cast<std::uint32_t>(set.nodes.size() - 1)};
    };
    DiagramTarget some = kIn;
    DiagramTarget none{false, 0};
    for (VariableId id = 3; id < 63; ++id) {
        some = next(id, some, none);
        none = next(id, none, none);
    }
    set.root = some;
    ASSERT_EQ(check(set, system), "");
    Proof proof = good();
    proof.set = set;
    EXPECT_LE(StateWalk(system, proof).size(), 6U);
    EXPECT_EQ(unmet(system, proof), "");
}

// ---- against the solver

// The obligations that a solver refutes.
std::vector<std::string> refuted(const TransitionSystem& system, const Proof& proof) {
    std::vector<std::string> names;
    for (const Obligation& obligation : obligations(system, proof)) {
        const Answer answer = check_script(obligation.script, {}).answer;
        EXPECT_NE(answer, Answer::kUnknown);
        if (answer == Answer::kSat) {
            names.push_back(obligation.name);
        }
    }
    return names;
}

void expect_agreement(const TransitionSystem& system, const Proof& proof, std::uint64_t seed) {
    const std::string walked = unmet(system, proof);
    const std::vector<std::string> solved = refuted(system, proof);
    EXPECT_EQ(walked.empty(), solved.empty()) << seed << ' ' << walked;
    EXPECT_TRUE(walked.empty() || std::count(solved.begin(), solved.end(), walked) == 1) << seed << ' ' << walked;
}

// Leads one way of the diagram elsewhere.
void change(Diagram& diagram, std::uint32_t terminals, std::mt19937_64& random) {
    if (diagram.nodes.empty()) {
        diagram.root.number = static_cast<std::uint32_t>(random() % terminals);
        return;
    }
    DiagramNode& node = diagram.nodes[random() % diagram.nodes.size()];
    const std::size_t edge = random() % (node.edges.size() + 1);
    DiagramTarget& target = edge < node.edges.size() ? node.edges[edge].target : node.otherwise;
    target = {true, static_cast<std::uint32_t>(random() % terminals)};
}

TEST(StateWalk, AgreesWithTheSolverAboutProofsThatWereChanged) {
    int met = 0;
    int changed = 0;
    std::mt19937_64 random(7);
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        TransitionSystem system = RandomSystem(seed, seed % 2).make();
        const NaiveSearch search(system, std::nullopt, 400);
        if (search.too_large() || overflowing_action(system)) {
            continue;
        }
        const bool progress = !system.complete.is_constant(0);
        system.properties.resize(1);
        const Found found = find_evidence({system, {0}, progress}, EngineChoice::kExplicit, {});
        const auto* certified = std::get_if<CertifiedProof>(&found);
        if (certified == nullptr) {
            continue;
        }
        expect_agreement(system, certified->proof, seed);
        EXPECT_EQ(unmet(system, certified->proof), "") << seed;
        for (int round = 0; round < 6; ++round) {
            Proof proof = certified->proof;
            const auto part = random() % (proof.ranking ? 3 : 1);
            if (part == 0) {
                change(std::get<Diagram>(proof.set), 2, random);
            } else if (part == 1) {
                change(proof.ranking->rank, proof.ranking->rank.largest_terminal() + 2, random);
            } else {
                change(proof.ranking->move, static_cast<std::uint32_t>(system.actions.size()) + 1, random);
            }
            if (StateWalk(system, proof).size() > kMostStates) {
                continue;  // the change let a variable of many values be anything
            }
            expect_agreement(system, proof, seed);
            ++(unmet(system, proof).empty() ? met : changed);
        }
    }
    EXPECT_GT(met, 20);
    EXPECT_GT(changed, 60);
}

}  // namespace
}  // namespace oncecheck

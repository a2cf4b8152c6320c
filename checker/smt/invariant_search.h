// Invents invariants: the strongest conjunction of clauses over a vocabulary that is k-inductive, as far as a proof of
// the properties needs it.
//
//   H = greatest set of clauses of at most n literals with:   all of H in k successive states  =>  all of H in the next
//
// This is Houdini (Flanagan, Leino: Houdini, an annotation assistant for ESC/Java, FME 2001) without a list of
// candidates. A clause is a candidate while no known state refutes it; the search goes backwards from the properties:
//
//   prove c:   is there a run of k steps from states that satisfy the clauses in use to a state where c is false?
//     no                                            c rests on the clauses in the core, which are to be proved in turn
//     yes, and a candidate excludes a state of it   that candidate is taken into use
//     yes, and no candidate excludes any of it      H allows the run, so H allows its last state: it becomes known,
//     with
//                                                   states that follow, and all clauses that it refutes are dropped
//
// A property that is refuted so is in no such H: more literals or a larger k may still prove it. The k states of a run
// differ from each other (the simple-path constraint of Sheeran, Singh, Stålmarck: Checking safety properties using
// induction and a SAT-solver, FMCAD 2000).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/smt/known_states.h"
#include "checker/smt/limited_queries.h"
#include "checker/smt/unroller.h"
#include "checker/smt/vocabulary.h"

namespace oncecheck {

struct InvariantShape {
    std::size_t literals = 1;  // of a clause, at most
    int k = 1;
};

class InvariantSearch {
  public:
    // `known` are reachable states, among them all that fewer than k steps reach; `open` says which properties to
    // prove. All must outlive this.
    InvariantSearch(const TransitionSystem& system, const ValueSets& values, const Vocabulary& vocabulary,
                    KnownStates known, const std::vector<bool>& open, InvariantShape shape, LimitedQueries& queries);

    // By property: what was found to be k-inductive and excludes its bad states; none if there is none in this shape,
    // or a limit was reached. Value sets are taken for granted.
    [[nodiscard]] std::vector<std::optional<std::vector<Expression>>> run();

    // A limit ended the search; queries.reason() says which.
    [[nodiscard]] bool gave_up() const { return gave_up_; }

  private:
    // A clause in use. `active`: it is assumed of the first k states; `violated`: it is false in the last one.
    struct Clause {
        std::optional<std::size_t> property;
        Cube cube;  // of a clause that is no property's
        z3::expr active;
        z3::expr violated;
        bool alive = true;
        bool proved = false;
        std::vector<std::size_t> rests_on;  // of a proved one
    };

    void use(Clause clause, const Expression& formula);
    void use_cubes(const std::vector<Cube>& cubes);
    [[nodiscard]] std::optional<std::size_t> next_to_prove() const;
    [[nodiscard]] std::vector<std::size_t> foundation(std::size_t clause) const;
    void prove(std::size_t goal);
    void rest_on_core(std::size_t goal, const std::vector<std::size_t>& assumed);
    [[nodiscard]] bool exclude_model();
    void learn(const State& state);
    void refute(const State& state, const Cube& literals);
    [[nodiscard]] bool is_alive(std::size_t clause) const;

    const TransitionSystem& system_;
    const Vocabulary& vocabulary_;
    KnownStates known_;
    InvariantShape shape_;
    LimitedQueries& queries_;
    Solver solver_;
    Unroller runs_;
    Encoder encoder_;
    std::vector<Clause> clauses_;
    std::vector<std::size_t> properties_;  // by property, its clause
    std::vector<std::size_t> relevant_;    // actions that write into the cone
    bool gave_up_ = false;
};

}  // namespace oncecheck

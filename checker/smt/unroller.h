// Runs of a transition system with exactly k steps and at most `budget` faults, as Boolean constraints:
//
//   one selector a step:   exactly one of s(k,a) over the actions a that are possible at step k
//   guards:                s(k,a)  =>  guard_a
//   set:                   s(k,a) and e = x  =>  v' = x        for every assignment v := e of a, value x
//   keep:                  v = x  =>  v' = x or some s(k,a) that may set v to something else
//                          v' = x  =>  v = x or some s(k,a) that may set v to x
//
// Nothing stands for a disjunction of actions with frame conditions. A variable that no possible action sets has the
// same terms before and after. The cases of a variable at step k hold only values that it may have after k steps, so
// actions that cannot happen yet do not occur (see encoder.h).
//
// Runs from the initial state are in normal form (see footprint.h), and only the variables in the cone of the
// properties count: a state stands for what the properties depend on. Runs from any state, for induction, have any
// number of faults and are in no normal form, because what is assumed of them is about all of their states.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "checker/smt/encoder.h"
#include "checker/smt/footprint.h"
#include "checker/smt/solver.h"
#include "checker/smt/value_sets.h"
#include "model/transition/system.h"

namespace oncecheck {

class Unroller {
  public:
    // Runs from the initial state. `system` and `solver` must outlive this. Requires budget >= 0.
    Unroller(const TransitionSystem& system, Solver& solver, int budget);

    // Runs from any state in the product of the value sets, with any number of faults.
    Unroller(const TransitionSystem& system, Solver& solver, const ValueSets& start);

    // Adds one step and returns whether some action may be possible there; if none is, no run is longer than depth().
    [[nodiscard]] bool extend();

    // Number of steps of the runs.
    [[nodiscard]] int depth() const { return static_cast<int>(steps_.size()); }

    // The value of a truth-valued expression in the last state; constant false if no run has it.
    [[nodiscard]] z3::expr last(const Expression& expression) const { return at(depth(), expression); }

    // The same in the state after `steps` steps.
    [[nodiscard]] z3::expr at(int steps, const Expression& expression) const;

    // The values that a variable may have after `steps` steps, with the terms that say so.
    [[nodiscard]] const Cases& cases(int steps, VariableId variable) const;

    // Whether the run has at least `faults` faults. Requires 0 <= faults <= budget.
    [[nodiscard]] z3::expr faults_at_least(int faults) const;

    // Whether the budget kept some fault from happening: if not, the runs are all runs.
    [[nodiscard]] bool budget_matters() const { return budget_matters_; }

    // Requires that the states after `earlier` and `later` steps differ in the cone.
    void forbid_repetition(int earlier, int later);

    [[nodiscard]] const VariableSet& cone() const { return cone_; }

    // Requires that the solver's last answer was kSat: the index of the action of each step.
    [[nodiscard]] std::vector<std::size_t> actions_of_model() const;

    // Requires the same: the state after `steps` steps; outside of the cone as initially.
    [[nodiscard]] State state_of_model(int steps) const;

    // The most values that a variable may have in the last state, for telling when the encoding is not suitable.
    [[nodiscard]] std::size_t most_cases() const;

  private:
    struct Candidate;
    enum class Start { kInitial, kAnywhere };
    struct Step {
        std::vector<std::size_t> actions;  // those possible, ascending
        std::vector<z3::expr> selected;    // one a possible action
    };

    Unroller(const TransitionSystem& system, Solver& solver, int budget, Start start);

    [[nodiscard]] std::vector<Candidate> candidates();
    void select(std::vector<Candidate>& candidates);
    void order_neighbours(const Step& before, const Step& after);
    void count_faults(const std::vector<Candidate>& candidates);
    [[nodiscard]] Cases next(VariableId variable, const std::vector<Candidate>& candidates);
    [[nodiscard]] Cases fresh(VariableId variable, const std::vector<Value>& values);
    void exactly_one(const std::vector<z3::expr>& terms, const std::string& name);
    void implies(const z3::expr& condition, const z3::expr& conclusion);
    [[nodiscard]] z3::expr boolean(const std::string& name);

    const TransitionSystem& system_;
    Solver& solver_;
    Encoder encoder_;
    int budget_;
    Start start_;
    bool budget_matters_ = false;
    VariableSet cone_;
    std::vector<Footprint> footprints_;  // by action
    std::vector<bool> needed_;           // by action: it writes into the cone
    std::vector<Step> steps_;
    std::vector<std::vector<Cases>> states_;  // depth() + 1
    std::vector<z3::expr> faults_;            // in the last state: at least 1, 2, ..., budget faults
};

}  // namespace oncecheck

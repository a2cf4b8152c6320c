// Checks a proof whose set is a diagram state by state, with the evaluator alone: the obligations of obligations.h,
// without a solver.
//
//   relevant   the least set of variables with all that a diagram of the proof asks for, all that a guard, a property
//              in question or `complete` reads, and all that an assignment to one of them reads
//   walked     the states of the set, one for all those that agree in the relevant variables
//
// Two states that agree in the relevant variables enable the same actions, lead to states that agree in them, and are
// alike bad, complete, in the set, of a rank and with a move: what is shown of one is shown of the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checker/certificate/obligations.h"
#include "model/transition/system.h"

namespace oncecheck {

// An obligation that is not met, and where.
struct UnmetObligation {
    std::string obligation;  // "consecution"
    std::string message;

    bool operator==(const UnmetObligation&) const = default;
};

class StateWalk {
  public:
    // Requires a validated system, and a proof whose set is a diagram, with diagrams that check() accepts. Both must
    // outlive this.
    StateWalk(const TransitionSystem& system, const Proof& proof);

    // How many states there are to walk; the largest number if there are more than that.
    [[nodiscard]] std::uint64_t size() const { return size_; }

    // The first obligation that was found not to be met; empty if all are. In time proportional to size(), and without
    // overflowing_action(): values that are assigned are compared with what their variables hold.
    [[nodiscard]] std::optional<UnmetObligation> run() const;

  private:
    void find_relevant();
    void put_in_order();
    void count_states();
    [[nodiscard]] std::uint64_t states_from(const DiagramTarget& target, std::size_t level) const;

    const TransitionSystem& system_;
    const Proof& proof_;
    const Diagram& set_;
    std::vector<bool> relevant_;               // a variable
    std::vector<VariableId> order_;            // the relevant variables, as the set's diagram orders them
    std::vector<std::size_t> levels_;          // of a relevant variable: its index in order_
    std::vector<std::uint64_t> states_below_;  // a node of the set: how many states of the set its paths lead to
    std::uint64_t size_ = 0;
};

}  // namespace oncecheck

#include "checker/certificate/state_walk.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "model/transition/evaluator.h"

namespace oncecheck {

namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

std::uint64_t product(std::uint64_t a, std::uint64_t b) { return a != 0 && b > kMost / a ? kMost : a * b; }
std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return b > kMost - a ? kMost : a + b; }

void add_variables(const Diagram& diagram, std::vector<bool>& variables) {
    for (const DiagramNode& node : diagram.nodes) {
        variables[node.variable] = true;
    }
}

void add_variables(const Expression& expression, std::vector<bool>& variables) {
    for (const VariableId variable : variables_of(expression)) {
        variables[variable] = true;
    }
}

// A conjunct of an action's guard.
struct Conjunct {
    std::size_t action = 0;
    const Expression* condition = nullptr;
};

// Goes down the diagram variable by variable. A conjunct is evaluated as soon as all variables that it reads have their
// values, so that states which share these share the evaluation.
class Walker {
  public:
    Walker(const TransitionSystem& system, const Proof& proof, const std::vector<VariableId>& order,
           const std::vector<std::size_t>& levels, const std::vector<std::uint64_t>& states_below)
        : system_(system),
          proof_(proof),
          set_(std::get<Diagram>(proof.set)),
          order_(order),
          levels_(levels),
          states_below_(states_below),
          state_(system.initial()),
          places_(order.size() + 1),
          possible_(order.size() + 1),
          known_(order.size() + 1) {
        for (std::size_t number = 0; number < system.actions.size(); ++number) {
            for (const Expression& conjunct : system.actions[number].guard) {
                known_[known_from(conjunct)].push_back({number, &conjunct});
            }
        }
    }

    std::optional<UnmetObligation> run() {
        if (set_.at(state_) == kOutside) {
            return UnmetObligation{"initiation", "the initial state is not in the set"};
        }
        std::vector<std::size_t> all(system_.actions.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        keep_possible(all, known_[0], possible_[0]);
        go_down(0, set_.root);
        return std::move(unmet_);
    }

  private:
    // How many variables of the order have their values when the expression can be evaluated.
    [[nodiscard]] std::size_t known_from(const Expression& expression) const {
        std::size_t level = 0;
        for (const VariableId variable : variables_of(expression)) {
            level = std::max(level, levels_[variable] + 1);
        }
        return level;
    }

    // The actions of `before` for which all conjuncts hold; both are in the order of actions.
    void keep_possible(const std::vector<std::size_t>& before, const std::vector<Conjunct>& conjuncts,
                       std::vector<std::size_t>& after) const {
        after.clear();
        auto conjunct = conjuncts.begin();
        for (const std::size_t action : before) {
            while (conjunct != conjuncts.end() && conjunct->action < action) {
                ++conjunct;
            }
            bool holds = true;
            for (; conjunct != conjuncts.end() && conjunct->action == action; ++conjunct) {
                holds = holds && evaluate(*conjunct->condition, state_) != 0;
            }
            if (holds) {
                after.push_back(action);
            }
        }
    }

    [[nodiscard]] bool leads_inside(const DiagramTarget& place) const {
        return place.terminal ? place.number != kOutside : states_below_[place.number] > 0;
    }

    void go_down(std::size_t level, const DiagramTarget& place) {
        places_[level] = place;
        if (level == order_.size()) {
            look_at_state();
            return;
        }
        const VariableId variable = order_[level];
        const bool asked = !place.terminal && set_.nodes[place.number].variable == variable;
        if (asked && !leads_inside(set_.nodes[place.number].otherwise)) {
            for (const DiagramEdge& edge : set_.nodes[place.number].edges) {
                go_on(level, edge.value, edge.target);
            }
            return;
        }
        for (std::uint64_t value = 0; value <= system_.variables[variable].largest; ++value) {
            const auto chosen = static_cast<Value>(value);
            go_on(level, chosen, asked ? set_.nodes[place.number].next(chosen) : place);
        }
    }

    // The variable of the level has this value.
    void go_on(std::size_t level, Value value, const DiagramTarget& next) {
        if (!leads_inside(next) || unmet_) {
            return;
        }
        state_[order_[level]] = value;
        keep_possible(possible_[level], known_[level + 1], possible_[level + 1]);
        go_down(level + 1, next);
    }

    void look_at_state() {
        for (const std::size_t property : proof_.properties) {
            if (evaluate(system_.properties[property].bad, state_) != 0) {
                refuse("safety", "'" + system_.properties[property].name + "' is violated");
                return;
            }
        }
        for (const std::size_t action : possible_.back()) {
            if (!stays_inside(action)) {
                refuse("consecution", action_text(action) + " leads out of the set");
                return;
            }
        }
        if (proof_.ranking && evaluate(system_.complete, state_) == 0) {
            look_at_move(*proof_.ranking);
        }
    }

    // The state after the action is looked up from the first variable on that it changes.
    [[nodiscard]] bool stays_inside(std::size_t action) const {
        const State after = perform(system_.actions[action], state_);
        std::size_t first = order_.size();
        for (const Assignment& assignment : system_.actions[action].assignments) {
            const VariableId variable = assignment.variable;
            const std::size_t level = levels_[variable];
            if (level < order_.size() && after[variable] > system_.variables[variable].largest) {
                return false;
            }
            if (level < first && after[variable] != state_[variable]) {
                first = level;
            }
        }
        return set_.from(places_[first], after) != kOutside;
    }

    void look_at_move(const Ranking& ranking) {
        const std::size_t move = ranking.move.at(state_);
        if (!std::binary_search(possible_.back().begin(), possible_.back().end(), move)) {
            refuse("descent", "the move is not possible");
        } else if (system_.actions[move].kind == ActionKind::kFault) {
            refuse("descent", "the move is a fault");
        } else if (ranking.rank.at(perform(system_.actions[move], state_)) >= ranking.rank.at(state_)) {
            refuse("descent", action_text(move) + " does not lower the rank");
        }
    }

    [[nodiscard]] std::string action_text(std::size_t action) const {
        return "action " + std::to_string(action) + " (" + system_.actions[action].label.text + ')';
    }

    void refuse(const std::string& obligation, const std::string& message) {
        std::string values;
        for (const Value value : state_) {
            values += (values.empty() ? "" : " ") + std::to_string(value);
        }
        unmet_ = UnmetObligation{obligation, message + " in the state " + values};
    }

    const TransitionSystem& system_;
    const Proof& proof_;
    const Diagram& set_;
    const std::vector<VariableId>& order_;
    const std::vector<std::size_t>& levels_;
    const std::vector<std::uint64_t>& states_below_;
    State state_;                                     // values below the level in work are still open
    std::vector<DiagramTarget> places_;               // by level: where the diagram has come to
    std::vector<std::vector<std::size_t>> possible_;  // by level: actions that may be enabled, ascending
    std::vector<std::vector<Conjunct>> known_;        // by level: what can be evaluated there first, by action
    std::optional<UnmetObligation> unmet_;
};

}  // namespace

StateWalk::StateWalk(const TransitionSystem& system, const Proof& proof)
    : system_(system), proof_(proof), set_(std::get<Diagram>(proof.set)), relevant_(system.variables.size(), false) {
    find_relevant();
    put_in_order();
    count_states();
}

void StateWalk::find_relevant() {
    add_variables(set_, relevant_);
    if (proof_.ranking) {
        add_variables(proof_.ranking->rank, relevant_);
        add_variables(proof_.ranking->move, relevant_);
        add_variables(system_.complete, relevant_);
    }
    for (const std::size_t property : proof_.properties) {
        add_variables(system_.properties[property].bad, relevant_);
    }
    for (const Action& action : system_.actions) {
        for (const Expression& conjunct : action.guard) {
            add_variables(conjunct, relevant_);
        }
    }
    std::vector<bool> before;
    do {
        before = relevant_;
        for (const Action& action : system_.actions) {
            for (const Assignment& assignment : action.assignments) {
                if (relevant_[assignment.variable]) {
                    add_variables(assignment.value, relevant_);
                }
            }
        }
    } while (relevant_ != before);
}

void StateWalk::put_in_order() {
    for (const VariableId id : order_of(set_, system_.variables.size())) {
        if (relevant_[id]) {
            order_.push_back(id);
        }
    }
    levels_.assign(system_.variables.size(), order_.size());
    for (std::size_t level = 0; level < order_.size(); ++level) {
        levels_[order_[level]] = level;
    }
}

void StateWalk::count_states() {
    for (const DiagramNode& node : set_.nodes) {
        const std::size_t next = levels_[node.variable] + 1;
        const std::uint64_t others = std::uint64_t{system_.variables[node.variable].largest} + 1 - node.edges.size();
        std::uint64_t states = product(others, states_from(node.otherwise, next));
        for (const DiagramEdge& edge : node.edges) {
            states = sum(states, states_from(edge.target, next));
        }
        states_below_.push_back(states);
    }
    size_ = states_from(set_.root, 0);
}

// Variables that are skipped on the way have any value.
std::uint64_t StateWalk::states_from(const DiagramTarget& target, std::size_t level) const {
    if (target == DiagramTarget{true, kOutside}) {
        return 0;
    }
    std::uint64_t states = target.terminal ? 1 : states_below_[target.number];
    const std::size_t end = target.terminal ? order_.size() : levels_[set_.nodes[target.number].variable];
    for (; level < end; ++level) {
        states = product(states, std::uint64_t{system_.variables[order_[level]].largest} + 1);
    }
    return states;
}

std::optional<UnmetObligation> StateWalk::run() const {
    return Walker(system_, proof_, order_, levels_, states_below_).run();
}

}  // namespace oncecheck

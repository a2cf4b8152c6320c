#include "checker/smt/unroller.h"

#include <algorithm>
#include <set>
#include <utility>

namespace oncecheck {

// An action that may be possible in the last state, with the term that selects it, and what is known where it happens.
struct Unroller::Candidate {
    std::size_t index;
    z3::expr selected;
    std::vector<z3::expr> guard;
    std::vector<std::pair<VariableId, Cases>> sets;
};

namespace {

std::vector<Expression> targets(const TransitionSystem& system) {
    std::vector<Expression> result;
    for (const Property& property : system.properties) {
        result.push_back(property.bad);
    }
    return result;
}

// "s3", "v2.5": names of terms, for reading what Z3 prints.
std::string numbered(std::string name, std::size_t number) { return name.append(std::to_string(number)); }

}  // namespace

Unroller::Unroller(const TransitionSystem& system, Solver& solver, int budget, Start start)
    : system_(system),
      solver_(solver),
      encoder_(solver.terms()),
      budget_(budget),
      start_(start),
      cone_(cone_of_influence(system, targets(system))),
      faults_(static_cast<std::size_t>(budget), encoder_.constant(false)) {
    for (const Action& action : system.actions) {
        footprints_.push_back(footprint(action, cone_));
        const VariableSet& writes = footprints_.back().writes;
        needed_.push_back(std::find(writes.begin(), writes.end(), true) != writes.end());
    }
}

Unroller::Unroller(const TransitionSystem& system, Solver& solver, int budget)
    : Unroller(system, solver, budget, Start::kInitial) {
    std::vector<Cases>& initial = states_.emplace_back();
    for (const Variable& variable : system.variables) {
        initial.push_back({{variable.initial, encoder_.constant(true)}});
    }
}

Unroller::Unroller(const TransitionSystem& system, Solver& solver, const ValueSets& start)
    : Unroller(system, solver, 0, Start::kAnywhere) {
    std::vector<Cases> anywhere;
    for (VariableId variable = 0; variable < system.variables.size(); ++variable) {
        anywhere.push_back(
            fresh(variable, cone_[variable] ? start[variable] : ValueSet{system.variables[variable].initial}));
    }
    states_.push_back(std::move(anywhere));
}

bool Unroller::extend() {
    std::vector<Candidate> possible = candidates();
    if (possible.empty()) {
        return false;
    }
    select(possible);
    std::vector<Cases> after;
    for (VariableId variable = 0; variable < system_.variables.size(); ++variable) {
        after.push_back(next(variable, possible));
    }
    count_faults(possible);
    states_.push_back(std::move(after));
    return true;
}

z3::expr Unroller::at(int steps, const Expression& expression) const {
    return encoder_.truth(expression, Valuation(states_.at(static_cast<std::size_t>(steps))));
}

const Cases& Unroller::cases(int steps, VariableId variable) const {
    return states_.at(static_cast<std::size_t>(steps)).at(variable);
}

z3::expr Unroller::faults_at_least(int faults) const {
    return faults == 0 ? encoder_.constant(true) : faults_.at(static_cast<std::size_t>(faults) - 1);
}

void Unroller::forbid_repetition(int earlier, int later) {
    const std::vector<Cases>& first = states_.at(static_cast<std::size_t>(earlier));
    const std::vector<Cases>& second = states_.at(static_cast<std::size_t>(later));
    std::vector<z3::expr> differences;
    for (VariableId variable = 0; variable < system_.variables.size(); ++variable) {
        for (const Case& candidate : first[variable]) {
            if (cone_[variable]) {
                differences.push_back(
                    encoder_.both(candidate.when, encoder_.negation(encoder_.when(second[variable], candidate.value))));
            }
        }
    }
    solver_.add(encoder_.any(differences));
}

std::vector<std::size_t> Unroller::actions_of_model() const {
    std::vector<std::size_t> result;
    for (const Step& step : steps_) {
        const auto selected = std::find_if(step.selected.begin(), step.selected.end(),
                                           [&](const z3::expr& term) { return solver_.is_true(term); });
        if (selected == step.selected.end()) {
            throw InternalError("the solver's model selects no action");
        }
        result.push_back(step.actions[static_cast<std::size_t>(selected - step.selected.begin())]);
    }
    return result;
}

State Unroller::state_of_model(int steps) const {
    State state = system_.initial();
    for (VariableId variable = 0; variable < state.size(); ++variable) {
        const Cases& possible = cases(steps, variable);
        const auto actual = std::find_if(possible.begin(), possible.end(),
                                         [&](const Case& candidate) { return solver_.is_true(candidate.when); });
        state[variable] = actual == possible.end() ? possible.front().value : actual->value;  // open: false is as good
    }
    return state;
}

std::size_t Unroller::most_cases() const {
    std::size_t most = 0;
    for (const Cases& cases : states_.back()) {
        most = std::max(most, cases.size());
    }
    return most;
}

std::vector<Unroller::Candidate> Unroller::candidates() {
    std::vector<Candidate> result;
    for (std::size_t index = 0; index < system_.actions.size(); ++index) {
        const Action& action = system_.actions[index];
        if (!needed_[index]) {
            continue;
        }
        Candidate candidate{index, encoder_.constant(true), {}, {}};
        Valuation valuation(states_.back());
        bool possible = true;
        for (const Expression& conjunct : action.guard) {
            candidate.guard.push_back(encoder_.truth(conjunct, valuation));
            const std::vector<VariableId> names = variables_of(conjunct);
            if (names.size() == 1) {
                Cases left = encoder_.satisfying(conjunct, names[0], valuation);
                if (left.size() == 1) {
                    left[0].when = encoder_.constant(true);
                }
                valuation.narrow(names[0], std::move(left));
            }
            possible = possible && !candidate.guard.back().is_false();
        }
        if (possible && action.kind == ActionKind::kFault && start_ == Start::kInitial) {
            const z3::expr spent = faults_at_least(budget_);
            budget_matters_ = budget_matters_ || !spent.is_false();
            candidate.guard.push_back(encoder_.negation(spent));
            possible = !spent.is_true();
        }
        if (!possible) {
            continue;
        }
        for (const Assignment& assignment : action.assignments) {
            if (cone_[assignment.variable]) {
                candidate.sets.emplace_back(assignment.variable, encoder_.cases(assignment.value, valuation));
            }
        }
        result.push_back(std::move(candidate));
    }
    return result;
}

void Unroller::select(std::vector<Candidate>& candidates) {
    const std::string name = numbered("s", steps_.size());
    Step step;
    for (Candidate& candidate : candidates) {
        candidate.selected =
            candidates.size() == 1 ? encoder_.constant(true) : boolean(numbered(name + ".", candidate.index));
        step.actions.push_back(candidate.index);
        step.selected.push_back(candidate.selected);
        for (const z3::expr& conjunct : candidate.guard) {
            implies(candidate.selected, conjunct);
        }
    }
    exactly_one(step.selected, name);
    if (!steps_.empty() && start_ == Start::kInitial) {
        order_neighbours(steps_.back(), step);
    }
    steps_.push_back(std::move(step));
}

void Unroller::order_neighbours(const Step& before, const Step& after) {
    for (std::size_t second = 0; second < after.actions.size(); ++second) {
        std::vector<z3::expr> unordered;
        for (std::size_t first = 0; first < before.actions.size(); ++first) {
            if (before.actions[first] > after.actions[second] &&
                independent(footprints_[before.actions[first]], footprints_[after.actions[second]])) {
                unordered.push_back(before.selected[first]);
            }
        }
        implies(after.selected[second], encoder_.negation(encoder_.any(unordered)));
    }
}

void Unroller::count_faults(const std::vector<Candidate>& candidates) {
    std::vector<z3::expr> terms;
    for (const Candidate& candidate : candidates) {
        if (system_.actions[candidate.index].kind == ActionKind::kFault) {
            terms.push_back(candidate.selected);
        }
    }
    const z3::expr fault = encoder_.any(terms);
    for (int count = budget_; count > 0; --count) {
        const z3::expr before = faults_at_least(count);
        const z3::expr reached = encoder_.both(faults_at_least(count - 1), fault);
        if (reached.is_false() || before.is_true()) {
            continue;
        }
        const z3::expr after = boolean(numbered(numbered("f", steps_.size()) + ".", static_cast<std::size_t>(count)));
        implies(before, after);
        implies(reached, after);
        implies(after, encoder_.either(before, reached));
        faults_[static_cast<std::size_t>(count) - 1] = after;
    }
}

Cases Unroller::next(VariableId variable, const std::vector<Candidate>& candidates) {
    const Cases& before = states_.back()[variable];
    std::vector<std::pair<z3::expr, Cases>> setters;
    std::set<Value> values;
    for (const Candidate& candidate : candidates) {
        for (const auto& [set, cases] : candidate.sets) {
            if (set == variable) {
                setters.emplace_back(candidate.selected, cases);
                std::for_each(cases.begin(), cases.end(), [&](const Case& value) { values.insert(value.value); });
            }
        }
    }
    if (setters.empty()) {
        return before;
    }
    if (setters.size() < candidates.size()) {
        std::for_each(before.begin(), before.end(), [&](const Case& value) { values.insert(value.value); });
    }
    Cases after = fresh(variable, {values.begin(), values.end()});
    for (const auto& [selected, cases] : setters) {
        for (const Case& set : cases) {
            implies(encoder_.both(selected, set.when), encoder_.when(after, set.value));
        }
    }
    for (const Case& old : before) {
        std::vector<z3::expr> reasons{encoder_.when(after, old.value)};
        for (const auto& [selected, cases] : setters) {
            if (cases.size() != 1 || cases[0].value != old.value) {
                reasons.push_back(selected);
            }
        }
        implies(old.when, encoder_.any(reasons));
    }
    for (const Case& now : after) {
        std::vector<z3::expr> reasons{encoder_.when(before, now.value)};
        for (const auto& [selected, cases] : setters) {
            if (!encoder_.when(cases, now.value).is_false()) {
                reasons.push_back(selected);
            }
        }
        implies(now.when, encoder_.any(reasons));
    }
    return after;
}

Cases Unroller::fresh(VariableId variable, const std::vector<Value>& values) {
    const std::string name = numbered(numbered("v", variable) + ".", steps_.size());
    if (values.size() == 1) {
        return {{values[0], encoder_.constant(true)}};
    }
    if (values.size() == 2) {
        const z3::expr larger = boolean(name);
        return {{values[0], encoder_.negation(larger)}, {values[1], larger}};
    }
    Cases cases;
    std::vector<z3::expr> terms;
    for (const Value value : values) {
        terms.push_back(boolean(numbered(name + "=", value)));
        cases.push_back({value, terms.back()});
    }
    exactly_one(terms, name);
    return cases;
}

// Pairwise for few terms; else each term says that all later ones are false, through one auxiliary a term:
// r(i) <=> one of the first i terms (the sequential counter of Sinz, CP 2005).
void Unroller::exactly_one(const std::vector<z3::expr>& terms, const std::string& name) {
    constexpr std::size_t kFew = 5;
    solver_.add(encoder_.any(terms));
    if (terms.size() <= kFew) {
        for (std::size_t i = 0; i < terms.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                implies(terms[i], encoder_.negation(terms[j]));
            }
        }
        return;
    }
    z3::expr earlier = terms[0];
    for (std::size_t i = 1; i < terms.size(); ++i) {
        implies(earlier, encoder_.negation(terms[i]));
        if (i + 1 < terms.size()) {
            const z3::expr reached = boolean(numbered(name + ".r", i));
            implies(earlier, reached);
            implies(terms[i], reached);
            earlier = reached;
        }
    }
}

void Unroller::implies(const z3::expr& condition, const z3::expr& conclusion) {
    const z3::expr clause = encoder_.either(encoder_.negation(condition), conclusion);
    if (!clause.is_true()) {
        solver_.add(clause);
    }
}

z3::expr Unroller::boolean(const std::string& name) { return solver_.terms().bool_const(name.c_str()); }

}  // namespace oncecheck

#include "checker/smt/invariant_search.h"

#include <algorithm>
#include <deque>
#include <set>

#include "model/transition/evaluator.h"

namespace oncecheck {

namespace {

// Of the candidates that exclude one state so many are taken into use; the core says which are needed.
constexpr std::size_t kCubesAtOnce = 4;
// So many states that follow a known one become known with it.
constexpr std::size_t kFollowing = 50;

}  // namespace

InvariantSearch::InvariantSearch(const TransitionSystem& system, const ValueSets& values, const Vocabulary& vocabulary,
                                 KnownStates known, const std::vector<bool>& open, InvariantShape shape,
                                 LimitedQueries& queries)
    : system_(system),
      vocabulary_(vocabulary),
      known_(std::move(known)),
      shape_(shape),
      queries_(queries),
      solver_(Theory::kFiniteDomain, {}),
      runs_(system, solver_, values),
      encoder_(solver_.terms()) {
    for (std::size_t index = 0; index < system.actions.size(); ++index) {
        const VariableSet& writes = footprint(system.actions[index], runs_.cone()).writes;
        if (std::find(writes.begin(), writes.end(), true) != writes.end()) {
            relevant_.push_back(index);
        }
    }
    bool possible = true;
    for (int step = 0; step < shape_.k && possible; ++step) {
        possible = runs_.extend();
    }
    for (int later = 1; later < runs_.depth(); ++later) {
        for (int earlier = 0; earlier < later; ++earlier) {
            runs_.forbid_repetition(earlier, later);
        }
    }
    for (std::size_t index = 0; index < system.properties.size(); ++index) {
        properties_.push_back(clauses_.size());
        use({index, {}, encoder_.constant(true), encoder_.constant(true), open[index], !possible, {}},
            !system.properties[index].bad);
    }
}

std::vector<std::optional<std::vector<Expression>>> InvariantSearch::run() {
    while (const auto goal = gave_up_ ? std::nullopt : next_to_prove()) {
        prove(*goal);
    }
    std::vector<std::optional<std::vector<Expression>>> results;
    for (const std::size_t property : properties_) {
        std::optional<std::vector<Expression>>& result = results.emplace_back();
        if (!is_alive(property) || gave_up_) {
            continue;
        }
        result.emplace();
        for (const std::size_t index : foundation(property)) {
            const Clause& clause = clauses_[index];
            result->push_back(clause.property ? !system_.properties[*clause.property].bad
                                              : vocabulary_.clause(clause.cube));
        }
    }
    return results;
}

// Asserts what the clause's literals mean.
void InvariantSearch::use(Clause clause, const Expression& formula) {
    const std::string name = std::to_string(clauses_.size());
    clause.active = solver_.terms().bool_const(("c" + name).c_str());
    clause.violated = solver_.terms().bool_const(("n" + name).c_str());
    for (int step = 0; step < runs_.depth(); ++step) {
        solver_.add(encoder_.any({encoder_.negation(clause.active), runs_.at(step, formula)}));
    }
    solver_.add(encoder_.any({encoder_.negation(clause.violated), encoder_.negation(runs_.last(formula))}));
    clauses_.push_back(std::move(clause));
}

void InvariantSearch::use_cubes(const std::vector<Cube>& cubes) {
    for (const Cube& cube : cubes) {
        use({std::nullopt, cube, encoder_.constant(true), encoder_.constant(true), true, false, {}},
            vocabulary_.clause(cube));
    }
}

bool InvariantSearch::is_alive(std::size_t clause) const { return clauses_[clause].alive; }

// A clause that some property rests on and that is not proved.
std::optional<std::size_t> InvariantSearch::next_to_prove() const {
    for (const std::size_t property : properties_) {
        if (!is_alive(property)) {
            continue;
        }
        for (const std::size_t index : foundation(property)) {
            if (!clauses_[index].proved) {
                return index;
            }
        }
    }
    return std::nullopt;
}

// The clause and all that its proof rests on, directly or not.
std::vector<std::size_t> InvariantSearch::foundation(std::size_t clause) const {
    std::vector<std::size_t> found{clause};
    std::set<std::size_t> seen{clause};
    for (std::size_t next = 0; next < found.size(); ++next) {
        for (const std::size_t below : clauses_[found[next]].rests_on) {
            if (seen.insert(below).second) {
                found.push_back(below);
            }
        }
    }
    return found;
}

void InvariantSearch::prove(std::size_t goal) {
    while (is_alive(goal)) {
        std::vector<std::size_t> assumed;
        std::vector<z3::expr> assumptions;
        for (std::size_t index = 0; index < clauses_.size(); ++index) {
            if (is_alive(index)) {
                assumed.push_back(index);
                assumptions.push_back(clauses_[index].active);
            }
        }
        assumptions.push_back(clauses_[goal].violated);
        switch (queries_.ask(solver_, assumptions)) {
            case Answer::kUnsat:
                rest_on_core(goal, assumed);
                return;
            case Answer::kUnknown:
                gave_up_ = true;
                return;
            case Answer::kSat:
                if (!exclude_model()) {
                    learn(runs_.state_of_model(runs_.depth()));
                }
        }
    }
}

void InvariantSearch::rest_on_core(std::size_t goal, const std::vector<std::size_t>& assumed) {
    clauses_[goal].proved = true;
    clauses_[goal].rests_on.clear();
    for (const std::size_t member : solver_.core()) {
        if (member < assumed.size()) {
            clauses_[goal].rests_on.push_back(assumed[member]);
        }
    }
}

// Takes candidates into use that exclude a state of the model's run, the last one apart; false if there are none.
bool InvariantSearch::exclude_model() {
    for (int step = runs_.depth() - 1; step >= 0; --step) {
        const std::vector<Cube> cubes =
            known_.excluded_around(vocabulary_.literals_of(runs_.state_of_model(step)), shape_.literals, kCubesAtOnce);
        if (!cubes.empty()) {
            use_cubes(cubes);
            return true;
        }
    }
    return false;
}

// The state satisfies every k-inductive set of clauses, and so does what follows.
void InvariantSearch::learn(const State& state) {
    std::deque<State> open{state};
    std::size_t learned = 0;
    while (!open.empty() && learned < kFollowing) {
        const State now = std::move(open.front());
        open.pop_front();
        const Cube literals = vocabulary_.literals_of(now);
        if (!known_.add(literals) && learned > 0) {
            continue;
        }
        ++learned;
        refute(now, literals);
        for (const std::size_t index : relevant_) {
            if (enabled(system_.actions[index], now)) {
                open.push_back(perform(system_.actions[index], now));
            }
        }
    }
}

void InvariantSearch::refute(const State& state, const Cube& literals) {
    for (std::size_t index = 0; index < clauses_.size(); ++index) {
        Clause& clause = clauses_[index];
        const bool refuted =
            clause.alive &&
            (clause.property ? evaluate(system_.properties[*clause.property].bad, state) != 0
                             : std::includes(literals.begin(), literals.end(), clause.cube.begin(), clause.cube.end()));
        if (!refuted) {
            continue;
        }
        clause.alive = false;
        for (Clause& other : clauses_) {
            if (std::find(other.rests_on.begin(), other.rests_on.end(), index) != other.rests_on.end()) {
                other.proved = false;
                other.rests_on.clear();
            }
        }
    }
}

}  // namespace oncecheck

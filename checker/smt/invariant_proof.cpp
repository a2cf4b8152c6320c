#include "checker/smt/invariant_proof.h"

#include <algorithm>
#include <bit>
#include <set>

#include "checker/smt/footprint.h"
#include "model/transition/evaluator.h"

namespace oncecheck {

namespace {

using Terms = std::vector<z3::expr>;  // by variable

unsigned width_of(Value largest) { return std::max(1U, static_cast<unsigned>(std::bit_width(largest))); }

// Expressions as bit-vectors that are wide enough for every value in them; truth values as Booleans.
class BitVectors {
  public:
    explicit BitVectors(z3::context& context) : context_(context) {}

    [[nodiscard]] z3::expr truth(const Expression& expression, const Terms& state) const {
        const std::vector<Expression>& operands = expression.operands();
        switch (expression.op()) {
            case Operator::kNot:
                return !truth(operands[0], state);
            case Operator::kAnd:
                return z3::mk_and(truths(operands, state));
            case Operator::kOr:
                return z3::mk_or(truths(operands, state));
            case Operator::kEqual:
            case Operator::kLess: {
                z3::expr left = value(operands[0], state);
                z3::expr right = value(operands[1], state);
                align(left, right);
                return expression.op() == Operator::kEqual ? left == right : z3::ult(left, right);
            }
            case Operator::kConstant:
            case Operator::kVariable:
            case Operator::kChoose:
            case Operator::kAdd: {
                const z3::expr term = value(expression, state);
                return term != context_.bv_val(0, term.get_sort().bv_size());
            }
        }
        throw InternalError("unknown operator");
    }

    [[nodiscard]] z3::expr value(const Expression& expression, const Terms& state) const {
        const std::vector<Expression>& operands = expression.operands();
        switch (expression.op()) {
            case Operator::kConstant:
                return number(expression.value(), width_of(expression.value()));
            case Operator::kVariable:
                return state.at(expression.variable());
            case Operator::kChoose: {
                z3::expr then = value(operands[1], state);
                z3::expr otherwise = value(operands[2], state);
                align(then, otherwise);
                return z3::ite(truth(operands[0], state), then, otherwise);
            }
            case Operator::kAdd:
                return sum(expression, state);
            case Operator::kNot:
            case Operator::kAnd:
            case Operator::kOr:
            case Operator::kEqual:
            case Operator::kLess:
                return z3::ite(truth(expression, state), number(1, 1), number(0, 1));
        }
        throw InternalError("unknown operator");
    }

    [[nodiscard]] z3::expr number(Value value, unsigned width) const {
        return context_.bv_val(static_cast<std::uint64_t>(value), width);
    }

    // The term in so many bits. Those that are cut off are zero, as long as actions assign what their variables can
    // hold.
    [[nodiscard]] static z3::expr resized(const z3::expr& term, unsigned width) {
        const unsigned now = term.get_sort().bv_size();
        return now < width ? z3::zext(term, width - now) : now > width ? term.extract(width - 1, 0) : term;
    }

    [[nodiscard]] z3::expr equal(z3::expr left, z3::expr right) const {
        align(left, right);
        return left == right;
    }

  private:
    [[nodiscard]] z3::expr_vector truths(const std::vector<Expression>& operands, const Terms& state) const {
        z3::expr_vector result(context_);
        for (const Expression& operand : operands) {
            result.push_back(truth(operand, state));
        }
        return result;
    }

    static void align(z3::expr& left, z3::expr& right) {
        const unsigned width = std::max(left.get_sort().bv_size(), right.get_sort().bv_size());
        left = resized(left, width);
        right = resized(right, width);
    }

    [[nodiscard]] z3::expr sum(const Expression& expression, const Terms& state) const {
        const unsigned cap_width = width_of(expression.value());
        z3::expr total = number(0, cap_width);
        for (const Expression& operand : expression.operands()) {
            const z3::expr summand = value(operand, state);
            const unsigned width = std::max(cap_width, summand.get_sort().bv_size()) + 1;
            const z3::expr exact = resized(total, width) + resized(summand, width);
            const z3::expr cap = number(expression.value(), width);
            total = resized(z3::ite(z3::ult(exact, cap), exact, cap), cap_width);
        }
        return total;
    }

    z3::context& context_;
};

// The obligations of one invariant, asked one after the other.
class Obligations {
  public:
    Obligations(const TransitionSystem& system, const Expression& bad, const Inductive& evidence,
                LimitedQueries& queries)
        : system_(system), bad_(bad), evidence_(evidence), queries_(queries), bits_(solver_.terms()) {}

    Answer refute() {
        if (!holds_initially()) {
            return Answer::kSat;
        }
        const Terms first = state("0");
        const Answer safety = ask({bits_.truth(evidence_.invariant, first), bits_.truth(bad_, first), bounded(first)});
        return safety == Answer::kUnsat ? refute_consecution(first) : safety;
    }

  private:
    // Of the states that fewer than k steps reach, by evaluation.
    bool holds_initially() const {
        std::set<State> reached{system_.initial()};
        std::vector<State> last(reached.begin(), reached.end());
        for (int steps = 0;; ++steps) {
            const bool holds = std::all_of(last.begin(), last.end(), [&](const State& state) {
                return evaluate(evidence_.invariant, state) != 0;
            });
            if (!holds || steps + 1 >= evidence_.k) {
                return holds;
            }
            std::vector<State> next;
            for (const State& state : last) {
                for (const Action& action : system_.actions) {
                    if (enabled(action, state) && reached.insert(perform(action, state)).second) {
                        next.push_back(perform(action, state));
                    }
                }
            }
            last = std::move(next);
        }
    }

    Answer refute_consecution(const Terms& first) {
        std::vector<Terms> run{first};
        std::vector<z3::expr> assumed;
        for (int step = 1; step < evidence_.k; ++step) {
            run.push_back(state(std::to_string(step)));
            assumed.push_back(some_action(run[run.size() - 2], run.back()));
        }
        for (const Terms& visited : run) {
            assumed.push_back(bounded(visited));
            assumed.push_back(bits_.truth(evidence_.invariant, visited));
        }
        assume_different(run, assumed);
        for (const z3::expr& term : assumed) {
            solver_.add(term);
        }
        for (const Action& action : system_.actions) {
            const Answer answer = refute_action(action, run.back());
            if (answer != Answer::kUnsat) {
                return answer;
            }
        }
        return Answer::kUnsat;
    }

    // Whether the action leads out of the invariant.
    Answer refute_action(const Action& action, const Terms& before) {
        std::set<VariableId> changed;
        for (const Assignment& assignment : action.assignments) {
            changed.insert(assignment.variable);
        }
        const Terms after = successor(action, before);
        z3::expr_vector broken(solver_.terms());
        for (const Expression& conjunct : conjuncts(evidence_.invariant)) {
            const std::vector<VariableId> names = variables_of(conjunct);
            if (std::any_of(names.begin(), names.end(), [&](VariableId name) { return changed.contains(name); })) {
                broken.push_back(!bits_.truth(conjunct, after));
            }
        }
        if (broken.empty()) {
            return Answer::kUnsat;
        }
        return ask({guard(action, before), z3::mk_or(broken)});
    }

    static std::vector<Expression> conjuncts(const Expression& expression) {
        return expression.op() == Operator::kAnd ? expression.operands() : std::vector<Expression>{expression};
    }

    z3::expr guard(const Action& action, const Terms& before) {
        z3::expr_vector conjuncts(solver_.terms());
        for (const Expression& conjunct : action.guard) {
            conjuncts.push_back(bits_.truth(conjunct, before));
        }
        return z3::mk_and(conjuncts);
    }

    Terms successor(const Action& action, const Terms& before) const {
        Terms after = before;
        for (const Assignment& assignment : action.assignments) {
            after[assignment.variable] = BitVectors::resized(bits_.value(assignment.value, before),
                                                             before[assignment.variable].get_sort().bv_size());
        }
        return after;
    }

    z3::expr some_action(const Terms& before, const Terms& after) {
        z3::expr_vector choices(solver_.terms());
        for (const Action& action : system_.actions) {
            const Terms next = successor(action, before);
            z3::expr_vector conjuncts(solver_.terms());
            conjuncts.push_back(guard(action, before));
            for (VariableId variable = 0; variable < next.size(); ++variable) {
                conjuncts.push_back(after[variable] == next[variable]);
            }
            choices.push_back(z3::mk_and(conjuncts));
        }
        return z3::mk_or(choices);
    }

    void assume_different(const std::vector<Terms>& run, std::vector<z3::expr>& assumed) {
        const VariableSet cone = cone_of_influence(system_, {bad_, evidence_.invariant});
        for (std::size_t later = 1; later < run.size(); ++later) {
            for (std::size_t earlier = 0; earlier < later; ++earlier) {
                z3::expr_vector differences(solver_.terms());
                for (VariableId variable = 0; variable < cone.size(); ++variable) {
                    if (cone[variable]) {
                        differences.push_back(run[earlier][variable] != run[later][variable]);
                    }
                }
                assumed.push_back(z3::mk_or(differences));
            }
        }
    }

    Terms state(const std::string& name) {
        Terms terms;
        for (VariableId variable = 0; variable < system_.variables.size(); ++variable) {
            terms.push_back(solver_.terms().bv_const(("s" + name + '.' + std::to_string(variable)).c_str(),
                                                     width_of(system_.variables[variable].largest)));
        }
        return terms;
    }

    z3::expr bounded(const Terms& terms) {
        z3::expr_vector bounds(solver_.terms());
        for (VariableId variable = 0; variable < terms.size(); ++variable) {
            const Value largest = system_.variables[variable].largest;
            bounds.push_back(z3::ule(terms[variable], bits_.number(largest, width_of(largest))));
        }
        return z3::mk_and(bounds);
    }

    // Whether all terms can be true together with what is asserted.
    Answer ask(const std::vector<z3::expr>& terms) {
        const z3::expr literal = solver_.terms().bool_const(("q" + std::to_string(asked_++)).c_str());
        for (const z3::expr& term : terms) {
            solver_.add(!literal || term);
        }
        const Answer answer = queries_.ask(solver_, std::span(&literal, 1));
        solver_.add(!literal);
        return answer;
    }

    const TransitionSystem& system_;
    const Expression& bad_;
    const Inductive& evidence_;
    LimitedQueries& queries_;
    Solver solver_{Theory::kFiniteDomain, {}};
    BitVectors bits_;
    int asked_ = 0;
};

// "The variable has one of these values", for the variables of the cone whose sets leave values out.
Expression value_clauses(const TransitionSystem& system, const VariableSet& cone, const ValueSets& values) {
    std::vector<Expression> clauses;
    for (VariableId variable = 0; variable < cone.size(); ++variable) {
        if (!cone[variable] || values[variable].size() > system.variables[variable].largest) {
            continue;
        }
        std::vector<Expression> choices;
        for (const Value value : values[variable]) {
            choices.push_back(equals(variable, value));
        }
        clauses.push_back(disjunction(choices));
    }
    return conjunction(clauses);
}

}  // namespace

Answer refute_invariant(const TransitionSystem& system, const Expression& bad, const Inductive& evidence,
                        LimitedQueries& queries) {
    return translating_errors([&] { return Obligations(system, bad, evidence, queries).refute(); });
}

ProvedInvariant prove_invariant(const TransitionSystem& system, const Expression& bad, const Inductive& found,
                                const ValueSets& values, LimitedQueries& queries) {
    ProvedInvariant result{refute_invariant(system, bad, found, queries), found};
    if (result.refuted == Answer::kSat) {
        const VariableSet cone = cone_of_influence(system, {bad, found.invariant});
        result.evidence.invariant = conjunction({found.invariant, value_clauses(system, cone, values)});
        result.refuted = refute_invariant(system, bad, result.evidence, queries);
    }
    return result;
}

}  // namespace oncecheck

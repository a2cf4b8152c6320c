#include "checker/smt/horn_clauses.h"

#include <algorithm>
#include <map>
#include <set>

#include "checker/smt/solver.h"
#include "checker/smt/unroller.h"

namespace oncecheck {

namespace {

// What an argument of the relation says: the variable has the value.
struct Argument {
    VariableId variable;
    Value value;
};

// The Boolean constants of a term, each once, relations without arguments apart.
class Constants {
  public:
    Constants(z3::context& context, const std::vector<z3::func_decl>& relations)
        : relations_(relations), found_(context) {}

    void add(const z3::expr& term) {
        if (!seen_.insert(term.id()).second) {
            return;
        }
        if (term.is_const() && term.decl().decl_kind() == Z3_OP_UNINTERPRETED && !is_relation(term.decl())) {
            found_.push_back(term);
        }
        for (unsigned index = 0; index < term.num_args(); ++index) {
            add(term.arg(index));
        }
    }

    [[nodiscard]] const z3::expr_vector& found() const { return found_; }

  private:
    [[nodiscard]] bool is_relation(const z3::func_decl& symbol) const {
        return std::any_of(relations_.begin(), relations_.end(),
                           [&](const z3::func_decl& relation) { return z3::eq(relation, symbol); });
    }

    const std::vector<z3::func_decl>& relations_;
    z3::expr_vector found_;
    std::set<unsigned> seen_;
};

// Reads what Spacer answers; nothing if it is not a Boolean combination of the arguments, or is too large.
class InvariantReader {
  public:
    explicit InvariantReader(const std::vector<Argument>& arguments) : arguments_(arguments) {}

    std::optional<Expression> read(const z3::expr& term) {
        const auto known = known_.find(term.id());
        if (known != known_.end()) {
            return known->second;
        }
        if (known_.size() > kMostTerms) {
            return std::nullopt;
        }
        const std::optional<Expression> result = term.is_var() ? argument(term) : combination(term);
        if (result) {
            known_.emplace(term.id(), *result);
        }
        return result;
    }

  private:
    static constexpr std::size_t kMostTerms = 20'000;

    [[nodiscard]] std::optional<Expression> argument(const z3::expr& term) const {
        const unsigned index = Z3_get_index_value(term.ctx(), term);
        if (index >= arguments_.size()) {
            return std::nullopt;
        }
        return equals(arguments_[index].variable, arguments_[index].value);
    }

    std::optional<Expression> combination(const z3::expr& term) {
        if (!term.is_app()) {
            return std::nullopt;
        }
        std::vector<Expression> parts;
        for (unsigned index = 0; index < term.num_args(); ++index) {
            const std::optional<Expression> part = read(term.arg(index));
            if (!part) {
                return std::nullopt;
            }
            parts.push_back(*part);
        }
        switch (term.decl().decl_kind()) {
            case Z3_OP_TRUE:
                return truth();
            case Z3_OP_FALSE:
                return falsity();
            case Z3_OP_AND:
                return conjunction(parts);
            case Z3_OP_OR:
                return disjunction(parts);
            case Z3_OP_NOT:
                return !parts[0];
            case Z3_OP_IMPLIES:
                return disjunction({!parts[0], parts[1]});
            case Z3_OP_EQ:
            case Z3_OP_IFF:
                return equal(parts[0], parts[1]);
            case Z3_OP_ITE:
                return choose(parts[0], parts[1], parts[2]);
            default:
                return std::nullopt;
        }
    }

    const std::vector<Argument>& arguments_;
    std::map<unsigned, Expression> known_;
};

class HornClauses {
  public:
    HornClauses(const TransitionSystem& system, const ValueSets& values)
        : system_(system), solver_(Theory::kArithmetic, {}), runs_(system, solver_, values), engine_(solver_.terms()) {
        z3::sort_vector sorts(context());
        for (VariableId variable = 0; variable < values.size(); ++variable) {
            for (std::size_t index = 1; runs_.cone()[variable] && index < values[variable].size(); ++index) {
                arguments_.push_back({variable, values[variable][index]});
                sorts.push_back(context().bool_sort());
            }
        }
        reached_.emplace(context().function("reached", sorts, context().bool_sort()));
        error_.emplace(context().function("error", z3::sort_vector(context()), context().bool_sort()));
        engine_.register_relation(*reached_);
        engine_.register_relation(*error_);
    }

    HornAnswer solve(const Expression& bad, const SolverLimits& limits) {
        limit(limits);
        const State initial = system_.initial();
        z3::expr_vector fact(context());
        for (const Argument& argument : arguments_) {
            fact.push_back(context().bool_val(initial[argument.variable] == argument.value));
        }
        add_rule((*reached_)(fact), "initial");
        add_rule(z3::implies(conjoined(at(0), runs_.at(0, bad)), (*error_)()), "bad");
        if (runs_.extend()) {
            add_rule(z3::implies(conjoined(at(0), context().bool_val(true)), at(1)), "step");
        }
        return ask();
    }

  private:
    [[nodiscard]] z3::context& context() { return solver_.terms(); }

    HornAnswer ask() {
        HornAnswer result;
        z3::expr query = (*error_)();
        try {
            switch (engine_.query(query)) {
                case z3::sat:
                    result.answer = Answer::kSat;
                    break;
                case z3::unsat:
                    result.answer = Answer::kUnsat;
                    result.invariant = InvariantReader(arguments_).read(engine_.get_cover_delta(-1, *reached_));
                    break;
                case z3::unknown:
                    result.reason = engine_.reason_unknown();
                    break;
            }
        } catch (const z3::exception& error) {  // also how it tells that a limit is reached
            result = {Answer::kUnknown, std::nullopt, error.msg()};
        }
        return result;
    }

    void limit(const SolverLimits& limits) {
        z3::params parameters(context());
        parameters.set("engine", context().str_symbol("spacer"));
        // The relation is to come back with all its arguments.
        for (const char* transformation : {"xform.slice", "xform.inline_linear", "xform.inline_eager"}) {
            parameters.set(transformation, false);
        }
        if (limits.time.count() > 0) {
            parameters.set("timeout", static_cast<unsigned>(std::min<std::int64_t>(limits.time.count(), 0x7fffffff)));
        }
        engine_.set(parameters);
        context().set("rlimit", static_cast<int>(limits.resources));  // the engine has no parameter for it
    }

    // The relation of the state after so many steps.
    [[nodiscard]] z3::expr at(int steps) {
        z3::expr_vector terms(context());
        for (const Argument& argument : arguments_) {
            terms.push_back(runs_.at(steps, equals(argument.variable, argument.value)));
        }
        return (*reached_)(terms);
    }

    // What is asserted of the run so far, and two more terms.
    [[nodiscard]] z3::expr conjoined(const z3::expr& first, const z3::expr& second) {
        z3::expr_vector all = solver_.assertions();
        all.push_back(first);
        all.push_back(second);
        return z3::mk_and(all);
    }

    void add_rule(const z3::expr& rule, const char* name) {
        const std::vector<z3::func_decl> relations{*reached_, *error_};
        Constants constants(context(), relations);
        constants.add(rule);
        z3::expr closed = constants.found().empty() ? rule : z3::forall(constants.found(), rule);
        engine_.add_rule(closed, context().str_symbol(name));
    }

    const TransitionSystem& system_;
    Solver solver_;  // of it only the terms and what is asserted
    Unroller runs_;
    z3::fixedpoint engine_;
    std::vector<Argument> arguments_;
    std::optional<z3::func_decl> reached_;
    std::optional<z3::func_decl> error_;
};

}  // namespace

HornAnswer solve_horn_clauses(const TransitionSystem& system, const Expression& bad, const ValueSets& values,
                              const SolverLimits& limits) {
    return translating_errors([&] { return HornClauses(system, values).solve(bad, limits); });
}

}  // namespace oncecheck

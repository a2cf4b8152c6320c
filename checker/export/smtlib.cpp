#include "checker/export/smtlib.h"

#include "checker/export/action_text.h"
#include "checker/export/expression_range.h"
#include "checker/export/identifiers.h"
#include "checker/export/smtlib_terms.h"

namespace oncecheck {

namespace {

// Writes one file, assertion by assertion.
class Script {
  public:
    Script(const TransitionSystem& system, const std::string& question, const std::string& yes) : system_(system) {
        text_ = "; " + comment_text(system.name, "") + "\n; " + comment_text(question, "") + "\n; " + yes + '\n' +
                "(set-info :smt-lib-version 2.6)\n(set-option :produce-unsat-cores true)\n" +
                "(set-option :produce-models true)\n(set-logic QF_BV)\n";
    }

    void declare(const SmtlibTerms& state) {
        for (VariableId id = 0; id < system_.variables.size(); ++id) {
            const Variable& variable = system_.variables[id];
            const unsigned bits = state.bits(id);
            line("(declare-const " + state.symbol(id) + " (_ BitVec " + std::to_string(bits) + "))");
            if (bits_for(std::uint64_t{variable.largest} + 1) == bits) {  // otherwise all that fits is allowed
                assert_named("(bvule " + state.symbol(id) + ' ' + smtlib_literal(variable.largest, bits) + ')',
                             "range of " + state.symbol(id));
            }
        }
    }

    void assert_initial(const SmtlibTerms& state) {
        for (VariableId id = 0; id < system_.variables.size(); ++id) {
            const Value initial = system_.variables[id].initial;
            assert_named("(= " + state.symbol(id) + ' ' + smtlib_literal(initial, state.bits(id)) + ')',
                         "initial value of " + state.symbol(id));
        }
    }

    // One step; `suffix` tells the names of its assertions and of its selector from those of other steps.
    void assert_next(const SmtlibTerms& before, const SmtlibTerms& after, const std::string& suffix) {
        const unsigned bits = bits_for(system_.actions.size());
        const std::string selector = smtlib_symbol("action" + suffix);
        const auto selects = [&](std::size_t number) {
            return "(= " + selector + ' ' + smtlib_literal(static_cast<Value>(number), bits) + ')';
        };
        line("(declare-const " + selector + " (_ BitVec " + std::to_string(bits) + "))");
        assert_named(
            "(bvult " + selector + ' ' + smtlib_literal(static_cast<Value>(system_.actions.size()), bits) + ')',
            "some action" + suffix);
        std::vector<std::string> setters(system_.variables.size());
        for (std::size_t number = 0; number < system_.actions.size(); ++number) {
            const Action& action = system_.actions[number];
            std::string effect;
            for (const Expression& conjunct : action.guard) {
                effect += ' ' + before.truth(conjunct);
            }
            for (const Assignment& assignment : action.assignments) {
                const VariableId id = assignment.variable;
                effect += " (= " + after.symbol(id) + ' ' + before.value(assignment.value, before.bits(id)) + ')';
                setters[id] += ' ' + selects(number);
            }
            const std::string place = action_place(action);
            assert_named("(=> " + selects(number) + " (and" + effect + "))", "action " + std::to_string(number) +
                                                                                 suffix + "  " + action_text(action) +
                                                                                 (place.empty() ? "" : "  " + place));
        }
        for (VariableId id = 0; id < system_.variables.size(); ++id) {
            const std::string kept = "(= " + after.symbol(id) + ' ' + before.symbol(id) + ')';
            assert_named(setters[id].empty() ? kept : "(or " + kept + setters[id] + ')',
                         "others keep " + before.symbol(id));
        }
    }

    // "# " keeps the names of assertions apart from those of variables.
    void assert_named(const std::string& term, const std::string& name) {
        std::string plain = name;
        std::erase(plain, '|');
        line("(assert (! " + term + " :named " + smtlib_symbol("# " + plain) + "))");
    }

    std::string ask() {
        line("(check-sat)");
        line("(exit)");
        return std::move(text_);
    }

  private:
    void line(const std::string& command) { text_ += command + '\n'; }

    const TransitionSystem& system_;
    std::string text_;
};

}  // namespace

const char* to_string(Obligation obligation) {
    switch (obligation) {
        case Obligation::kInitiation:
            return "initiation";
        case Obligation::kConsecution:
            return "consecution";
        case Obligation::kSafety:
            return "safety";
    }
    return "";
}

std::string render_smtlib(const TransitionSystem& system, Obligation obligation, const Expression& invariant,
                          const Property& property) {
    Script script(system, std::string(to_string(obligation)) + " of an invariant that shows " + property.name,
                  "unsat: the obligation is met");
    const SmtlibTerms state(system, smtlib_symbols(system, ""));
    script.declare(state);
    switch (obligation) {
        case Obligation::kInitiation:
            script.assert_initial(state);
            script.assert_named(state.truth(!invariant), "invariant broken");
            break;
        case Obligation::kConsecution: {
            const SmtlibTerms next(system, smtlib_symbols(system, "'"));
            script.declare(next);
            script.assert_named(state.truth(invariant), "invariant");
            script.assert_next(state, next, "");
            script.assert_named(next.truth(!invariant), "invariant broken");
            break;
        }
        case Obligation::kSafety:
            script.assert_named(state.truth(invariant), "invariant");
            script.assert_named(state.truth(property.bad), "bad");
            break;
    }
    return script.ask();
}

std::string render_smtlib_run(const TransitionSystem& system, const Property& property, int steps) {
    Script script(system, "a run of " + std::to_string(steps) + " steps that violates " + property.name,
                  "sat: there is one; unsat: there is none of this length");
    SmtlibTerms state(system, smtlib_symbols(system, "@0"));
    script.declare(state);
    script.assert_initial(state);
    for (int step = 1; step <= steps; ++step) {
        SmtlibTerms next(system, smtlib_symbols(system, '@' + std::to_string(step)));
        script.declare(next);
        script.assert_next(state, next, '@' + std::to_string(step));
        state = SmtlibTerms(system, smtlib_symbols(system, '@' + std::to_string(step)));
    }
    script.assert_named(state.truth(property.bad), "bad");
    return script.ask();
}

}  // namespace oncecheck

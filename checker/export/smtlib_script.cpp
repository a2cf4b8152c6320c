#include "checker/export/smtlib_script.h"

#include <utility>

#include "checker/export/action_text.h"
#include "checker/export/expression_range.h"
#include "checker/export/identifiers.h"

namespace oncecheck {

SmtlibScript::SmtlibScript(const TransitionSystem& system, const std::string& question, const std::string& meaning,
                           const std::vector<std::string>& options)
    : system_(system) {
    line("; " + comment_text(system.name, ""));
    line("; " + comment_text(question, ""));
    line("; " + meaning);
    line("(set-info :smt-lib-version 2.6)");
    for (const std::string& option : options) {
        line("(set-option :" + option + " true)");
    }
    line("(set-logic QF_BV)");
}

std::string Selector::is(std::size_t number) const {
    return "(= " + symbol + ' ' + smtlib_literal(static_cast<Value>(number), bits) + ')';
}

void SmtlibScript::line(const std::string& command) { text_ += command + '\n'; }

// "# " keeps the names of assertions apart from those of variables.
void SmtlibScript::assert_named(const std::string& term, const std::string& name) {
    std::string plain = name;
    std::erase(plain, '|');
    line("(assert (! " + term + " :named " + smtlib_symbol("# " + plain) + "))");
}

std::string SmtlibScript::ask() {
    line("(check-sat)");
    line("(exit)");
    return std::move(text_);
}

void SmtlibScript::declare(const SmtlibTerms& state) {
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

void SmtlibScript::declare(const Selector& selector) {
    line("(declare-const " + selector.symbol + " (_ BitVec " + std::to_string(selector.bits) + "))");
}

void SmtlibScript::assert_initial(const SmtlibTerms& state) {
    for (VariableId id = 0; id < system_.variables.size(); ++id) {
        const Value initial = system_.variables[id].initial;
        assert_named("(= " + state.symbol(id) + ' ' + smtlib_literal(initial, state.bits(id)) + ')',
                     "initial value of " + state.symbol(id));
    }
}

void SmtlibScript::assert_next(const SmtlibTerms& before, const SmtlibTerms& after, const std::string& suffix) {
    assert_next(before, after, suffix, {0, system_.actions.size()});
}

void SmtlibScript::assert_next(const SmtlibTerms& before, const SmtlibTerms& after, const std::string& suffix,
                               const ActionRange& actions) {
    const Selector selector{smtlib_symbol("action" + suffix), bits_for(system_.actions.size())};
    declare(selector);
    const auto literal = [&](std::size_t number) { return smtlib_literal(static_cast<Value>(number), selector.bits); };
    const std::string below = "(bvult " + selector.symbol + ' ' + literal(actions.end) + ')';
    assert_named(actions.first == 0
                     ? below
                     : "(and (bvule " + literal(actions.first) + ' ' + selector.symbol + ") " + below + ')',
                 "some action" + suffix);
    for (std::size_t number = actions.first; number < actions.end; ++number) {
        const Action& action = system_.actions[number];
        std::string step;
        for (const Expression& conjunct : action.guard) {
            step += ' ' + before.truth(conjunct);
        }
        step += effect(before, after, action);
        const std::string place = action_place(action);
        assert_named("(=> " + selector.is(number) + " (and" + step + "))", "action " + std::to_string(number) + suffix +
                                                                               "  " + action_text(action) +
                                                                               (place.empty() ? "" : "  " + place));
    }
    assert_kept(before, after, selector, actions);
}

void SmtlibScript::assert_effect(const SmtlibTerms& before, const SmtlibTerms& after, const Selector& selector) {
    for (std::size_t number = 0; number < system_.actions.size(); ++number) {
        const Action& action = system_.actions[number];
        assert_named("(=> " + selector.is(number) + " (and" + effect(before, after, action) + "))",
                     "effect of action " + std::to_string(number) + "  " + action_text(action));
    }
    assert_kept(before, after, selector, {0, system_.actions.size()});
}

std::string SmtlibScript::enabled(const SmtlibTerms& before, const Selector& selector,
                                  const std::vector<bool>& allowed) const {
    std::string some = "(or false";
    for (std::size_t number = 0; number < system_.actions.size(); ++number) {
        if (!allowed[number]) {
            continue;
        }
        some += " (and " + selector.is(number);
        for (const Expression& conjunct : system_.actions[number].guard) {
            some += ' ' + before.truth(conjunct);
        }
        some += ')';
    }
    return some + ')';
}

std::string SmtlibScript::effect(const SmtlibTerms& before, const SmtlibTerms& after, const Action& action) const {
    std::string text;
    for (const Assignment& assignment : action.assignments) {
        const VariableId id = assignment.variable;
        text += " (= " + after.symbol(id) + ' ' + before.value(assignment.value, before.bits(id)) + ')';
    }
    return text;
}

void SmtlibScript::assert_kept(const SmtlibTerms& before, const SmtlibTerms& after, const Selector& selector,
                               const ActionRange& actions) {
    std::vector<std::string> setters(system_.variables.size());
    for (std::size_t number = actions.first; number < actions.end; ++number) {
        for (const Assignment& assignment : system_.actions[number].assignments) {
            setters[assignment.variable] += ' ' + selector.is(number);
        }
    }
    for (VariableId id = 0; id < system_.variables.size(); ++id) {
        const std::string kept = "(= " + after.symbol(id) + ' ' + before.symbol(id) + ')';
        assert_named(setters[id].empty() ? kept : "(or " + kept + setters[id] + ')',
                     "others keep " + before.symbol(id));
    }
}

}  // namespace oncecheck

#include "checker/export/smtlib.h"

#include "checker/export/smtlib_script.h"

namespace oncecheck {

namespace {

const std::vector<std::string> kOptions{"produce-unsat-cores", "produce-models"};

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
    SmtlibScript script(system, std::string(to_string(obligation)) + " of an invariant that shows " + property.name,
                        "unsat: the obligation is met", kOptions);
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
    SmtlibScript script(system, "a run of " + std::to_string(steps) + " steps that violates " + property.name,
                        "sat: there is one; unsat: there is none of this length", kOptions);
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

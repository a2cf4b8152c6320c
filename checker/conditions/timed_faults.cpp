#include "checker/conditions/timed_faults.h"

#include <optional>
#include <set>
#include <utility>

#include "checker/conditions/duration_text.h"
#include "checker/conditions/residual.h"
#include "checker/smt/formula_solver.h"

namespace oncecheck {

namespace {

// The stated times that a formula uses, as statements, so that a contradiction names their values.
void add_known_times(const Formula& formula, const FormulaEnvironment& known,
                     std::map<std::string, std::int64_t>& times) {
    for (const std::string& name : formula.names()) {
        const std::optional<FormulaValue> value = known ? known(name) : std::nullopt;
        if (value && name.starts_with("assume.") && std::holds_alternative<std::int64_t>(*value)) {
            times[name] = std::get<std::int64_t>(*value);
        }
    }
}

// Throws what explains why the statements, with the times that `known` states, contradict each other.
[[noreturn]] void throw_contradiction(std::span<const TimeStatement> statements, const FormulaEnvironment& known,
                                      const SolverLimits& limits) {
    std::map<std::string, std::int64_t> times;
    std::vector<TimeStatement> all(statements.begin(), statements.end());
    for (const TimeStatement& statement : statements) {
        add_known_times(statement.formula, known, times);
    }
    for (const auto& [name, time] : times) {
        all.push_back(stated_time(name, time, {}));
    }
    const Consistency result = check_consistency(all, limits);
    throw InputError({result.problem.value_or(
        Problem{"inconsistent-times", {}, "the stated times contradict each other", "", "change one of them"})});
}

TimeBound bound(const std::string& name, const char* relation, std::int64_t value) {
    return {name, relation, value, name + " " + relation + " " + format_duration(value)};
}

// `strict` and `weak` mean the same over whole milliseconds.
TimeBound rounder(const TimeBound& strict, const TimeBound& weak) {
    return whole_unit(weak.value) > whole_unit(strict.value) ? weak : strict;
}

// The times of `name` from the least one on at which `formula` is `expected`, if from there on it always is.
std::optional<std::int64_t> from_here_on(FormulaSolver& solver, const std::string& name, const Formula& formula,
                                         bool expected) {
    const std::vector<Claim> wanted{{formula, expected}};
    const FormulaSolver::Least least = solver.least(name, wanted);
    switch (least.answer) {
        case Answer::kUnsat:
        case Answer::kUnknown:
            return std::nullopt;
        case Answer::kSat:
            break;
    }
    const std::vector<Claim> later{{formula, !expected},
                                   {comparison(name, FormulaOperator::kGreaterEqual, least.value), true}};
    switch (solver.check(later)) {
        case Answer::kUnsat:
            return least.value;
        case Answer::kSat:
        case Answer::kUnknown:
            return std::nullopt;
    }
    return std::nullopt;
}

TimeBound weakest_bound(FormulaSolver& solver, const Formula& formula) {
    const std::vector<std::string> names = formula.names();
    if (names.size() == 1) {
        if (const auto first_false = from_here_on(solver, names[0], formula, false)) {
            return rounder(bound(names[0], "<", *first_false), bound(names[0], "<=", *first_false - 1));
        }
        if (const auto first_true = from_here_on(solver, names[0], formula, true)) {
            return rounder(bound(names[0], ">", *first_true - 1), bound(names[0], ">=", *first_true));
        }
    }
    return {"", "", 0, to_text(formula)};
}

// Some time may be below and above, and neither answer is a guess about what has no value.
TimedAnswer conditional(FormulaSolver& solver, const Formula& formula) {
    if (solver.is_open()) {
        return {Exclusion::kUnknown, {}, to_text(formula) + " has no value for some times"};
    }
    return {Exclusion::kConditional, weakest_bound(solver, formula), ""};
}

TimedAnswer unknown(const FormulaSolver& solver) {
    return {Exclusion::kUnknown, {}, "the solver gave up (" + solver.reason() + ")"};
}

}  // namespace

TimedAnswer decide(const TimedQuestion& question, const SolverLimits& limits) {
    FormulaSolver solver(limits);
    for (const TimeStatement& statement : question.statements) {
        solver.require({residual(statement.formula, question.known), true});
    }
    switch (solver.check()) {
        case Answer::kUnsat:
            throw_contradiction(question.statements, question.known, limits);
        case Answer::kUnknown:
            return unknown(solver);
        case Answer::kSat:
            break;
    }
    const Formula exclusion = residual(question.exclusion, question.known);
    const std::vector<Claim> fails{{exclusion, false}};
    switch (solver.check(fails)) {
        case Answer::kUnsat:
            return {Exclusion::kExcluded, {}, ""};
        case Answer::kUnknown:
            return unknown(solver);
        case Answer::kSat:
            break;
    }
    const std::vector<Claim> succeeds{{exclusion, true}};
    switch (solver.check(succeeds)) {
        case Answer::kUnsat:
            return {Exclusion::kEnabled, {}, ""};
        case Answer::kUnknown:
            return unknown(solver);
        case Answer::kSat:
            return conditional(solver, exclusion);
    }
    throw InternalError("unknown answer");
}

Timeline find_timeline(std::span<const Formula> exclusions, const FormulaEnvironment& known,
                       std::span<const TimeStatement> statements, const SolverLimits& limits) {
    FormulaSolver solver(limits);
    Timeline timeline;
    std::set<std::string> open;
    const auto require = [&](const Formula& formula, bool expected) {
        const Formula left = residual(formula, known);
        const std::vector<std::string> names = left.names();
        open.insert(names.begin(), names.end());
        add_known_times(formula, known, timeline.times);
        solver.require({left, expected});
    };
    for (const TimeStatement& statement : statements) {
        require(statement.formula, true);
    }
    for (const Formula& exclusion : exclusions) {
        require(exclusion, false);
    }
    timeline.answer = solver.check();
    for (const std::string& name : open) {
        if (timeline.answer != Answer::kSat) {
            break;
        }
        const FormulaSolver::Least least = solver.least(name, {});
        timeline.answer = least.answer;
        timeline.times[name] = least.value;
        solver.require({comparison(name, FormulaOperator::kEqual, least.value), true});
    }
    if (timeline.answer == Answer::kSat && solver.is_open()) {
        timeline.answer = Answer::kUnknown;
    }
    if (timeline.answer != Answer::kSat) {
        timeline.times.clear();
    }
    return timeline;
}

}  // namespace oncecheck

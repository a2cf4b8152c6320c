#include "checker/conditions/consistent_times.h"

#include <algorithm>

#include "checker/conditions/residual.h"
#include "checker/smt/formula_solver.h"

namespace oncecheck {

namespace {

Problem contradiction(std::span<const TimeStatement> statements, const std::vector<std::size_t>& core) {
    Problem problem{"inconsistent-times", {}, "these cannot all be true: ", "", "change one of the stated times"};
    for (const std::size_t index : core) {
        const TimeStatement& statement = statements[index];
        problem.message += (index == core.front() ? "" : "; ") + to_text(statement.formula);
        if (problem.where == SourcePosition{}) {
            problem.where = statement.where;
        } else if (statement.where != SourcePosition{}) {
            problem.message += " (" + to_string(statement.where) + ")";
        }
    }
    return problem;
}

}  // namespace

TimeStatement stated_time(const std::string& name, std::int64_t milliseconds, const SourcePosition& where) {
    return {comparison(name, FormulaOperator::kEqual, milliseconds), where};
}

std::vector<TimeStatement> facts_about_times() {
    return {{Formula::parse("assume.min_restart_delay <= assume.max_outage"), {}}};
}

Consistency check_consistency(std::span<const TimeStatement> statements, const SolverLimits& limits) {
    FormulaSolver solver(limits);
    std::vector<Claim> claims;
    for (const TimeStatement& statement : statements) {
        claims.push_back({statement.formula, true});
    }
    const Answer answer = solver.check(claims);
    switch (answer) {
        case Answer::kUnsat:
            return {answer, contradiction(statements, solver.minimal_core(claims))};
        case Answer::kSat:
            return {solver.is_open() ? Answer::kUnknown : answer, std::nullopt};
        case Answer::kUnknown:
            return {answer, std::nullopt};
    }
    throw InternalError("unknown answer");
}

}  // namespace oncecheck

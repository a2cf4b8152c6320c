#include "checker/smt/script_check.h"

#include "checker/smt/solver.h"

namespace oncecheck {

ScriptAnswer check_script(const std::string& script, const SolverLimits& limits) {
    return translating_errors([&] {
        Solver solver(Theory::kFiniteDomain, limits);
        const z3::expr_vector assertions = solver.terms().parse_string(script.c_str());
        for (unsigned index = 0; index < assertions.size(); ++index) {
            solver.add(assertions[static_cast<int>(index)]);
        }
        ScriptAnswer result;
        result.answer = solver.check();
        result.reason = solver.reason();
        return result;
    });
}

}  // namespace oncecheck

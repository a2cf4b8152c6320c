#include "checker/smt/limited_queries.h"

#include <algorithm>

namespace oncecheck {

Answer LimitedQueries::ask(Solver& solver, std::span<const z3::expr> assumptions) {
    const std::optional<SolverLimits> query = next();
    if (!query) {
        return Answer::kUnknown;
    }
    solver.limit(*query);
    const Answer answer = solver.check(assumptions);
    if (answer == Answer::kUnknown) {
        reason_ = "the solver gave up (" + solver.reason() + ")";
    }
    return answer;
}

std::optional<SolverLimits> LimitedQueries::next() {
    using Clock = std::chrono::steady_clock;
    if (left_ == 0) {
        reason_ = "as many questions to the solver as are allowed";
        return std::nullopt;
    }
    --left_;
    SolverLimits query = query_;
    if (limits_.deadline != Clock::time_point::max()) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(limits_.deadline - Clock::now());
        if (left.count() <= 0) {
            reason_ = "time limit";
            return std::nullopt;
        }
        query.time = query.time.count() == 0 ? left : std::min(query.time, left);
    }
    query.memory_bytes = limits_.memory_bytes;
    bytes_ = std::max(bytes_, Solver::allocated_bytes());
    if (bytes_ > limits_.memory_bytes) {
        reason_ = "memory limit";
        return std::nullopt;
    }
    return query;
}

}  // namespace oncecheck

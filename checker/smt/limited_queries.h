// Questions to solvers within the limits of one engine run: each query has resources of its own, all together have a
// deadline and a bound on memory. A limit that is reached is Answer::kUnknown with a reason, like a solver that gives
// up.
#pragma once

#include <span>
#include <string>

#include "checker/engines/engine.h"
#include "checker/smt/answer.h"
#include "checker/smt/solver.h"

namespace oncecheck {

class LimitedQueries {
  public:
    // `limits` must outlive this.
    LimitedQueries(const SolverLimits& query, const Limits& limits) : query_(query), limits_(limits) {}

    // Asks the solver, unless a limit is reached already.
    [[nodiscard]] Answer ask(Solver& solver, std::span<const z3::expr> assumptions);

    // The limits of a query that begins now; none if the deadline has passed or the memory is used up.
    [[nodiscard]] std::optional<SolverLimits> next();

    // Why the last answer was kUnknown.
    [[nodiscard]] const std::string& reason() const { return reason_; }
    // The most memory that was seen in use.
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

  private:
    SolverLimits query_;
    const Limits& limits_;
    std::string reason_;
    std::size_t bytes_ = 0;
};

}  // namespace oncecheck

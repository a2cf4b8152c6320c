// Questions to solvers within the limits of one engine run: each query has resources of its own, all together have a
// deadline, a bound on memory and a number. A limit that is reached is Answer::kUnknown with a reason, like a solver
// that gives up.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "checker/engines/engine.h"
#include "checker/smt/answer.h"
#include "checker/smt/solver.h"

namespace oncecheck {

class LimitedQueries {
  public:
    static constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

    // `limits` must outlive this.
    LimitedQueries(const SolverLimits& query, const Limits& limits, std::size_t most_queries = kAnyNumber)
        : query_(query), limits_(limits), left_(most_queries) {}

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
    std::size_t left_;  // queries
    std::string reason_;
    std::size_t bytes_ = 0;
};

}  // namespace oncecheck

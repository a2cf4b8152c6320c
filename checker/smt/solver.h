// A Z3 solver with its context: three-valued answers, limits per query, fixed seeds. Nothing else calls Z3's check().
//
// Terms belong to the context of one Solver and never leave it: build them from terms(), use them with the same Solver,
// keep none after it is gone. What Z3 throws becomes a SolverError here or in translating_errors(); a limit that is
// reached is no error but Answer::kUnknown with reason().
#pragma once

#include <z3++.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "checker/smt/answer.h"
#include "model/errors.h"

namespace oncecheck {

// kFiniteDomain: Booleans only, on Z3's SAT core (`QF_FD`). kArithmetic: integers.
enum class Theory { kFiniteDomain, kArithmetic };

class Solver {
  public:
    Solver(Theory theory, const SolverLimits& limits);
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    [[nodiscard]] z3::context& terms() { return context_; }

    // The limits of the queries from now on.
    void limit(const SolverLimits& limits);

    // Asserts a term, for good.
    void add(const z3::expr& term);

    // All asserted terms.
    [[nodiscard]] z3::expr_vector assertions() const { return solver_.assertions(); }

    // Whether all asserted terms and all assumptions (Boolean constants or their negations) can be true together.
    [[nodiscard]] Answer check(std::span<const z3::expr> assumptions = {});

    // Requires that the last answer was kSat: a Boolean term's value in the model (false where the model leaves it
    // open), and an integer constant's (0 where open; no value if it does not fit).
    [[nodiscard]] bool is_true(const z3::expr& term);
    [[nodiscard]] std::optional<std::int64_t> integer(const z3::expr& term);

    // Requires that the last answer was kUnsat: positions of assumptions that contradict the rest, ascending.
    [[nodiscard]] const std::vector<std::size_t>& core() const { return core_; }

    // Why the last answer was kUnknown, in Z3's words.
    [[nodiscard]] const std::string& reason() const { return reason_; }

    // Memory that Z3 holds, over all contexts of the program.
    [[nodiscard]] static std::size_t allocated_bytes();

  private:
    [[nodiscard]] Answer ask(std::span<const z3::expr> assumptions);

    z3::context context_;
    z3::solver solver_;
    Theory theory_;
    std::shared_ptr<const AnswerFilter> filter_;
    std::optional<z3::model> model_;
    std::vector<std::size_t> core_;
    std::string reason_;
};

// Runs `action`; what Z3 throws becomes a SolverError.
template <typename Action>
auto translating_errors(Action&& action) {
    try {
        return action();
    } catch (const z3::exception& error) {
        throw SolverError(std::string("Z3: ") + error.msg());
    }
}

}  // namespace oncecheck

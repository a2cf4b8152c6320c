// Formulas over times, decided by Z3: each name is an integer >= 0 (milliseconds), everything else is as in
// model/catalogue/formula.h. Settings that are known are to be replaced by their values first (checker/conditions).
//
// Where a formula has no value (arithmetic on a string, a number as a truth value), its truth is left open: such a
// solver finds every answer possible that some choice allows, and says so in is_open(). Knows nothing of Z3 outside.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "checker/smt/answer.h"
#include "model/catalogue/formula.h"

namespace oncecheck {

// That a formula is true, or that it is false.
struct Claim {
    Formula formula;
    bool expected = true;
};

class FormulaSolver {
  public:
    explicit FormulaSolver(const SolverLimits& limits = {});
    ~FormulaSolver();
    FormulaSolver(const FormulaSolver&) = delete;
    FormulaSolver& operator=(const FormulaSolver&) = delete;

    // Asserts a claim, for good. Throws SolverError, as all that follow.
    void require(const Claim& claim);

    // Whether all that is required and all `claims` can be true together.
    [[nodiscard]] Answer check(std::span<const Claim> claims = {});

    // Requires that the last answer was kUnsat: positions of claims that contradict what is required, ascending; none
    // of them can be left out. Asks further questions; where Z3 does not know, the claim stays.
    [[nodiscard]] std::vector<std::size_t> minimal_core(std::span<const Claim> claims);

    // Requires that the last answer was kSat: the time in the model, if it fits.
    [[nodiscard]] std::optional<std::int64_t> value(const std::string& name);

    // The least time of that name for which all that is required and all claims can be true; a value only with kSat.
    struct Least {
        Answer answer = Answer::kUnknown;
        std::int64_t value = 0;
    };
    [[nodiscard]] Least least(const std::string& name, std::span<const Claim> claims);

    // Some formula that was used leaves its truth open.
    [[nodiscard]] bool is_open() const;

    // Why the last answer was kUnknown.
    [[nodiscard]] const std::string& reason() const;

  private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

// `name` compared with a number. Requires a comparison operator.
[[nodiscard]] Formula comparison(const std::string& name, FormulaOperator op, std::int64_t value);

}  // namespace oncecheck

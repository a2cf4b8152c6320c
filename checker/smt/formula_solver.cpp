#include "checker/smt/formula_solver.h"

#include <utility>

#include "checker/smt/formula_encoder.h"
#include "checker/smt/solver.h"

namespace oncecheck {

class FormulaSolver::Implementation {
  public:
    explicit Implementation(const SolverLimits& limits) : solver(Theory::kArithmetic, limits), encoder(solver) {}

    // A fresh literal that implies the claim.
    [[nodiscard]] z3::expr literal(const Claim& claim) {
        const std::string name = "claim" + std::to_string(++claims_);
        z3::expr result = solver.terms().bool_const(name.c_str());
        solver.add(z3::implies(result, truth(claim)));
        return result;
    }

    [[nodiscard]] z3::expr truth(const Claim& claim) {
        const z3::expr term = encoder.truth(claim.formula);
        return claim.expected ? term : !term;
    }

    Solver solver;
    FormulaEncoder encoder;

  private:
    std::size_t claims_ = 0;
};

FormulaSolver::FormulaSolver(const SolverLimits& limits) : implementation_(std::make_unique<Implementation>(limits)) {}

FormulaSolver::~FormulaSolver() = default;

void FormulaSolver::require(const Claim& claim) {
    translating_errors([&] { implementation_->solver.add(implementation_->truth(claim)); });
}

Answer FormulaSolver::check(std::span<const Claim> claims) {
    return translating_errors([&] {
        std::vector<z3::expr> literals;
        for (const Claim& claim : claims) {
            literals.push_back(implementation_->literal(claim));
        }
        return implementation_->solver.check(literals);
    });
}

std::vector<std::size_t> FormulaSolver::minimal_core(std::span<const Claim> claims) {
    std::vector<std::size_t> core = implementation_->solver.core();
    for (std::size_t tried = 0; tried < core.size();) {
        std::vector<std::size_t> smaller = core;
        smaller.erase(smaller.begin() + static_cast<std::ptrdiff_t>(tried));
        std::vector<Claim> rest;
        for (const std::size_t index : smaller) {
            rest.push_back(claims[index]);
        }
        switch (check(rest)) {
            case Answer::kUnsat:
                core = std::move(smaller);
                break;
            case Answer::kSat:
            case Answer::kUnknown:
                ++tried;
                break;
        }
    }
    return core;
}

std::optional<std::int64_t> FormulaSolver::value(const std::string& name) {
    return translating_errors([&] { return implementation_->solver.integer(implementation_->encoder.time(name)); });
}

FormulaSolver::Least FormulaSolver::least(const std::string& name, std::span<const Claim> claims) {
    std::vector<Claim> all(claims.begin(), claims.end());
    const Answer first = check(all);
    if (first != Answer::kSat) {
        return {first, 0};
    }
    std::optional<std::int64_t> high = value(name);  // possible
    if (!high) {
        return {Answer::kUnknown, 0};
    }
    std::int64_t low = 0;  // nothing below is possible
    while (low < *high) {
        const std::int64_t middle = low + (*high - low) / 2;
        all.push_back({comparison(name, FormulaOperator::kLessEqual, middle), true});
        switch (check(all)) {
            case Answer::kSat:
                high = value(name);
                break;
            case Answer::kUnsat:
                low = middle + 1;
                break;
            case Answer::kUnknown:
                return {Answer::kUnknown, 0};
        }
        all.pop_back();
    }
    return {Answer::kSat, low};
}

bool FormulaSolver::is_open() const { return implementation_->encoder.is_open(); }

const std::string& FormulaSolver::reason() const { return implementation_->solver.reason(); }

Formula comparison(const std::string& name, FormulaOperator op, std::int64_t value) {
    const Formula left(Formula::Node{FormulaOperator::kName, {}, name, {}}, name);
    const Formula right(Formula::Node{FormulaOperator::kConstant, value, {}, {}}, std::to_string(value));
    return Formula(Formula::Node{op, {}, {}, {left, right}});
}

}  // namespace oncecheck

#include "checker/smt/solver.h"

#include <algorithm>
#include <ostream>

namespace oncecheck {

namespace {

constexpr unsigned kSeed = 0;
constexpr std::size_t kMegabyte = std::size_t{1} << 20;

z3::solver make_solver(z3::context& context, Theory theory) {
    switch (theory) {
        case Theory::kFiniteDomain:
            return {context, "QF_FD"};
        case Theory::kArithmetic:
            return {context, z3::solver::simple()};
    }
    throw InternalError("unknown theory");
}

template <typename Count>
unsigned clamped(Count count) {
    return static_cast<unsigned>(std::min<unsigned long long>(static_cast<unsigned long long>(count), 0xfffffffeULL));
}

}  // namespace

std::ostream& operator<<(std::ostream& out, Answer answer) {
    switch (answer) {
        case Answer::kSat:
            return out << "sat";
        case Answer::kUnsat:
            return out << "unsat";
        case Answer::kUnknown:
            return out << "unknown";
    }
    throw InternalError("unknown answer");
}

Solver::Solver(Theory theory, const SolverLimits& limits) : solver_(make_solver(context_, theory)), theory_(theory) {
    limit(limits);
}

void Solver::limit(const SolverLimits& limits) {
    filter_ = limits.filter;
    translating_errors([&] {
        z3::params parameters(context_);
        parameters.set("random_seed", kSeed);
        parameters.set("rlimit", limits.resources);
        parameters.set("timeout", limits.time.count() > 0 ? clamped(limits.time.count()) : 0xffffffffU);
        if (theory_ == Theory::kFiniteDomain && limits.memory_bytes != 0) {
            parameters.set("max_memory", clamped(std::max<std::size_t>(1, limits.memory_bytes / kMegabyte)));
        }
        solver_.set(parameters);
    });
}

void Solver::add(const z3::expr& term) {
    translating_errors([&] { solver_.add(term); });
}

Answer Solver::check(std::span<const z3::expr> assumptions) {
    model_.reset();
    core_.clear();
    reason_.clear();
    const Answer answer = translating_errors([&] { return ask(assumptions); });
    if (filter_ == nullptr) {
        return answer;
    }
    const Answer told = (*filter_)(answer);
    if (told == Answer::kUnknown && answer != Answer::kUnknown) {
        model_.reset();
        core_.clear();
        reason_ = "filtered";
    }
    return told;
}

Answer Solver::ask(std::span<const z3::expr> assumptions) {
    z3::expr_vector vector(context_);
    for (const z3::expr& assumption : assumptions) {
        vector.push_back(assumption);
    }
    switch (solver_.check(vector)) {
        case z3::sat:
            model_ = solver_.get_model();
            return Answer::kSat;
        case z3::unsat:
            for (const z3::expr& member : solver_.unsat_core()) {
                const auto place = std::find_if(assumptions.begin(), assumptions.end(),
                                                [&](const z3::expr& term) { return z3::eq(term, member); });
                core_.push_back(static_cast<std::size_t>(place - assumptions.begin()));
            }
            std::sort(core_.begin(), core_.end());
            return Answer::kUnsat;
        case z3::unknown:
            reason_ = solver_.reason_unknown();
            return Answer::kUnknown;
    }
    throw InternalError("unknown solver answer");
}

bool Solver::is_true(const z3::expr& term) {
    return translating_errors([&] { return model_.value().eval(term, false).is_true(); });
}

std::optional<std::int64_t> Solver::integer(const z3::expr& term) {
    return translating_errors([&]() -> std::optional<std::int64_t> {
        std::int64_t value = 0;
        if (model_.value().eval(term, true).is_numeral_i64(value)) {
            return value;
        }
        return std::nullopt;
    });
}

std::size_t Solver::allocated_bytes() { return static_cast<std::size_t>(Z3_get_estimated_alloc_size()); }

}  // namespace oncecheck

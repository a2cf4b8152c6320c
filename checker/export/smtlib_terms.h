// Expressions as SMT-LIB terms over bit-vectors: a variable has as many bits as its values need; sums are made in as
// many as they need.
#pragma once

#include <string>
#include <vector>

#include "model/transition/system.h"

namespace oncecheck {

// A quoted symbol, "|text|".
[[nodiscard]] std::string smtlib_symbol(const std::string& text);

// "#b011"
[[nodiscard]] std::string smtlib_literal(Value value, unsigned bits);

// Symbols of a system's variables at one moment, which `suffix` ("'", "@3") tells from others. No two are equal.
[[nodiscard]] std::vector<std::string> smtlib_symbols(const TransitionSystem& system, const std::string& suffix);

class SmtlibTerms {
  public:
    SmtlibTerms(const TransitionSystem& system, std::vector<std::string> symbols)
        : system_(&system), symbols_(std::move(symbols)) {}

    [[nodiscard]] const std::string& symbol(VariableId variable) const { return symbols_.at(variable); }
    [[nodiscard]] unsigned bits(VariableId variable) const;

    // A Boolean term: the expression is not 0.
    [[nodiscard]] std::string truth(const Expression& expression) const;
    // A bit-vector of that many bits; what does not fit is cut off.
    [[nodiscard]] std::string value(const Expression& expression, unsigned bits) const;

  private:
    [[nodiscard]] std::string connective(const char* symbol, const Expression& expression) const;
    [[nodiscard]] std::string comparison(const char* symbol, const Expression& expression) const;
    [[nodiscard]] std::string sum(const Expression& expression, unsigned bits) const;

    const TransitionSystem* system_;
    std::vector<std::string> symbols_;
};

}  // namespace oncecheck

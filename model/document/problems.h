// Collecting what is wrong with the input: bounded, and each problem once.
//
// A document is read once for itself and once for each variant, so the same problem is met several times.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/errors.h"

namespace oncecheck {

// Problems past this many are dropped: nobody reads them, and they may be the consequence of one.
inline constexpr std::size_t kMaxProblems = 100;

// Adds the problem unless it is there already or the bound is reached.
void add_problem(std::vector<Problem>& problems, Problem problem);

// Throws InputError if there is any problem.
void throw_if_any(const std::vector<Problem>& problems);

// "did you mean 'x'?" for the nearest of the candidates, or an empty string.
[[nodiscard]] std::string suggestion(const std::string& word, const std::vector<std::string>& candidates);

// "'a', 'b' or 'c'", for prose.
[[nodiscard]] std::string alternatives(const std::vector<std::string>& words);

// The beginning of a text, for quoting it in a message; whole code points.
[[nodiscard]] std::string shortened(const std::string& text);
// The same between quotation marks.
[[nodiscard]] std::string in_quotes(const std::string& text);

}  // namespace oncecheck

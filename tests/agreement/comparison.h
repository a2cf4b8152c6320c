// Subjects given to SPIN: what it finds must be what our engines have found.
#pragma once

#include <filesystem>
#include <vector>

#include "tests/agreement/subject.h"

namespace oncecheck {

// As the exported file says that it is to be run, with all properties. Throws Disagreement, SpinError.
void compare_alone(const Subject& subject, const std::filesystem::path& folder);

// Several in one verifier, which pays the compiler once. Throws Disagreement, SpinError.
void compare_together(const std::vector<Subject>& subjects, const std::filesystem::path& folder);

// The exported SMT-LIB given to cvc5: a run as long as the shortest that violates a property is satisfiable, one that
// is a step shorter is not. Only of the first property with a short one; returns how many questions were asked. Throws
// Disagreement.
std::size_t compare_with_cvc5(const Subject& subject, const std::filesystem::path& folder);

}  // namespace oncecheck

// Asks a fresh Z3 an SMT-LIB script: whether all that the script asserts can be true together. Knows nothing of Z3
// outside. For scripts over Booleans and bit-vectors that ask once.
#pragma once

#include <string>

#include "checker/smt/answer.h"

namespace oncecheck {

struct ScriptAnswer {
    Answer answer = Answer::kUnknown;
    std::string reason;  // with kUnknown
};

// Throws SolverError if Z3 cannot read the script.
[[nodiscard]] ScriptAnswer check_script(const std::string& script, const SolverLimits& limits);

}  // namespace oncecheck

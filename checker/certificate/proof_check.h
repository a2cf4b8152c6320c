// Checks the evidence about one transition system from the system itself.
#pragma once

#include <string>

#include "checker/certificate/certificate.h"
#include "checker/smt/answer.h"

namespace oncecheck {

// What is wrong with a certificate, and where; thrown and caught within this folder.
struct Refusal {
    std::string where;
    std::string message;
};

// The solver did not decide an obligation; thrown and caught as Refusal is.
struct NotDecided {
    std::string where;
    std::string message;
};

// Returns how many obligations were proved. Throws Refusal, NotDecided, SolverError.
std::size_t check_proof(const TransitionSystem& system, const CertifiedProof& certified, const std::string& where,
                        const SolverLimits& limits);

// The run is one of the system and ends in a state that is bad for `run.property`, or in a trap. Returns how many
// obligations were proved.
std::size_t check_run(const TransitionSystem& system, const CertifiedRun& run, const std::string& where,
                      const SolverLimits& limits);

}  // namespace oncecheck

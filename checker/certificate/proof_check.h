// Checks the evidence about one transition system from the system itself.
//
// A proof whose set is a diagram of few states is checked state by state by the evaluator (state_walk.h); any other,
// and every proof if that is asked for, obligation by obligation by a fresh Z3.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

struct CheckMethod {
    SolverLimits limits;  // of one obligation
    // Sets of so many states are walked; at some microseconds a state.
    std::uint64_t most_walked = 2'000'000;
};

// A proof that was checked, and how.
struct CheckedProof {
    std::string where;
    std::vector<std::string> obligations;  // by name
    std::uint64_t walked = 0;              // states; 0: Z3 proved the obligations

    bool operator==(const CheckedProof&) const = default;
};

// Throws Refusal, NotDecided, SolverError.
CheckedProof check_proof(const TransitionSystem& system, const CertifiedProof& certified, const std::string& where,
                         const CheckMethod& method);

// The run is one of the system and ends in a state that is bad for `run.property`, or in a trap. Returns the proofs
// that were checked for it.
std::vector<CheckedProof> check_run(const TransitionSystem& system, const CertifiedRun& run, const std::string& where,
                                    const CheckMethod& method);

}  // namespace oncecheck

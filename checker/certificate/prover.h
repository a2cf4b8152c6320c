// Finds the evidence about one transition system: a proof of all that is asked of it, or a run that breaks it.
#pragma once

#include <string>
#include <variant>

#include "checker/certificate/certificate.h"
#include "checker/compose/verify.h"
#include "checker/engines/engine.h"

namespace oncecheck {

// What is asked of a system.
struct Question {
    const TransitionSystem& system;
    std::vector<std::size_t> properties;
    bool progress = false;
};

// Why there is no evidence.
struct NoEvidence {
    std::string reason;
};

using Found = std::variant<CertifiedProof, CertifiedRun, NoEvidence>;

// Of several runs the one with fewest faults, then fewest steps. `engine` is asked where explicit search gives up.
[[nodiscard]] Found find_evidence(const Question& question, EngineChoice engine, const Limits& limits);

}  // namespace oncecheck

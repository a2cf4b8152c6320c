// Finds the evidence about one transition system: a proof of all that is asked of it, or a run that breaks it.
#pragma once

#include <string>
#include <variant>

#include "checker/certificate/certificate.h"
#include "checker/certificate/shared_search.h"
#include "checker/compose/verify.h"
#include "checker/engines/engine.h"

namespace oncecheck {

// Why there is no evidence.
struct NoEvidence {
    std::string reason;
};

using Found = std::variant<CertifiedProof, CertifiedRun, NoEvidence>;

// `engine` is asked where explicit search gives up.
class Prover {
  public:
    Prover(EngineChoice engine, const Limits& limits) : engine_(engine), limits_(limits) {}

    // That the question will be put, so that it can share a search. Before the first find().
    void expect(const Question& question);
    // Of several runs the one with fewest faults, then fewest steps.
    [[nodiscard]] Found find(const Question& question);

  private:
    EngineChoice engine_;
    Limits limits_;
    std::vector<SharedSearch> searches_;
};

// The same for one question alone.
[[nodiscard]] Found find_evidence(const Question& question, EngineChoice engine, const Limits& limits);

}  // namespace oncecheck

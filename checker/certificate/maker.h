// Makes the certificate of a requirement: searches the systems that bear on it for themselves, by explicit search, and
// turns what was found into proofs and runs. Where explicit search does not suffice, an invariant of another engine
// will do.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "checker/certificate/certificate.h"
#include "checker/compose/plan.h"
#include "checker/compose/verify.h"

namespace oncecheck {

// What a pipeline was read from.
struct CertifiedSource {
    CertifiedFile document;
    std::vector<CertifiedFile> files;
    std::string variant;
    std::map<std::string, std::string> set;
    std::string catalogue;  // its digest
};

class CertificateMaker {
  public:
    // All must outlive this. Throws as plan().
    CertificateMaker(const Pipeline& pipeline, const CertifiedSource& source, const VerifyOptions& options);

    // The certificate of the requirement of that index, or why there is none: its verdict is undecided.
    [[nodiscard]] std::variant<Certificate, std::string> make(std::size_t requirement) const;

  private:
    const Pipeline& pipeline_;
    const CertifiedSource& source_;
    const VerifyOptions& options_;
    Limits limits_;
    std::vector<PlannedHop> planned_;
};

}  // namespace oncecheck

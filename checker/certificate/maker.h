// Makes the certificate of a requirement: searches the systems that bear on it for themselves, by explicit search, and
// turns what was found into proofs and runs. Where explicit search does not suffice, an invariant of another engine
// will do. Requirements whose systems have the same states share the search for them.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "checker/certificate/bearing.h"
#include "checker/certificate/certificate.h"
#include "checker/certificate/prover.h"
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
    [[nodiscard]] std::variant<Certificate, std::string> make(std::size_t requirement);

  private:
    const Pipeline& pipeline_;
    const CertifiedSource& source_;
    const VerifyOptions& options_;
    std::vector<Bearing> bearings_;  // by requirement
    Prover prover_;
};

}  // namespace oncecheck

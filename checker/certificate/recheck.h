// Checks a certificate without the engines that made it: reads the document in it against the installed catalogue,
// decides faults and translates again, and compares what comes out with what the certificate says, word for word; then
//
//   proofs  the obligations are written again and compared; the proof is checked state by state by the evaluator, or
//           where it has too many states each obligation is put to a fresh Z3
//   runs    are replayed by the evaluator; a trap is a proof
//
// Nothing in a certificate is believed: what is not derived again is proved or replayed.
#pragma once

#include <string>
#include <vector>

#include "checker/certificate/certificate.h"
#include "checker/certificate/proof_check.h"
#include "model/catalogue/catalogue.h"

namespace oncecheck {

// kNotRechecked: nothing is wrong, but the solver did not decide some obligation.
enum class Recheck { kValid, kNotRechecked, kRefused };

struct RecheckResult {
    Recheck outcome = Recheck::kValid;
    std::string where;    // "evidence of enrich, payments[0], consecution"; empty with kValid
    std::string message;  // what is wrong there
    std::vector<CheckedProof> proofs;
    std::size_t runs = 0;  // replayed
};

struct InstalledCatalogue {
    const Catalogue& catalogue;
    std::string digest;
};

// Throws SolverError.
[[nodiscard]] RecheckResult recheck(const Certificate& certificate, const InstalledCatalogue& installed,
                                    const CheckMethod& method);

}  // namespace oncecheck

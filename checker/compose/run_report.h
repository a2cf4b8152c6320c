// A counterexample in the document's words: numbered steps with what each changed, up to the point of no return; the
// category of the failure; the weakest link.
//
// Categories and the separating test: staging isolation needs rows or statements of another attempt in an intermediate
// object; source coverage fails with a perfect sink; progress is wrong although each batch is applied once; sink commit
// is the rest.
#pragma once

#include <string>

#include "checker/compose/hop_check.h"
#include "checker/report/report.h"

namespace oncecheck {

[[nodiscard]] Run describe_run(const FoundViolation& violation, const Limits& limits);

struct Diagnosis {
    std::string category;
    std::string rule;  // "OC-4-staging"
    WeakestLink weakest_link;
};
[[nodiscard]] Diagnosis diagnose(const Pipeline& pipeline, const FoundViolation& violation);

}  // namespace oncecheck

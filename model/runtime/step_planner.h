// Which statements a step is, before anybody sends one: the table of verbs behind step_sql.h.
#pragma once

#include <cstddef>
#include <vector>

#include "model/runtime/step_sql.h"

namespace oncecheck {

struct StepStatements {
    std::vector<StepPlan::Planned> statements;
    // All of them are one effect: outside a transaction they run in one of their own, but for the first `reads_first`,
    // which read a source in another place.
    bool one_effect = true;
    std::size_t reads_first = 0;
};

// Requires a step that is no transaction and no background block.
[[nodiscard]] StepStatements plan_statements(const StepContext& context, const Step& step);

}  // namespace oncecheck

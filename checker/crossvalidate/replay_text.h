// A replay for people: each step with the SQL that it ran and what the stores held afterwards.
#pragma once

#include "checker/crossvalidate/replay.h"
#include "checker/report/text_page.h"

namespace oncecheck {

void write_replay(const Pipeline& pipeline, const Replay& replay, TextPage& page);

// "exactly-once warehouse.ledger".
[[nodiscard]] std::string name_of(const ResolvedRequirement& requirement);

}  // namespace oncecheck

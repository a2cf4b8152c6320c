// The report for people who were not there: the verdict in one line, each requirement with what it says, the shortest
// run of each violation step by step, and what all of it rests on.
//
// Requirements that have their run in common show it once. A run is printed up to its point of no return; what follows
// is counted, and printed only if `verbose`.
#pragma once

#include <string>
#include <vector>

#include "checker/report/render_options.h"
#include "checker/report/report.h"

namespace oncecheck {

[[nodiscard]] std::string render_text(const std::vector<Report>& reports, const RenderOptions& options);

}  // namespace oncecheck

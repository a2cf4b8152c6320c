// The report for programs: JSON as specs/schema/report.schema.json describes it, keys in a fixed order. One report is
// an object; several documents or variants are {"reports": [...]}. What is not known or does not apply is null.
// Two runs on one input differ only under "measured" (of "statistics": time and memory).
#pragma once

#include <string>
#include <vector>

#include "checker/report/render_options.h"
#include "checker/report/report.h"

namespace oncecheck {

[[nodiscard]] std::string render_json(const std::vector<Report>& reports, const RenderOptions& options);

}  // namespace oncecheck

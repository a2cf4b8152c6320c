// The table of report formats. A renderer is one function from reports to text; to add a format, add a row.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "checker/report/render_options.h"
#include "checker/report/report.h"

namespace oncecheck {

using Renderer = std::string (*)(const std::vector<Report>& reports, const RenderOptions& options);

struct ReportFormat {
    const char* name;
    Renderer render;
};

// In the order in which help lists them; the first is the default.
[[nodiscard]] std::span<const ReportFormat> report_formats();

// Null if there is none of that name.
[[nodiscard]] const ReportFormat* find_report_format(const std::string& name);

}  // namespace oncecheck

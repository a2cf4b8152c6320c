#include "checker/report/formats.h"

#include "checker/report/json_renderer.h"
#include "checker/report/text_renderer.h"

namespace oncecheck {

namespace {

constexpr ReportFormat kFormats[] = {
    {"text", render_text},
    {"json", render_json},
};

}  // namespace

std::span<const ReportFormat> report_formats() { return kFormats; }

const ReportFormat* find_report_format(const std::string& name) {
    for (const ReportFormat& format : kFormats) {
        if (name == format.name) {
            return &format;
        }
    }
    return nullptr;
}

}  // namespace oncecheck

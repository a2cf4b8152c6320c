// Report files (--output FORMAT=FILE). Naming a file is asking for it to be overwritten, unless it is an input: a
// document, or a configuration file that a document names.
#pragma once

#include <string>
#include <vector>

#include "checker/report/formats.h"

namespace oncecheck {

struct ReportFile {
    const ReportFormat* format = nullptr;
    std::string path;
};

// Configuration files that a document names, found in its text, whether or not the document is otherwise good;
// relative ones are relative to `file`.
[[nodiscard]] std::vector<std::string> named_config_files(const std::string& text, const std::string& file);

// Throws UsageError for a path that cannot be written to, is an input, or is named twice.
void check_report_files(const std::vector<ReportFile>& outputs, const std::vector<std::string>& inputs);

// Throws UsageError if a file cannot be written.
void write_report_files(const std::vector<ReportFile>& outputs, const std::vector<Report>& reports,
                        const RenderOptions& options);

}  // namespace oncecheck

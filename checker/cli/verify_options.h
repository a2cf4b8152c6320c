// The options of `oncecheck verify` as values. To add one: a member here and a line in verify_options.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/cli/command.h"
#include "checker/cli/output.h"
#include "checker/cli/report_files.h"
#include "checker/compose/verify.h"
#include "model/document/reader.h"

namespace oncecheck {

struct VerifyCommandOptions {
    std::vector<std::string> files;
    const ReportFormat* format = nullptr;  // of the report on standard output
    std::vector<ReportFile> outputs;
    std::string certificate;  // file or directory; empty: none
    ReadOptions read;
    VerifyOptions verify;                // `timeout` is that of the whole run
    std::optional<std::string> variant;  // only this one; "" is the document itself
    std::string specs;
    ColourChoice colour = ColourChoice::kAuto;
    bool strict = false;
    bool quiet = false;
    bool verbose = false;
};

// Nothing if --help or --version was asked for and has been printed. Throws UsageError.
[[nodiscard]] std::optional<VerifyCommandOptions> read_verify_options(const Arguments& arguments);

}  // namespace oncecheck

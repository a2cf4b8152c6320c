// What the commands have in common in reading their arguments with CLI11.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "checker/cli/command.h"

namespace oncecheck {

// An empty parser for `oncecheck NAME`, with --help, which ends with the example, and --version.
class CommandLine : public CLI::App {
  public:
    CommandLine(const std::string& name, const std::string& description, const std::string& example);

    // False if --help or --version was asked for and has been printed. Throws UsageError, with a did-you-mean for an
    // unknown option.
    [[nodiscard]] bool read(const Arguments& arguments);
};

}  // namespace oncecheck

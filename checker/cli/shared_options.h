// Options that several commands have.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "model/document/reader.h"
#include "model/semantics/universe.h"

namespace oncecheck {

// A range that --help does not spell out.
[[nodiscard]] CLI::Validator between(int low, int high);

// --records, --batches, --attempts.
void add_size_options(CLI::App& app, UniverseSize& size);

// --set NAME=VALUE, as often as wanted.
void add_set_option(CLI::App& app, std::vector<std::string>& set);

// What --set says. Throws UsageError where that is not NAME=VALUE.
[[nodiscard]] ReadOptions with_values(const std::vector<std::string>& set);

}  // namespace oncecheck

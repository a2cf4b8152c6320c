// The two streams. Reports and whatever else was asked for go to standard output; messages, progress and log go to
// standard error. A reader of standard output that goes away (`| head`) is no error.
#pragma once

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "model/errors.h"

namespace oncecheck {

// Throws UsageError if the text cannot be written, unless the reader has gone.
void print_output(const std::string& text);
void print_error(const std::string& text);

// Texts of files by name, for quoting lines; files that are not in here are read.
using KnownTexts = std::map<std::string, std::string>;
void print_problems_to_error(const std::vector<Problem>& problems, const KnownTexts& texts);

enum class ColourChoice { kAuto, kAlways, kNever };

// kAuto: on a terminal that can, unless NO_COLOR is set (https://no-color.org). `stream` is stdout or stderr.
[[nodiscard]] bool wants_colour(ColourChoice choice, std::FILE* stream);
[[nodiscard]] bool is_terminal(std::FILE* stream);

}  // namespace oncecheck

// Problems of the input as text: each with its place, the quoted line, what was expected, and a hint.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "checker/report/text_page.h"
#include "model/errors.h"

namespace oncecheck {

// The text of a file that a problem names; empty if it is not to be had.
using FileText = std::function<std::string(const std::string& file)>;

void print_problems(TextPage& page, const std::vector<Problem>& problems, const FileText& text_of);

}  // namespace oncecheck

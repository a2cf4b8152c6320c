// A run as text: steps in order under the incarnation that takes them, faults marked, after each step what it changed
// in the stores, a rule at the point of no return, and what the stores hold at the end.
#pragma once

#include <string>

#include "checker/report/report.h"
#include "checker/report/text_page.h"

namespace oncecheck {

// `document` is the file whose lines are meant where no file is named. `verbose`: the steps after the point of no
// return, too.
void print_run(TextPage& page, const Run& run, const std::string& document, bool verbose);

}  // namespace oncecheck

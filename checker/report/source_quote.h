// A line of the user's file with the value underlined that a position points at:
//
//      18 |         { "truncate": "warehouse.stg_payments" },
//         |         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//
// The underline covers the JSON value (or word) that starts there, as far as it reaches on that line. Long lines are
// cut around it. It does not parse: a wrong guess only makes the underline shorter.
#pragma once

#include <cstddef>
#include <string>

#include "checker/report/text_page.h"
#include "model/errors.h"

namespace oncecheck {

// Adds the two lines to the page, indented by `indent`. Adds nothing if the position has no line in the text.
void quote_source(TextPage& page, std::size_t indent, const std::string& text, const SourcePosition& where);

}  // namespace oncecheck

// Names as templates: "stg_{query}_{batch}" is literals and placeholders. Which names can be equal is derived from
// them (model/semantics/naming.h); nothing is ever declared shared or private.
#pragma once

#include <string>
#include <vector>

#include "model/errors.h"

namespace oncecheck {

// One piece of a template. A placeholder has a name and, where its kind takes one, an argument:
// {batch} -> ("batch", ""), {now:yyyyMMdd} -> ("now", "yyyyMMdd"), {row.event_id} -> ("row", "event_id").
struct TemplatePiece {
    bool is_placeholder = false;
    std::string text;      // the literal, or the placeholder's name
    std::string argument;  // of a placeholder, else empty

    bool operator==(const TemplatePiece&) const = default;
};

struct Template {
    std::string text;  // as written
    std::vector<TemplatePiece> pieces;
    SourcePosition where;

    // Two templates are equal when they read the same, wherever they stand.
    bool operator==(const Template& other) const { return text == other.text; }
    // True if a placeholder of this name occurs.
    [[nodiscard]] bool mentions(const std::string& placeholder) const;
};

// Parses a template. Adds a problem (code "template") for an unknown placeholder, a missing or superfluous argument,
// or an unclosed brace, and then returns what could be read. The known placeholders are query, batch, partition,
// start_offset, end_offset, task, now, try, attempt, task_attempt, uuid, row.COLUMN, instance, config.NAME.
[[nodiscard]] Template parse_template(const std::string& text, const SourcePosition& where,
                                      std::vector<Problem>& problems);

}  // namespace oncecheck

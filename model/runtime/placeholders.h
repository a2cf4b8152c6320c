// What placeholders stand for when a step program really runs, and which names a template can render.
//
// Values are real ones: UUIDs, batch numbers, moments. That two of them are equal follows from the values, not from a
// rule about placeholders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/catalogue/catalogue.h"
#include "model/document/template.h"

namespace oncecheck {

// One execution of a step program. Before a batch is known (on_start) those of the batch have no value, and no template
// names them.
struct PlaceholderValues {
    std::string query;    // persisted identity: a UUID
    std::string attempt;  // fresh for each execution: a UUID; also {uuid}
    std::int64_t batch = 0;
    std::int64_t start_offset = 0;
    std::int64_t end_offset = 0;
    std::int64_t now_milliseconds = 0;  // since 1970, UTC
    std::int64_t attempt_number = 1;    // {try}
    std::int64_t instance = 0;
    const ResolvedSettings* settings = nullptr;  // {config.NAME}; null: left as written
};

// The text with its placeholders replaced. {now} is seconds since 1970; {now:PATTERN} knows yyyy MM dd HH mm ss.
[[nodiscard]] std::string render_text(const Template& text, const PlaceholderValues& values);

// The template can render this name: numbers where it says {batch}, a UUID where it says {attempt}, anything where the
// value is not known beforehand. With `cut`, the name may be the beginning of what it renders.
[[nodiscard]] bool can_render(const Template& text, std::string_view name, bool fold_case, bool cut);

// Every value of the template is a whole number: {batch}, {start_offset}, "12".
[[nodiscard]] bool renders_number(const Template& text);

// The longest beginning that has at most so many bytes, or characters, and ends between two characters.
[[nodiscard]] std::string cut_name(std::string_view name, std::size_t longest, bool in_bytes);
// Characters (code points) of a UTF-8 text.
[[nodiscard]] std::size_t count_characters(std::string_view text);

}  // namespace oncecheck

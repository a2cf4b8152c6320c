// A run as JSON and back, without loss. A run that was written can be replayed, followed and judged elsewhere.
#pragma once

#include <string>

#include "model/runtime/run.h"

namespace oncecheck {

// One object, indented by two, without a newline at its end. Members that have their default value are left out.
[[nodiscard]] std::string run_to_json(const RunRecord& run);
[[nodiscard]] std::string move_to_json(const Move& move);

// Throws InputError (code "run-file") with the JSON pointer of what cannot be read; `file` is for messages.
[[nodiscard]] RunRecord run_from_json(const std::string& text, const std::string& file);
[[nodiscard]] Move move_from_json(const std::string& text, const std::string& file);

}  // namespace oncecheck

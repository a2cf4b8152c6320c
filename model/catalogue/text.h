// Small helpers on ASCII text that several files of this folder need.
//
// Vendor names and versions are ASCII; other bytes pass through unchanged. Nothing here depends on the locale.
#pragma once

#include <string>

namespace oncecheck {

// A to Z become a to z.
[[nodiscard]] std::string to_lower(std::string text);

}  // namespace oncecheck

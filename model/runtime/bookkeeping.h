// The tables that the runtime itself keeps in every place: fencing tokens and positions. They are no objects of the
// document.
#pragma once

#include <string_view>

namespace oncecheck {

inline constexpr std::string_view kFenceTable = "oncecheck_fences";
inline constexpr std::string_view kCreateFenceTable =
    "CREATE TABLE IF NOT EXISTS oncecheck_fences (name text PRIMARY KEY, token text)";
inline constexpr std::string_view kProgressTable = "oncecheck_progress";
inline constexpr std::string_view kCreateProgressTable =
    "CREATE TABLE IF NOT EXISTS oncecheck_progress (name text, process text, position bigint, tags text, "
    "PRIMARY KEY (name, process))";
// Objects whose names begin so are the runtime's.
inline constexpr std::string_view kOwnPrefix = "oncecheck_";

}  // namespace oncecheck

// What the stores of a run are called, for those who speak of them: help texts, messages.
#pragma once

#include <string_view>

#include "model/runtime/sql_text.h"

namespace oncecheck {

// What --store takes, and what runs without it.
inline constexpr const char* kStoreUrlForm = "postgresql://USER@HOST:PORT/DATABASE";
inline constexpr const char* kStoreHelp = "postgresql://...; default SQLite, in the program itself";
inline constexpr const char* kDirectoryHelp = "Keeps logs, checkpoints and SQLite in files; goes on there after a kill";
inline constexpr const char* kServerName = "PostgreSQL";

[[nodiscard]] inline bool is_store_url(std::string_view text) { return text.starts_with("postgresql://"); }

// One transaction at a time: statements never run side by side.
[[nodiscard]] inline bool has_one_writer(Dialect dialect) { return dialect == Dialect::kSqlite; }

}  // namespace oncecheck

// Values and names as SQL text. What both databases of this runtime read alike is written once, here.
//
// Text literals double their quotes (standard_conforming_strings); numbers stand bare, so that rows of constants get
// the types of their columns. Identifiers are quoted unless they are plain, lower-case and no keyword anywhere.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oncecheck {

enum class Dialect { kSqlite, kPostgresql };

// Text of a value, or null.
using SqlValue = std::optional<std::string>;
// The values of one row by column; columns without an entry are null.
using RowValues = std::map<std::string, SqlValue>;

// The name as an SQL identifier that means exactly this name.
[[nodiscard]] std::string quote_name(std::string_view name);
// The name as somebody writes it who does not think of quoting: bare where that can be read at all, for the store to
// fold; else quoted, in lower case. Requires a store that folds to lower case.
[[nodiscard]] std::string unquoted_name(std::string_view name);

// The value as a literal of its type. A number that is none is given as text, for the database to refuse.
[[nodiscard]] std::string quote_value(const SqlValue& value, bool is_number);
[[nodiscard]] std::string quote_text(std::string_view text);

// "a, b, c"
[[nodiscard]] std::string join(const std::vector<std::string>& parts, std::string_view separator);

// ASCII letters in lower case, as PostgreSQL folds names in a database with a multi-byte encoding
// (downcase_identifier in scansup.c).
[[nodiscard]] std::string lower_case(std::string_view text);

// A whole number that fits 64 bits, written without superfluous characters.
[[nodiscard]] bool is_canonical_number(std::string_view text);

}  // namespace oncecheck

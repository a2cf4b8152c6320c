#include "model/runtime/sql_text.h"

#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace oncecheck {

namespace {

// Words that PostgreSQL 15 does not take as the name of a table or column (Appendix C, SQL Key Words: "reserved", also
// those that can be function or type names); those that SQLite knows come from SQLite.
constexpr std::string_view kReservedWords[] = {
    "analyse",      "array",           "asymmetric",     "authorization", "binary",   "both",      "concurrently",
    "current_role", "current_catalog", "current_schema", "current_user",  "false",    "fetch",     "freeze",
    "grant",        "ilike",           "initially",      "lateral",       "leading",  "localtime", "localtimestamp",
    "only",         "overlaps",        "placing",        "session_user",  "similar",  "some",      "symmetric",
    "tablesample",  "trailing",        "true",           "user",          "variadic", "verbose",   "any",
};

bool is_keyword(std::string_view word) {
    return sqlite3_keyword_check(word.data(), static_cast<int>(word.size())) != 0 ||
           std::find(std::begin(kReservedWords), std::end(kReservedWords), word) != std::end(kReservedWords);
}

// Letters, digits and underscores, a letter or underscore first; bytes of other scripts count as letters.
bool is_plain(std::string_view name) {
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (static_cast<unsigned char>(c) & 0x80U);
    };
    return !name.empty() && is_letter(name.front()) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

std::string between(char quote, std::string_view text) {
    std::string quoted(1, quote);
    for (const char c : text) {
        quoted.append(c == quote ? 2 : 1, c);
    }
    return quoted += quote;
}

}  // namespace

std::string quote_name(std::string_view name) {
    return is_plain(name) && lower_case(name) == name && !is_keyword(name) ? std::string(name) : between('"', name);
}

std::string unquoted_name(std::string_view name) {
    const std::string folded = lower_case(name);
    return is_plain(name) && !is_keyword(folded) ? std::string(name) : between('"', folded);
}

std::string quote_text(std::string_view text) { return between('\'', text); }

std::string quote_value(const SqlValue& value, bool is_number) {
    if (!value) {
        return is_number ? "CAST(NULL AS bigint)" : "CAST(NULL AS text)";
    }
    return is_number && is_canonical_number(*value) ? *value : quote_text(*value);
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
    std::string text;
    for (const std::string& part : parts) {
        text.append(text.empty() ? "" : separator).append(part);
    }
    return text;
}

std::string lower_case(std::string_view text) {
    std::string folded(text);
    std::transform(folded.begin(), folded.end(), folded.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return folded;
}

bool is_canonical_number(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && std::to_string(number) == text;
}

}  // namespace oncecheck

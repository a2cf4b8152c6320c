// The text of a SQL file before it is parsed: statements, the placeholders in them, and directives.
//
// The parser takes the grammar of PostgreSQL, in which "stg_{batch}" is no name. So every name that holds a
// placeholder (or is longer than the parser's 63 bytes) is replaced by one character of the private use area, filled
// up with blanks to the same length: locations stay what they were, and `restored` gives the name back. Strings need
// no such thing: '{batch}' is one. Comments count as blanks, but for directives: "-- oncecheck: by executors".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/errors.h"

namespace oncecheck {

// Larger files (code "size") and statements of more tokens (code "nesting") are refused before they are parsed: the
// parser's own recursion over a chain of operators is as deep as the chain is long.
inline constexpr std::size_t kMaxSqlBytes = std::size_t{256} << 10U;
inline constexpr std::size_t kMaxSqlTokens = 4'000;

// What a comment says about its statement: the words after "oncecheck:".
struct SqlDirective {
    std::string words;
    SourcePosition where;
};

struct ScannedStatement {
    std::string text;        // as written, without the semicolon
    std::string parsed;      // the same with names replaced; as long as `text`
    std::size_t offset = 0;  // of both in the file
    std::vector<SqlDirective> directives;
};

class SqlText {
  public:
    // Requires UTF-8. `pointer` goes into every position.
    SqlText(std::string text, std::string file, std::string pointer, std::vector<Problem>& problems);

    // In the order of the file; empty statements are left out.
    [[nodiscard]] const std::vector<ScannedStatement>& statements() const { return statements_; }
    // The name as written, folded to lower case where it is not quoted, that an identifier of the parser stands for.
    [[nodiscard]] std::string restored(const std::string& identifier) const;
    // Linear in the length of the line.
    [[nodiscard]] SourcePosition position(std::size_t offset) const;

  private:
    friend class SqlScanner;

    std::string text_;
    std::string file_;
    std::string pointer_;
    std::vector<std::size_t> lines_;  // where they start
    std::vector<std::string> names_;  // that were replaced
    std::vector<ScannedStatement> statements_;
};

}  // namespace oncecheck

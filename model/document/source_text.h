// The bytes of an input file before anything is made of them: read within a bound, checked to be UTF-8, and mapped
// from offsets to lines and columns.
//
// Lines end with "\n", "\r\n" or "\r"; columns count code points. Both count from 1.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/errors.h"

namespace oncecheck {

// Larger inputs are refused (code "size"); a document of 1,000 processes is well below 1 MB.
inline constexpr std::size_t kMaxFileBytes = std::size_t{16} << 20U;

// The bytes of the file; "-" is standard input. Adds a problem at `where` (code "file", or "size" past the bound)
// and returns nothing if there are none to be had.
[[nodiscard]] std::optional<std::string> read_file(const std::string& path, const SourcePosition& where,
                                                   std::vector<Problem>& problems);

// How a file that a document names is read: as read_file() does. Texts that are in memory can take its place.
using FileReading = std::function<std::optional<std::string>(const std::string& path, const SourcePosition& where,
                                                             std::vector<Problem>& problems)>;

// The offset of the first byte that is not well-formed UTF-8 (RFC 3629); `npos` if there is none.
[[nodiscard]] std::size_t first_invalid_utf8(std::string_view text);

// Adds a problem (code "utf-8") and returns false if the text is not UTF-8.
[[nodiscard]] bool check_utf8(std::string_view text, const std::string& file, std::vector<Problem>& problems);

// One character in UTF-8. Requires a Unicode scalar value.
[[nodiscard]] std::string to_utf8(char32_t character);

// Walks forward through a text and tells line and column. Linear over all calls together.
class TextCursor {
  public:
    explicit TextCursor(std::string_view text) : text_(text) {}

    // Moves to `offset` (at most the length of the text), which must not lie behind.
    void advance_to(std::size_t offset);
    [[nodiscard]] std::size_t offset() const { return offset_; }
    [[nodiscard]] int line() const { return line_; }
    [[nodiscard]] int column() const { return column_; }

  private:
    std::string_view text_;
    std::size_t offset_ = 0;
    int line_ = 1;
    int column_ = 1;
};

}  // namespace oncecheck

#include "checker/report/source_quote.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace oncecheck {

namespace {

// The line of that number, without its end; lines end as in model/document ("\n", "\r\n" or "\r").
std::optional<std::string_view> line_of(std::string_view text, int number) {
    std::size_t start = 0;
    for (int line = 1; line < number; ++line) {
        const std::size_t end = text.find_first_of("\r\n", start);
        if (end == std::string_view::npos) {
            return std::nullopt;
        }
        start = end + (text.substr(end, 2) == "\r\n" ? 2 : 1);
    }
    return text.substr(start, std::min(text.find_first_of("\r\n", start), text.size()) - start);
}

// The line in code points, tabs as blanks.
std::vector<std::string> code_points(std::string_view line) {
    std::vector<std::string> points;
    for (const char byte : line) {
        if (points.empty() || (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U) {
            points.emplace_back();
        }
        points.back() += byte == '\t' ? ' ' : byte;
    }
    return points;
}

// Where the string that starts at `begin` ends, its quote included.
std::size_t end_of_string(const std::vector<std::string>& line, std::size_t begin) {
    for (std::size_t index = begin + 1; index < line.size(); ++index) {
        if (line[index] == "\\") {
            ++index;
        } else if (line[index] == "\"") {
            return index + 1;
        }
    }
    return line.size();
}

// Where the object or list that starts at `begin` ends, if it ends on this line.
std::size_t end_of_brackets(const std::vector<std::string>& line, std::size_t begin) {
    int depth = 0;
    for (std::size_t index = begin; index < line.size(); ++index) {
        if (line[index] == "\"") {
            index = end_of_string(line, index) - 1;
        } else if (line[index] == "{" || line[index] == "[") {
            ++depth;
        } else if ((line[index] == "}" || line[index] == "]") && --depth == 0) {
            return index + 1;
        }
    }
    return line.size();
}

// Where the value that starts at `begin` ends on this line.
std::size_t end_of_value(const std::vector<std::string>& line, std::size_t begin) {
    if (line[begin] == "\"") {
        return end_of_string(line, begin);
    }
    if (line[begin] == "{" || line[begin] == "[") {
        return end_of_brackets(line, begin);
    }
    std::size_t end = begin + 1;
    while (end < line.size() && std::string_view(" ,:{}[]\"=").find(line[end]) == std::string_view::npos) {
        ++end;
    }
    return end;
}

std::string joined(const std::vector<std::string>& points, std::size_t begin, std::size_t end) {
    std::string text;
    for (std::size_t index = begin; index < end; ++index) {
        text += points[index];
    }
    return text;
}

}  // namespace

void quote_source(TextPage& page, std::size_t indent, const std::string& text, const SourcePosition& where) {
    const std::optional<std::string_view> found = where.line > 0 ? line_of(text, where.line) : std::nullopt;
    if (!found || found->find_first_not_of(" \t") == std::string_view::npos) {
        return;
    }
    const std::vector<std::string> line = code_points(*found);
    const std::string number = std::to_string(where.line);
    const std::string margin(indent, ' ');
    const std::size_t room = kPageWidth - std::min(kPageWidth / 2, indent + number.size() + 3);
    const std::size_t mark = where.column > 0 ? static_cast<std::size_t>(where.column) - 1 : line.size();
    // A third of the line stands before the mark where it has to be cut.
    std::size_t begin = 0;
    if (line.size() > room && mark < line.size()) {
        begin = std::min(mark > room / 3 ? mark - room / 3 : 0, line.size() - room);
    }
    const std::size_t end = std::min(line.size(), begin + room);
    const std::string head(begin > 0 ? "..." : "");
    const std::string tail(end < line.size() ? "..." : "");
    const std::string shown = head + joined(line, begin + head.size(), end - tail.size()) + tail;
    page.line(margin + inked(Ink::kDim, number + " |") + ' ' + shown);
    if (mark < end) {
        const std::size_t length = std::min(end_of_value(line, mark), end) - mark;
        page.line(margin + std::string(number.size(), ' ') + inked(Ink::kDim, " |") + ' ' +
                  std::string(mark - begin, ' ') + inked(Ink::kBad, '^' + std::string(length - 1, '~')));
    }
}

}  // namespace oncecheck

#include "model/document/config_file.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "model/document/problems.h"
#include "model/document/source_text.h"

namespace oncecheck {

namespace {

constexpr std::string_view kBlanks = " \t\f";

// One logical line: lines that end in a backslash go on in the next one, whose leading blanks are dropped.
struct LogicalLine {
    std::string text;
    int line = 0;
    int column = 0;
};

bool ends_in_odd_backslashes(std::string_view line) {
    const std::size_t last = line.find_last_not_of('\\');
    return (line.size() - (last == std::string_view::npos ? 0 : last + 1)) % 2 == 1;
}

// Reads characters of one logical line, escapes included.
class PropertyScanner {
  public:
    PropertyScanner(const LogicalLine& line, const std::string& file, std::vector<Problem>& problems)
        : text_(line.text), where_{file, line.line, line.column, ""}, problems_(problems) {}

    // Up to the first '=', ':' or blank that is not escaped.
    std::string key() {
        std::string key;
        while (at_ < text_.size() && std::string_view("=: \t\f").find(text_[at_]) == std::string_view::npos) {
            append_character(key);
        }
        skip_blanks();
        if (at_ < text_.size() && (text_[at_] == '=' || text_[at_] == ':')) {
            ++at_;
            skip_blanks();
        }
        return key;
    }

    std::string rest() {
        std::string value;
        while (at_ < text_.size()) {
            append_character(value);
        }
        return value;
    }

  private:
    void skip_blanks() {
        while (at_ < text_.size() && kBlanks.find(text_[at_]) != std::string_view::npos) {
            ++at_;
        }
    }

    void append_character(std::string& target) {
        const char character = text_[at_++];
        if (character != '\\' || at_ == text_.size()) {
            target += character == '\\' ? "" : std::string(1, character);
            return;
        }
        const char escaped = text_[at_++];
        switch (escaped) {
            case 't':
                target += '\t';
                break;
            case 'n':
                target += '\n';
                break;
            case 'r':
                target += '\r';
                break;
            case 'f':
                target += '\f';
                break;
            case 'u':
                append_unicode(target);
                break;
            default:
                target += escaped;
        }
    }

    // \uXXXX is a UTF-16 unit; two of them may make one character.
    void append_unicode(std::string& target) {
        const std::optional<char32_t> unit = hexadecimal();
        char32_t character = unit.value_or(0);
        bool good = unit.has_value();
        if (good && character >= 0xD800 && character <= 0xDBFF && text_.compare(at_, 2, "\\u") == 0) {
            at_ += 2;
            const std::optional<char32_t> low = hexadecimal();
            good = low && *low >= 0xDC00 && *low <= 0xDFFF;
            character = good ? 0x10000 + ((character - 0xD800) << 10U) + (*low - 0xDC00) : 0;
        } else if (character >= 0xD800 && character <= 0xDFFF) {
            good = false;
        }
        if (good) {
            target += to_utf8(character);
        } else {
            add_problem(problems_, {"syntax", where_, "a malformed \\u escape", "\\u and four hexadecimal digits", ""});
        }
    }

    std::optional<char32_t> hexadecimal() {
        constexpr std::string_view kDigits = "0123456789abcdef";
        char32_t value = 0;
        for (int count = 0; count < 4; ++count, ++at_) {
            if (at_ >= text_.size()) {
                return std::nullopt;
            }
            const char character = text_[at_];
            const char lower =
                character >= 'A' && character <= 'F' ? static_cast<char>(character - 'A' + 'a') : character;
            const std::size_t digit = kDigits.find(lower);
            if (digit == std::string_view::npos) {
                return std::nullopt;
            }
            value = value * 16 + static_cast<char32_t>(digit);
        }
        return value;
    }

    std::string_view text_;
    SourcePosition where_;
    std::vector<Problem>& problems_;
    std::size_t at_ = 0;
};

// Splits into natural lines and joins the continued ones. Comments and empty lines are left out.
std::vector<LogicalLine> logical_lines(std::string_view text) {
    std::vector<LogicalLine> lines;
    bool continued = false;
    int number = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
        const std::string_view line = text.substr(at, end - at);
        at = end + (text.substr(end, 2) == "\r\n" ? 2 : 1);
        ++number;
        const std::size_t start = line.find_first_not_of(kBlanks);
        const std::string_view content = start == std::string_view::npos ? "" : line.substr(start);
        if (!continued) {
            if (content.empty() || content.front() == '#' || content.front() == '!') {
                continue;
            }
            lines.push_back({"", number, static_cast<int>(start) + 1});
        }
        continued = ends_in_odd_backslashes(content);
        lines.back().text += content.substr(0, content.size() - (continued ? 1 : 0));
    }
    return lines;
}

bool ends_with(const std::string& text, std::string_view end) { return std::string_view(text).ends_with(end); }

}  // namespace

Settings parse_properties(const std::string& text, const std::string& file, bool trim, std::vector<Problem>& problems) {
    Settings settings;
    if (!check_utf8(text, file, problems)) {
        return settings;
    }
    for (const LogicalLine& line : logical_lines(text)) {
        PropertyScanner scanner(line, file, problems);
        const std::string key = scanner.key();
        std::string value = scanner.rest();
        if (trim) {
            value.erase(value.find_last_not_of(" \t\f\r\n") + 1);
        }
        const SourcePosition where{file, line.line, line.column, key};
        const auto [existing, added] = settings.try_emplace(key, Setting{Setting::Kind::kString, value, where});
        if (!added) {
            add_problem(problems,
                        {"duplicate-key", where, "the setting " + in_quotes(key) + " is here for the second time",
                         "each setting once", "the first is at " + to_string(existing->second.where)});
        }
    }
    return settings;
}

Settings read_config_file(const std::string& path, const SourcePosition& named_at, std::vector<Problem>& problems,
                          const FileReading& read) {
    const bool spark_defaults = ends_with(path, ".conf");
    if (!spark_defaults && !ends_with(path, ".properties")) {
        add_problem(problems,
                    {"unsupported", named_at, "this version cannot read the configuration file '" + path + "'",
                     "a .properties file or spark-defaults.conf", "put its settings under 'config'"});
        return {};
    }
    const std::optional<std::string> text = read(path, named_at, problems);
    return text ? parse_properties(*text, path, spark_defaults, problems) : Settings{};
}

}  // namespace oncecheck

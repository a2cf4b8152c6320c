#include "model/document/sql_text.h"

#include <algorithm>
#include <utility>

#include "model/document/problems.h"
#include "model/document/source_text.h"

namespace oncecheck {

namespace {

// The private use area of the basic plane: three bytes each in UTF-8, and letters to the parser.
constexpr char32_t kFirstPrivate = 0xE000;
constexpr std::size_t kMaxNames = 6'000;
constexpr std::size_t kPrivateBytes = 3;
// The parser cuts identifiers to this length (NAMEDATALEN - 1).
constexpr std::size_t kMaxIdentifier = 63;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool starts_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

bool continues_word(char c) { return starts_word(c) || is_digit(c) || c == '$'; }

// Lower case outside of placeholders.
std::string folded(std::string name) {
    bool inside = false;
    for (char& c : name) {
        inside = c == '{' || (inside && c != '}');
        c = !inside && c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return name;
}

std::string trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_blank(text.back())) {
        text.remove_suffix(1);
    }
    return std::string(text);
}

}  // namespace

// Walks through the text once.
class SqlScanner {
  public:
    SqlScanner(SqlText& result, std::vector<Problem>& problems)
        : result_(result), text_(result.text_), problems_(problems) {}

    void scan() {
        parsed_ = text_;
        at_ = text_.starts_with("\xEF\xBB\xBF") ? 3 : 0;  // a byte order mark
        while (at_ < text_.size() && problems_.size() < kMaxProblems) {
            if (is_blank(text_[at_])) {
                ++at_;
            } else if (text_.compare(at_, 2, "--") == 0) {
                line_comment();
            } else if (text_.compare(at_, 2, "/*") == 0) {
                block_comment();
            } else if (text_[at_] == ';') {
                end_statement();
                ++at_;
            } else {
                token();
            }
        }
        end_statement();
        for (const SqlDirective& directive : directives_) {
            problem("sql", directive.where, "this directive has no statement", "a statement after it");
        }
    }

  private:
    void problem(const char* code, const SourcePosition& where, std::string message, std::string expected) {
        add_problem(problems_, {code, where, std::move(message), std::move(expected), ""});
    }

    void line_comment() {
        const std::size_t end = std::min(text_.find_first_of("\r\n", at_), text_.size());
        const std::string words = trimmed(std::string_view(text_).substr(at_ + 2, end - at_ - 2));
        constexpr std::string_view kMark = "oncecheck:";
        if (words.starts_with(kMark)) {
            directives_.push_back({trimmed(std::string_view(words).substr(kMark.size())), result_.position(at_)});
        }
        at_ = end;
    }

    // Comments of this kind nest.
    void block_comment() {
        const std::size_t start = at_;
        int depth = 0;
        do {
            const std::size_t next = text_.find_first_of("*/", at_);
            if (next == std::string::npos) {
                problem("syntax", result_.position(start), "this comment is not closed", "'*/'");
                at_ = text_.size();
                return;
            }
            const bool opens = text_.compare(next, 2, "/*") == 0;
            const bool closes = text_.compare(next, 2, "*/") == 0;
            depth += opens ? 1 : closes ? -1 : 0;
            at_ = next + (opens || closes ? 2 : 1);
        } while (depth > 0);
    }

    void token() {
        if (tokens_ == 0) {
            start_ = at_;
        }
        ++tokens_;
        const std::size_t begin = at_;
        const char c = text_[at_];
        if (c == '\'') {
            const bool after_e = at_ == end_ && end_ == previous_ + 1 && (text_[previous_] | 0x20) == 'e';
            quoted(tokens_ > 1 && after_e);
        } else if (c == '"') {
            quoted_name();
        } else if (c == '$' && dollar_quoted()) {
            // done
        } else if (starts_word(c) || is_digit(c) || c == '{') {
            word();
        } else {
            ++at_;
        }
        previous_ = begin;
        end_ = at_;
    }

    // To behind the closing quote; a doubled one is part of the string.
    void quoted(bool escapes) {
        const std::size_t start = at_;
        const char quote = text_[at_++];
        const std::string doubled(2, quote);
        while (at_ < text_.size()) {
            const bool escaped = escapes && text_[at_] == '\\';
            if (escaped || text_.compare(at_, 2, doubled) == 0) {
                at_ += 2;
            } else if (text_[at_] != quote) {
                ++at_;
            } else {
                ++at_;
                return;
            }
        }
        at_ = text_.size();
        problem("syntax", result_.position(start), "this quotation is not closed", std::string("a closing ") + quote);
    }

    void quoted_name() {
        const std::size_t start = at_;
        quoted(false);
        std::string name;
        for (std::size_t index = start + 1; index + 1 < at_; ++index) {
            name += text_[index];
            index += text_[index] == '"' ? 1 : 0;
        }
        if (name.find('{') != std::string::npos || name.size() > kMaxIdentifier) {
            replace(start, name);
        }
    }

    // $tag$ ... $tag$; false if this is none.
    bool dollar_quoted() {
        std::size_t end = at_ + 1;
        while (end < text_.size() && continues_word(text_[end]) && text_[end] != '$') {
            ++end;
        }
        if (end >= text_.size() || text_[end] != '$' || is_digit(text_[at_ + 1])) {
            return false;
        }
        const std::string tag = text_.substr(at_, end + 1 - at_);
        const std::size_t close = text_.find(tag, end + 1);
        if (close == std::string::npos) {
            problem("syntax", result_.position(at_), "this quotation is not closed", in_quotes(tag));
        }
        at_ = close == std::string::npos ? text_.size() : close + tag.size();
        return true;
    }

    // A name, a keyword or a number, with the placeholders in it.
    void word() {
        const std::size_t start = at_;
        bool has_placeholder = false;
        while (at_ < text_.size() && (continues_word(text_[at_]) || text_[at_] == '{')) {
            if (text_[at_] != '{') {
                ++at_;
                continue;
            }
            has_placeholder = true;
            const std::size_t end = text_.find_first_of("{}'\";\r\n", at_ + 1);
            if (end == std::string::npos || text_[end] != '}') {
                problem("template", result_.position(at_), "this '{' is not closed", "a placeholder such as {batch}");
                at_ = std::min(end, text_.size());
                return;
            }
            at_ = end + 1;
        }
        const std::string name = text_.substr(start, at_ - start);
        if (has_placeholder || (name.size() > kMaxIdentifier && !is_digit(name.front()))) {
            replace(start, folded(name));
        }
    }

    // Puts one character for the name from `start` to here.
    void replace(std::size_t start, const std::string& name) {
        if (at_ - start < kPrivateBytes) {
            problem("template", result_.position(start), "this placeholder is empty", "a placeholder such as {batch}");
            return;
        }
        std::vector<std::string>& names = result_.names_;
        const auto known = std::find(names.begin(), names.end(), name);
        const std::size_t index = static_cast<std::size_t>(known - names.begin());
        if (known == names.end()) {
            if (names.size() == kMaxNames) {
                problem("size", result_.position(start), "there are too many names with placeholders", "");
                return;
            }
            names.push_back(name);
        }
        std::string shown = to_utf8(kFirstPrivate + static_cast<char32_t>(index));
        shown.resize(at_ - start, ' ');
        parsed_.replace(start, shown.size(), shown);
    }

    void end_statement() {
        if (tokens_ > kMaxSqlTokens) {
            problem("nesting", result_.position(start_), "this statement is too long",
                    "at most " + std::to_string(kMaxSqlTokens) + " words and signs");
        } else if (tokens_ > 0) {
            result_.statements_.push_back(
                {text_.substr(start_, end_ - start_), parsed_.substr(start_, end_ - start_), start_, directives_});
        }
        if (tokens_ > 0) {
            directives_.clear();
        }
        tokens_ = 0;
    }

    SqlText& result_;
    const std::string& text_;
    std::string parsed_;
    std::vector<Problem>& problems_;
    std::vector<SqlDirective> directives_;
    std::size_t at_ = 0;
    std::size_t start_ = 0;     // of the statement
    std::size_t previous_ = 0;  // where its last token starts
    std::size_t end_ = 0;       // ... and ends
    std::size_t tokens_ = 0;    // of the statement
};

SqlText::SqlText(std::string text, std::string file, std::string pointer, std::vector<Problem>& problems)
    : text_(std::move(text)), file_(std::move(file)), pointer_(std::move(pointer)), lines_{0} {
    for (std::size_t at = 0; at < text_.size(); ++at) {
        const bool ends_line = text_[at] == '\n' || (text_[at] == '\r' && text_.compare(at + 1, 1, "\n") != 0);
        if (ends_line) {
            lines_.push_back(at + 1);
        }
        const bool is_private = static_cast<unsigned char>(text_[at]) == 0xEE ||
                                (static_cast<unsigned char>(text_[at]) == 0xEF && at + 1 < text_.size() &&
                                 static_cast<unsigned char>(text_[at + 1]) <= 0xA3);
        if (text_[at] == '\0' || is_private) {
            add_problem(problems, {"syntax", position(at), "this character has no place in SQL",
                                   "text without NUL and without characters of the private use area", ""});
            return;
        }
    }
    SqlScanner(*this, problems).scan();
}

std::string SqlText::restored(const std::string& identifier) const {
    for (std::size_t index = 0; identifier.size() == kPrivateBytes && index < names_.size(); ++index) {
        if (to_utf8(kFirstPrivate + static_cast<char32_t>(index)) == identifier) {
            return names_[index];
        }
    }
    return identifier;
}

SourcePosition SqlText::position(std::size_t offset) const {
    const auto next = std::upper_bound(lines_.begin(), lines_.end(), offset);
    const std::size_t start = *std::prev(next);
    TextCursor cursor(std::string_view(text_).substr(start));
    cursor.advance_to(offset - start);
    return {file_, static_cast<int>(next - lines_.begin()), cursor.column(), pointer_};
}

}  // namespace oncecheck

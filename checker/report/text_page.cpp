#include "checker/report/text_page.h"

#include <algorithm>

namespace oncecheck {

namespace {

struct InkMark {
    Ink ink;
    char mark;
    const char* escape;  // ECMA-48, "select graphic rendition"
};
constexpr InkMark kMarks[] = {
    {Ink::kBold, '\x01', "\x1b[1m"},   {Ink::kDim, '\x02', "\x1b[2m"},   {Ink::kGood, '\x03', "\x1b[32m"},
    {Ink::kBad, '\x04', "\x1b[1;31m"}, {Ink::kOpen, '\x05', "\x1b[33m"},
};
constexpr char kEnd = '\x06';
constexpr const char* kEndEscape = "\x1b[0m";

bool is_mark(char character) { return character >= '\x01' && character <= kEnd; }

bool starts_code_point(char character) { return (static_cast<unsigned char>(character) & 0xC0U) != 0x80U; }

// Replaces what could steer a terminal: C0 controls, DEL, and the C1 controls U+0080 to U+009F.
std::string harmless(std::string_view text) {
    std::string clean;
    for (std::size_t index = 0; index < text.size(); ++index) {
        const auto byte = static_cast<unsigned char>(text[index]);
        const bool c1 = byte == 0xC2U && index + 1 < text.size() && static_cast<unsigned char>(text[index + 1]) < 0xA0U;
        if (byte == '\n' || byte == '\t' || byte == '\r') {
            clean += ' ';
        } else if (c1) {
            clean += '?';
            ++index;
        } else if ((byte < 0x20U && !is_mark(text[index])) || byte == 0x7FU) {
            clean += '?';
        } else {
            clean += text[index];
        }
    }
    return clean;
}

std::string without_blanks_at_end(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

}  // namespace

std::string inked(Ink ink, std::string_view text) {
    const auto* const mark = std::find_if(std::begin(kMarks), std::end(kMarks),
                                          [&](const InkMark& candidate) { return candidate.ink == ink; });
    return mark->mark + std::string(text) + kEnd;
}

std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char character) { return starts_code_point(character) && !is_mark(character); }));
}

std::string padded(const std::string& text, std::size_t width) {
    const std::size_t used = width_of(text);
    return text + std::string(used < width ? width - used : 0, ' ');
}

std::string grouped(std::size_t number) {
    std::string text = std::to_string(number);
    for (std::size_t end = text.size(); end > 3; end -= 3) {
        text.insert(end - 3, ",");
    }
    return text;
}

std::string counted(std::size_t number, const std::string& noun) {
    return grouped(number) + ' ' + noun + (number == 1 ? "" : "s");
}

std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t index = 0; index < words.size(); ++index) {
        if (index > 0) {
            text += index + 1 == words.size() ? " and " : ", ";
        }
        text += words[index];
    }
    return text;
}

void TextPage::paragraph(const std::string& lead, const std::string& text) {
    const std::string indent(width_of(lead), ' ');
    const std::string clean = harmless(text);
    std::string current = harmless(lead);
    bool empty = true;  // no word on the current line yet
    for (std::size_t start = 0; start < clean.size();) {
        const std::size_t end = std::min(clean.find(' ', start), clean.size());
        const std::string word = clean.substr(start, end - start);
        start = end + 1;
        if (!empty && width_of(current) + 1 + width_of(word) > kPageWidth) {
            line(current);
            current = indent;
            empty = true;
        }
        current += (empty ? "" : " ") + word;
        empty = empty && word.empty();
    }
    line(current);
}

void TextPage::line(const std::string& text) { text_ += without_blanks_at_end(harmless(text)) + '\n'; }

void TextPage::blank() {
    if (!text_.empty() && !text_.ends_with("\n\n")) {
        text_ += '\n';
    }
}

void TextPage::section(const std::string& title, const std::vector<std::string>& items) {
    if (items.empty()) {
        return;
    }
    blank();
    line(inked(Ink::kBold, title));
    for (const std::string& item : items) {
        paragraph("  - ", item);
    }
}

std::string TextPage::text(bool colour) const {
    std::string printed;
    for (const char character : text_) {
        if (!is_mark(character)) {
            printed += character;
            continue;
        }
        const auto* const mark = std::find_if(std::begin(kMarks), std::end(kMarks),
                                              [&](const InkMark& candidate) { return candidate.mark == character; });
        if (colour) {
            printed += mark == std::end(kMarks) ? kEndEscape : mark->escape;
        }
    }
    return printed;
}

}  // namespace oncecheck

#include "model/document/source_text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <istream>
#include <system_error>

#include "model/document/problems.h"

namespace oncecheck {

namespace {

std::optional<std::string> read_stream(std::istream& stream, const SourcePosition& where,
                                       std::vector<Problem>& problems) {
    std::string text;
    std::vector<char> block(std::size_t{64} << 10U);
    while (stream) {
        stream.read(block.data(), static_cast<std::streamsize>(block.size()));
        text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
        if (text.size() > kMaxFileBytes) {
            add_problem(problems, {"size", where, "the file is larger than 16 MB", "a smaller file", ""});
            return std::nullopt;
        }
    }
    if (stream.bad()) {
        add_problem(problems, {"file", where, "the file cannot be read", "", ""});
        return std::nullopt;
    }
    return text;
}

// The length of the well-formed sequence that starts the text, or 0. The table is that of RFC 3629, section 4.
std::size_t sequence_length(std::string_view text) {
    struct Form {
        unsigned char first_low, first_high, second_low, second_high;
        std::size_t length;
    };
    static constexpr Form kForms[] = {
        {0x00, 0x7F, 0, 0, 1},       {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
        {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
        {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
    };
    const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
    for (const Form& form : kForms) {
        if (byte(0) < form.first_low || byte(0) > form.first_high) {
            continue;
        }
        if (text.size() < form.length ||
            (form.length > 1 && (byte(1) < form.second_low || byte(1) > form.second_high))) {
            return 0;
        }
        for (std::size_t index = 2; index < form.length; ++index) {
            if (byte(index) < 0x80 || byte(index) > 0xBF) {
                return 0;
            }
        }
        return form.length;
    }
    return 0;
}

}  // namespace

std::optional<std::string> read_file(const std::string& path, const SourcePosition& where,
                                     std::vector<Problem>& problems) {
    if (path == "-") {
        return read_stream(std::cin, where, problems);
    }
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        add_problem(problems, {"file", where, in_quotes(path) + " is a directory", "a file", ""});
        return std::nullopt;
    }
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
        const bool exists = std::filesystem::exists(path, error);
        add_problem(problems, {"file", where,
                               "the file '" + path + (exists ? "' cannot be opened" : "' does not exist"), "", ""});
        return std::nullopt;
    }
    return read_stream(stream, where, problems);
}

std::size_t first_invalid_utf8(std::string_view text) {
    for (std::size_t offset = 0; offset < text.size();) {
        const std::size_t length = sequence_length(text.substr(offset, 4));
        if (length == 0) {
            return offset;
        }
        offset += length;
    }
    return std::string_view::npos;
}

bool check_utf8(std::string_view text, const std::string& file, std::vector<Problem>& problems) {
    const std::size_t offset = first_invalid_utf8(text);
    if (offset == std::string_view::npos) {
        return true;
    }
    TextCursor cursor(text);
    cursor.advance_to(offset);
    add_problem(
        problems,
        {"utf-8", {file, cursor.line(), cursor.column(), ""}, "these bytes are not UTF-8", "a text file in UTF-8", ""});
    return false;
}

std::string to_utf8(char32_t character) {
    const auto byte = [](char32_t bits) { return static_cast<char>(static_cast<unsigned char>(bits)); };
    const auto tail = [&](unsigned shift) { return byte(0x80U | ((character >> shift) & 0x3FU)); };
    if (character < 0x80U) {
        return {byte(character)};
    }
    if (character < 0x800U) {
        return {byte(0xC0U | (character >> 6U)), tail(0)};
    }
    if (character < 0x10000U) {
        return {byte(0xE0U | (character >> 12U)), tail(6), tail(0)};
    }
    return {byte(0xF0U | (character >> 18U)), tail(12), tail(6), tail(0)};
}

void TextCursor::advance_to(std::size_t offset) {
    for (const std::size_t end = std::min(offset, text_.size()); offset_ < end; ++offset_) {
        const char character = text_[offset_];
        const bool ends_line =
            character == '\n' || (character == '\r' && (offset_ + 1 == text_.size() || text_[offset_ + 1] != '\n'));
        if (ends_line) {
            ++line_;
            column_ = 1;
        } else if ((static_cast<unsigned char>(character) & 0xC0U) != 0x80U) {
            ++column_;
        }
    }
}

}  // namespace oncecheck

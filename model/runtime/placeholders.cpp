#include "model/runtime/placeholders.h"

#include <algorithm>
#include <ctime>

#include "model/errors.h"
#include "model/runtime/sql_text.h"

namespace oncecheck {

namespace {

constexpr std::size_t kUuidLength = 36;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::string moment_text(std::int64_t milliseconds, const std::string& pattern) {
    const std::time_t seconds = milliseconds / 1000;
    if (pattern.empty()) {
        return std::to_string(seconds);
    }
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    static constexpr struct {
        const char* letters;
        const char* format;
    } kFields[] = {{"yyyy", "%Y"}, {"MM", "%m"}, {"dd", "%d"}, {"HH", "%H"}, {"mm", "%M"}, {"ss", "%S"}};
    std::string text;
    for (std::size_t i = 0; i < pattern.size();) {
        const auto* const field = std::find_if(std::begin(kFields), std::end(kFields), [&](const auto& candidate) {
            return pattern.compare(i, std::string_view(candidate.letters).size(), candidate.letters) == 0;
        });
        if (field == std::end(kFields)) {
            text += pattern[i++];
            continue;
        }
        char buffer[32] = {};
        text.append(buffer, std::strftime(buffer, sizeof buffer, field->format, &parts));
        i += std::string_view(field->letters).size();
    }
    return text;
}

std::string written(const TemplatePiece& piece) {
    const char* const separator = piece.argument.empty() ? "" : piece.text == "now" ? ":" : ".";
    return "{" + piece.text + separator + piece.argument + "}";
}

std::string setting_text(const TemplatePiece& piece, const PlaceholderValues& values) {
    if (values.settings != nullptr) {
        const auto found = values.settings->all().find(piece.argument);
        if (found != values.settings->all().end() && found->second.value) {
            return *found->second.value;
        }
    }
    return written(piece);
}

// Whole numbers, by the placeholder's name.
constexpr struct {
    const char* name;
    std::int64_t PlaceholderValues::*value;
} kNumbers[] = {
    {"batch", &PlaceholderValues::batch},           {"start_offset", &PlaceholderValues::start_offset},
    {"end_offset", &PlaceholderValues::end_offset}, {"try", &PlaceholderValues::attempt_number},
    {"instance", &PlaceholderValues::instance},
};

const auto* find_number(const std::string& name) {
    const auto* const found =
        std::find_if(std::begin(kNumbers), std::end(kNumbers), [&](const auto& number) { return name == number.name; });
    return found == std::end(kNumbers) ? nullptr : found;
}

bool is_identity(const std::string& name) {
    return name == "query" || name == "attempt" || name == "uuid" || name == "task_attempt";
}

std::string value_of(const TemplatePiece& piece, const PlaceholderValues& values) {
    if (const auto* number = find_number(piece.text)) {
        return std::to_string(values.*(number->value));
    }
    if (is_identity(piece.text)) {
        return piece.text == "query" ? values.query : values.attempt;
    }
    if (piece.text == "now") {
        return moment_text(values.now_milliseconds, piece.argument);
    }
    return piece.text == "config" ? setting_text(piece, values) : written(piece);
}

// How a name can go on: the pieces from `index`, against the rest of the name.
class NameMatcher {
  public:
    NameMatcher(const Template& text, bool fold_case, bool cut) : text_(text), fold_case_(fold_case), cut_(cut) {}

    // Recursion is as deep as the template has pieces.
    [[nodiscard]] bool matches(std::size_t index, std::string_view rest) const {
        if (rest.empty() && cut_) {
            return true;
        }
        if (index == text_.pieces.size()) {
            return rest.empty();
        }
        const TemplatePiece& piece = text_.pieces[index];
        if (!piece.is_placeholder) {
            const std::string literal = fold_case_ ? lower_case(piece.text) : piece.text;
            const std::size_t length = std::min(literal.size(), rest.size());
            const bool enough = length == literal.size() || cut_;
            return enough && rest.substr(0, length) == literal.substr(0, length) &&
                   matches(index + 1, rest.substr(length));
        }
        if (is_identity(piece.text)) {
            const std::size_t length = std::min(kUuidLength, rest.size());
            return (length == kUuidLength || cut_) && is_uuid_part(rest.substr(0, length)) &&
                   matches(index + 1, rest.substr(length));
        }
        const bool number = find_number(piece.text) != nullptr;
        for (std::size_t length = number ? 1 : 0; length <= rest.size(); ++length) {
            if (number && !is_digit(rest[length - 1])) {
                return false;
            }
            if (matches(index + 1, rest.substr(length))) {
                return true;
            }
        }
        return false;
    }

  private:
    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static bool is_uuid_part(std::string_view text) {
        return std::all_of(text.begin(), text.end(),
                           [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || c == '-'; });
    }

    const Template& text_;
    bool fold_case_;
    bool cut_;
};

}  // namespace

std::string render_text(const Template& text, const PlaceholderValues& values) {
    std::string rendered;
    for (const TemplatePiece& piece : text.pieces) {
        rendered += piece.is_placeholder ? value_of(piece, values) : piece.text;
    }
    return rendered;
}

bool can_render(const Template& text, std::string_view name, bool fold_case, bool cut) {
    return NameMatcher(text, fold_case, cut).matches(0, name);
}

bool renders_number(const Template& text) {
    if (text.pieces.size() != 1) {
        return false;
    }
    const TemplatePiece& piece = text.pieces.front();
    return piece.is_placeholder ? find_number(piece.text) != nullptr : is_canonical_number(piece.text);
}

std::string cut_name(std::string_view name, std::size_t longest, bool in_bytes) {
    std::size_t end = 0;
    std::size_t characters = 0;
    while (end < name.size()) {
        std::size_t next = end + 1;
        while (next < name.size() && is_continuation(name[next])) {
            ++next;
        }
        if ((in_bytes ? next : characters + 1) > longest) {
            break;
        }
        end = next;
        ++characters;
    }
    return std::string(name.substr(0, end));
}

std::size_t count_characters(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

}  // namespace oncecheck

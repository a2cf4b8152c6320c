#include "model/document/template.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "model/document/problems.h"

namespace oncecheck {

namespace {

enum class Argument { kNone, kOptional, kRequired };

struct Placeholder {
    const char* name;
    Argument argument;
    char separator;  // between name and argument
};

constexpr Placeholder kPlaceholders[] = {
    {"query", Argument::kNone, 0},        {"batch", Argument::kNone, 0},        {"partition", Argument::kNone, 0},
    {"start_offset", Argument::kNone, 0}, {"end_offset", Argument::kNone, 0},   {"task", Argument::kNone, 0},
    {"now", Argument::kOptional, ':'},    {"try", Argument::kNone, 0},          {"attempt", Argument::kNone, 0},
    {"task_attempt", Argument::kNone, 0}, {"uuid", Argument::kNone, 0},         {"row", Argument::kRequired, '.'},
    {"instance", Argument::kNone, 0},     {"config", Argument::kRequired, '.'},
};

std::string usage(const Placeholder& placeholder) {
    const std::string name = placeholder.name;
    switch (placeholder.argument) {
        case Argument::kNone:
            return "{" + name + "}";
        case Argument::kOptional:
            return "{" + name + "} or {" + name + placeholder.separator + "...}";
        case Argument::kRequired:
            return "{" + name + placeholder.separator + "...}";
    }
    return name;
}

std::vector<std::string> placeholder_names() {
    std::vector<std::string> names;
    for (const Placeholder& placeholder : kPlaceholders) {
        names.emplace_back(placeholder.name);
    }
    return names;
}

// Reads what stands between the braces.
TemplatePiece parse_placeholder(std::string_view inside, const SourcePosition& where, std::vector<Problem>& problems) {
    const std::size_t end = inside.find_first_of(".:");
    TemplatePiece piece{true, std::string(inside.substr(0, end)), ""};
    const char separator = end == std::string_view::npos ? '\0' : inside[end];
    if (separator != '\0') {
        piece.argument = inside.substr(end + 1);
    }
    const auto* const known =
        std::find_if(std::begin(kPlaceholders), std::end(kPlaceholders),
                     [&](const Placeholder& placeholder) { return piece.text == placeholder.name; });
    if (known == std::end(kPlaceholders)) {
        const std::vector<std::string> names = placeholder_names();
        add_problem(problems, {"template", where, "there is no placeholder {" + shortened(piece.text) + "}",
                               "one of " + alternatives(names), suggestion(piece.text, names)});
        return piece;
    }
    const bool given = separator != '\0';
    const bool wrong =
        given ? known->argument == Argument::kNone || separator != known->separator || piece.argument.empty()
              : known->argument == Argument::kRequired;
    if (wrong) {
        add_problem(problems,
                    {"template", where, "the placeholder {" + shortened(std::string(inside)) + "} is malformed",
                     usage(*known), ""});
    }
    return piece;
}

}  // namespace

bool Template::mentions(const std::string& placeholder) const {
    return std::any_of(pieces.begin(), pieces.end(),
                       [&](const TemplatePiece& piece) { return piece.is_placeholder && piece.text == placeholder; });
}

Template parse_template(const std::string& text, const SourcePosition& where, std::vector<Problem>& problems) {
    Template result{text, {}, where};
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t brace = text.find_first_of("{}", at);
        if (brace > at) {
            result.pieces.push_back({false, text.substr(at, brace == std::string::npos ? brace : brace - at), ""});
        }
        if (brace == std::string::npos) {
            break;
        }
        const std::size_t end = text.find_first_of("{}", brace + 1);
        if (text[brace] == '}' || end == std::string::npos || text[end] == '{') {
            const char* const message = text[brace] == '}' ? "this '}' closes nothing" : "this '{' is not closed";
            add_problem(problems, {"template", where, "in " + in_quotes(text) + ": " + message,
                                   "placeholders such as {batch}", ""});
            break;
        }
        result.pieces.push_back(
            parse_placeholder(std::string_view(text).substr(brace + 1, end - brace - 1), where, problems));
        at = end + 1;
    }
    return result;
}

}  // namespace oncecheck

#include "checker/export/identifiers.h"

#include <algorithm>
#include <cctype>

namespace oncecheck {

namespace {

constexpr std::size_t kLongest = 80;

bool is_plain(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0; }

}  // namespace

std::string identifier_of(std::string_view name) {
    std::string identifier;
    for (const char letter : name) {
        if (is_plain(letter)) {
            identifier += letter;
        } else if (!identifier.empty() && identifier.back() != '_') {
            identifier += '_';
        }
    }
    if (identifier.empty() || std::isdigit(static_cast<unsigned char>(identifier.front())) != 0) {
        identifier.insert(0, "x");
    }
    identifier.resize(std::min(identifier.size(), kLongest));
    while (identifier.back() == '_') {
        identifier.pop_back();
    }
    return identifier;
}

std::string Identifiers::add(std::string_view name) {
    const std::string base = identifier_of(name);
    std::string identifier = base;
    for (int number = 2; !taken_.insert(identifier).second; ++number) {
        identifier = base + '_' + std::to_string(number);
    }
    return identifier;
}

std::vector<std::string> name_table(const std::vector<std::string>& identifiers,
                                    const std::vector<std::string>& names) {
    std::size_t width = 0;
    for (const std::string& identifier : identifiers) {
        width = std::max(width, identifier.size());
    }
    std::vector<std::string> lines;
    for (std::size_t index = 0; index < identifiers.size(); ++index) {
        lines.push_back(identifiers[index] + std::string(width - identifiers[index].size() + 2, ' ') + names[index]);
    }
    return lines;
}

std::string comment_text(std::string_view text, std::string_view forbidden) {
    std::string result;
    for (const char letter : text) {
        result += std::iscntrl(static_cast<unsigned char>(letter)) != 0 ? ' ' : letter;
    }
    for (std::size_t at = result.find(forbidden); !forbidden.empty() && at != std::string::npos;
         at = result.find(forbidden, at)) {
        result.insert(at + 1, " ");
    }
    return result;
}

}  // namespace oncecheck

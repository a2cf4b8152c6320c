#include "model/errors.h"

namespace oncecheck {

namespace {

std::string joined(const std::vector<Problem>& problems) {
    std::string text;
    for (const Problem& problem : problems) {
        if (!text.empty()) {
            text += '\n';
        }
        text += to_string(problem);
    }
    return text;
}

}  // namespace

std::string to_string(const SourcePosition& position) {
    std::string text = position.file;
    if (position.line > 0) {
        text += ':' + std::to_string(position.line);
        if (position.column > 0) {
            text += ':' + std::to_string(position.column);
        }
    }
    return text;
}

std::string to_string(const Problem& problem) {
    std::string text = to_string(problem.where);
    if (!text.empty()) {
        text += ": ";
    }
    text += "error: " + problem.message;
    if (!problem.where.pointer.empty()) {
        text += " (at " + problem.where.pointer + ")";
    }
    if (!problem.expected.empty()) {
        text += "; expected " + problem.expected;
    }
    if (!problem.hint.empty()) {
        text += "; " + problem.hint;
    }
    return text + " [" + problem.code + "]";
}

InputError::InputError(std::vector<Problem> problems)
    : std::runtime_error(joined(problems)), problems_(std::move(problems)) {}

}  // namespace oncecheck

#include "checker/cli/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "checker/report/problem_text.h"
#include "model/document/source_text.h"

namespace oncecheck {

namespace {

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

}  // namespace

void print_output(const std::string& text) {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!written && errno != EPIPE) {
        throw UsageError(std::string("cannot write to standard output: ") + std::strerror(errno));
    }
}

void print_error(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void print_problems_to_error(const std::vector<Problem>& problems, const KnownTexts& texts) {
    const auto text_of = [&](const std::string& file) {
        const auto known = texts.find(file);
        if (known != texts.end()) {
            return known->second;
        }
        std::vector<Problem> ignored;
        return file == "-" ? std::string() : read_file(file, {}, ignored).value_or("");
    };
    TextPage page;
    print_problems(page, problems, text_of);
    print_error(page.text(wants_colour(ColourChoice::kAuto, stderr)));
}

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) == 1; }

bool wants_colour(ColourChoice choice, std::FILE* stream) {
    switch (choice) {
        case ColourChoice::kAlways:
            return true;
        case ColourChoice::kNever:
            return false;
        case ColourChoice::kAuto:
            return is_terminal(stream) && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
    }
    return false;
}

}  // namespace oncecheck

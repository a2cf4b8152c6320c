#include <sstream>

#include "checker/cli/arguments.h"
#include "checker/cli/command.h"
#include "checker/cli/exit_codes.h"
#include "checker/cli/output.h"
#include "checker/cli/specs_directory.h"
#include "checker/report/text_page.h"

namespace oncecheck {

namespace {

constexpr const char* kEnding = ".md";

// The first sentence of a page, below its title.
std::string summary_of(const std::string& page) {
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && line.front() != '#') {
            const std::size_t end = line.find(". ");
            return line.substr(0, end == std::string::npos ? line.size() : end + 1);
        }
    }
    return "";
}

// "**Staging isolation.**" is a heading within the line; the terminal shows no bold by asterisks.
std::string without_asterisks(std::string text) {
    std::erase(text, '*');
    return text;
}

std::string list_of_rules(const std::string& specs) {
    TextPage page;
    for (const std::string& name : spec_names(specs, "rules", kEnding)) {
        const std::string text = spec_text(specs, "rules", name, kEnding, "rule");
        page.paragraph(padded(name, 26), without_asterisks(summary_of(text)));
    }
    return page.text(false);
}

}  // namespace

int run_rules(const Arguments& arguments) {
    std::string name;
    std::string specs;
    CommandLine line("rules", "Lists the rules that findings and violations name, or prints the page of one.",
                     "oncecheck rules OC-4-staging");
    line.add_option("ID", name, "A rule; without it, all are listed");
    line.add_option("--specs", specs, "The directory of the catalogue")->type_name("DIRECTORY");
    if (!line.read(arguments)) {
        return kExitAsExpected;
    }
    const std::string directory = specs_directory(specs);
    print_output(name.empty() ? list_of_rules(directory) : spec_text(directory, "rules", name, kEnding, "rule"));
    return kExitAsExpected;
}

}  // namespace oncecheck

#include "checker/cli/arguments.h"

#include "checker/cli/output.h"
#include "model/document/reader.h"
#include "model/errors.h"

namespace oncecheck {

namespace {

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
    }
    return names;
}

// What is wrong, an unknown option first: it may be why something else is missing.
std::string explain(const CLI::App& app, const CLI::ParseError& error) {
    for (const std::string& word : app.remaining()) {
        if (word.size() > 1 && word.front() == '-') {
            const std::string name = word.substr(0, word.find('='));
            const std::string nearest = did_you_mean(name, option_names(app));
            return "there is no option '" + name + "'" + (nearest.empty() ? "" : "; did you mean '" + nearest + "'?");
        }
    }
    return error.what();
}

}  // namespace

CommandLine::CommandLine(const std::string& name, const std::string& description, const std::string& example)
    : CLI::App(description, "oncecheck " + name) {
    footer("Example: " + example);
    set_help_flag("-h,--help", "This text");
    set_version_flag("--version", "oncecheck " ONCECHECK_VERSION, "The version");
    get_formatter()->column_width(28);
}

bool CommandLine::read(const Arguments& arguments) {
    try {
        parse(Arguments(arguments.rbegin(), arguments.rend()));  // CLI11 takes them from the back
        return true;
    } catch (const CLI::CallForHelp&) {
        print_output(help());
    } catch (const CLI::CallForVersion& version) {
        print_output(std::string(version.what()) + '\n');
    } catch (const CLI::ParseError& error) {
        throw UsageError(explain(*this, error) + "\nSee '" + get_name() + " --help'.");
    }
    return false;
}

}  // namespace oncecheck

#include <algorithm>
#include <iterator>

#include "checker/cli/command.h"
#include "checker/cli/exit_codes.h"
#include "checker/cli/output.h"
#include "checker/report/text_page.h"
#include "model/document/reader.h"
#include "model/errors.h"

namespace oncecheck {

namespace {

constexpr Command kCommands[] = {
    {"verify", "decide for each requirement whether it holds; print the shortest run that violates it", run_verify},
    {"export", "write the model for other tools (SMT-LIB, Promela, TLA+), runs as ITF, the graph as DOT", run_export},
    {"certify", "check a certificate that verify has written, without its engines", run_certify},
    {"simulate", "run the pipeline on real databases under seeded faults; count what is violated", run_simulate},
    {"replay", "run the counterexamples on a real database, step by step", run_replay},
    {"crossvalidate", "hold the model against the reference runtime, over random pipelines or given ones",
     run_crossvalidate},
    {"components", "list the component types, or explain the settings of one", run_components},
    {"rules", "list the rules, or print the page of one", run_rules},
    {"schema", "print the JSON Schema of pipelines, reports or catalogue files", run_schema},
};

// Commands that are planned, and that some page may already name.
constexpr const char* kLaterCommands[] = {
    "repair", "conditions", "budget", "diff", "mutate", "import", "init",
};

std::string program_help() {
    TextPage page;
    page.line("oncecheck " ONCECHECK_VERSION ": does each record take effect exactly once?");
    page.blank();
    page.line("Usage: oncecheck COMMAND [OPTIONS] ...");
    page.blank();
    page.line("Commands");
    for (const Command& command : kCommands) {
        page.paragraph("  " + padded(command.name, 12), command.summary);
    }
    page.blank();
    page.line("Options");
    page.line("  --help      this text; 'oncecheck COMMAND --help' explains a command");
    page.line("  --version   the version");
    page.blank();
    page.line("Exit codes");
    page.line("  0   every verdict is the expected one    1   a verdict is not");
    page.line("  2   bad usage or bad input               3   none is wrong, but something is undecided");
    page.line("  4   an error of oncecheck itself         130 interrupted");
    page.blank();
    page.line("Example: oncecheck verify pipeline.json");
    return page.text(false);
}

[[noreturn]] void throw_unknown_command(const std::string& name) {
    if (std::find(std::begin(kLaterCommands), std::end(kLaterCommands), name) != std::end(kLaterCommands)) {
        throw UsageError("the command '" + name + "' is not in this version");
    }
    std::vector<std::string> names;
    for (const Command& command : kCommands) {
        names.emplace_back(command.name);
    }
    const std::string nearest = did_you_mean(name, names);
    const char* const kind = name.starts_with('-') ? "option" : "command";
    throw UsageError(std::string("there is no ") + kind + " '" + name + "'" +
                     (nearest.empty() ? "; see 'oncecheck --help'" : "; did you mean '" + nearest + "'?"));
}

int dispatch(const Arguments& arguments) {
    if (arguments.empty()) {
        print_error(program_help());
        return kExitBadInput;
    }
    const std::string& name = arguments.front();
    if (name == "--help" || name == "-h") {
        print_output(program_help());
        return kExitAsExpected;
    }
    if (name == "--version") {
        print_output("oncecheck " ONCECHECK_VERSION "\n");
        return kExitAsExpected;
    }
    for (const Command& command : kCommands) {
        if (name == command.name) {
            return command.run(Arguments(arguments.begin() + 1, arguments.end()));
        }
    }
    throw_unknown_command(name);
}

}  // namespace

int run_program(const Arguments& arguments) {
    int code = kExitAsExpected;
    const int failure = guarded([&] { code = dispatch(arguments); });
    return worse(code, failure);
}

}  // namespace oncecheck

// A command of the program: `oncecheck NAME ARGUMENTS`. Each has a file of its own (NAME_command.cpp) and a row in the
// table of commands.cpp. Only this folder prints, and only this folder knows CLI11.
#pragma once

#include <string>
#include <vector>

namespace oncecheck {

using Arguments = std::vector<std::string>;

struct Command {
    const char* name;
    const char* summary;  // for the list of commands
    // Takes what follows the command's name and returns the exit code. Throws UsageError, InputError, and whatever
    // verification throws.
    int (*run)(const Arguments& arguments);
};

int run_verify(const Arguments& arguments);
int run_export(const Arguments& arguments);
int run_crossvalidate(const Arguments& arguments);
int run_simulate(const Arguments& arguments);
int run_certify(const Arguments& arguments);
int run_components(const Arguments& arguments);
int run_replay(const Arguments& arguments);
int run_rules(const Arguments& arguments);
int run_schema(const Arguments& arguments);

// Runs the command that the arguments name and turns whatever it throws into a message on standard error and an exit
// code (exit_codes.h).
[[nodiscard]] int run_program(const Arguments& arguments);

}  // namespace oncecheck

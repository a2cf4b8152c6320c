#include "checker/cli/arguments.h"
#include "checker/cli/command.h"
#include "checker/cli/exit_codes.h"
#include "checker/cli/output.h"
#include "checker/cli/specs_directory.h"

namespace oncecheck {

int run_schema(const Arguments& arguments) {
    std::string name = "pipeline";
    std::string specs;
    CommandLine line("schema", "Prints a JSON Schema (draft-07), for editors and other tools.",
                     "oncecheck schema report > report.schema.json");
    line.add_option("NAME", name, "pipeline (the default), report or catalogue");
    line.add_option("--specs", specs, "The directory of the catalogue")->type_name("DIRECTORY");
    if (line.read(arguments)) {
        print_output(spec_text(specs_directory(specs), "schema", name, ".schema.json", "schema"));
    }
    return kExitAsExpected;
}

}  // namespace oncecheck

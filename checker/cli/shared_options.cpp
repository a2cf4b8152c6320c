#include "checker/cli/shared_options.h"

#include "checker/cli/command.h"

namespace oncecheck {

CLI::Validator between(int low, int high) {
    CLI::Validator range = CLI::Range(low, high);
    range.description("");
    return range;
}

void add_size_options(CLI::App& app, UniverseSize& size) {
    app.add_option("--records", size.records, "Records a batch, 1 to 4; default 2")
        ->check(between(1, 4))
        ->type_name("N");
    app.add_option("--batches", size.batches, "Batches, 1 to 4; default 2")->check(between(1, 4))->type_name("N");
    app.add_option("--attempts", size.attempts, "Live incarnations of one process, 1 to 3; default 2")
        ->check(between(1, 3))
        ->type_name("N");
}

void add_set_option(CLI::App& app, std::vector<std::string>& set) {
    app.add_option("--set", set, "Another value for a name under 'let'; repeatable")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
}

ReadOptions with_values(const std::vector<std::string>& set) {
    ReadOptions options;
    for (const std::string& text : set) {
        const std::size_t equals = text.find('=');
        if (equals == 0 || equals == std::string::npos) {
            throw UsageError("--set: '" + text + "' is not of the form NAME=VALUE");
        }
        options.set.insert_or_assign(text.substr(0, equals), text.substr(equals + 1));
    }
    return options;
}

}  // namespace oncecheck

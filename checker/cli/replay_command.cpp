// read the document -> find the runs that violate a requirement, or read one -> run each on the reference runtime
//
// Exit code: 0 all confirmed, 1 one refuted, 3 one needs another store and none is refuted.

#include <algorithm>

#include "checker/cli/arguments.h"
#include "checker/cli/command.h"
#include "checker/cli/exit_codes.h"
#include "checker/cli/new_files.h"
#include "checker/cli/output.h"
#include "checker/cli/progress_line.h"
#include "checker/cli/shared_options.h"
#include "checker/cli/specs_directory.h"
#include "checker/cli/variants.h"
#include "checker/crossvalidate/replay_text.h"
#include "checker/crossvalidate/trace_file.h"
#include "model/document/reader.h"
#include "model/document/source_text.h"
#include "model/runtime/run_json.h"
#include "model/runtime/store_names.h"

namespace oncecheck {

namespace {

struct ReplayCommandOptions {
    std::string file;
    std::string requirement;
    std::string trace;
    std::string save;
    std::string variant = "base";
    std::string specs;
    VerifyOptions verify;
    RuntimeOptions runtime;
    bool force = false;
    bool quiet = false;
};

void add_options(CLI::App& line, ReplayCommandOptions& options) {
    line.add_option("FILE", options.file, "A pipeline document; - is standard input")->required()->type_name("");
    line.add_option("--requirement", options.requirement, "Only this one: its kind, its target, or both")
        ->type_name("NAME");
    line.add_option("--trace", options.trace, "Runs a trace, or a run that 'simulate --run' wrote, from a file")
        ->type_name("FILE");
    line.add_option("--save", options.save, "Writes the first counterexample to a file, for --trace")
        ->type_name("FILE");
    line.add_option("--store", options.runtime.store, kStoreHelp)->type_name("URL");
    line.add_flag("--use-existing", options.runtime.use_existing,
                  "Runs beside tables of the same names in other schemas of the store");
    line.add_option("--variant", options.variant, "This variant; default base, the document itself")->type_name("NAME");
    add_size_options(line, options.verify.size);
    line.add_option("--specs", options.specs, "The directory of the catalogue")->type_name("DIRECTORY");
    line.add_flag("--force", options.force, "Overwrites a file that is there");
    line.add_flag("--quiet", options.quiet, "No progress on standard error");
}

void interpret(const ReplayCommandOptions& options) {
    const std::string& store = options.runtime.store;
    if (!store.empty() && !is_store_url(store)) {
        throw UsageError("--store: '" + store + "' is not of the form " + kStoreUrlForm);
    }
}

std::string text_of(const std::string& file) {
    std::vector<Problem> problems;
    const std::optional<std::string> text = read_file(file, {file, 0, 0, ""}, problems);
    if (!text) {
        throw InputError(problems);
    }
    return *text;
}

bool is_meant(const ResolvedRequirement& requirement, const std::string& name) {
    return name.empty() || name == to_string(requirement.kind) || name == requirement.target ||
           name == name_of(requirement);
}

// Throws UsageError for a name that no requirement has.
void check_name(const Pipeline& pipeline, const std::string& name) {
    std::vector<std::string> names;
    for (const ResolvedRequirement& requirement : pipeline.requirements) {
        if (is_meant(requirement, name)) {
            return;
        }
        names.push_back(name_of(requirement));
    }
    const std::string nearest = did_you_mean(name, names);
    throw UsageError("--requirement: the document has no '" + name + "'" +
                     (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

std::vector<TraceFile> counterexamples(const Pipeline& pipeline, const ReplayCommandOptions& options) {
    if (!options.trace.empty()) {
        return {trace_from_json(text_of(options.trace), options.trace, pipeline, options.verify)};
    }
    check_name(pipeline, options.requirement);
    ProgressLine progress(!options.quiet);
    std::vector<TraceFile> found;
    for (ViolatedRequirement& violated :
         find_violations(pipeline, options.verify, [&](const std::string& status) { progress.show(status); })) {
        for (FoundViolation& violation : violated.violations) {
            if (is_meant(pipeline.requirements[violated.requirement], options.requirement)) {
                found.push_back({violated.requirement, std::move(violation)});
            }
        }
    }
    progress.clear();
    return found;
}

int exit_code_of(ReplayVerdict verdict) {
    switch (verdict) {
        case ReplayVerdict::kConfirmed:
            return kExitAsExpected;
        case ReplayVerdict::kRefuted:
            return kExitNotAsExpected;
        case ReplayVerdict::kNeedsOtherStore:
            break;
    }
    return kExitUndecided;
}

int replay_all(const Pipeline& pipeline, const ReplayCommandOptions& options) {
    const std::vector<TraceFile> traces = counterexamples(pipeline, options);
    if (!options.save.empty() && !traces.empty()) {
        write_new_files({{options.save, trace_to_json(pipeline, traces.front())}}, options.force, {options.file});
    }
    TextPage page;
    if (traces.empty()) {
        page.paragraph("", pipeline.document.pipeline + ": no requirement is violated, there is nothing to replay");
    }
    int code = kExitAsExpected;
    for (const TraceFile& trace : traces) {
        const Replay replay = replay_violation(pipeline, trace.violation, trace.requirement, options.runtime);
        write_replay(pipeline, replay, page);
        code = worse(code, exit_code_of(replay.verdict));
    }
    print_output(page.text(wants_colour(ColourChoice::kAuto, stdout)));
    return code;
}

int replay_document(const ReplayCommandOptions& options) {
    interpret(options);
    const Catalogue catalogue = Catalogue::load(specs_directory(options.specs));
    const Pipeline pipeline = resolve(chosen(read_documents(options.file, {}), options.variant).front(), catalogue);
    if (options.trace.empty() || is_trace(text_of(options.trace))) {
        return replay_all(pipeline, options);
    }
    const RunRecord run = run_from_json(text_of(options.trace), options.trace);
    const Replay replay = replay_run(pipeline, run, options.runtime);
    TextPage page;
    write_replay(pipeline, replay, page);
    print_output(page.text(wants_colour(ColourChoice::kAuto, stdout)));
    return exit_code_of(replay.verdict);
}

}  // namespace

int run_replay(const Arguments& arguments) {
    ReplayCommandOptions options;
    CommandLine line("replay",
                     "Runs the counterexample of each violated requirement on a real database, step by step, and asks "
                     "the sink whether it is true. Exit code 1: one is not; 3: one needs another store.",
                     "oncecheck replay --requirement exactly-once pipeline.json");
    add_options(line, options);
    if (!line.read(arguments)) {
        return kExitAsExpected;
    }
    try {
        return replay_document(options);
    } catch (const NeedsAnotherStore& error) {
        print_error(std::string("oncecheck: ") + error.what() + '\n');
        return kExitUndecided;
    } catch (const StoreError& error) {
        throw UsageError(error.what());
    }
}

}  // namespace oncecheck

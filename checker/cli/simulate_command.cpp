// read the document -> decide which faults can occur -> run seeded schedules on the reference runtime -> report
//
// Faults and patterns of keys are those of `verify`, so that both speak of the same runs. What is only possible beyond
// an unstated bound on a time is left out here.

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
#include "checker/crossvalidate/run_inputs.h"
#include "checker/report/text_page.h"
#include "model/catalogue/catalogue.h"
#include "model/document/reader.h"
#include "model/pipeline/pipeline.h"
#include "model/runtime/run_json.h"
#include "model/runtime/simulate.h"
#include "model/runtime/simulation_json.h"
#include "model/runtime/store_names.h"

namespace oncecheck {

namespace {

struct SimulateCommandOptions {
    std::string file;
    std::string format = "text";
    std::string variant = "base";
    std::vector<std::string> set;
    std::string specs;
    std::string run_file;
    UniverseSize size;
    SimulationOptions simulation;
    bool force = false;
    bool quiet = false;
};

void add_document_options(CLI::App& line, SimulateCommandOptions& options) {
    line.add_option("FILE", options.file, "A pipeline document; - is standard input")->required()->type_name("");
    line.add_option("--variant", options.variant, "This variant; default base, the document itself")->type_name("NAME");
    add_set_option(line, options.set);
    line.add_option("--specs", options.specs, "The directory of the catalogue")->type_name("DIRECTORY");
    line.add_option("--format", options.format, "text|json")->type_name("FORMAT");
    line.add_option("--run", options.run_file, "Writes the first run that violates a requirement to a file, as JSON")
        ->type_name("FILE");
    line.add_flag("--force", options.force, "Overwrites a file that is there");
    line.add_flag("--quiet", options.quiet, "No progress on standard error");
}

void add_schedule_options(CLI::App& line, SimulateCommandOptions& options) {
    SimulationOptions& simulation = options.simulation;
    line.add_option("--runs", simulation.runs, "How many; default 1000")
        ->check(between(1, 100'000'000))
        ->type_name("N");
    line.add_option("--seed", simulation.schedule.seed, "Of the first run, the next has the next; default 0")
        ->type_name("N");
    CLI::Validator share = CLI::Range(0.0, 1.0);
    share.description("");
    line.add_option("--fault-rate", simulation.schedule.fault_rate, "How often a move is a fault, 0 to 1; default 0.05")
        ->check(share)
        ->type_name("R");
    line.add_option("--faults", simulation.schedule.most_faults, "No more faults in a run; default 6")
        ->check(between(0, 1000))
        ->type_name("N");
    line.add_option("--moves", simulation.schedule.most_moves,
                    "After so many moves without faults a run counts as stuck; default 400")
        ->check(between(1, 1'000'000))
        ->type_name("N");
    add_size_options(line, options.size);
    line.add_option("--store", simulation.runtime.store, kStoreHelp)->type_name("URL");
    line.add_option("--directory", simulation.runtime.directory, kDirectoryHelp)->type_name("DIRECTORY");
    line.add_flag("--use-existing", simulation.runtime.use_existing,
                  "Runs beside tables of the same names in other schemas of the store");
}

void interpret(SimulateCommandOptions& options) {
    if (options.format != "text" && options.format != "json") {
        throw UsageError("--format: '" + options.format + "' is none of text|json");
    }
    const RuntimeOptions& runtime = options.simulation.runtime;
    if (!runtime.store.empty() && !is_store_url(runtime.store)) {
        throw UsageError("--store: '" + runtime.store + "' is not of the form " + kStoreUrlForm);
    }
    if (!runtime.store.empty() && !runtime.directory.empty()) {
        throw UsageError("--directory keeps an embedded database; leave out --store");
    }
}

// Violated, and the document does not say that it should be.
bool is_unexpected(const Pipeline& pipeline, const ViolationCount& violation) {
    return pipeline.requirements[violation.requirement].expect != Expectation::kViolated;
}

std::vector<std::string> sentences_about(std::size_t requirement, const SimulationResult& result) {
    std::vector<std::string> sentences;
    for (const ViolationCount& violation : result.violations) {
        if (violation.requirement == requirement) {
            sentences.push_back(violation.flaw + " in " + counted(static_cast<std::size_t>(violation.runs), "run") +
                                ", first with seed " + std::to_string(violation.first_seed) + ": " + violation.example);
        }
    }
    return sentences;
}

std::string sentence_about(const Pipeline& pipeline, const DetectionCount& detection) {
    std::string text = detection.flaw + " (from " + pipeline.component(detection.from).document.name +
                       "): noticed in " + std::to_string(detection.noticed) + " of " +
                       counted(static_cast<std::size_t>(detection.runs), "run");
    if (!detection.moves.empty()) {
        const auto half = static_cast<std::size_t>(median(detection.moves));
        text += ", after " + counted(half, "move") + " (median), " + std::to_string(detection.moves.rbegin()->first) +
                " at most, when " + counted(static_cast<std::size_t>(median(detection.windows)), "more window") +
                " had closed (median), " + std::to_string(detection.windows.rbegin()->first) + " at most";
    }
    if (detection.first_missed_seed) {
        text += "; first missed with seed " + std::to_string(*detection.first_missed_seed);
    }
    return text;
}

void add_reconciliations(TextPage& page, const Pipeline& pipeline, const SimulationResult& result) {
    for (std::size_t index = 0; index < result.reconciliations.size(); ++index) {
        const ResolvedReconciliation& reconciliation = pipeline.reconciliations[index];
        const ReconciliationCount& count = result.reconciliations[index];
        std::vector<std::string> sentences;
        for (const DetectionCount& detection : count.detections) {
            sentences.push_back(sentence_about(pipeline, detection));
        }
        if (count.comparisons == 0) {
            sentences.emplace_back("compared nothing: the table's key is no column of a record");
        } else if (sentences.empty()) {
            sentences.emplace_back("there was nothing to notice");
        }
        sentences.push_back(count.false_alarm_runs == 0
                                ? "no false alarm"
                                : "false alarm in " + counted(static_cast<std::size_t>(count.false_alarm_runs), "run") +
                                      ", first with seed " + std::to_string(count.first_false_seed) + ": " +
                                      count.false_example);
        page.section("Reconciliation " + pipeline.component(reconciliation.component).document.name + ", " +
                         pipeline.component(reconciliation.source).document.name + " with " + reconciliation.target +
                         " by " + to_string(reconciliation.by),
                     sentences);
    }
}

std::string page_of(const Pipeline& pipeline, const SimulationResult& result) {
    TextPage page;
    page.paragraph("", pipeline.document.pipeline + ": " + grouped(static_cast<std::size_t>(result.runs)) +
                           " runs on " + result.product + ", " + grouped(static_cast<std::size_t>(result.moves)) +
                           " moves");
    page.blank();
    for (std::size_t index = 0; index < pipeline.requirements.size(); ++index) {
        const ResolvedRequirement& requirement = pipeline.requirements[index];
        const std::vector<std::string> sentences = sentences_about(index, result);
        const std::string name = std::string(to_string(requirement.kind)) + ' ' + requirement.target;
        page.line(padded(sentences.empty() ? "not seen violated" : "violated", 19) + name);
        for (const std::string& sentence : sentences) {
            page.paragraph("  - ", sentence);
        }
    }
    page.blank();
    std::vector<std::string> faults;
    for (const auto& [kind, times] : result.faults) {
        faults.push_back(kind + ": " + grouped(static_cast<std::size_t>(times)));
    }
    page.section("Faults", faults);
    const int stuck = result.runs - result.complete_runs;
    page.paragraph("", "Runs that violate something: " + grouped(static_cast<std::size_t>(result.violating_runs)) +
                           "; that did not come to an end: " + grouped(static_cast<std::size_t>(stuck)) + '.');
    add_reconciliations(page, pipeline, result);
    return page.text(wants_colour(ColourChoice::kAuto, stdout));
}

// The first run that violates something, made once more.
void write_first_violation(const Pipeline& pipeline, const SimulateCommandOptions& options,
                           const SimulationResult& result) {
    if (options.run_file.empty() || result.violations.empty()) {
        return;
    }
    const auto first =
        std::min_element(result.violations.begin(), result.violations.end(),
                         [](const auto& left, const auto& right) { return left.first_seed < right.first_seed; });
    const auto run = static_cast<int>(first->first_seed - options.simulation.schedule.seed);
    RuntimeOptions runtime_options = options.simulation.runtime;
    runtime_options.directory.clear();
    runtime_options.keep_contents = true;
    Runtime runtime(pipeline, inputs_of(options.simulation, run), runtime_options);
    static_cast<void>(run_schedule(pipeline, runtime, schedule_of(options.simulation, run)));
    write_new_files({{options.run_file, run_to_json(runtime.record()) + '\n'}}, options.force, {options.file});
}

int simulate_document(SimulateCommandOptions& options) {
    interpret(options);
    const Catalogue catalogue = Catalogue::load(specs_directory(options.specs));
    const std::vector<Document> documents = read_documents(options.file, with_values(options.set));
    const Pipeline pipeline = resolve(chosen(documents, options.variant).front(), catalogue);
    options.simulation.inputs = pipeline_inputs(pipeline, options.size);
    options.simulation.patterns = record_patterns(pipeline, options.size);
    ProgressLine progress(!options.quiet);
    const SimulationResult result = simulate(pipeline, options.simulation, [&](const SimulationResult& so_far) {
        progress.show(std::to_string(so_far.runs) + " of " + std::to_string(options.simulation.runs) + " runs, " +
                      std::to_string(so_far.violating_runs) + " violate something");
    });
    progress.clear();
    write_first_violation(pipeline, options, result);
    print_output(options.format == "json" ? simulation_to_json(pipeline, options.simulation, result)
                                          : page_of(pipeline, result));
    const bool unexpected = std::any_of(result.violations.begin(), result.violations.end(),
                                        [&](const ViolationCount& one) { return is_unexpected(pipeline, one); });
    return unexpected ? kExitNotAsExpected : kExitAsExpected;
}

}  // namespace

int run_simulate(const Arguments& arguments) {
    SimulateCommandOptions options;
    CommandLine line("simulate",
                     "Runs a pipeline on real databases under seeded faults and counts the runs that violate a "
                     "requirement. Exit code 1: one that is not expected to be violated was.",
                     "oncecheck simulate --runs 200 --seed 7 pipeline.json");
    add_document_options(line, options);
    add_schedule_options(line, options);
    if (!line.read(arguments)) {
        return kExitAsExpected;
    }
    try {
        return simulate_document(options);
    } catch (const NeedsAnotherStore& error) {
        print_error(std::string("oncecheck: ") + error.what() + '\n');
        return kExitUndecided;
    } catch (const StoreError& error) {
        throw UsageError(error.what());
    }
}

}  // namespace oncecheck

// read the document -> resolve -> render -> write: to standard output, to one file, or into a directory
//
// A document has several transition systems, so most exports are several files and want a directory.

#include <algorithm>
#include <chrono>
#include <optional>

#include "checker/cli/arguments.h"
#include "checker/cli/command.h"
#include "checker/cli/exit_codes.h"
#include "checker/cli/new_files.h"
#include "checker/cli/output.h"
#include "checker/cli/report_files.h"
#include "checker/cli/shared_options.h"
#include "checker/cli/specs_directory.h"
#include "checker/cli/variants.h"
#include "checker/export/exports.h"
#include "model/catalogue/catalogue.h"
#include "model/document/reader.h"
#include "model/pipeline/pipeline.h"

namespace oncecheck {

namespace {

struct ExportCommandOptions {
    std::string file;
    std::string format;
    std::string variant = "base";
    std::vector<std::string> set;
    std::string specs;
    std::string requirement;
    std::string output;
    std::string directory;
    std::string timeout = "10m";
    int steps = -1;
    bool force = false;
    bool no_slice = false;
    ExportOptions render;
};

std::string format_names() {
    std::string text;
    for (const ExportFormat& format : export_formats()) {
        text += (text.empty() ? "" : "|") + std::string(format.name);
    }
    return text;
}

void add_options(CLI::App& line, ExportCommandOptions& options) {
    line.add_option("FILE", options.file, "A pipeline document; - is standard input")->required()->type_name("");
    line.add_option("--to", options.format, format_names())->required()->type_name("FORMAT");
    line.add_option("--output", options.output, "One file, in place of standard output")->type_name("FILE");
    line.add_option("--directory", options.directory, "Where the files go if there are several; made if not there")
        ->type_name("DIRECTORY");
    line.add_flag("--force", options.force, "Overwrites files that are there");
    line.add_option("--requirement", options.requirement, "Only properties of this one: no-loss, no-loss:store.table")
        ->type_name("NAME");
    line.add_option("--steps", options.steps, "smtlib: asks for runs of so many steps, in place of the obligations")
        ->check(between(0, 1000))
        ->type_name("N");
    line.add_option("--variant", options.variant, "This variant; default base, the document itself")->type_name("NAME");
    add_set_option(line, options.set);
    line.add_option("--specs", options.specs, "The directory of the catalogue")->type_name("DIRECTORY");
    add_size_options(line, options.render.plan.size);
    line.add_flag("--no-slice", options.no_slice, "Follows all records together where one would do");
    line.add_option("--timeout", options.timeout, "itf: for all searches together (30s, 5m); default 10m")
        ->type_name("DURATION");
}

const ExportFormat& format_named(const std::string& name) {
    const std::vector<ExportFormat>& formats = export_formats();
    const auto found =
        std::find_if(formats.begin(), formats.end(), [&](const ExportFormat& format) { return name == format.name; });
    if (found == formats.end()) {
        throw UsageError("--to: '" + name + "' is none of " + format_names());
    }
    return *found;
}

void interpret(ExportCommandOptions& options) {
    if (!options.output.empty() && !options.directory.empty()) {
        throw UsageError("--output names one file and --directory a place for several; give one of them");
    }
    if (options.steps >= 0 && options.format != "smtlib") {
        throw UsageError("--steps is for --to smtlib");
    }
    const std::optional<std::int64_t> time = parse_duration(options.timeout);
    if (!time || *time == 0) {
        throw UsageError("--timeout: '" + options.timeout + "' is no duration such as 30s, 5m or 500ms");
    }
    ExportOptions& render = options.render;
    render.plan.slice = !options.no_slice;
    render.limits.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(*time);
    if (!options.requirement.empty()) {
        render.requirement = options.requirement;
    }
    if (options.steps >= 0) {
        render.steps = options.steps;
    }
}

void deliver(const ExportCommandOptions& options, const std::vector<ExportedFile>& files,
             const std::vector<std::string>& inputs) {
    if (!options.directory.empty()) {
        make_directory(options.directory);
        std::vector<NewFile> placed;
        for (const ExportedFile& file : files) {
            placed.push_back({options.directory + '/' + file.name, file.text});
        }
        write_new_files(placed, options.force, inputs);
        std::string list;
        for (const NewFile& file : placed) {
            list += file.path + '\n';
        }
        print_output(list);
        return;
    }
    if (files.size() != 1) {
        throw UsageError("this export is " + std::to_string(files.size()) + " files (" + files.front().name + ", " +
                         files[1].name + (files.size() > 2 ? ", ..." : "") +
                         "); name a place for them with --directory DIRECTORY");
    }
    if (options.output.empty()) {
        print_output(files.front().text);
    } else {
        write_new_files({{options.output, files.front().text}}, options.force, inputs);
    }
}

int export_document(ExportCommandOptions& options) {
    const ExportFormat& format = format_named(options.format);
    interpret(options);
    const Catalogue catalogue = Catalogue::load(specs_directory(options.specs));
    const std::vector<Document> documents = read_documents(options.file, with_values(options.set));
    const Pipeline pipeline = resolve(chosen(documents, options.variant).front(), catalogue);
    std::vector<std::string> inputs = named_config_files(pipeline.document.text, options.file);
    inputs.push_back(options.file);
    const Export result = format.render(pipeline, options.render);
    for (const std::string& undecided : result.undecided) {
        print_error("oncecheck: undecided: " + undecided + '\n');
    }
    if (result.files.empty()) {
        if (options.format != "itf") {
            throw UsageError("the document has nothing to export as " + options.format +
                             ": no process of it is translated, or no property is about it");
        }
        print_error("oncecheck: no run to export: no requirement is seen to be violated\n");
        return result.undecided.empty() ? kExitNotAsExpected : kExitUndecided;
    }
    deliver(options, result.files, inputs);
    return result.undecided.empty() ? kExitAsExpected : kExitUndecided;
}

}  // namespace

int run_export(const Arguments& arguments) {
    ExportCommandOptions options;
    CommandLine line("export", "Writes the model of a pipeline document for other tools, its runs, or its graph.",
                     "oncecheck export --to promela --directory models pipeline.json");
    add_options(line, options);
    return line.read(arguments) ? export_document(options) : kExitAsExpected;
}

}  // namespace oncecheck

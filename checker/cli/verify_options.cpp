#include "checker/cli/verify_options.h"

#include <algorithm>
#include <thread>

#include "checker/cli/arguments.h"
#include "checker/cli/shared_options.h"

namespace oncecheck {

namespace {

template <class Value>
struct Choice {
    const char* name;
    Value value;
};

constexpr Choice<EngineChoice> kEngines[] = {
    {"auto", EngineChoice::kAuto},           {"explicit", EngineChoice::kExplicit}, {"bmc", EngineChoice::kBmc},
    {"induction", EngineChoice::kInduction}, {"spacer", EngineChoice::kSpacer},     {"all", EngineChoice::kAll},
};
constexpr Choice<ColourChoice> kColours[] = {
    {"auto", ColourChoice::kAuto},
    {"always", ColourChoice::kAlways},
    {"never", ColourChoice::kNever},
};

// "a|b|c"
template <class Table>
std::string alternatives(const Table& table) {
    std::string text;
    for (const auto& row : table) {
        text += (text.empty() ? "" : "|") + std::string(row.name);
    }
    return text;
}

template <class Table>
const auto& find_choice(const Table& table, const std::string& option, const std::string& name) {
    const auto found =
        std::find_if(std::begin(table), std::end(table), [&](const auto& row) { return name == row.name; });
    if (found == std::end(table)) {
        throw UsageError(option + ": '" + name + "' is none of " + alternatives(table));
    }
    return *found;
}

// The two sides of NAME=VALUE.
std::pair<std::string, std::string> split(const std::string& option, const std::string& text, const char* form) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos) {
        throw UsageError(option + ": '" + text + "' is not of the form " + form);
    }
    return {text.substr(0, equals), text.substr(equals + 1)};
}

std::chrono::milliseconds duration(const std::string& option, const std::string& text) {
    const std::optional<std::int64_t> milliseconds = parse_duration(text);
    if (!milliseconds || *milliseconds == 0) {
        throw UsageError(option + ": '" + text + "' is no duration such as 30s, 5m or 500ms");
    }
    return std::chrono::milliseconds(*milliseconds);
}

// The check without the words that it adds to the help, which the descriptions say better.
CLI::Validator undescribed(CLI::Validator check) {
    check.description("");
    return check;
}

// What CLI11 only takes as text.
struct RawOptions {
    std::string format = "text";
    std::vector<std::string> outputs;
    std::string engine = "auto";
    std::string colour = "auto";
    std::string timeout;
    std::string variant;
    std::vector<std::string> set;
    bool no_slice = false;
};

void add_report_options(CLI::App& app, VerifyCommandOptions& options, RawOptions& raw) {
    const std::string formats = alternatives(report_formats());
    app.add_option("FILE", options.files, "Pipeline documents; - is standard input")->required()->type_name("");
    app.add_option("--format", raw.format, "Of the report on standard output: " + formats)->type_name("FORMAT");
    app.add_option("--output", raw.outputs, "Writes a report to a file as well; repeatable")
        ->type_name("FORMAT=FILE")
        ->allow_extra_args(false);
    app.add_option("--certificate", options.certificate,
                   "Writes the evidence for each verdict, to be checked by certify; a directory if there are several")
        ->type_name("FILE");
    app.add_flag("--strict", options.strict, "A verdict that holds only on a bound is not as expected");
    app.add_option("--color", raw.colour, "auto|always|never; auto obeys NO_COLOR")->type_name("WHEN");
    app.add_flag("--quiet", options.quiet, "No progress and no log on standard error");
    app.add_flag("--verbose", options.verbose, "Runs to their end, and a log on standard error");
}

void add_document_options(CLI::App& app, VerifyCommandOptions& options, RawOptions& raw) {
    app.add_option("--variant", raw.variant, "Only this variant; base is the document itself")->type_name("NAME");
    app.add_option("--set", raw.set, "Another value for a name under 'let'; repeatable")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    app.add_option("--specs", options.specs, "The directory of the catalogue")->type_name("DIRECTORY");
}

void add_search_options(CLI::App& app, VerifyCommandOptions& options, RawOptions& raw) {
    VerifyOptions& verify = options.verify;
    const unsigned hardware = std::min(std::thread::hardware_concurrency(), 256U);
    verify.jobs = std::max(1, static_cast<int>(hardware));
    app.add_option("--engine", raw.engine, alternatives(kEngines) + "; auto takes what does, all compares them")
        ->type_name("ENGINE");
    add_size_options(app, verify.size);
    app.add_option("--faults", verify.fault_budget, "Searches no run with more faults; default any number")
        ->check(between(0, 1000))
        ->type_name("N");
    app.add_flag("--no-slice", raw.no_slice, "Follows all records together where one would do");
    app.add_option("--jobs", verify.jobs, "Threads; default one a processor")->check(between(1, 256))->type_name("N");
    app.add_option("--timeout", raw.timeout, "For the whole run (30s, 5m); what is open then is undecided; default 10m")
        ->type_name("DURATION");
    app.add_option("--memory", verify.memory_bytes, "For one search (512M, 2G); default 4G")
        ->transform(undescribed(CLI::AsSizeValue(false)))
        ->type_name("SIZE");
}

void check_files(const std::vector<std::string>& files) {
    for (auto file = files.begin(); file != files.end(); ++file) {
        if (std::find(files.begin(), file, *file) != file) {
            throw UsageError("the document '" + *file + "' is named twice");
        }
    }
}

void interpret(const CLI::App& app, const RawOptions& raw, VerifyCommandOptions& options) {
    check_files(options.files);
    options.format = &find_choice(report_formats(), "--format", raw.format);
    for (const std::string& text : raw.outputs) {
        const auto [format, file] = split("--output", text, "FORMAT=FILE");
        options.outputs.push_back({&find_choice(report_formats(), "--output", format), file});
    }
    options.verify.engine = find_choice(kEngines, "--engine", raw.engine).value;
    options.colour = find_choice(kColours, "--color", raw.colour).value;
    if (app.count("--timeout") > 0) {
        options.verify.timeout = duration("--timeout", raw.timeout);
    } else {
        options.verify.timeout = std::chrono::minutes(10);
    }
    if (app.count("--variant") > 0) {
        options.variant = raw.variant;
    }
    for (const std::string& text : raw.set) {
        options.read.set.insert_or_assign(split("--set", text, "NAME=VALUE").first,
                                          split("--set", text, "NAME=VALUE").second);
    }
    options.verify.slice = !raw.no_slice;
}

}  // namespace

std::optional<VerifyCommandOptions> read_verify_options(const Arguments& arguments) {
    VerifyCommandOptions options;
    RawOptions raw;
    CommandLine line("verify",
                     "Decides for each requirement of pipeline documents and their variants whether it holds.",
                     "oncecheck verify --output json=report.json pipeline.json");
    add_report_options(line, options, raw);
    add_document_options(line, options, raw);
    add_search_options(line, options, raw);
    if (!line.read(arguments)) {
        return std::nullopt;
    }
    interpret(line, raw, options);
    return options;
}

}  // namespace oncecheck

// read the documents, or make random ones -> examine each -> a line of JSON each -> the counts
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <thread>

#include "checker/cli/arguments.h"
#include "checker/cli/command.h"
#include "checker/cli/exit_codes.h"
#include "checker/cli/output.h"
#include "checker/cli/progress_line.h"
#include "checker/cli/specs_directory.h"
#include "checker/crossvalidate/campaign.h"
#include "model/document/source_text.h"
#include "model/runtime/store_names.h"

namespace oncecheck {

namespace {

struct CrossvalidateOptions {
    std::vector<std::string> files;
    CampaignOptions campaign;
    std::string output;
    std::string specs;
    bool quiet = false;
};

std::optional<CrossvalidateOptions> read_options(const Arguments& arguments) {
    CrossvalidateOptions options;
    CampaignOptions& campaign = options.campaign;
    ExaminerOptions& examiner = campaign.examiner;
    campaign.jobs = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 256U));
    examiner.verify.jobs = 1;
    examiner.verify.memory_bytes = std::size_t{256} << 20;
    examiner.verify.timeout = std::chrono::seconds(20);
    CommandLine line("crossvalidate",
                     "Holds the model against the reference runtime: random pipelines, or those of the files, under "
                     "random schedules. No run may violate what holds, and every step has to be a step of the model.",
                     "oncecheck crossvalidate --pipelines 50 --schedules 100");
    line.add_option("FILE", options.files, "Pipeline documents instead of random ones")->type_name("");
    line.add_option("--pipelines", campaign.pipelines, "Random pipelines that are run; default 100")
        ->check(CLI::Range(1, 1'000'000))
        ->type_name("N");
    line.add_option("--schedules", examiner.schedules, "Runs of each pipeline; default 200")
        ->check(CLI::Range(1, 1'000'000))
        ->type_name("N");
    line.add_option("--seed", campaign.seed, "Of the first pipeline and schedule; default 1")->type_name("N");
    line.add_option("--records", examiner.verify.size.records, "Records a batch, 1 to 3; default 2")
        ->check(CLI::Range(1, 3))
        ->type_name("N");
    line.add_option("--store", examiner.store, kStoreHelp)->type_name("URL");
    line.add_option("--output", options.output, "A line of JSON for each pipeline, to a new file")->type_name("FILE");
    line.add_option("--jobs", campaign.jobs, "Threads; default one a processor")
        ->check(CLI::Range(1, 256))
        ->type_name("N");
    line.add_option("--specs", options.specs, "The directory of the catalogue")->type_name("DIRECTORY");
    bool as_found = false;
    line.add_flag("--no-shrink", as_found, "Shows a disagreement as it was found, not the smallest like it");
    line.add_flag("--quiet", options.quiet, "No progress on standard error");
    if (!line.read(arguments)) {
        return std::nullopt;
    }
    examiner.shrink = !as_found;
    if (!examiner.store.empty() && !is_store_url(examiner.store)) {
        throw UsageError("--store: '" + examiner.store + "' is not of the form " + kStoreUrlForm);
    }
    return options;
}

std::string counts(const CampaignTotals& totals) {
    std::string text;
    for (const auto& [outcome, pipelines] : totals.outcomes) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", pipelines, outcome);
    }
    return text;
}

std::string summary(const CampaignTotals& totals, const CrossvalidateOptions& options) {
    std::string text = fmt::format("pipelines:  {} (seed {})\n", counts(totals), options.campaign.seed);
    text += fmt::format(
        "schedules:  {}, {} of them complete, {} beyond the universe; {} events, each a step of the model\n",
        totals.schedules, totals.complete, totals.outside, totals.events);
    if (totals.violated_beyond > 0) {
        text += fmt::format(
            "            {} with more incarnations than the universe violate what holds in it; the checker "
            "refutes it with one more\n",
            totals.violated_beyond);
    }
    text += fmt::format("verdicts:   {} hold; {} are violated, {} of them shown by a run\n", totals.holding,
                        totals.violations, totals.shown);
    for (const auto& [flaw, runs] : totals.flaws) {
        text += fmt::format("  {:<14}{} times\n", flaw, runs);
    }
    return text;
}

std::string disagreement_text(const ExaminedPipeline& examined) {
    const Disagreement& found = *examined.disagreement;
    std::string text = fmt::format("\n{} (seed {}): model and runtime disagree ({}), schedule {}\n  {}\n",
                                   examined.name, examined.seed, to_string(found.kind), found.schedule, found.what);
    for (std::size_t move = 0; move < found.moves.size(); ++move) {
        text += fmt::format("  {:>3}  {}\n", move + 1, found.moves[move]);
    }
    return text + found.document;
}

// Lines of JSON go to a file that must not be there yet.
class RecordFile {
  public:
    explicit RecordFile(const std::string& name) : name_(name) {
        if (name.empty()) {
            return;
        }
        if (std::ifstream(name).good()) {
            throw UsageError("--output: '" + name + "' is there already; name a new file");
        }
        stream_.open(name);
        check();
    }

    void add(const ExaminedPipeline& examined) {
        if (!name_.empty()) {
            stream_ << json_line(examined) << '\n' << std::flush;
            check();
        }
    }

  private:
    void check() const {
        if (!stream_) {
            throw UsageError("--output: '" + name_ + "' cannot be written");
        }
    }

    std::string name_;
    std::ofstream stream_;
};

class CrossvalidateRun {
  public:
    CrossvalidateRun(const CrossvalidateOptions& options, const Catalogue& catalogue)
        : options_(options), catalogue_(catalogue), records_(options.output), progress_(!options.quiet) {}

    int run() {
        if (options_.files.empty()) {
            const CampaignOptions& campaign = options_.campaign;
            run_campaign(catalogue_, campaign,
                         [&](const ExaminedPipeline& examined, const CampaignTotals&) { take(examined); });
        } else {
            const Examiner examiner(catalogue_, options_.campaign.examiner);
            for (const std::string& file : options_.files) {
                take(examiner.examine(text_of(file), file, options_.campaign.seed));
            }
        }
        progress_.clear();
        print_output(summary(totals_, options_));
        return disagrees_ ? kExitInternalError : kExitAsExpected;
    }

  private:
    static std::string text_of(const std::string& file) {
        std::vector<Problem> problems;
        const std::optional<std::string> text = read_file(file, {file, 0, 0, ""}, problems);
        if (!text) {
            throw InputError(problems);
        }
        return *text;
    }

    void take(const ExaminedPipeline& examined) {
        totals_.add(examined);
        records_.add(examined);
        if (examined.disagreement) {
            progress_.clear();
            disagrees_ = true;
            print_output(disagreement_text(examined));
        }
        progress_.show(counts(totals_) + fmt::format("; {} schedules", totals_.schedules));
    }

    const CrossvalidateOptions& options_;
    const Catalogue& catalogue_;
    RecordFile records_;
    ProgressLine progress_;
    CampaignTotals totals_;
    bool disagrees_ = false;
};

}  // namespace

int run_crossvalidate(const Arguments& arguments) {
    const std::optional<CrossvalidateOptions> options = read_options(arguments);
    if (!options) {
        return kExitAsExpected;
    }
    const Catalogue catalogue = Catalogue::load(specs_directory(options->specs));
    return CrossvalidateRun(*options, catalogue).run();
}

}  // namespace oncecheck

// read the documents -> check that no output would overwrite them -> verify each document and variant -> report
//
// What goes wrong with one document is printed and does not keep the others from being reported.

#include <algorithm>
#include <chrono>
#include <functional>

#include "checker/certificate/digest.h"
#include "checker/cli/certificate_files.h"
#include "checker/cli/command.h"
#include "checker/cli/contradiction.h"
#include "checker/cli/exit_codes.h"
#include "checker/cli/progress_line.h"
#include "checker/cli/report_files.h"
#include "checker/cli/specs_directory.h"
#include "checker/cli/variants.h"
#include "checker/cli/verify_options.h"
#include "checker/compose/verify.h"
#include "model/catalogue/catalogue.h"
#include "model/document/reader.h"
#include "model/document/source_text.h"
#include "model/pipeline/pipeline.h"

namespace oncecheck {

namespace {

using Clock = std::chrono::steady_clock;

std::string name_of(const Document& document) {
    return document.file + (document.variant.empty() ? "" : ", variant " + document.variant);
}

// Takes the progress away before what was thrown is printed.
struct ClearAtEnd {
    ProgressLine& progress;
    ~ClearAtEnd() { progress.clear(); }
};

class VerifyRun {
  public:
    VerifyRun(const VerifyCommandOptions& options, const Catalogue& catalogue, CertificateFiles* certificates)
        : options_(options),
          catalogue_(catalogue),
          certificates_(certificates),
          started_(Clock::now()),
          progress_(!options.quiet) {}

    int run() {
        for (const std::string& file : options_.files) {
            attempt([&] { read(file); });
        }
        check_report_files(options_.outputs, inputs_);
        for (const Document& document : documents_) {
            attempt([&] { verify_one(document); });
        }
        if (certificates_ != nullptr) {
            certificates_->write(inputs_);
        }
        report();
        return worse(code_, exit_code(reports_, options_.strict));
    }

  private:
    // Runs one part of the work; what it throws is printed and becomes part of the exit code.
    void attempt(const std::function<void()>& work) {
        const int failure = guarded([&] {
            const ClearAtEnd clear{progress_};
            try {
                work();
            } catch (const Contradiction& contradiction) {
                progress_.clear();
                print_contradiction(contradiction, *document_);
                code_ = worse(code_, kExitInternalError);
            } catch (const InputError& error) {
                progress_.clear();
                print_new_problems(error.problems());
                code_ = worse(code_, kExitBadInput);
            }
        });
        code_ = worse(code_, failure);
    }

    // A document and its variants mostly have the same problems.
    void print_new_problems(const std::vector<Problem>& problems) {
        std::vector<Problem> fresh;
        for (const Problem& problem : problems) {
            if (std::find(printed_.begin(), printed_.end(), problem) == printed_.end()) {
                fresh.push_back(problem);
                printed_.push_back(problem);
            }
        }
        print_problems_to_error(fresh, texts_);
    }

    void read(const std::string& file) {
        inputs_.push_back(file);
        std::vector<Problem> problems;
        const std::optional<std::string> text = read_file(file, {file, 0, 0, ""}, problems);
        if (!text) {
            throw InputError(problems);
        }
        texts_[file] = *text;
        const std::vector<std::string> config_files = named_config_files(*text, file);
        inputs_.insert(inputs_.end(), config_files.begin(), config_files.end());
        std::vector<Document> documents = parse_documents(*text, file, recording(named_files_[file]));
        if (options_.variant) {
            documents = chosen(documents, *options_.variant);
        }
        documents_.insert(documents_.end(), documents.begin(), documents.end());
    }

    // Options of reading that keep what the document's named files hold.
    ReadOptions recording(KnownTexts& files) const {
        ReadOptions read = options_.read;
        read.named_files = [&files](const std::string& path, const SourcePosition& where,
                                    std::vector<Problem>& problems) {
            std::optional<std::string> text = read_file(path, where, problems);
            if (text) {
                files[path] = *text;
            }
            return text;
        };
        return read;
    }

    void add_certificates(const Pipeline& pipeline) {
        const CertificateFiles::Sources sources{named_files_[pipeline.document.file], options_.read.set};
        for (const std::string& missing : certificates_->add(pipeline, reports_.back(), sources, limits())) {
            progress_.clear();
            print_error("oncecheck: no certificate for " + missing + '\n');
            code_ = worse(code_, kExitUndecided);
        }
    }

    void verify_one(const Document& document) {
        document_ = &document;
        const std::string name = name_of(document);
        const auto show = [&](const std::string& status) { progress_.show(name + ": " + status); };
        const Pipeline pipeline = resolve(document, catalogue_);
        reports_.push_back(verify(pipeline, limits(), show));
        log(name + ": " + to_string(reports_.back().verdict));
        if (certificates_ != nullptr) {
            add_certificates(pipeline);
        }
    }

    // The time-out is for the whole run: each document has what the ones before have left.
    VerifyOptions limits() const {
        VerifyOptions limits = options_.verify;
        if (limits.timeout) {
            const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started_);
            limits.timeout = std::max(*limits.timeout - spent, std::chrono::milliseconds(1));
        }
        return limits;
    }

    void log(const std::string& text) {
        if (options_.verbose && !options_.quiet) {
            progress_.clear();
            print_error("oncecheck: " + text + '\n');
        }
    }

    // Where nothing could be verified there is nothing to report: no empty report passes for a clean one.
    void report() {
        if (reports_.empty()) {
            return;
        }
        RenderOptions render;
        render.strict = options_.strict;
        render.verbose = options_.verbose;
        render.several = options_.files.size() > 1 || documents_.size() > 1;
        write_report_files(options_.outputs, reports_, render);
        render.colour = wants_colour(options_.colour, stdout);
        print_output(options_.format->render(reports_, render));
    }

    const VerifyCommandOptions& options_;
    const Catalogue& catalogue_;
    CertificateFiles* certificates_;  // null: none are asked for
    const Clock::time_point started_;
    ProgressLine progress_;
    KnownTexts texts_;
    std::map<std::string, KnownTexts> named_files_;  // by document
    std::vector<std::string> inputs_;                // no report may overwrite them
    std::vector<Document> documents_;
    const Document* document_ = nullptr;  // the one that is being verified
    std::vector<Problem> printed_;
    std::vector<Report> reports_;
    int code_ = kExitAsExpected;
};

}  // namespace

int run_verify(const Arguments& arguments) {
    const std::optional<VerifyCommandOptions> options = read_verify_options(arguments);
    if (!options) {
        return kExitAsExpected;
    }
    const std::string specs = specs_directory(options->specs);
    const Catalogue catalogue = Catalogue::load(specs);
    if (options->certificate.empty()) {
        return VerifyRun(*options, catalogue, nullptr).run();
    }
    CertificateFiles certificates(options->certificate, catalogue_digest(specs));
    return VerifyRun(*options, catalogue, &certificates).run();
}

}  // namespace oncecheck

// read the certificate -> check it against the installed catalogue -> say what came out
//
// Exit codes: 0 valid, 1 refused, 2 unreadable, 3 not re-checked (the solver gave up), 4 an error of oncecheck itself.

#include <algorithm>
#include <chrono>
#include <optional>

#include "checker/certificate/certificate_json.h"
#include "checker/certificate/digest.h"
#include "checker/certificate/recheck.h"
#include "checker/cli/arguments.h"
#include "checker/cli/command.h"
#include "checker/cli/exit_codes.h"
#include "checker/cli/new_files.h"
#include "checker/cli/output.h"
#include "checker/cli/specs_directory.h"
#include "model/document/reader.h"
#include "model/document/source_text.h"

namespace oncecheck {

namespace {

struct CertifyOptions {
    std::vector<std::string> files;
    std::string specs;
    std::string timeout = "10m";
    std::string obligations;  // directory
    bool solver = false;
};

CheckMethod method_of(const CertifyOptions& options) {
    const std::optional<std::int64_t> time = parse_duration(options.timeout);
    if (!time || *time == 0) {
        throw UsageError("--timeout: '" + options.timeout + "' is no duration such as 30s, 5m or 500ms");
    }
    CheckMethod method;
    method.limits.time = std::chrono::milliseconds(*time);
    if (options.solver) {
        method.most_walked = 0;
    }
    return method;
}

Certificate certificate_in(const std::string& file) {
    std::vector<Problem> problems;
    const std::optional<std::string> text = read_file(file, {file, 0, 0, ""}, problems);
    if (!text) {
        throw InputError(problems);
    }
    return read_certificate(*text, file);
}

void collect(const CertifiedProof& proof, const std::string& name, std::vector<NewFile>& files) {
    for (const Obligation& obligation : proof.obligations) {
        std::string words = obligation.name;
        std::replace(words.begin(), words.end(), ' ', '-');
        files.push_back({name + '-' + words + ".smt2", obligation.script});
    }
}

// "1-2-consecution.smt2", "1-2-consecution-1-of-3.smt2": certificate, evidence, obligation.
std::vector<NewFile> obligation_files(const Certificate& certificate, const std::string& directory,
                                      std::size_t number) {
    std::vector<NewFile> files;
    for (std::size_t index = 0; index < certificate.evidence.size(); ++index) {
        const std::string name = directory + '/' + std::to_string(number) + '-' + std::to_string(index + 1);
        const auto& shown = certificate.evidence[index].shown;
        if (const auto* proof = std::get_if<CertifiedProof>(&shown)) {
            collect(*proof, name, files);
        } else if (const auto& run = std::get<CertifiedRun>(shown); run.trap) {
            collect(*run.trap, name + "-trap", files);
        }
    }
    return files;
}

std::string verdict_text(const Certificate& certificate) {
    std::string text = certificate.kind + " of " + certificate.target +
                       (certificate.from.empty() ? "" : " from " + certificate.from) + ' ' +
                       to_string(certificate.verdict);
    for (const CertifiedBound& bound : certificate.provided) {
        text += ", " + bound.text;
    }
    return text + " (" + certificate.document.path +
           (certificate.variant.empty() ? "" : ", variant " + certificate.variant) + ')';
}

// "evidence of enrich: initiation, consecution, safety: state by state, 1234 in all"; without the parts of consecution.
std::string proof_text(const CheckedProof& proof) {
    std::string text = "  " + proof.where + ':';
    std::string last;
    for (const std::string& name : proof.obligations) {
        const std::string kind = name.substr(0, name.find(' '));
        if (kind != last) {
            text += (last.empty() ? " " : ", ") + kind;
            last = kind;
        }
    }
    return text + (proof.walked == 0 ? ": by Z3\n" : ": state by state, " + std::to_string(proof.walked) + " in all\n");
}

int say(const std::string& file, const Certificate& certificate, const RecheckResult& result) {
    switch (result.outcome) {
        case Recheck::kValid: {
            std::string text = file + ": valid: " + verdict_text(certificate) + ": " +
                               std::to_string(result.proofs.size()) + " proofs checked, " +
                               std::to_string(result.runs) + " runs replayed\n";
            for (const CheckedProof& proof : result.proofs) {
                text += proof_text(proof);
            }
            for (const std::string& sentence : certificate.universe) {
                text += "  " + sentence + '\n';
            }
            print_output(text);
            return kExitAsExpected;
        }
        case Recheck::kNotRechecked:
            print_output(file + ": not re-checked: " + result.where + ": " + result.message + '\n');
            return kExitUndecided;
        case Recheck::kRefused:
            print_output(file + ": refused: " + result.where + ": " + result.message + '\n');
            return kExitNotAsExpected;
    }
    return kExitInternalError;
}

int certify_all(const CertifyOptions& options) {
    const CheckMethod method = method_of(options);
    const std::string specs = specs_directory(options.specs);
    const Catalogue catalogue = Catalogue::load(specs);
    const InstalledCatalogue installed{catalogue, catalogue_digest(specs)};
    if (!options.obligations.empty()) {
        make_directory(options.obligations);
    }
    int code = kExitAsExpected;
    for (std::size_t index = 0; index < options.files.size(); ++index) {
        const std::string& file = options.files[index];
        const int failure = guarded([&] {
            const Certificate certificate = certificate_in(file);
            if (!options.obligations.empty()) {
                write_new_files(obligation_files(certificate, options.obligations, index + 1), false, options.files);
            }
            code = worse(code, say(file, certificate, recheck(certificate, installed, method)));
        });
        code = worse(code, failure);
    }
    return code;
}

}  // namespace

int run_certify(const Arguments& arguments) {
    CertifyOptions options;
    CommandLine line(
        "certify",
        "Checks certificates that verify has written, without its engines: 0 valid, 1 refused, 2 unreadable,"
        " 3 not re-checked.",
        "oncecheck certify pipeline.certificate.json");
    line.add_option("FILE", options.files, "Certificates; - is standard input")->required()->type_name("");
    line.add_option("--obligations", options.obligations, "Writes the proof obligations as SMT-LIB files, too")
        ->type_name("DIRECTORY");
    line.add_flag("--solver", options.solver,
                  "Puts every obligation to Z3; otherwise states are looked at one by one where they are not too many");
    line.add_option("--specs", options.specs, "The directory of the catalogue")->type_name("DIRECTORY");
    line.add_option("--timeout", options.timeout, "For each obligation (30s, 5m); default 10m")->type_name("DURATION");
    return line.read(arguments) ? certify_all(options) : kExitAsExpected;
}

}  // namespace oncecheck

#include "checker/export/bundle.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <system_error>

#include "checker/export/identifiers.h"
#include "checker/export/itf.h"
#include "checker/export/promela.h"
#include "checker/export/smtlib.h"

namespace oncecheck {

namespace {

namespace fs = std::filesystem;

struct InWords {
    std::string operator()(const Exhausted& exhausted) const {
        return "holds: " + std::to_string(exhausted.states) + " states searched, to depth " +
               std::to_string(exhausted.depth);
    }
    std::string operator()(const Inductive& inductive) const {
        return "holds: by an invariant, inductive with k = " + std::to_string(inductive.k);
    }
    std::string operator()(const Counterexample& found) const {
        return "violated: a run of " + std::to_string(found.trace.steps.size()) + " steps with " +
               std::to_string(found.faults) + (found.faults == 1 ? " fault" : " faults");
    }
    std::string operator()(const Unknown& unknown) const { return "undecided: " + unknown.reason; }
};

std::string readme(const Dispute& dispute) {
    std::string text = "Two engines of oncecheck " ONCECHECK_VERSION
                       " contradict each other. Please report it with this "
                       "directory.\n\nquestion: " +
                       dispute.question + "\nsystem:   " + dispute.system.name +
                       "\ndocument: " + dispute.document_name + "\n\n";
    for (const Opinion& opinion : dispute.opinions) {
        text += opinion.engine + ": " + opinion.answer + '\n';
    }
    return text +
           "\nsystem.pml is the system for SPIN and says how to run it; *.smt2 are for any SMT solver; traces are in "
           "the\nInformal Trace Format.\n";
}

}  // namespace

Dispute dispute_of(const Contradiction& contradiction, const Document& document) {
    const Contradiction::Details& details = contradiction.details();
    Dispute dispute{details.question, details.system, {}, document.text, document.file};
    dispute.document_name += document.variant.empty() ? "" : ", variant " + document.variant;
    for (const EngineAnswer& answer : details.answers) {
        const auto* found = std::get_if<Counterexample>(&answer.outcome);
        dispute.opinions.push_back({answer.engine, std::visit(InWords(), answer.outcome),
                                    found == nullptr ? std::nullopt : std::optional(found->trace)});
    }
    return dispute;
}

std::vector<ExportedFile> render_bundle(const Dispute& dispute) {
    std::vector<ExportedFile> files{
        {"README.txt", readme(dispute)},
        {"document.json", dispute.document},
        {"system.pml", render_promela(dispute.system, dispute.system.name)},
    };
    for (const Property& property : dispute.system.properties) {
        if (property.name != dispute.question) {
            continue;
        }
        for (const Obligation obligation : kObligations) {
            files.push_back({std::string(to_string(obligation)) + ".smt2",
                             render_smtlib(dispute.system, obligation, !property.bad, property)});
        }
        std::set<int> lengths;
        for (const Opinion& opinion : dispute.opinions) {
            if (opinion.trace) {
                lengths.insert(static_cast<int>(opinion.trace->steps.size()));
            }
        }
        for (const int steps : lengths) {
            files.push_back(
                {"run-" + std::to_string(steps) + ".smt2", render_smtlib_run(dispute.system, property, steps)});
        }
    }
    for (const Opinion& opinion : dispute.opinions) {
        if (opinion.trace) {
            files.push_back({"trace-" + identifier_of(opinion.engine) + ".itf.json",
                             render_itf(dispute.system, *opinion.trace, {dispute.document_name, dispute.question, 0})});
        }
    }
    return files;
}

fs::path write_to_fresh_directory(const fs::path& parent, const std::string& name,
                                  const std::vector<ExportedFile>& files) {
    fs::path directory = parent / name;
    for (int number = 2; !fs::create_directory(directory); ++number) {  // false if it is there
        directory = parent / (name + '-' + std::to_string(number));
    }
    for (const ExportedFile& file : files) {
        std::ofstream stream(directory / file.name, std::ios::binary);
        stream << file.text;
        stream.close();
        if (!stream) {
            throw fs::filesystem_error("cannot write", directory / file.name,
                                       std::make_error_code(std::errc::io_error));
        }
    }
    return directory;
}

}  // namespace oncecheck

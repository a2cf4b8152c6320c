#include "checker/certificate/recheck.h"

#include <algorithm>
#include <set>

#include "checker/certificate/bearing.h"
#include "checker/certificate/plain_search.h"
#include "checker/certificate/system_text.h"
#include "model/document/problems.h"
#include "model/document/reader.h"

namespace oncecheck {

namespace {

// The first line in which two texts differ, for a message.
std::string first_difference(const std::string& ours, const std::string& theirs) {
    std::size_t line = 1;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < ours.size() && at < theirs.size() && ours[at] == theirs[at]; ++at) {
        if (ours[at] == '\n') {
            ++line;
            begin = at + 1;
        }
    }
    const auto line_at = [&](const std::string& text) {
        return in_quotes(begin < text.size() ? text.substr(begin, text.find('\n', begin) - begin) : "");
    };
    return "line " + std::to_string(line) + ": " + line_at(theirs) + " instead of " + line_at(ours);
}

void expect_equal(const std::string& ours, const std::string& theirs, const std::string& where) {
    if (ours != theirs) {
        throw Refusal{where, first_difference(ours, theirs)};
    }
}

void expect_equal(const std::vector<std::string>& ours, const std::vector<std::string>& theirs,
                  const std::string& where) {
    const auto text = [](const std::vector<std::string>& lines) {
        std::string all;
        for (const std::string& line : lines) {
            all += line + '\n';
        }
        return all;
    };
    expect_equal(text(ours), text(theirs), where);
}

// The document of the certificate, read again from the texts in it.
Document document_of(const Certificate& certificate) {
    ReadOptions options;
    options.set = certificate.set;
    std::set<std::string> unused;
    for (const CertifiedFile& file : certificate.files) {
        unused.insert(file.path);
    }
    options.named_files = [&](const std::string& path, const SourcePosition& where,
                              std::vector<Problem>& problems) -> std::optional<std::string> {
        for (const CertifiedFile& file : certificate.files) {
            if (file.path == path) {
                unused.erase(path);
                return file.text;
            }
        }
        add_problem(problems, {"file", where, "the certificate does not hold " + in_quotes(path), "", ""});
        return std::nullopt;
    };
    const std::vector<Document> documents =
        parse_documents(certificate.document.text, certificate.document.path, options);
    if (!unused.empty()) {
        throw Refusal{"files", "the document does not name " + in_quotes(*unused.begin())};
    }
    const auto found = std::find_if(documents.begin(), documents.end(),
                                    [&](const Document& one) { return one.variant == certificate.variant; });
    if (found == documents.end()) {
        throw Refusal{"variant", "the document has no variant " + in_quotes(certificate.variant)};
    }
    return *found;
}

std::size_t requirement_of(const Pipeline& pipeline, const Certificate& certificate) {
    for (std::size_t index = 0; index < pipeline.requirements.size(); ++index) {
        const ResolvedRequirement& one = pipeline.requirements[index];
        const std::string from = one.from ? pipeline.component(*one.from).document.name : "";
        if (to_string(one.kind) == certificate.kind && one.target == certificate.target && from == certificate.from) {
            return index;
        }
    }
    throw Refusal{"requirement", "the document has no such requirement"};
}

class Rechecker {
  public:
    Rechecker(const Certificate& certificate, const CheckMethod& method, RecheckResult& result)
        : certificate_(certificate), method_(method), result_(result), used_(certificate.evidence.size(), false) {}

    void run(const Bearing& bearing) {
        expect_equal(bearing.universe, certificate_.universe, "universe");
        expect_equal(bearing.faults, certificate_.faults, "faults");
        expect_equal(bearing.assumptions, certificate_.assumptions, "assumptions");
        switch (certificate_.verdict) {
            case Verdict::kViolated:
                check_violated(bearing);
                break;
            case Verdict::kHolds:
                check_holds(bearing);
                break;
            case Verdict::kUndecided:
                throw Refusal{"verdict", "an open question has no certificate"};
        }
        for (std::size_t index = 0; index < used_.size(); ++index) {
            if (!used_[index]) {
                throw Refusal{place(certificate_.evidence[index]), "is about nothing that the requirement rests on"};
            }
        }
    }

  private:
    static std::string place(const Evidence& evidence) { return "evidence of " + evidence.system; }

    void check_violated(const Bearing& bearing) {
        if (!certificate_.provided.empty() || certificate_.evidence.size() != 1) {
            throw Refusal{"evidence", "a violation is shown by one run, and rests on no bound"};
        }
        for (const BearingSystem& system : bearing.certain) {
            if (const Evidence* evidence = find(system, "")) {
                check_run_of(system, *evidence);
                return;
            }
        }
    }

    void check_holds(const Bearing& bearing) {
        if (!bearing.undecided.empty()) {
            throw NotDecided{"faults", "the solver could not decide " + bearing.undecided.front()};
        }
        if (bearing.certain.empty()) {
            throw Refusal{"requirement", "no system has a property for it"};
        }
        for (const BearingSystem& system : bearing.certain) {
            check_proof_of(system, "");
        }
        std::vector<CertifiedBound> bounds;
        for (const OpenBearing& open : bearing.open) {
            check_open(open, bounds);
        }
        if (bounds != certificate_.provided) {
            throw Refusal{"provided", "the bounds are not those that the evidence needs"};
        }
    }

    // Either nothing breaks with the fault, or some run shows that the bound is needed.
    void check_open(const OpenBearing& open, std::vector<CertifiedBound>& bounds) {
        const std::string fault = open.fault.name + " of " + open.process;
        for (const BearingSystem& system : open.systems) {
            const Evidence* evidence = find(system, fault);
            if (evidence != nullptr && std::holds_alternative<CertifiedRun>(evidence->shown)) {
                check_run_of(system, *evidence);
                const ReportedBound& bound = open.fault.bound;
                bounds.push_back({fault, bound.text, bound.setting, bound.source});
                return;
            }
        }
        for (const BearingSystem& system : open.systems) {
            check_proof_of(system, fault);
        }
    }

    // Marks the evidence as used; null if there is none.
    const Evidence* find(const BearingSystem& system, const std::string& fault) {
        for (std::size_t index = 0; index < certificate_.evidence.size(); ++index) {
            const Evidence& evidence = certificate_.evidence[index];
            if (evidence.system == system.name && evidence.fault == fault) {
                expect_equal(system_text(system.hop.system), evidence.text, place(evidence) + ", text");
                used_[index] = true;
                return &evidence;
            }
        }
        return nullptr;
    }

    void check_proof_of(const BearingSystem& system, const std::string& fault) {
        const Evidence* evidence = find(system, fault);
        if (evidence == nullptr) {
            throw Refusal{"evidence", "there is none of the system " + in_quotes(system.name)};
        }
        const auto* certified = std::get_if<CertifiedProof>(&evidence->shown);
        if (certified == nullptr) {
            throw Refusal{place(*evidence), "is a run where a proof is needed"};
        }
        if (certified->proof.properties != system.properties ||
            certified->proof.ranking.has_value() != system.progress) {
            throw Refusal{place(*evidence), "does not prove what the requirement needs of this system"};
        }
        result_.proofs.push_back(check_proof(system.hop.system, *certified, place(*evidence), method_));
    }

    void check_run_of(const BearingSystem& system, const Evidence& evidence) {
        const auto* run = std::get_if<CertifiedRun>(&evidence.shown);
        if (run == nullptr) {
            throw Refusal{place(evidence), "is a proof where a run is needed"};
        }
        const bool counts = run->property ? std::find(system.properties.begin(), system.properties.end(),
                                                      *run->property) != system.properties.end()
                                          : system.progress;
        if (!counts) {
            throw Refusal{place(evidence), "breaks nothing that the requirement needs of this system"};
        }
        for (CheckedProof& trap : check_run(system.hop.system, *run, place(evidence), method_)) {
            result_.proofs.push_back(std::move(trap));
        }
        ++result_.runs;
    }

    const Certificate& certificate_;
    const CheckMethod& method_;
    RecheckResult& result_;
    std::vector<bool> used_;
};

void check_all(const Certificate& certificate, const InstalledCatalogue& installed, const CheckMethod& method,
               RecheckResult& result) {
    if (certificate.tool != ONCECHECK_VERSION) {
        throw Refusal{"oncecheck", "made by version " + in_quotes(certificate.tool) +
                                       "; this is " ONCECHECK_VERSION ", which may read documents differently"};
    }
    if (certificate.catalogue != installed.digest) {
        throw Refusal{"catalogue",
                      "made with another catalogue than the installed one, whose SHA-256 is " + installed.digest};
    }
    const Pipeline pipeline = resolve(document_of(certificate), installed.catalogue);
    const PlainSearch search;
    const PlanOptions options{certificate.size, certificate.slice, &search};
    const std::vector<PlannedHop> planned = plan(pipeline, options, {});
    const Bearing bearing = bearing_on(pipeline, planned, options, requirement_of(pipeline, certificate));
    Rechecker(certificate, method, result).run(bearing);
}

}  // namespace

RecheckResult recheck(const Certificate& certificate, const InstalledCatalogue& installed, const CheckMethod& method) {
    RecheckResult result;
    const auto ends = [&](Recheck outcome, const std::string& where, const std::string& message) {
        result.outcome = outcome;
        result.where = where;
        result.message = message;
    };
    try {
        check_all(certificate, installed, method, result);
    } catch (const Refusal& refusal) {
        ends(Recheck::kRefused, refusal.where, refusal.message);
    } catch (const NotDecided& open) {
        ends(Recheck::kNotRechecked, open.where, open.message);
    } catch (const InputError& error) {
        ends(Recheck::kRefused, "document", to_string(error.problems().front()));
    }
    return result;
}

}  // namespace oncecheck

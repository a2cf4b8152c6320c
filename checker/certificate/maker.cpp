#include "checker/certificate/maker.h"

#include <utility>

#include "checker/certificate/bearing.h"
#include "checker/certificate/prover.h"
#include "checker/certificate/system_text.h"

namespace oncecheck {

namespace {

// Puts the evidence of one requirement together, system by system.
class Assembly {
  public:
    Assembly(Certificate& certificate, const VerifyOptions& options, const Limits& limits)
        : certificate_(certificate), options_(options), limits_(limits) {}

    // Empty, or why there is no certificate.
    std::string add(const Bearing& bearing) {
        if (!add_certain(bearing.certain) || certificate_.verdict == Verdict::kViolated) {
            return reason_;
        }
        if (!bearing.undecided.empty()) {
            return "the solver could not decide whether a time excludes " + bearing.undecided.front();
        }
        for (const OpenBearing& open : bearing.open) {
            if (!add_open(open)) {
                return reason_;
            }
        }
        return "";
    }

  private:
    // Proofs of all systems; or the best run of any, alone. False if some system is undecided and none violated.
    bool add_certain(const std::vector<BearingSystem>& systems) {
        std::optional<Evidence> best;
        for (const BearingSystem& system : systems) {
            Found found = find(system);
            if (auto* run = std::get_if<CertifiedRun>(&found)) {
                if (!best || is_shorter(system, *run, *best)) {
                    best = evidence(system, "", std::move(*run));
                }
            } else if (auto* proof = std::get_if<CertifiedProof>(&found)) {
                certificate_.evidence.push_back(evidence(system, "", std::move(*proof)));
            } else {
                reason_ = system.name + ": " + std::get<NoEvidence>(found).reason;
            }
        }
        if (best) {
            certificate_.verdict = Verdict::kViolated;
            certificate_.evidence = {std::move(*best)};
            reason_.clear();
        } else if (systems.empty()) {
            reason_ = "no system has a property for it";
        }
        return reason_.empty();
    }

    bool add_open(const OpenBearing& open) {
        const std::string fault = open.fault.name + " of " + open.process;
        std::vector<Evidence> proofs;
        for (const BearingSystem& system : open.systems) {
            Found found = find(system);
            if (auto* run = std::get_if<CertifiedRun>(&found)) {
                const ReportedBound& bound = open.fault.bound;
                certificate_.provided.push_back({fault, bound.text, bound.setting, bound.source});
                certificate_.evidence.push_back(evidence(system, fault, std::move(*run)));
                return true;
            }
            if (const auto* none = std::get_if<NoEvidence>(&found)) {
                reason_ = system.name + ": " + none->reason;
                return false;
            }
            proofs.push_back(evidence(system, fault, std::move(std::get<CertifiedProof>(found))));
        }
        std::move(proofs.begin(), proofs.end(), std::back_inserter(certificate_.evidence));
        return true;
    }

    [[nodiscard]] Found find(const BearingSystem& system) const {
        return find_evidence({system.hop.system, system.properties, system.progress}, options_.engine, limits_);
    }

    // By faults, then by steps.
    bool is_shorter(const BearingSystem& system, const CertifiedRun& run, const Evidence& best) {
        const auto& other = std::get<CertifiedRun>(best.shown).trace;
        const std::pair<std::size_t, std::size_t> length{fault_count(system.hop.system, run.trace),
                                                         run.trace.steps.size()};
        const bool shorter = length < std::pair(best_faults_, other.steps.size());
        return shorter;
    }

    Evidence evidence(const BearingSystem& system, const std::string& fault,
                      std::variant<CertifiedProof, CertifiedRun> shown) {
        if (const auto* run = std::get_if<CertifiedRun>(&shown)) {
            best_faults_ = fault_count(system.hop.system, run->trace);
        }
        return {system.name, fault, system_text(system.hop.system), std::move(shown)};
    }

    Certificate& certificate_;
    const VerifyOptions& options_;
    const Limits& limits_;
    std::size_t best_faults_ = 0;
    std::string reason_;
};

}  // namespace

CertificateMaker::CertificateMaker(const Pipeline& pipeline, const CertifiedSource& source,
                                   const VerifyOptions& options)
    : pipeline_(pipeline), source_(source), options_(options) {
    limits_.memory_bytes = options.memory_bytes;
    limits_.jobs = options.jobs;
    if (options.timeout) {
        limits_.deadline = std::chrono::steady_clock::now() + *options.timeout;
    }
    planned_ = plan(pipeline, {options.size, options.slice}, limits_);
}

std::variant<Certificate, std::string> CertificateMaker::make(std::size_t requirement) const {
    const PlanOptions options{options_.size, options_.slice};
    const Bearing bearing = bearing_on(pipeline_, planned_, options, requirement);
    const ResolvedRequirement& about = pipeline_.requirements[requirement];
    Certificate certificate;
    certificate.tool = ONCECHECK_VERSION;
    certificate.catalogue = source_.catalogue;
    certificate.document = source_.document;
    certificate.files = source_.files;
    certificate.variant = source_.variant;
    certificate.set = source_.set;
    certificate.size = options.size;
    certificate.slice = options.slice;
    certificate.kind = to_string(about.kind);
    certificate.target = about.target;
    certificate.from = about.from ? pipeline_.component(*about.from).document.name : "";
    certificate.universe = bearing.universe;
    certificate.faults = bearing.faults;
    certificate.assumptions = bearing.assumptions;
    const std::string reason = Assembly(certificate, options_, limits_).add(bearing);
    if (!reason.empty()) {
        return reason;
    }
    return certificate;
}

}  // namespace oncecheck

#include "checker/certificate/maker.h"

#include <utility>

#include "checker/certificate/system_text.h"

namespace oncecheck {

namespace {

Question question_about(const BearingSystem& system) { return {system.hop.system, system.properties, system.progress}; }

Limits limits_of(const VerifyOptions& options) {
    Limits limits;
    limits.memory_bytes = options.memory_bytes;
    limits.jobs = options.jobs;
    if (options.timeout) {
        limits.deadline = std::chrono::steady_clock::now() + *options.timeout;
    }
    return limits;
}

// Puts the evidence of one requirement together, system by system.
class Assembly {
  public:
    Assembly(Certificate& certificate, Prover& prover) : certificate_(certificate), prover_(prover) {}

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

    [[nodiscard]] Found find(const BearingSystem& system) const { return prover_.find(question_about(system)); }

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
    Prover& prover_;
    std::size_t best_faults_ = 0;
    std::string reason_;
};

}  // namespace

CertificateMaker::CertificateMaker(const Pipeline& pipeline, const CertifiedSource& source,
                                   const VerifyOptions& options)
    : pipeline_(pipeline), source_(source), options_(options), prover_(options.engine, limits_of(options)) {
    const PlanOptions planning{options.size, options.slice};
    const std::vector<PlannedHop> planned = plan(pipeline, planning, limits_of(options));
    for (std::size_t requirement = 0; requirement < pipeline.requirements.size(); ++requirement) {
        const Bearing& bearing = bearings_.emplace_back(bearing_on(pipeline, planned, planning, requirement));
        for (const BearingSystem& system : bearing.certain) {
            prover_.expect(question_about(system));
        }
        for (const OpenBearing& open : bearing.open) {
            for (const BearingSystem& system : open.systems) {
                prover_.expect(question_about(system));
            }
        }
    }
}

std::variant<Certificate, std::string> CertificateMaker::make(std::size_t requirement) {
    const Bearing& bearing = bearings_[requirement];
    const ResolvedRequirement& about = pipeline_.requirements[requirement];
    Certificate certificate;
    certificate.tool = ONCECHECK_VERSION;
    certificate.catalogue = source_.catalogue;
    certificate.document = source_.document;
    certificate.files = source_.files;
    certificate.variant = source_.variant;
    certificate.set = source_.set;
    certificate.size = options_.size;
    certificate.slice = options_.slice;
    certificate.kind = to_string(about.kind);
    certificate.target = about.target;
    certificate.from = about.from ? pipeline_.component(*about.from).document.name : "";
    certificate.universe = bearing.universe;
    certificate.faults = bearing.faults;
    certificate.assumptions = bearing.assumptions;
    const std::string reason = Assembly(certificate, prover_).add(bearing);
    if (!reason.empty()) {
        return reason;
    }
    return certificate;
}

}  // namespace oncecheck

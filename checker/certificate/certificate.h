// The evidence for one verdict, with all that it takes to check it: one self-contained file a requirement.
//
//   holds      for every transition system that bears on the requirement a proof (obligations.h)
//   violated   for one of them a run that ends in a bad state; or, of progress, a run into a trap: a set of states that
//              is closed under all actions but faults and holds no complete one
//   holds, provided a bound    as holds; and for each fault that the bound excludes a run in a system with the fault
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "checker/certificate/obligations.h"
#include "checker/report/report.h"
#include "model/semantics/universe.h"
#include "model/transition/trace.h"

namespace oncecheck {

// A proof with its obligations as scripts, for any solver.
struct CertifiedProof {
    Proof proof;
    std::vector<Obligation> obligations;

    bool operator==(const CertifiedProof&) const = default;
};

struct CertifiedRun {
    Trace trace;
    std::optional<std::size_t> property;  // the one that the last state breaks; none: progress
    // Of progress: that from the last state fault-free steps lead to no complete one. A proof about trap_system().
    std::optional<CertifiedProof> trap;

    bool operator==(const CertifiedRun&) const = default;
};

struct Evidence {
    std::string system;  // its name
    std::string fault;   // that it has besides the certain ones ("expiry of enrich"), or empty
    std::string text;    // system_text() of it
    std::variant<CertifiedProof, CertifiedRun> shown;

    bool operator==(const Evidence&) const = default;
};

// A bound that the verdict rests on.
struct CertifiedBound {
    std::string fault;  // that it excludes: "expiry of enrich"
    std::string text;   // "for outages shorter than 7 d"
    std::string setting;
    std::string source;

    bool operator==(const CertifiedBound&) const = default;
};

struct CertifiedFile {
    std::string path;  // as the document names it, below the document's folder
    std::string text;

    bool operator==(const CertifiedFile&) const = default;
};

struct Certificate {
    std::string tool;       // version of oncecheck
    std::string catalogue;  // its digest

    CertifiedFile document;
    std::vector<CertifiedFile> files;  // that the document names, by path
    std::string variant;               // empty: the document itself
    std::map<std::string, std::string> set;
    UniverseSize size;
    bool slice = true;

    std::string kind;    // of the requirement: "exactly-once"
    std::string target;  // "warehouse.ledger"
    std::string from;    // component, or empty
    Verdict verdict = Verdict::kHolds;
    std::vector<CertifiedBound> provided;
    std::vector<std::string> universe;  // in sentences, as are the next two
    std::vector<std::string> faults;
    std::vector<std::string> assumptions;

    std::vector<Evidence> evidence;
};

// The system without its faults, from this state on; its one property is that it is not complete.
[[nodiscard]] TransitionSystem trap_system(const TransitionSystem& system, const State& start);

}  // namespace oncecheck

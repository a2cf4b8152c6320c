// The report: everything that one verification found, as one plain value. Renderers turn it into a format and add
// nothing; whatever a reader sees in any format is in here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/errors.h"

namespace oncecheck {

enum class Verdict { kHolds, kViolated, kUndecided };
// "holds", "violated", "undecided".
[[nodiscard]] const char* to_string(Verdict verdict);

// A bound on a time that a verdict rests on and that the document does not state: "holds, for outages up to 7 d".
struct ReportedBound {
    std::string time;      // "max_outage"
    std::string relation;  // "<", "<=", ">" or ">="
    std::int64_t milliseconds = 0;
    std::string text;     // "for outages shorter than 7 d"
    std::string setting;  // what sets the limit: "payments: retention.ms = 604800000"
    SourcePosition where;
    std::string source;  // of the condition: vendor page
};

// A row of an object after a step, as many times as `count` (2 means two or more).
struct RowCount {
    std::string object;
    std::string row;
    std::uint32_t count = 0;
};

struct RunStep {
    std::string actor;              // "enrich, incarnation 2"
    std::string text;               // "truncates warehouse.stg_payments"
    std::string fault;              // kind of fault, or empty
    std::string flaw;               // what is wrong with the rows that this step takes: "missing rows", or empty
    SourcePosition where;           // of the step in the document
    std::vector<RowCount> changed;  // rows of objects that the step changed, with their new counts
};

// A run that shows a violation: numbered steps up to the point of no return (the first state from which every
// completion violates); what follows is only bookkeeping.
struct Run {
    std::vector<RunStep> steps;
    std::size_t point_of_no_return = 0;  // number of steps until then; steps.size() if it is the end or not known
    std::size_t faults = 0;
    std::string followed;               // the record that the run is about, or empty
    std::vector<RowCount> stores;       // what the stores hold at the end, without empty rows
    std::vector<std::string> timeline;  // times that make the run possible, in words, if it needs any
    std::size_t trap_states = 0;        // progress: states that fault-free steps can reach, none complete
};

// The place in the document that lets the violation happen.
struct WeakestLink {
    std::string text;
    SourcePosition where;
};

// An inductive invariant behind a "holds".
struct ReportedInvariant {
    std::string system;    // the transition system in which it holds
    std::string property;  // what it excludes: "loss"
    int k = 1;             // it holds after k successive states in which it holds
    std::size_t clauses = 0;
    std::vector<std::string> examples;  // some of its clauses, in words
};

struct RequirementReport {
    std::string kind;    // "exactly-once"
    std::string target;  // "warehouse.ledger"
    std::string from;    // component, or empty
    Verdict verdict = Verdict::kUndecided;
    std::optional<std::string> expect;    // "holds" or "violated", if the document says
    std::string reason;                   // of the expectation
    bool is_default = false;              // the document did not state the requirement
    std::vector<std::string> flaws;       // "loss", "duplicate", "stale", "foreign rows", ..., "stuck"
    std::vector<ReportedBound> provided;  // a verdict that holds only so
    std::string category;                 // "staging isolation", ..., of a violation
    std::string rule;                     // "OC-4-staging"
    std::optional<WeakestLink> weakest_link;
    std::optional<Run> run;
    std::string strength;                       // how far a "holds" reaches: "for any batch size", "in this universe"
    std::string undecided;                      // why
    std::string engine;                         // which engine decided, or which ones
    std::vector<ReportedInvariant> invariants;  // of a "holds" that is no exhausted search
    SourcePosition where;

    // The verdict is the expected one (no expectation: holds). Conditional verdicts count as holds unless strict.
    [[nodiscard]] bool met(bool strict) const;
};

// A kind of step or fault of the transition systems, in words.
struct ReportedStep {
    std::string process;
    std::string text;
    std::string fault;  // kind of fault, or empty
    SourcePosition where;
};

// What can happen at all, over all transition systems together.
struct ReportedCoverage {
    bool whole = false;                    // every reachable state was seen; if not, the rest means nothing
    std::size_t kinds = 0;                 // of steps and faults
    std::size_t occurring = 0;             // of them
    std::vector<std::string> faults;       // "enrich: crash": those that occur
    std::vector<std::string> idle_faults;  // assumed, but nothing here is exposed to them
    std::vector<ReportedStep> never;       // kinds that do not occur
};

struct Statistics {
    std::size_t systems = 0;
    std::size_t states = 0;
    std::size_t bytes = 0;
    double seconds = 0;
};

struct Report {
    std::string pipeline;
    std::string file;
    std::string variant;                    // empty: the document itself
    Verdict verdict = Verdict::kUndecided;  // violated if any requirement is, undecided if any is and none violated
    std::optional<std::string> expect;      // of the variant
    std::vector<RequirementReport> requirements;
    std::vector<std::string> universe;     // what was searched, in sentences
    std::vector<std::string> engines;      // which engine was taken where, and why, in sentences, if none was named
    std::vector<std::string> faults;       // what may go wrong, in sentences, a process each
    std::vector<std::string> assumptions;  // what a "holds" rests on, in sentences
    std::vector<Finding> findings;
    ReportedCoverage coverage;
    Statistics statistics;
    std::map<std::string, std::string> texts;  // of the document and of what it names, by file, for quoting lines

    // Every requirement, or the variant as a whole where it states an expectation, is as expected.
    [[nodiscard]] bool met(bool strict) const;
    // Some requirement that is not as expected is undecided (or holds on a bound under strict), none is plainly wrong.
    [[nodiscard]] bool open(bool strict) const;
};

// 0 all met; 1 a verdict is not the one expected; 3 none is, but something is undecided.
[[nodiscard]] int exit_code(const std::vector<Report>& reports, bool strict);

}  // namespace oncecheck

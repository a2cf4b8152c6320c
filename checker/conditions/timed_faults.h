// Whether assumed times exclude a fault. With E the formula that excludes it, known settings and times put in, x the
// times that are left open (integers >= 0, in ms) and S what is stated about times:
//
//   for all x with S: E        kExcluded
//   for no x with S: E         kEnabled
//   else                       kConditional, on the weakest bound on the one open time that makes E true
//
// Statements that contradict each other are an input error, for they would exclude everything. What Z3 does not know is
// kUnknown: the fault stays enabled, and a result that depends on it is undecided.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "checker/conditions/consistent_times.h"
#include "checker/smt/answer.h"
#include "model/catalogue/formula.h"

namespace oncecheck {

struct TimedQuestion {
    Formula exclusion;
    FormulaEnvironment known;               // settings and stated times; no value: a time that is left open
    std::vector<TimeStatement> statements;  // S
};

// The weakest bound. With several open times, or where no single comparison says it: only `text` (a formula).
struct TimeBound {
    std::string name;        // "assume.max_outage", or empty
    std::string relation;    // "<", "<=", ">" or ">=": of two equivalent ones the one with the rounder value
    std::int64_t value = 0;  // ms
    std::string text;        // "assume.max_outage < 7 d"

    bool operator==(const TimeBound&) const = default;
};

enum class Exclusion { kExcluded, kEnabled, kConditional, kUnknown };

struct TimedAnswer {
    Exclusion exclusion = Exclusion::kUnknown;
    TimeBound bound;     // with kConditional
    std::string reason;  // with kUnknown
};

// Throws InputError if the statements are inconsistent (see check_consistency), SolverError.
[[nodiscard]] TimedAnswer decide(const TimedQuestion& question, const SolverLimits& limits = {});

// One timeline for a run that needs several timed faults: times for which none of them is excluded, the least ones, and
// the stated times that occur ("assume.*"). `times` only with kSat; kUnsat: no timeline has all of these faults.
struct Timeline {
    Answer answer = Answer::kUnknown;
    std::map<std::string, std::int64_t> times;  // ms, by name
};
[[nodiscard]] Timeline find_timeline(std::span<const Formula> exclusions, const FormulaEnvironment& known,
                                     std::span<const TimeStatement> statements, const SolverLimits& limits = {});

}  // namespace oncecheck

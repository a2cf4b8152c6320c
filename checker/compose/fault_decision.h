// Which faults can occur to a process: those that the document assumes, without those that settings, the way the
// process is run, or assumed times exclude. Timed conditions are decided by Z3 (checker/conditions); a fault that only
// an unstated time could refute is left open: checked without it first, then with it (MODEL: conditional verdicts).
#pragma once

#include <string>
#include <vector>

#include "checker/report/report.h"
#include "model/pipeline/pipeline.h"
#include "model/semantics/hop_options.h"

namespace oncecheck {

// A fault that a bound on an unstated time would exclude.
struct OpenFault {
    ProcessFaults added;  // what it adds to the certain ones
    ReportedBound bound;
    std::string name;  // "expiry"
};

struct FaultDecision {
    ProcessFaults certain;
    std::vector<OpenFault> open;
    std::vector<std::string> undecided;  // faults whose exclusion Z3 could not decide; they stay enabled
    std::vector<std::string> sentences;  // for the report: what can happen, what is excluded and why
};

// Throws InputError if the assumed times contradict each other.
[[nodiscard]] FaultDecision decide_faults(const Pipeline& pipeline, ComponentId process);

// Both together.
[[nodiscard]] ProcessFaults united(const ProcessFaults& left, const ProcessFaults& right);

}  // namespace oncecheck

// A counterexample on the reference runtime: the trace run move by move, then the sink asked by SQL whether the
// requirement is really violated.
//
//   confirmed   the runtime goes along, and its judge finds the flaw
//   refuted     the runtime cannot go along, or the flaw is not there: the model is wrong, or the runtime is
//   other store the run needs what the store of the run does not have
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "checker/compose/hop_check.h"
#include "model/runtime/runtime.h"

namespace oncecheck {

enum class ReplayVerdict { kConfirmed, kRefuted, kNeedsOtherStore };
[[nodiscard]] const char* to_string(ReplayVerdict verdict);

struct ReplayedStep {
    std::string actor;
    std::string text;
    std::string fault;
    std::vector<RunEvent> events;  // what the runtime did for it
    Content content;               // afterwards
};

struct Replay {
    std::size_t requirement = 0;  // index into Pipeline::requirements
    std::string flaw;
    std::string universe;
    ReplayVerdict verdict = ReplayVerdict::kConfirmed;
    std::string reason;  // what the judge found, or where the runtime did otherwise
    std::vector<ReplayedStep> steps;
    RunRecord run;
};

// Runs the violation's trace. Throws StoreError.
[[nodiscard]] Replay replay_violation(const Pipeline& pipeline, const FoundViolation& violation,
                                      std::size_t requirement, const RuntimeOptions& options);

// Makes the moves of a run that the runtime has recorded, one step a move. Confirmed: each comes out as recorded, and
// some requirement is violated at the end. Throws StoreError.
[[nodiscard]] Replay replay_run(const Pipeline& pipeline, const RunRecord& run, const RuntimeOptions& options);

// A requirement that is violated, with one run for each flaw: fewest faults, then fewest steps.
struct ViolatedRequirement {
    std::size_t requirement = 0;
    std::vector<FoundViolation> violations;
};

// Verifies the document and gives the runs that violate something. Throws as verify().
[[nodiscard]] std::vector<ViolatedRequirement> find_violations(const Pipeline& pipeline, const VerifyOptions& options,
                                                               const VerifyProgress& progress);

}  // namespace oncecheck

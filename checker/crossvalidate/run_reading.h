// A run of the runtime read in the terms of a hop of the model: who acted, in which unit of the step program, and what
// only later events tell: how the unit came out, whether a statement that was held back is applied, which batch is
// begun.
#pragma once

#include <optional>
#include <vector>

#include "checker/crossvalidate/action_index.h"
#include "model/runtime/run.h"

namespace oncecheck {

// An incarnation of a process of the hop.
struct Actor {
    std::size_t process = 0;  // index into HopModel::processes
    int incarnation = 0;

    bool operator==(const Actor&) const = default;
};

struct EventReading {
    int actor = -1;       // index into RunReading::actors; -1: of no incarnation, or of another hop
    int process = -1;     // index into HopModel::processes; -1: of another hop
    int thread = 0;       // ActionIndex::thread_number
    UnitPlace place;      // of a step program
    bool begins = false;  // the first event of the unit
    bool ends = false;    // the last
    // How the unit comes out in the end; none: it is never finished.
    std::optional<RunOutcome> outcome;
    MoveFault fault = MoveFault::kNone;   // of a statement that has waited, too
    int record = -1;                      // of a load: index into HopSystem::records
    bool loaded_again = false;            // the same row is loaded once more later
    bool takes_effect = false;            // kLand and its kResume: the statement is applied now
    bool last_effect = false;             // ... and none of the incarnation's others will be
    bool leaves = false;                  // a statement that this move holds back is applied later
    const RunAttempt* attempt = nullptr;  // that the event belongs to, or that begins with it or next
    int planned_start = -1;  // kReadProgress, kPlan, kLookAhead, kWriteAhead: the range that is written next;
    int planned_end = -1;    // -1: unknown
    bool again = false;      // kReadProgress: an attempt begins at once
};

struct RunReading {
    std::vector<Actor> actors;
    std::vector<int> generations;      // by actor: BatchContext::generation of its batches
    std::vector<EventReading> events;  // as RunRecord::events
};

[[nodiscard]] RunReading read_run(const RunRecord& run, const HopSystem& hop, const ProgramUnits& units,
                                  const ActionIndex& index);

}  // namespace oncecheck

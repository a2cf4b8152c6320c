// What a hop is checked for: the size of the universe and the faults that may occur.
#pragma once

#include <map>
#include <set>

#include "model/pipeline/pipeline.h"
#include "model/semantics/universe.h"

namespace oncecheck {

// The faults of one process. Whether a timed fault is possible is decided outside (checker/conditions).
struct ProcessFaults {
    bool crash = false;
    bool zombie = false;
    bool lost_ack = false;
    bool task_retry = false;
    bool purge = false;              // the record of a committed batch is removed while an old attempt still runs it
    bool expiry = false;             // records of the log are removed before they are processed
    std::set<ComponentId> detached;  // stores in which a statement of a dead incarnation may still be applied
    std::set<ComponentId> late;      // stores in which one that was reported as failed may still be

    [[nodiscard]] bool leaves_statements() const { return !detached.empty() || !late.empty(); }

    bool operator==(const ProcessFaults&) const = default;
};

struct HopOptions {
    UniverseSize size;
    std::map<ComponentId, ProcessFaults> faults;  // by process
    bool slice = true;                            // follow single records where that is exact
    bool records_repeat = false;                  // the logs may hold a record twice
};

}  // namespace oncecheck

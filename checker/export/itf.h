// A run as an Informal Trace Format file (*.itf.json), for trace viewers and model-based testing.
//
// Variables are named as in the exported TLA+ module; the table in "#meta" maps them back. Numbers are always written
// as {"#bigint": "n"}; "mbt::actionTaken" of a state is the action that led to it, "init" in the first.
//
// Source: Apalache, ADR-015 (Informal Trace Format in JSON); Quint, model-based testing ("mbt::actionTaken").
#pragma once

#include <string>

#include "model/transition/system.h"
#include "model/transition/trace.h"

namespace oncecheck {

// What a trace shows, for its "#meta".
struct TraceMeaning {
    std::string source;           // the document
    std::string violated;         // the property, or "progress"
    std::size_t trap_states = 0;  // of progress: as many states can be reached from the last one without faults
};

// Requires a run of the system.
[[nodiscard]] std::string render_itf(const TransitionSystem& system, const Trace& trace, const TraceMeaning& meaning);

}  // namespace oncecheck

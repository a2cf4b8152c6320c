// A counterexample as a file: JSON, without loss.
//
//   {"oncecheck-trace": 1, "pipeline": ..., "variant": ..., "requirement": 0, "flaw": "loss", "variables": [names],
//    "initial": [values], "steps": [{"action": 12, "process": ..., "slot": 0, "text": ..., "fault": ..., "after":
//    [...]}]}
//
// A trace is only a trace of its system: it is read together with the systems of its document, and refused if none has
// these variables and actions.
#pragma once

#include <string>

#include "checker/compose/hop_check.h"

namespace oncecheck {

struct TraceFile {
    std::size_t requirement = 0;  // index into Pipeline::requirements
    FoundViolation violation;
};

[[nodiscard]] std::string trace_to_json(const Pipeline& pipeline, const TraceFile& file);

// Finds the system among those of the pipeline. Throws InputError (code "trace-file") if the text is no trace or the
// document has no such system, requirement or flaw, or the trace is no run of it.
[[nodiscard]] TraceFile trace_from_json(const std::string& text, const std::string& name, const Pipeline& pipeline,
                                        const VerifyOptions& options);

// The text is a trace, not the record of a run of the runtime.
[[nodiscard]] bool is_trace(const std::string& text);

}  // namespace oncecheck

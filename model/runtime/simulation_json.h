// The result of a simulation for programs: JSON, keys in a fixed order.
//
//   {"pipeline", "variant", "store", "seed", "fault_rate", "runs", "complete_runs", "violating_runs", "moves",
//    "faults": {kind: times},
//    "requirements": [{"kind", "target", "from", "expect", "violations": [{"flaw", "runs", "first_seed", "example"}]}],
//    "reconciliations": [{"component", "compares": [source, sink], "by", "comparisons",
//                         "detections": [{"from", "flaw", "runs", "noticed", "median_moves", "most_moves",
//                                         "median_windows", "most_windows", "first_missed_seed"}],
//                         "false_alarms": {"runs", "first_seed", "example"}}]}
#pragma once

#include <string>

#include "model/runtime/simulate.h"

namespace oncecheck {

// Indented by two, with a newline at its end. What is not said in the document is null.
[[nodiscard]] std::string simulation_to_json(const Pipeline& pipeline, const SimulationOptions& options,
                                             const SimulationResult& result);

}  // namespace oncecheck

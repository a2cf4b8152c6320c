// What the reference runtime is given so that its runs are runs of the checker's model: the faults that can occur, and
// the patterns of keys.
#pragma once

#include <vector>

#include "model/pipeline/pipeline.h"
#include "model/runtime/run.h"
#include "model/semantics/hop_options.h"

namespace oncecheck {

[[nodiscard]] RunFaults run_faults(const ProcessFaults& faults);

// The inputs of runs of the whole pipeline, records apart: every process with the faults that are certain, which leaves
// out what only a time beyond an unstated bound makes possible. Throws InputError if the assumed times contradict each
// other.
[[nodiscard]] RunInputs pipeline_inputs(const Pipeline& pipeline, const UniverseSize& size);

// The records of each universe, over all logs that the queries of the pipeline read.
[[nodiscard]] std::vector<std::vector<RunRecordEntry>> record_patterns(const Pipeline& pipeline,
                                                                       const UniverseSize& size);

}  // namespace oncecheck

// Walking step programs: which objects a step touches, and how.
#pragma once

#include <functional>

#include "model/document/step.h"

namespace oncecheck {

// Calls `visit` for the step and everything inside it, outermost first.
void for_each_step(const Program& program, const std::function<void(const Step&)>& visit);

// The step takes in records: an object that it names as its target can be an end of the pipeline.
[[nodiscard]] bool takes_in_records(const Step& step);

// The step's target is an object of a store (not a fence, a lock, progress or a block).
[[nodiscard]] bool targets_object(const Step& step);

// The step writes rows of its target (also truncate, drop, delete).
[[nodiscard]] bool writes_target(const Step& step);

}  // namespace oncecheck

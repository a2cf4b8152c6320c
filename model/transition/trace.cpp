#include "model/transition/trace.h"

#include <algorithm>

namespace oncecheck {

std::size_t fault_count(const TransitionSystem& system, const Trace& trace) {
    return static_cast<std::size_t>(std::count_if(trace.steps.begin(), trace.steps.end(), [&](const TraceStep& step) {
        return system.actions[step.action].kind == ActionKind::kFault;
    }));
}

}  // namespace oncecheck

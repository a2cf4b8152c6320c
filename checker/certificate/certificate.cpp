#include "checker/certificate/certificate.h"

namespace oncecheck {

TransitionSystem trap_system(const TransitionSystem& system, const State& start) {
    TransitionSystem trap = system;
    trap.name += ", trap";
    for (VariableId id = 0; id < trap.variables.size(); ++id) {
        trap.variables[id].initial = start.at(id);
    }
    std::erase_if(trap.actions, [](const Action& action) { return action.kind == ActionKind::kFault; });
    trap.properties = {{"never complete", system.complete}};
    trap.complete = falsity();
    return trap;
}

}  // namespace oncecheck

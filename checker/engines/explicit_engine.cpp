#include "checker/engines/explicit_engine.h"

#include "checker/engines/explicit_search.h"

namespace oncecheck {

CheckResult ExplicitEngine::check(const TransitionSystem& system, const Limits& limits,
                                  const Progress& progress) const {
    const auto prepared = prepare_search(system);
    if (const auto* reason = std::get_if<std::string>(&prepared)) {
        CheckResult result;
        result.properties.assign(system.properties.size(), Unknown{.reason = *reason});
        if (!system.complete.is_constant(0)) {
            result.progress = Unknown{.reason = *reason};
        }
        return result;
    }
    return std::get<std::unique_ptr<ExplicitSearch>>(prepared)->run(system.initial(), limits, progress);
}

}  // namespace oncecheck

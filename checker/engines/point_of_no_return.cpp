#include "checker/engines/point_of_no_return.h"

#include "checker/engines/explicit_search.h"

namespace oncecheck {

namespace {

// The system with one property, violated where completion is reached without damage.
TransitionSystem with_clean_completion_as_bad(const TransitionSystem& system, std::size_t property) {
    TransitionSystem result = system;
    result.properties = {
        Property{.name = "completion without " + system.properties[property].name,
                 .bad = conjunction({system.complete, !system.properties[property].bad})},
    };
    result.complete = falsity();
    return result;
}

}  // namespace

std::optional<std::size_t> point_of_no_return(const TransitionSystem& system, std::size_t property, const Trace& trace,
                                              const Limits& limits) {
    const TransitionSystem question = with_clean_completion_as_bad(system, property);
    const auto prepared = prepare_search(question);
    if (!std::holds_alternative<std::unique_ptr<ExplicitSearch>>(prepared)) {
        return std::nullopt;
    }
    const auto& search = *std::get<std::unique_ptr<ExplicitSearch>>(prepared);
    Limits without_budget = limits;
    without_budget.fault_budget.reset();
    // Whether clean completion is reachable can only change from yes to no along the trace.
    std::size_t first = 0;
    std::size_t count = trace.steps.size() + 1;
    while (count > 0) {
        const std::size_t middle = first + count / 2;
        const State& state = middle == 0 ? trace.initial : trace.steps[middle - 1].after;
        const Outcome outcome = search.run(state, without_budget, {}).properties.front();
        if (std::holds_alternative<Unknown>(outcome)) {
            return std::nullopt;
        }
        if (std::holds_alternative<Counterexample>(outcome)) {
            first = middle + 1;
            count -= count / 2 + 1;
        } else {
            count /= 2;
        }
    }
    return first <= trace.steps.size() ? std::optional(first) : std::nullopt;
}

}  // namespace oncecheck

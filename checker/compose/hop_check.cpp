#include "checker/compose/hop_check.h"

#include <algorithm>
#include <tuple>

#include "model/semantics/hop.h"

namespace oncecheck {

namespace {

std::string searched_part(const Unknown& unknown) {
    if (unknown.faults == 0 && unknown.steps == 0) {
        return "";
    }
    const std::string faults = std::to_string(unknown.faults);
    return " (searched: all runs with fewer than " + faults + " faults, and those with " + faults + " in fewer than " +
           std::to_string(unknown.steps) + " steps)";
}

class Collector {
  public:
    Collector(RequirementOutcome& outcome, std::string flaw, std::shared_ptr<const HopSystem> system,
              std::optional<std::size_t> property, std::string engine)
        : outcome_(outcome),
          flaw_(std::move(flaw)),
          system_(std::move(system)),
          property_(property),
          engine_(std::move(engine)) {
        outcome_.checked = true;
        if (!engine_.empty()) {
            outcome_.engines.insert(engine_);
        }
    }

    void operator()(const Exhausted&) {}
    void operator()(const Inductive& found) {
        if (property_) {
            outcome_.invariants.push_back({system_, *property_, found});
        }
    }
    void operator()(const Unknown& unknown) {
        if (outcome_.undecided.empty()) {
            outcome_.undecided = unknown.reason + searched_part(unknown);
        }
    }
    void operator()(const Counterexample& found) {
        outcome_.violations.push_back({flaw_, system_, property_, found, engine_});
    }

  private:
    RequirementOutcome& outcome_;
    std::string flaw_;
    std::shared_ptr<const HopSystem> system_;
    std::optional<std::size_t> property_;
    std::string engine_;
};

void sort_violations(RequirementOutcome& outcome) {
    std::stable_sort(outcome.violations.begin(), outcome.violations.end(),
                     [](const FoundViolation& left, const FoundViolation& right) {
                         return std::tuple(left.counterexample.faults, left.counterexample.trace.steps.size()) <
                                std::tuple(right.counterexample.faults, right.counterexample.trace.steps.size());
                     });
}

// "enrich: explicit decided 0 of 3 (time limit ...), induction decided 3 of 3"
std::string describe(const std::vector<EngineTurn>& turns, const std::string& system) {
    std::string text;
    for (const EngineTurn& turn : turns) {
        text += (text.empty() ? system + ": " : ", then ") + turn.engine + " decided " + std::to_string(turn.decided) +
                " of " + std::to_string(turn.asked) + " properties";
    }
    return text;
}

}  // namespace

HopOutcome check_hop(const Pipeline& pipeline, const std::vector<ComponentId>& processes,
                     const std::vector<std::size_t>& requirements, const HopOptions& hop, const VerifyOptions& options,
                     const Limits& limits, const VerifyProgress& progress) {
    HopOutcome outcome;
    for (HopSystem& built : build_hop(pipeline, processes, requirements, hop)) {
        const auto system = std::make_shared<const HopSystem>(std::move(built));
        const SystemOutcome checked = check_system(system->system, options.engine, limits, progress);
        const CheckResult& result = checked.result;
        for (std::size_t index = 0; index < result.properties.size(); ++index) {
            const PropertyMeaning& meaning = system->meanings[index];
            std::visit(Collector(outcome.requirements[meaning.requirement], to_string(meaning.flaw), system, index,
                                 checked.engines[index]),
                       result.properties[index]);
        }
        if (result.progress) {
            std::visit(Collector(outcome.progress, "stuck", system, std::nullopt, checked.progress_engine),
                       *result.progress);
        }
        outcome.systems.push_back({system, result.coverage});
        outcome.states += result.states;
        outcome.bytes = std::max(outcome.bytes, result.bytes);
        if (options.engine == EngineChoice::kAuto && checked.turns.size() > 1) {
            outcome.turns.insert(describe(checked.turns, system->system.name));
        }
        outcome.follows_records = outcome.follows_records && system->followed.has_value();
        outcome.universes.insert(system->followed ? "one record of each batch is followed" : system->universe);
        outcome.bounds.insert(system->bounds.begin(), system->bounds.end());
    }
    for (auto& [unused, requirement] : outcome.requirements) {
        sort_violations(requirement);
    }
    sort_violations(outcome.progress);
    return outcome;
}

}  // namespace oncecheck

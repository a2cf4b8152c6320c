#include "checker/compose/hop_check.h"

#include <algorithm>
#include <tuple>

#include "checker/engines/explicit_engine.h"
#include "checker/smt/bmc_engine.h"
#include "model/transition/evaluator.h"

namespace oncecheck {

namespace {

// The evaluator shares nothing with the engines: what it does not accept is not reported.
void certify(const TransitionSystem& system, const CheckResult& result, const std::string& engine) {
    const auto replayed = [&](const Counterexample& found) {
        if (const auto wrong = replay(system, found.trace)) {
            throw InternalError("a run of the " + engine + " engine does not replay: " + *wrong);
        }
        if (fault_count(system, found.trace) != found.faults) {
            throw InternalError("a run of the " + engine + " engine does not have the faults that it claims");
        }
    };
    for (std::size_t index = 0; index < result.properties.size(); ++index) {
        const auto* found = std::get_if<Counterexample>(&result.properties[index]);
        if (found == nullptr) {
            continue;
        }
        replayed(*found);
        if (evaluate(system.properties[index].bad, found->trace.last()) == 0) {
            throw InternalError("a run of the " + engine + " engine does not violate " + system.properties[index].name);
        }
    }
    if (result.progress) {
        if (const auto* found = std::get_if<Counterexample>(&*result.progress)) {
            replayed(*found);
        }
    }
}

// Of two answers to one question the one that decides; both deciding differently is an internal error.
Outcome reconciled(const EngineAnswer& one, const EngineAnswer& two, const TransitionSystem& system,
                   const std::string& question) {
    const Outcome& left = one.outcome;
    const Outcome& right = two.outcome;
    if (std::holds_alternative<Unknown>(left)) {
        return right;
    }
    if (std::holds_alternative<Unknown>(right)) {
        return left;
    }
    const auto* run = std::get_if<Counterexample>(&left);
    const auto* other = std::get_if<Counterexample>(&right);
    // Bounded model checking gives a smaller fault budget up beyond its depth: only runs within it compare.
    const std::size_t depth = static_cast<std::size_t>(BmcSettings{}.most_steps);
    const bool agree = (run == nullptr) == (other == nullptr) &&
                       (run == nullptr || run->trace.steps.size() > depth ||
                        (run->faults == other->faults && run->trace.steps.size() == other->trace.steps.size()));
    if (!agree) {
        throw Contradiction({question, system, {one, two}});
    }
    return left;
}

bool decides(const Outcome& outcome) { return !std::holds_alternative<Unknown>(outcome); }

void note_deciding(const CheckResult& result, const std::string& engine, std::set<std::string>& deciding) {
    if (std::any_of(result.properties.begin(), result.properties.end(), decides) ||
        (result.progress && decides(*result.progress))) {
        deciding.insert(engine);
    }
}

class Collector {
  public:
    Collector(RequirementOutcome& outcome, std::string flaw, std::shared_ptr<const HopSystem> system,
              std::optional<std::size_t> property, std::string engine)
        : outcome_(outcome),
          flaw_(std::move(flaw)),
          system_(std::move(system)),
          property_(property),
          engine_(std::move(engine)) {}

    void operator()(const Exhausted&) { outcome_.checked = true; }
    void operator()(const Inductive&) { outcome_.checked = true; }
    void operator()(const Unknown& unknown) {
        outcome_.checked = true;
        if (outcome_.undecided.empty()) {
            outcome_.undecided = unknown.reason + " (searched: all runs with fewer than " +
                                 std::to_string(unknown.faults) + " faults, and those with " +
                                 std::to_string(unknown.faults) + " in fewer than " + std::to_string(unknown.steps) +
                                 " steps)";
        }
    }
    void operator()(const Counterexample& found) {
        outcome_.checked = true;
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

std::vector<std::unique_ptr<Engine>> engines_of(EngineChoice choice) {
    std::vector<std::unique_ptr<Engine>> engines;
    switch (choice) {
        case EngineChoice::kAuto:
        case EngineChoice::kExplicit:
            engines.push_back(std::make_unique<ExplicitEngine>());
            break;
        case EngineChoice::kBmc:
            engines.push_back(std::make_unique<BmcEngine>());
            break;
        case EngineChoice::kAll:
            engines.push_back(std::make_unique<ExplicitEngine>());
            engines.push_back(std::make_unique<BmcEngine>());
            break;
    }
    return engines;
}

}  // namespace

CheckResult check_system(const TransitionSystem& system, EngineChoice engine, const Limits& limits,
                         const VerifyProgress& progress, std::set<std::string>& deciding) {
    return check_system(system, engines_of(engine), limits, progress, deciding);
}

CheckResult check_system(const TransitionSystem& system, const std::vector<std::unique_ptr<Engine>>& engines,
                         const Limits& limits, const VerifyProgress& progress, std::set<std::string>& deciding) {
    std::optional<CheckResult> combined;
    std::string earlier;  // the engines that `combined` comes from
    for (const std::unique_ptr<Engine>& one : engines) {
        CheckResult result = one->check(system, limits, progress);
        certify(system, result, std::string(one->name()));
        note_deciding(result, std::string(one->name()), deciding);
        if (!combined) {
            combined = std::move(result);
            earlier = one->name();
            continue;
        }
        for (std::size_t index = 0; index < result.properties.size(); ++index) {
            combined->properties[index] =
                reconciled({earlier, combined->properties[index]}, {std::string(one->name()), result.properties[index]},
                           system, system.properties[index].name);
        }
        if (combined->progress && result.progress) {
            combined->progress =
                reconciled({earlier, *combined->progress}, {std::string(one->name()), *result.progress}, system,
                           "progress of " + system.name);
        }
        earlier += std::string(" or ") + std::string(one->name());
    }
    return std::move(*combined);
}

HopOutcome check_hop(const Pipeline& pipeline, const std::vector<ComponentId>& processes,
                     const std::vector<std::size_t>& requirements, const HopOptions& hop, const VerifyOptions& options,
                     const Limits& limits, const VerifyProgress& progress) {
    HopOutcome outcome;
    for (HopSystem& built : build_hop(pipeline, processes, requirements, hop)) {
        const auto system = std::make_shared<const HopSystem>(std::move(built));
        std::set<std::string> deciding;
        const CheckResult result = check_system(system->system, options.engine, limits, progress, deciding);
        const std::string engine = deciding.empty() ? "" : *deciding.begin();
        for (std::size_t index = 0; index < result.properties.size(); ++index) {
            const PropertyMeaning& meaning = system->meanings[index];
            std::visit(
                Collector(outcome.requirements[meaning.requirement], to_string(meaning.flaw), system, index, engine),
                result.properties[index]);
        }
        if (result.progress) {
            std::visit(Collector(outcome.progress, "stuck", system, std::nullopt, engine), *result.progress);
        }
        ++outcome.systems;
        outcome.states += result.states;
        outcome.bytes = std::max(outcome.bytes, result.bytes);
        outcome.engines.insert(deciding.begin(), deciding.end());
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

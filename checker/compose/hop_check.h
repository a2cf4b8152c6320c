// One hop, checked: the systems of its universes given to the engines, every trace replayed, the outcomes of all
// systems put together for each requirement.
//
// A requirement is violated if some property of it is violated in some system, holds if all hold in all, and is
// undecided otherwise. Engines that contradict each other (Contradiction), and traces that do not replay, are internal
// errors.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checker/compose/system_check.h"
#include "checker/compose/verify.h"
#include "model/semantics/hop.h"

namespace oncecheck {

// A violation with its evidence. `property` is none for progress.
struct FoundViolation {
    std::string flaw;  // "loss", ..., "stuck"
    std::shared_ptr<const HopSystem> system;
    std::optional<std::size_t> property;
    Counterexample counterexample;
    std::string engine;
};

// A property that holds because of an invariant, not of an exhausted search.
struct FoundInvariant {
    std::shared_ptr<const HopSystem> system;
    std::size_t property = 0;
    Inductive evidence;
};

struct RequirementOutcome {
    std::vector<FoundViolation> violations;  // the one with fewest faults, then fewest steps first
    std::vector<FoundInvariant> invariants;
    std::string undecided;          // why it is not decided; empty if every property is
    bool checked = false;           // some system has a property of it
    std::set<std::string> engines;  // that decided a property of it
};

// What a search of one system has seen happen; no coverage: nothing is known.
struct SeenSystem {
    std::shared_ptr<const HopSystem> system;
    std::optional<Coverage> coverage;
};

struct HopOutcome {
    std::map<std::size_t, RequirementOutcome> requirements;  // by index into Pipeline::requirements
    RequirementOutcome progress;
    std::vector<SeenSystem> systems;
    std::size_t states = 0;
    std::size_t bytes = 0;
    std::set<std::string> universes;
    std::set<std::string> bounds;
    std::set<std::string> turns;  // of the engines in systems where the first one did not do
    bool follows_records = true;  // every system follows one record: exact for any batch size
};

[[nodiscard]] HopOutcome check_hop(const Pipeline& pipeline, const std::vector<ComponentId>& processes,
                                   const std::vector<std::size_t>& requirements, const HopOptions& hop,
                                   const VerifyOptions& options, const Limits& limits, const VerifyProgress& progress);

}  // namespace oncecheck

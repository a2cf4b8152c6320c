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

#include "checker/compose/verify.h"
#include "checker/engines/engine.h"
#include "model/semantics/hop.h"

namespace oncecheck {

struct EngineAnswer {
    std::string engine;
    Outcome outcome;
};

// Two engines contradict each other: a mistake of ours, with all that is needed to find it.
class Contradiction : public InternalError {
  public:
    struct Details {
        std::string question;  // the property's name, or "progress of ..."
        TransitionSystem system;
        std::vector<EngineAnswer> answers;
    };
    explicit Contradiction(Details details)
        : InternalError("two engines contradict each other on " + details.question),
          details_(std::make_shared<const Details>(std::move(details))) {}
    [[nodiscard]] const Details& details() const { return *details_; }

  private:
    std::shared_ptr<const Details> details_;  // shared: exceptions are copied
};

// A violation with its evidence. `property` is none for progress.
struct FoundViolation {
    std::string flaw;  // "loss", ..., "stuck"
    std::shared_ptr<const HopSystem> system;
    std::optional<std::size_t> property;
    Counterexample counterexample;
    std::string engine;
};

struct RequirementOutcome {
    std::vector<FoundViolation> violations;  // the one with fewest faults, then fewest steps first
    std::string undecided;                   // why it is not decided; empty if every property is
    bool checked = false;                    // some system has a property of it
};

struct HopOutcome {
    std::map<std::size_t, RequirementOutcome> requirements;  // by index into Pipeline::requirements
    RequirementOutcome progress;
    std::size_t systems = 0;
    std::size_t states = 0;
    std::size_t bytes = 0;
    std::set<std::string> universes;
    std::set<std::string> bounds;
    std::set<std::string> engines;  // that decided
    bool follows_records = true;    // every system follows one record: exact for any batch size
};

[[nodiscard]] HopOutcome check_hop(const Pipeline& pipeline, const std::vector<ComponentId>& processes,
                                   const std::vector<std::size_t>& requirements, const HopOptions& hop,
                                   const VerifyOptions& options, const Limits& limits, const VerifyProgress& progress);

// Checks one system with the engines asked for, replays every trace, and compares the engines where several answer.
// Throws Contradiction.
[[nodiscard]] CheckResult check_system(const TransitionSystem& system, EngineChoice engine, const Limits& limits,
                                       const VerifyProgress& progress, std::set<std::string>& deciding);
// Requires at least one engine.
[[nodiscard]] CheckResult check_system(const TransitionSystem& system,
                                       const std::vector<std::unique_ptr<Engine>>& engines, const Limits& limits,
                                       const VerifyProgress& progress, std::set<std::string>& deciding);

}  // namespace oncecheck

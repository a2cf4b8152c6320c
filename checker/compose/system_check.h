// One transition system, checked by the engines that were asked for. Every trace is replayed before anyone sees it.
//
//   auto      explicit search; what it leaves open for want of memory, time or bits goes to induction, then to Spacer,
//             then to bounded model checking
//   all       every engine on everything; two that contradict each other are an error (Contradiction)
//   a name    that engine alone
//
// A property of complete states holds only where some complete state is reachable: otherwise nothing was judged, and it
// is undecided.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "checker/compose/verify.h"
#include "checker/engines/engine.h"

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

// What one of the engines has done.
struct EngineTurn {
    std::string engine;
    std::size_t asked = 0;    // properties
    std::size_t decided = 0;  // of them
    std::string reason;       // why it left one open; empty if it decided all
};

struct SystemOutcome {
    CheckResult result;
    std::vector<std::string> engines;  // by property: which decided it; empty if none did
    std::string progress_engine;
    std::vector<EngineTurn> turns;  // in order; with auto later ones are asked what the ones before have left open
};

// Throws Contradiction, and InternalError for a trace that does not replay.
[[nodiscard]] SystemOutcome check_system(const TransitionSystem& system, EngineChoice engine, const Limits& limits,
                                         const Progress& progress);

// All of the engines on everything. Requires at least one.
[[nodiscard]] SystemOutcome check_system(const TransitionSystem& system,
                                         const std::vector<std::unique_ptr<Engine>>& engines, const Limits& limits,
                                         const Progress& progress);

}  // namespace oncecheck

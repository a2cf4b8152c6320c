// One system that all engines and SPIN are asked about, and what our engines say of it.
//
//   fewest steps overall are asked of a copy whose faults are steps;
//   every variable counts as a part of the state, as it does for SPIN (no slicing);
//   progress that is violated: the end of the stem is asked to be reachable, and its trap is a subject of its own,
//     without faults, in which no complete state may be reachable;
//   progress that holds: some states of a random run are subjects, in which one must be.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/transition/system.h"

namespace oncecheck {

struct Subject {
    std::string name;
    TransitionSystem system;
    // Of each property: whether some run violates it and how many steps the shortest takes.
    std::vector<std::optional<std::size_t>> shortest;
    std::size_t states = 0;
};

struct Examined {
    std::vector<Subject> subjects;   // the system itself, then what its progress is asked with
    std::set<std::string> deciding;  // engines but the explicit one that decided something of it
    std::size_t violated = 0;
    std::size_t held = 0;
    std::optional<bool> progress;  // whether it holds, if it is asked
};

// A system that the engines contradict themselves or each other on.
class Disagreement : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct ExamineOptions {
    std::chrono::milliseconds engines{500};  // for all other engines together, of a small system
    std::uint64_t seed = 1;                  // of the states from which progress is asked
};

// Whether explicit search finds all states, and answers every question, within so much memory.
[[nodiscard]] bool fits(const TransitionSystem& system, std::size_t memory_bytes);

// Asks the engines. Throws Disagreement.
[[nodiscard]] Examined examine(const TransitionSystem& system, const ExamineOptions& options);

}  // namespace oncecheck

// What a solver answers, and how long it may think. Plain values, so that everybody can ask without knowing Z3.
//
// An answer has three values and every use is a `switch` without `default`: `kUnknown` (a limit, or a theory that Z3
// does not decide) never becomes a verdict.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <memory>

namespace oncecheck {

enum class Answer { kSat, kUnsat, kUnknown };

std::ostream& operator<<(std::ostream& out, Answer answer);

// Stands between a solver and whoever asks, in tests: gets each answer and gives what the other is told, such as a
// time-out that never was.
using AnswerFilter = std::function<Answer(Answer)>;

// Limits of one query; 0 means none. `resources` are Z3's (rlimit): the same on every machine, where time is only a
// backstop.
struct SolverLimits {
    unsigned resources = 0;
    std::chrono::milliseconds time{0};
    std::size_t memory_bytes = 0;  // finite domains only; whole megabytes
    std::shared_ptr<const AnswerFilter> filter = nullptr;

    bool operator==(const SolverLimits&) const = default;
};

}  // namespace oncecheck

// The exit codes, which are interface, and what turns into which. The worse of two codes wins: a tool error outranks a
// finding, so that a check that did not run never looks like one that passed.
#pragma once

#include <functional>

#include "model/errors.h"

namespace oncecheck {

inline constexpr int kExitAsExpected = 0;
inline constexpr int kExitNotAsExpected = 1;
inline constexpr int kExitBadInput = 2;  // or bad usage
inline constexpr int kExitUndecided = 3;
inline constexpr int kExitInternalError = 4;
inline constexpr int kExitInterrupted = 130;

// By weight: as expected, undecided, not as expected, bad input, internal error.
[[nodiscard]] int worse(int left, int right);

// Runs `action`; prints whatever it throws to standard error and returns the exit code for it, else kExitAsExpected.
// Running out of memory is kExitUndecided.
[[nodiscard]] int guarded(const std::function<void()>& action);

}  // namespace oncecheck

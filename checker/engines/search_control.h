// What ends a search before it is done, and what tells a person how far it is.
#pragma once

#include <atomic>
#include <chrono>
#include <string>

#include "checker/engines/engine.h"

namespace oncecheck {

enum class Stop { kNone, kTime, kMemory };

class SearchControl {
  public:
    SearchControl(const Limits& limits, const Progress& progress)
        : deadline_(limits.deadline), memory_bytes_(limits.memory_bytes), progress_(progress) {}

    [[nodiscard]] bool stopped() const { return stop_.load(std::memory_order_relaxed) != Stop::kNone; }
    // The first reason stays.
    void stop(Stop reason) {
        Stop none = Stop::kNone;
        stop_.compare_exchange_strong(none, reason);
    }
    // To be called every few thousand states by every thread; a clock is read.
    void check_deadline() {
        if (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_) {
            stop(Stop::kTime);
        }
    }

    // Tells the status, made by `status`, if nothing was told for half a second; from the caller's thread only.
    template <class Status>
    void report(Status status) {
        constexpr std::chrono::milliseconds kInterval(500);
        if (!progress_) {
            return;
        }
        const Clock::time_point now = Clock::now();
        if (now - reported_ >= kInterval) {
            reported_ = now;
            progress_(status());
        }
    }

    // Why the search stopped; requires stopped().
    [[nodiscard]] std::string reason() const {
        if (stop_.load() == Stop::kTime) {
            return "time limit";
        }
        const bool small = memory_bytes_ < (std::size_t{1} << 20);
        return "memory limit of " + std::to_string(memory_bytes_ >> (small ? 10 : 20)) + (small ? " KiB" : " MiB");
    }

  private:
    using Clock = std::chrono::steady_clock;

    Clock::time_point deadline_;
    std::size_t memory_bytes_;
    const Progress& progress_;
    Clock::time_point reported_ = Clock::now();
    std::atomic<Stop> stop_ = Stop::kNone;
};

}  // namespace oncecheck

// How much memory a search may take and has taken. Whoever is about to grow asks first.
#pragma once

#include <atomic>
#include <cstddef>

namespace oncecheck {

class MemoryBudget {
  public:
    explicit MemoryBudget(std::size_t limit) : limit_(limit) {}

    // Exchanges `released` bytes for `wanted` ones; false, and nothing is changed, if that exceeds the limit.
    // Safe to call from several threads.
    [[nodiscard]] bool exchange(std::size_t released, std::size_t wanted) {
        std::size_t used = used_.load(std::memory_order_relaxed);
        do {
            if (used - released + wanted > limit_) {
                return false;
            }
        } while (!used_.compare_exchange_weak(used, used - released + wanted, std::memory_order_relaxed));
        return true;
    }
    [[nodiscard]] bool reserve(std::size_t wanted) { return exchange(0, wanted); }

    [[nodiscard]] std::size_t used() const { return used_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::size_t limit() const { return limit_; }

  private:
    std::size_t limit_;
    std::atomic<std::size_t> used_ = 0;
};

}  // namespace oncecheck

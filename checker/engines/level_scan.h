// Goes through levels in chunks of states, on all threads if that is worth it, else on the calling one.
//
// Chunks end at multiples of kChunk, so two of them never share a word of a bit set over the states.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <span>
#include <vector>

#include "checker/engines/search_control.h"
#include "checker/engines/state_store.h"
#include "checker/engines/worker_pool.h"

namespace oncecheck {

struct Chunk {
    std::uint32_t source = 0;  // which of the levels
    std::uint32_t shard = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

class LevelScan {
  public:
    static constexpr std::uint32_t kChunk = 1024;

    LevelScan(WorkerPool& pool, SearchControl& control) : pool_(pool), control_(control) {}

    // Calls visit(worker, chunk) for all chunks, each on some thread, then finish(worker) for each worker; leaves
    // chunks out once the control says so.
    template <class Visit, class Finish>
    void run(std::span<const Level* const> levels, Visit visit, Finish finish) {
        start(
            levels,
            [&](std::size_t worker, const Chunk& chunk) {
                control_.check_deadline();
                if (!control_.stopped()) {
                    visit(worker, chunk);
                }
            },
            finish);
    }
    template <class Visit>
    void run(const Level& level, Visit visit) {
        run(std::array{&level}, visit, [](std::size_t) {});
    }

    // The same for all chunks, whatever the control says.
    template <class Visit>
    void run_to_the_end(const Level& level, Visit visit) {
        start(std::array{&level}, visit, [](std::size_t) {});
    }

  private:
    static constexpr std::size_t kWorthThreads = 8 * kChunk;

    template <class Visit, class Finish>
    void start(std::span<const Level* const> levels, Visit visit, Finish finish) {
        chunks_.clear();
        std::size_t states = 0;
        for (std::uint32_t source = 0; source < levels.size(); ++source) {
            states += levels[source]->size();
            split(source, *levels[source]);
        }
        std::atomic<std::size_t> next = 0;
        const auto work = [&](std::size_t worker) {
            for (std::size_t i = next++; i < chunks_.size(); i = next++) {
                visit(worker, chunks_[i]);
            }
            finish(worker);
        };
        if (pool_.size() > 1 && states >= kWorthThreads) {
            pool_.run(work);
        } else {
            work(0);
        }
    }

    void split(std::uint32_t source, const Level& level) {
        for (std::uint32_t shard = 0; shard < level.begin.size(); ++shard) {
            for (std::uint32_t begin = level.begin[shard]; begin < level.end[shard];) {
                const std::uint32_t end = std::min(level.end[shard], (begin / kChunk + 1) * kChunk);
                chunks_.push_back({source, shard, begin, end});
                begin = end;
            }
        }
    }

    WorkerPool& pool_;
    SearchControl& control_;
    std::vector<Chunk> chunks_;
};

}  // namespace oncecheck

// One thread's successors on their way into the store: collected by shard, inserted in batches.
//
// A batch is gone through three times (ask for the slots of the table, ask for the states that these name, insert), so
// that the cache misses of different states overlap. The shard's lock is taken once a batch. Most successors are known,
// and many were added a moment ago: a small cache that fits the processor's drops these.
#pragma once

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>
#include <vector>

#include "checker/engines/search_control.h"
#include "checker/engines/state_store.h"

namespace oncecheck {

template <std::size_t W>
class SuccessorBuffers {
  public:
    SuccessorBuffers(StateStore<W>& store, SearchControl& control)
        : store_(store), control_(control), buffers_(store.shard_count()), recent_(kRecent) {
        // No slot may seem to hold a state that was never added: that of the zero state gets one that belongs
        // elsewhere.
        const std::size_t zero = recent_slot(hash_of(Packed<W>{}));
        while (recent_slot(hash_of(recent_[zero])) == zero) {
            ++recent_[zero].words[0];
        }
    }

    // In probe mode states are looked for and not inserted. To be set while the buffers are empty.
    void set_probe(bool probe) { probe_ = probe; }
    [[nodiscard]] bool probe_found_new() const { return probe_found_new_; }

    void add(const Packed<W>& state) {
        const std::uint64_t hash = hash_of(state);
        Packed<W>& recent = recent_[recent_slot(hash)];
        if (recent == state) {
            return;
        }
        recent = state;
        const std::size_t shard = store_.shard_of(hash);
        Buffer& buffer = buffers_[shard];
        buffer.states[buffer.size] = state;
        buffer.hashes[buffer.size] = hash;
        ++buffer.size;
        if (buffer.size >= kBatch && buffer.size % kRetry == 0) {
            insert_if_free(shard);
        }
    }

    void flush() {
        for (std::size_t shard = 0; shard < buffers_.size(); ++shard) {
            if (buffers_[shard].size != 0) {
                const std::lock_guard lock(store_.mutex(shard));
                insert(shard);
            }
        }
    }

  private:
    static constexpr std::size_t kBatch = 128;
    static constexpr std::size_t kRetry = 32;   // after a lock was not free: successors until it is tried again
    static constexpr std::size_t kMost = 1024;  // in a buffer
    static constexpr std::size_t kRecent = (std::size_t{128} << 10) / sizeof(Packed<W>);

    struct Buffer {
        std::size_t size = 0;
        std::array<std::uint64_t, kMost> hashes;
        std::array<Packed<W>, kMost> states;
    };

    [[nodiscard]] static std::size_t recent_slot(std::uint64_t hash) { return hash & (kRecent - 1); }

    // While another thread inserts there, this one goes on with other work, as long as the buffer has room.
    void insert_if_free(std::size_t number) {
        std::unique_lock lock(store_.mutex(number), std::defer_lock);
        if (buffers_[number].size == kMost) {
            lock.lock();
        }
        if (lock.owns_lock() || lock.try_lock()) {
            insert(number);
        }
    }

    // Requires the shard's lock.
    void insert(std::size_t number) {
        Buffer& buffer = buffers_[number];
        StateShard<W>& shard = store_.shard(number);
        const std::size_t size = std::exchange(buffer.size, 0);
        for (std::size_t begin = 0; begin < size; begin += kBatch) {
            const std::size_t end = std::min(size, begin + kBatch);
            for (std::size_t i = begin; i < end; ++i) {
                shard.prefetch_slot(buffer.hashes[i]);
            }
            for (std::size_t i = begin; i < end; ++i) {
                shard.prefetch_state(buffer.hashes[i]);
            }
            for (std::size_t i = begin; i < end; ++i) {
                insert(shard, buffer.states[i], buffer.hashes[i]);
            }
        }
    }

    void insert(StateShard<W>& shard, const Packed<W>& state, std::uint64_t hash) {
        if (probe_) {
            probe_found_new_ = probe_found_new_ || !shard.find(state, hash);
        } else if (shard.insert(state, hash) == Insertion::kNoMemory) {
            control_.stop(Stop::kMemory);
        }
    }

    StateStore<W>& store_;
    SearchControl& control_;
    std::vector<Buffer> buffers_;
    std::vector<Packed<W>> recent_;  // by hash: added not long ago, so known or on the way
    bool probe_ = false;
    bool probe_found_new_ = false;
};

}  // namespace oncecheck

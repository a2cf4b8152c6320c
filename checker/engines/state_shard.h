// One shard of the set of states: the states in the order in which they came, and a table that finds them.
//
//   states  an array in pieces that double: growing copies nothing, and a state never moves
//   table   open addressing, 32 bits an entry: index + 1 below, as many bits of the hash as fit above, 0 for none. It
//           grows by two at a load of 0.7, is freed before it is built anew from the states, in their order
//
// So a state of W words takes 8 W bytes and 5.7 to 11.4 of the table, also while that grows. insert() wants the shard
// for itself; state() may be called meanwhile for states whose insertion happened before.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "checker/engines/memory_budget.h"
#include "checker/engines/packed_layout.h"
#include "checker/engines/page_array.h"
#include "checker/engines/state_hash.h"

namespace oncecheck {

enum class Insertion { kNew, kKnown, kNoMemory };

template <std::size_t W>
class StateShard {
  public:
    // The memory is counted against the budget, which must outlive the shard.
    explicit StateShard(MemoryBudget& budget) : budget_(&budget) {}

    [[nodiscard]] std::uint32_t size() const { return size_; }

    // Requires index < size().
    [[nodiscard]] const Packed<W>& state(std::uint32_t index) const {
        const Place place = place_of(index);
        return pieces_[place.piece][place.offset];
    }

    void prefetch_slot(std::uint64_t hash) const {
        if (!table_.empty()) {
            __builtin_prefetch(&table_[hash & slot_mask_]);
        }
    }

    // After prefetch_slot: the state that is probably found there.
    void prefetch_state(std::uint64_t hash) const {
        if (table_.empty()) {
            return;
        }
        const std::uint32_t entry = table_[hash & slot_mask_];
        if (entry != 0 && same_tag(entry, hash)) {
            __builtin_prefetch(&state(index_of(entry)));
        }
    }

    Insertion insert(const Packed<W>& state, std::uint64_t hash) {
        if (size_ >= growth_at_ && !grow_table()) {
            return Insertion::kNoMemory;
        }
        std::size_t slot = hash & slot_mask_;
        for (; table_[slot] != 0; slot = (slot + 1) & slot_mask_) {
            if (holds(table_[slot], state, hash)) {
                return Insertion::kKnown;
            }
        }
        if (size_ % kFirstPiece == 0 && !grow_states()) {
            return Insertion::kNoMemory;
        }
        const Place place = place_of(size_);
        pieces_[place.piece][place.offset] = state;
        ++size_;
        table_[slot] = entry_of(size_, hash);
        return Insertion::kNew;
    }

    [[nodiscard]] std::optional<std::uint32_t> find(const Packed<W>& state, std::uint64_t hash) const {
        if (table_.empty()) {
            return std::nullopt;
        }
        for (std::size_t slot = hash & slot_mask_; table_[slot] != 0; slot = (slot + 1) & slot_mask_) {
            if (holds(table_[slot], state, hash)) {
                return index_of(table_[slot]);
            }
        }
        return std::nullopt;
    }

  private:
    static constexpr std::uint32_t kFirstPiece = 1024;  // states
    static constexpr unsigned kFirstPieceBits = 10;
    static constexpr unsigned kFirstTableBits = 10;
    static constexpr unsigned kMostTableBits = 31;

    struct Place {
        std::size_t piece;
        std::size_t offset;
    };

    [[nodiscard]] static Place place_of(std::uint32_t index) {
        const std::uint64_t shifted = std::uint64_t{index} + kFirstPiece;
        const auto top = static_cast<unsigned>(std::bit_width(shifted)) - 1;
        return {top - kFirstPieceBits, static_cast<std::size_t>(shifted ^ (std::uint64_t{1} << top))};
    }

    [[nodiscard]] std::uint32_t index_of(std::uint32_t entry) const {
        return (entry & static_cast<std::uint32_t>(slot_mask_)) - 1;
    }
    [[nodiscard]] std::uint32_t entry_of(std::uint32_t index_plus_one, std::uint64_t hash) const {
        return (static_cast<std::uint32_t>(hash >> 32) & ~static_cast<std::uint32_t>(slot_mask_)) | index_plus_one;
    }
    [[nodiscard]] bool same_tag(std::uint32_t entry, std::uint64_t hash) const {
        return ((entry ^ static_cast<std::uint32_t>(hash >> 32)) & ~static_cast<std::uint32_t>(slot_mask_)) == 0;
    }
    [[nodiscard]] bool holds(std::uint32_t entry, const Packed<W>& wanted, std::uint64_t hash) const {
        return same_tag(entry, hash) && state(index_of(entry)) == wanted;
    }

    // Memory is counted as it is used, in steps of kFirstPiece states.
    [[nodiscard]] bool grow_states() {
        if (!budget_->reserve(kFirstPiece * sizeof(Packed<W>))) {
            return false;
        }
        const Place place = place_of(size_);
        if (place.offset == 0) {
            pieces_[place.piece] = PageArray<Packed<W>>(std::size_t{kFirstPiece} << place.piece);
        }
        return true;
    }

    [[nodiscard]] bool grow_table() {
        const unsigned bits = table_.empty() ? kFirstTableBits : table_bits_ + 1;
        const std::size_t old_bytes = table_.empty() ? 0 : sizeof(std::uint32_t) << table_bits_;
        if (lost_ || bits > kMostTableBits || !budget_->exchange(old_bytes, sizeof(std::uint32_t) << bits)) {
            return false;
        }
        lost_ = true;  // until the new table is there
        growth_at_ = 0;
        table_ = PageArray<std::uint32_t>();
        table_ = PageArray<std::uint32_t>(std::size_t{1} << bits);
        lost_ = false;
        table_bits_ = bits;
        slot_mask_ = (std::size_t{1} << bits) - 1;
        growth_at_ = static_cast<std::uint32_t>((std::uint64_t{7} << bits) / 10);
        constexpr std::uint32_t kBatch = 64;
        std::array<std::uint64_t, kBatch> hashes{};
        for (std::uint32_t begin = 0; begin < size_; begin += kBatch) {
            const std::uint32_t count = std::min(kBatch, size_ - begin);
            for (std::uint32_t i = 0; i < count; ++i) {
                hashes[i] = hash_of(state(begin + i));
                prefetch_slot(hashes[i]);
            }
            for (std::uint32_t i = 0; i < count; ++i) {
                put(begin + i, hashes[i]);
            }
        }
        return true;
    }

    void put(std::uint32_t index, std::uint64_t hash) {
        std::size_t slot = hash & slot_mask_;
        while (table_[slot] != 0) {
            slot = (slot + 1) & slot_mask_;
        }
        table_[slot] = entry_of(index + 1, hash);
    }

    MemoryBudget* budget_;
    std::array<PageArray<Packed<W>>, 23> pieces_;  // enough for 2^32 states
    PageArray<std::uint32_t> table_;
    unsigned table_bits_ = 0;
    std::size_t slot_mask_ = 0;
    std::uint32_t growth_at_ = 0;
    std::uint32_t size_ = 0;
    bool lost_ = false;  // the system had no memory for the table: nothing can be inserted any more
};

}  // namespace oncecheck

// Packed states: every kept variable has bit_width(largest) bits of a word of 64, and no field straddles two words.
//
// Control variables come first, in the order of the system, then all others, each in the first word that has room. A
// state is then W words, W in {1, 2, 4, 8}, and equality, guards and constant assignments are mask operations on
// words. Which variables are kept is the slice's decision (slice.h); the others have no field.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/transition/system.h"

namespace oncecheck {

inline constexpr std::size_t kMostWords = 8;

struct Field {
    std::uint8_t word = 0;
    std::uint8_t shift = 0;
    std::uint32_t mask = 0;  // of the field's value, not shifted

    [[nodiscard]] std::uint64_t in_place() const { return std::uint64_t{mask} << shift; }
    [[nodiscard]] std::uint64_t of(const std::uint64_t* words) const { return (words[word] >> shift) & mask; }
};

// A state of W words. The order of keys is that of the words, first word first; it decides between equally short runs.
template <std::size_t W>
struct Packed {
    std::array<std::uint64_t, W> words{};

    bool operator<(const Packed& other) const { return words < other.words; }
    // Branch-free: almost all comparisons of the search are of equal states.
    bool operator==(const Packed& other) const {
        std::uint64_t difference = 0;
        for (std::size_t i = 0; i < W; ++i) {
            difference |= words[i] ^ other.words[i];
        }
        return difference == 0;
    }
};

class PackedLayout {
  public:
    // Lays out the variables for which `kept` is true.
    PackedLayout(const TransitionSystem& system, const std::vector<bool>& kept);

    // How many words a state needs; may be more than kMostWords.
    [[nodiscard]] std::size_t words() const { return used_bits_.size(); }
    // Empty for a variable that is not kept.
    [[nodiscard]] const std::optional<Field>& field(VariableId variable) const { return fields_[variable]; }

    // The fields of the state; requires W >= words().
    template <std::size_t W>
    [[nodiscard]] Packed<W> pack(const State& state) const {
        Packed<W> packed;
        for (std::size_t i = 0; i < fields_.size(); ++i) {
            if (fields_[i]) {
                packed.words[fields_[i]->word] |= std::uint64_t{state[i]} << fields_[i]->shift;
            }
        }
        return packed;
    }

    // Puts the values of the fields into the state; its other variables stay as they are.
    template <std::size_t W>
    void unpack(const Packed<W>& packed, State& state) const {
        for (std::size_t i = 0; i < fields_.size(); ++i) {
            if (fields_[i]) {
                state[i] = static_cast<Value>(fields_[i]->of(packed.words.data()));
            }
        }
    }

  private:
    void place(VariableId variable, Value largest);

    std::vector<std::optional<Field>> fields_;
    std::vector<unsigned> used_bits_;  // of each word
};

}  // namespace oncecheck

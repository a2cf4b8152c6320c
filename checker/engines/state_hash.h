// The hash of a packed state: products of 128 bits, folded, as in wyhash (github.com/wangyi-fudan/wyhash). The low
// bits give the slot in a shard's table, bits 32 and up the tag, the highest six the shard.
#pragma once

#include <cstdint>

#include "checker/engines/packed_layout.h"

namespace oncecheck {

[[nodiscard]] inline std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

template <std::size_t W>
[[nodiscard]] std::uint64_t hash_of(const Packed<W>& state) {
    constexpr std::uint64_t kFirst = 0xa0761d6478bd642f;
    constexpr std::uint64_t kSecond = 0xe7037ed1a0b428db;
    constexpr std::uint64_t kThird = 0x8ebc6af09c88c6e3;
    if constexpr (W == 1) {
        return folded_product(folded_product(state.words[0] ^ kFirst, kSecond) ^ kThird, kFirst);
    } else {
        std::uint64_t hash = kThird;
        for (std::size_t i = 0; i < W; i += 2) {
            hash = folded_product(state.words[i] ^ kFirst ^ hash, state.words[i + 1] ^ kSecond);
        }
        return folded_product(hash ^ kThird, kFirst);
    }
}

}  // namespace oncecheck

// UUIDs of a run, in an order that a seed fixes: version 4 in form, not in randomness.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

namespace oncecheck {

// SplitMix64 (Steele, Lea, Flood 2014): a small generator whose whole state is one number.
class SplitMix {
  public:
    explicit SplitMix(std::uint64_t seed) : state_(seed) {}

    [[nodiscard]] std::uint64_t next() {
        state_ += 0x9E3779B97F4A7C15U;
        std::uint64_t value = state_;
        value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
        value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
        return value ^ (value >> 31U);
    }
    // Requires bound > 0. The bias of the modulus is far below what a run could show.
    [[nodiscard]] std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }

  private:
    std::uint64_t state_;
};

class Identities {
  public:
    explicit Identities(std::uint64_t seed) : random_(seed ^ 0x6F6E6365U) {}

    // "3f2b8c1e-....-4...-a...-............".
    [[nodiscard]] std::string next() {
        const std::uint64_t high = random_.next();
        const std::uint64_t low = random_.next();
        std::array<char, 37> text{};
        std::snprintf(text.data(), text.size(), "%08x-%04x-4%03x-%04x-%012llx", static_cast<unsigned>(high >> 32U),
                      static_cast<unsigned>((high >> 16U) & 0xFFFFU), static_cast<unsigned>(high & 0xFFFU),
                      static_cast<unsigned>(0x8000U | (low >> 50U)),
                      static_cast<unsigned long long>(low & 0xFFFFFFFFFFFFU));
        return text.data();
    }

  private:
    SplitMix random_;
};

}  // namespace oncecheck

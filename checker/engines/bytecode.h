// What guards and assignments that are no mere masks become: a few instructions on the words of a packed state.
//
// Two kinds of program: a test ends at the first kRequire... that fails; an effect adds fields into a successor in
// which they were cleared before (all assignments read the old state, so their order is free). Registers hold values;
// a truth value is 0 or 1. The last group of each kind are short forms of what pipelines' systems consist of:
// membership of a small variable in a set of values, a function of a small variable as a table, several copies that
// move by the same distance, the saturating sum of two fields.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "checker/engines/packed_layout.h"

namespace oncecheck {

enum class Opcode : std::uint8_t {
    // to := ...
    kConstant,  // immediate
    kLoad,      // field x
    kTruth,     // a != 0
    kNot,       // a = 0
    kAnd,       // a & b, of truth values
    kOr,        // a | b, of truth values
    kEqual,     // a = b
    kLess,      // a < b
    kChoose,    // a != 0 ? b : c
    kAdd,       // min(a + b, immediate)
    kIn,        // bit `field x` of immediate
    kTable,     // nibble `field x` of immediate
    kMatch,     // (word & bits) = immediate
    kAny,       // (word & bits) != 0
    // end the test unless ...
    kRequire,       // a != 0
    kRequireZero,   // a = 0
    kRequireIn,     // bit `field x` of immediate
    kRequireMatch,  // (word & bits) = immediate
    kRequireOther,  // (word & bits) != immediate
    // successor |= ... << field y
    kStore,         // a
    kStoreChecked,  // a; requires a <= immediate
    kStoreTable,    // nibble `field x` of immediate
    kStoreSum,      // min(field x + field z, immediate)
    kMove,          // into the word of y: (word of x & bits) rotated left by the shift of y
};

// Unused members are zero.
struct Instruction {
    Opcode opcode = Opcode::kConstant;
    std::uint8_t to = 0, a = 0, b = 0, c = 0;  // registers
    Field x = {}, y = {}, z = {};
    std::uint64_t bits = 0;
    std::uint64_t immediate = 0;
};

using Code = std::vector<Instruction>;

inline constexpr std::size_t kRegisters = 128;
inline constexpr unsigned kSetBits = 6;    // fields of kIn: at most 64 values
inline constexpr unsigned kTableBits = 4;  // fields of kTable: at most 16 values, each at most 15
inline constexpr unsigned kNibble = 4;
inline constexpr std::uint64_t kNibbleMask = 15;

[[nodiscard]] inline std::uint64_t nibble(std::uint64_t table, std::uint64_t index) {
    return (table >> (index * kNibble)) & kNibbleMask;
}

// A view of instructions within a Code.
struct CodeRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    [[nodiscard]] bool empty() const { return begin == end; }
};

// Runs the instruction if it computes a register; false if it is of another group.
[[gnu::always_inline]] inline bool compute(const Instruction& i, const std::uint64_t* words,
                                           std::array<std::uint64_t, kRegisters>& r) {
    switch (i.opcode) {
        case Opcode::kConstant:
            r[i.to] = i.immediate;
            return true;
        case Opcode::kLoad:
            r[i.to] = i.x.of(words);
            return true;
        case Opcode::kTruth:
            r[i.to] = r[i.a] != 0;
            return true;
        case Opcode::kNot:
            r[i.to] = r[i.a] == 0;
            return true;
        case Opcode::kAnd:
            r[i.to] = r[i.a] & r[i.b];
            return true;
        case Opcode::kOr:
            r[i.to] = r[i.a] | r[i.b];
            return true;
        case Opcode::kEqual:
            r[i.to] = r[i.a] == r[i.b];
            return true;
        case Opcode::kLess:
            r[i.to] = r[i.a] < r[i.b];
            return true;
        case Opcode::kChoose:
            r[i.to] = r[i.a] != 0 ? r[i.b] : r[i.c];
            return true;
        case Opcode::kAdd:
            r[i.to] = std::min(r[i.a] + r[i.b], i.immediate);
            return true;
        case Opcode::kIn:
            r[i.to] = (i.immediate >> i.x.of(words)) & 1;
            return true;
        case Opcode::kTable:
            r[i.to] = nibble(i.immediate, i.x.of(words));
            return true;
        case Opcode::kMatch:
            r[i.to] = (words[i.x.word] & i.bits) == i.immediate;
            return true;
        case Opcode::kAny:
            r[i.to] = (words[i.x.word] & i.bits) != 0;
            return true;
        default:
            return false;
    }
}

// Whether every requirement of the test is met.
[[nodiscard]] inline bool run_test(const Instruction* at, const Instruction* end, const std::uint64_t* words) {
    std::array<std::uint64_t, kRegisters> r;  // NOLINT: written before read, by construction
    for (; at != end; ++at) {
        bool met = true;
        switch (at->opcode) {
            case Opcode::kRequire:
                met = r[at->a] != 0;
                break;
            case Opcode::kRequireZero:
                met = r[at->a] == 0;
                break;
            case Opcode::kRequireIn:
                met = ((at->immediate >> at->x.of(words)) & 1) != 0;
                break;
            case Opcode::kRequireMatch:
                met = (words[at->x.word] & at->bits) == at->immediate;
                break;
            case Opcode::kRequireOther:
                met = (words[at->x.word] & at->bits) != at->immediate;
                break;
            default:
                compute(*at, words, r);
                break;
        }
        if (!met) {
            return false;
        }
    }
    return true;
}

// Adds the assigned fields to `successor`. False if a value does not fit its variable: a defect of the system.
[[nodiscard]] inline bool run_effect(const Instruction* at, const Instruction* end, const std::uint64_t* words,
                                     std::uint64_t* successor) {
    std::array<std::uint64_t, kRegisters> r;  // NOLINT: written before read, by construction
    bool fits = true;
    for (; at != end; ++at) {
        std::uint64_t& target = successor[at->y.word];
        switch (at->opcode) {
            case Opcode::kStoreChecked:
                fits = fits && r[at->a] <= at->immediate;
                target |= (r[at->a] & at->y.mask) << at->y.shift;
                break;
            case Opcode::kStore:
                target |= r[at->a] << at->y.shift;
                break;
            case Opcode::kStoreTable:
                target |= nibble(at->immediate, at->x.of(words)) << at->y.shift;
                break;
            case Opcode::kStoreSum:
                target |= std::min(at->x.of(words) + at->z.of(words), at->immediate) << at->y.shift;
                break;
            case Opcode::kMove:
                target |= std::rotl(words[at->x.word] & at->bits, at->y.shift);
                break;
            default:
                compute(*at, words, r);
                break;
        }
    }
    return fits;
}

}  // namespace oncecheck

// A guard, a bad state or completion as the search tests it: masks first, a residual program last.
//
//   conjunct about one small variable   -> the set of its allowed values; sets of one variable are intersected;
//                                          a set that is a subcube of the bits (one value is) joins the masks,
//                                          any other becomes one instruction
//   wide variable = constant            -> joins the masks
//   anything else                       -> instructions
//
// A state satisfies the conjunction iff (words & mask) = value in every word and the residual test passes.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "checker/engines/bytecode_builder.h"

namespace oncecheck {

struct Conjunction {
    bool never = false;
    std::array<std::uint64_t, kMostWords> mask{};
    std::array<std::uint64_t, kMostWords> value{};
    // Where the conjunction says something about a variable: bit v, value v is allowed; a wide one's only value.
    std::map<VariableId, std::uint64_t> allowed;
    std::map<VariableId, Value> equal;
    Code residual;
};

[[nodiscard]] Conjunction compile_conjunction(const TransitionSystem& system, const PackedLayout& layout,
                                              const std::vector<Expression>& conjuncts);

// The conjunctions of which one must hold for the expression to hold: one for each operand of a disjunction.
[[nodiscard]] std::vector<Conjunction> compile_disjunction(const TransitionSystem& system, const PackedLayout& layout,
                                                           const Expression& expression);

}  // namespace oncecheck

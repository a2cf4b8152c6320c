// Compiles expressions over a layout's fields into instructions (bytecode.h), with the short forms where they fit.
//
// Registers are given out as a stack, so an expression needs as many as it is deep. Every variable that occurs must
// have a field. Throws InternalError for an expression deeper than the registers reach.
#pragma once

#include <optional>

#include "checker/engines/bytecode.h"
#include "checker/engines/packed_layout.h"
#include "model/transition/system.h"

namespace oncecheck {

// The largest value that the expression can have.
[[nodiscard]] Value upper_bound(const TransitionSystem& system, const Expression& expression);

// The only variable that the expression reads, if it reads exactly one, with at most 2^most_bits values.
[[nodiscard]] std::optional<VariableId> only_small_variable(const TransitionSystem& system,
                                                            const Expression& expression, unsigned most_bits);

// Bit v: the expression, which reads nothing but `variable`, is not zero where the variable is v.
[[nodiscard]] std::uint64_t satisfying_values(const TransitionSystem& system, const Expression& expression,
                                              VariableId variable);

class BytecodeBuilder {
  public:
    BytecodeBuilder(const TransitionSystem& system, const PackedLayout& layout) : system_(system), layout_(layout) {}

    // Ends the test unless the expression is not zero (`positive`), or is zero.
    void require(Code& code, const Expression& expression, bool positive) const;
    // Assigns to the fields of all these variables; cleared before.
    void assign(Code& code, const std::vector<Assignment>& assignments) const;

  private:
    [[nodiscard]] const Field& field(VariableId variable) const;
    void value(Code& code, const Expression& expression, std::uint8_t to) const;
    void truth_value(Code& code, const Expression& expression, std::uint8_t to) const;
    void fold(Code& code, const Expression& expression, std::uint8_t to) const;
    bool same_word_bits(Code& code, const Expression& expression, std::uint8_t to) const;
    void store(Code& code, const Assignment& assignment) const;
    bool move(Code& code, const Assignment& assignment) const;

    const TransitionSystem& system_;
    const PackedLayout& layout_;
};

}  // namespace oncecheck

#include "checker/engines/conjunction.h"

#include <bit>

namespace oncecheck {

namespace {

class ConjunctionCompiler {
  public:
    ConjunctionCompiler(const TransitionSystem& system, const PackedLayout& layout)
        : system_(system), layout_(layout), builder_(system, layout) {}

    void add(const Expression& expression, bool positive) {
        const bool splits = expression.op() == (positive ? Operator::kAnd : Operator::kOr);
        if (splits) {
            for (const Expression& operand : expression.operands()) {
                add(operand, positive);
            }
        } else if (expression.op() == Operator::kNot) {
            add(expression.operands().front(), !positive);
        } else if (expression.op() == Operator::kConstant) {
            result_.never = result_.never || (expression.value() != 0) != positive;
        } else if (const auto variable = only_small_variable(system_, expression, kSetBits)) {
            const std::uint64_t values = satisfying_values(system_, expression, *variable);
            const auto [at, first] = result_.allowed.try_emplace(*variable, all_values(*variable));
            at->second &= positive ? values : ~values;
        } else if (!add_equation(expression, positive)) {
            rest_.push_back({expression, positive});
        }
    }

    Conjunction finish() {
        for (const auto& [variable, values] : result_.allowed) {
            add_set(variable, values);
        }
        for (const auto& [expression, positive] : rest_) {
            builder_.require(result_.residual, expression, positive);
        }
        return std::move(result_);
    }

  private:
    struct Rest {
        Expression expression;
        bool positive;
    };

    [[nodiscard]] std::uint64_t all_values(VariableId variable) const {
        return ~std::uint64_t{0} >> (63 - system_.variables[variable].largest);
    }

    // A wide variable that must equal a constant.
    bool add_equation(const Expression& expression, bool positive) {
        if (!positive || expression.op() != Operator::kEqual) {
            return false;
        }
        for (const std::size_t side : {0U, 1U}) {
            const Expression& variable = expression.operands()[side];
            const Expression& constant = expression.operands()[1 - side];
            if (variable.op() == Operator::kVariable && constant.op() == Operator::kConstant) {
                const Field& field = *layout_.field(variable.variable());
                if (constant.value() > system_.variables[variable.variable()].largest) {
                    result_.never = true;
                } else {
                    add_bits(field, field.mask, constant.value());
                    result_.equal[variable.variable()] = constant.value();
                }
                return true;
            }
        }
        return false;
    }

    void add_set(VariableId variable, std::uint64_t values) {
        const Field& field = *layout_.field(variable);
        if (values == 0) {
            result_.never = true;
            return;
        }
        if (values == all_values(variable)) {
            return;
        }
        std::uint64_t in_all = ~std::uint64_t{0};
        std::uint64_t in_some = 0;
        for (std::uint64_t rest = values; rest != 0; rest &= rest - 1) {
            const auto v = static_cast<std::uint64_t>(std::countr_zero(rest));
            in_all &= v;
            in_some |= v;
        }
        const std::uint64_t open = in_all ^ in_some;
        if (std::popcount(values) == 1 << std::popcount(open)) {
            add_bits(field, field.mask & ~open, in_all);
        } else {
            result_.residual.push_back({.opcode = Opcode::kRequireIn, .x = field, .immediate = values});
        }
    }

    void add_bits(const Field& field, std::uint64_t mask, std::uint64_t value) {
        const std::uint64_t known = (result_.mask[field.word] >> field.shift) & mask;
        result_.never = result_.never || (((result_.value[field.word] >> field.shift) ^ value) & known) != 0;
        result_.mask[field.word] |= mask << field.shift;
        result_.value[field.word] |= value << field.shift;
    }

    const TransitionSystem& system_;
    const PackedLayout& layout_;
    BytecodeBuilder builder_;
    Conjunction result_;
    std::vector<Rest> rest_;
};

}  // namespace

Conjunction compile_conjunction(const TransitionSystem& system, const PackedLayout& layout,
                                const std::vector<Expression>& conjuncts) {
    ConjunctionCompiler compiler(system, layout);
    for (const Expression& conjunct : conjuncts) {
        compiler.add(conjunct, true);
    }
    return compiler.finish();
}

std::vector<Conjunction> compile_disjunction(const TransitionSystem& system, const PackedLayout& layout,
                                             const Expression& expression) {
    const bool several = expression.op() == Operator::kOr;
    std::vector<Conjunction> result;
    for (const Expression& operand : several ? expression.operands() : std::vector{expression}) {
        Conjunction conjunction = compile_conjunction(system, layout, {operand});
        if (!conjunction.never) {
            result.push_back(std::move(conjunction));
        }
    }
    return result;
}

}  // namespace oncecheck

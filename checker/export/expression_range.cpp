#include "checker/export/expression_range.h"

#include <algorithm>
#include <bit>

namespace oncecheck {

Value largest_value(const TransitionSystem& system, const Expression& expression) {
    switch (expression.op()) {
        case Operator::kConstant:
            return expression.value();
        case Operator::kVariable:
            return system.variables.at(expression.variable()).largest;
        case Operator::kNot:
        case Operator::kAnd:
        case Operator::kOr:
        case Operator::kEqual:
        case Operator::kLess:
            return 1;
        case Operator::kChoose:
            return std::max(largest_value(system, expression.operands()[1]),
                            largest_value(system, expression.operands()[2]));
        case Operator::kAdd:
            return static_cast<Value>(std::min<std::uint64_t>(largest_sum(system, expression), expression.value()));
    }
    throw InternalError("unknown operator");
}

std::uint64_t largest_sum(const TransitionSystem& system, const Expression& addition) {
    std::uint64_t sum = 0;
    for (const Expression& operand : addition.operands()) {
        sum += largest_value(system, operand);
    }
    return sum;
}

unsigned bits_for(std::uint64_t largest) { return std::max(1U, static_cast<unsigned>(std::bit_width(largest))); }

}  // namespace oncecheck

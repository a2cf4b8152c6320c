#include "checker/engines/bytecode_builder.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "model/transition/evaluator.h"

namespace oncecheck {

namespace {

std::uint8_t next_register(std::uint8_t current) {
    if (std::size_t{current} + 1 >= kRegisters) {
        throw InternalError("expression is nested too deeply to be compiled");
    }
    return static_cast<std::uint8_t>(current + 1);
}

bool is_truth(const Expression& expression) { return kOperators[static_cast<std::size_t>(expression.op())].truth; }

// The values of the expression as nibbles, one for each value of the variable; empty if one is too large.
std::optional<std::uint64_t> table_of(const TransitionSystem& system, const Expression& expression,
                                      VariableId variable) {
    State state(system.variables.size(), 0);
    std::uint64_t table = 0;
    for (Value v = 0; v <= system.variables[variable].largest; ++v) {
        state[variable] = v;
        const Value result = evaluate(expression, state);
        if (result > kNibbleMask) {
            return std::nullopt;
        }
        table |= std::uint64_t{result} << (v * kNibble);
    }
    return table;
}

}  // namespace

Value upper_bound(const TransitionSystem& system, const Expression& expression) {
    const auto bound = [&](const Expression& operand) { return upper_bound(system, operand); };
    const auto& operands = expression.operands();
    switch (expression.op()) {
        case Operator::kConstant:
            return expression.value();
        case Operator::kVariable:
            return system.variables[expression.variable()].largest;
        case Operator::kNot:
        case Operator::kAnd:
        case Operator::kOr:
        case Operator::kEqual:
        case Operator::kLess:
            return 1;
        case Operator::kChoose:
            return std::max(bound(operands[1]), bound(operands[2]));
        case Operator::kAdd:
            return static_cast<Value>(std::min(
                std::transform_reduce(operands.begin(), operands.end(), std::uint64_t{0}, std::plus<>{},
                                      [&](const Expression& operand) { return std::uint64_t{bound(operand)}; }),
                std::uint64_t{expression.value()}));
    }
    throw InternalError("unknown operator");
}

std::optional<VariableId> only_small_variable(const TransitionSystem& system, const Expression& expression,
                                              unsigned most_bits) {
    const std::vector<VariableId> variables = variables_of(expression);
    if (variables.size() != 1 || (system.variables[variables.front()].largest >> most_bits) != 0) {
        return std::nullopt;
    }
    return variables.front();
}

std::uint64_t satisfying_values(const TransitionSystem& system, const Expression& expression, VariableId variable) {
    State state(system.variables.size(), 0);
    std::uint64_t values = 0;
    for (Value v = 0; v <= system.variables[variable].largest; ++v) {
        state[variable] = v;
        values |= std::uint64_t{evaluate(expression, state) != 0} << v;
    }
    return values;
}

const Field& BytecodeBuilder::field(VariableId variable) const {
    const std::optional<Field>& found = layout_.field(variable);
    if (!found) {
        throw InternalError("variable " + system_.variables[variable].name + " is read but was sliced away");
    }
    return *found;
}

void BytecodeBuilder::require(Code& code, const Expression& expression, bool positive) const {
    if (const auto variable = only_small_variable(system_, expression, kSetBits)) {
        const std::uint64_t values = satisfying_values(system_, expression, *variable);
        code.push_back({.opcode = Opcode::kRequireIn, .x = field(*variable), .immediate = positive ? values : ~values});
        return;
    }
    truth_value(code, expression, 0);
    const Instruction last = code.back();
    if (last.opcode == Opcode::kMatch || last.opcode == Opcode::kAny) {
        const bool equal = (last.opcode == Opcode::kMatch) == positive;
        code.back().opcode = equal ? Opcode::kRequireMatch : Opcode::kRequireOther;
        return;
    }
    code.push_back({.opcode = positive ? Opcode::kRequire : Opcode::kRequireZero, .a = 0});
}

void BytecodeBuilder::truth_value(Code& code, const Expression& expression, std::uint8_t to) const {
    if (const auto variable = only_small_variable(system_, expression, kSetBits)) {
        code.push_back({.opcode = Opcode::kIn,
                        .to = to,
                        .x = field(*variable),
                        .immediate = satisfying_values(system_, expression, *variable)});
    } else if (expression.op() == Operator::kVariable) {
        const Field& x = field(expression.variable());
        code.push_back({.opcode = Opcode::kAny, .to = to, .x = x, .bits = x.in_place()});
    } else {
        value(code, expression, to);
        if (!is_truth(expression)) {
            code.push_back({.opcode = Opcode::kTruth, .to = to, .a = to});
        }
    }
}

// Conjunctions of equations with constants and disjunctions of truth variables, all in one word: one instruction.
bool BytecodeBuilder::same_word_bits(Code& code, const Expression& expression, std::uint8_t to) const {
    const bool all = expression.op() == Operator::kAnd;
    Instruction result{.opcode = all ? Opcode::kMatch : Opcode::kAny, .to = to};
    for (const Expression& operand : expression.operands()) {
        const auto variable = only_small_variable(system_, operand, kSetBits);
        if (!variable) {
            return false;
        }
        const Field& x = field(*variable);
        const std::uint64_t values = satisfying_values(system_, operand, *variable);
        const bool fits = all ? std::has_single_bit(values) : system_.variables[*variable].largest == 1 && values == 2;
        if (!fits || (result.bits & x.in_place()) != 0 || (result.bits != 0 && x.word != result.x.word)) {
            return false;
        }
        result.x = x;
        result.bits |= x.in_place();
        if (all) {
            result.immediate |= static_cast<std::uint64_t>(std::countr_zero(values)) << x.shift;
        }
    }
    code.push_back(result);
    return true;
}

void BytecodeBuilder::value(Code& code, const Expression& expression, std::uint8_t to) const {
    const auto& operands = expression.operands();
    const auto unary = [&](Opcode opcode) {
        truth_value(code, operands[0], to);
        code.push_back({.opcode = opcode, .to = to, .a = to});
    };
    const auto binary = [&](Opcode opcode) {
        const std::uint8_t second = next_register(to);
        value(code, operands[0], to);
        value(code, operands[1], second);
        code.push_back({.opcode = opcode, .to = to, .a = to, .b = second});
    };
    switch (expression.op()) {
        case Operator::kConstant:
            code.push_back({.opcode = Opcode::kConstant, .to = to, .immediate = expression.value()});
            return;
        case Operator::kVariable:
            code.push_back({.opcode = Opcode::kLoad, .to = to, .x = field(expression.variable())});
            return;
        case Operator::kNot:
            return unary(Opcode::kNot);
        case Operator::kEqual:
            return binary(Opcode::kEqual);
        case Operator::kLess:
            return binary(Opcode::kLess);
        case Operator::kAnd:
        case Operator::kOr:
        case Operator::kAdd:
            return fold(code, expression, to);
        case Operator::kChoose: {
            const std::uint8_t second = next_register(to);
            const std::uint8_t third = next_register(second);
            truth_value(code, operands[0], to);
            value(code, operands[1], second);
            value(code, operands[2], third);
            code.push_back({.opcode = Opcode::kChoose, .to = to, .a = to, .b = second, .c = third});
            return;
        }
    }
}

// An operator of any number of operands, from left to right.
void BytecodeBuilder::fold(Code& code, const Expression& expression, std::uint8_t to) const {
    const bool adds = expression.op() == Operator::kAdd;
    if (!adds && same_word_bits(code, expression, to)) {
        return;
    }
    const auto operand_value = [&](const Expression& operand, std::uint8_t target) {
        adds ? value(code, operand, target) : truth_value(code, operand, target);
    };
    const Opcode opcode = adds ? Opcode::kAdd : expression.op() == Operator::kAnd ? Opcode::kAnd : Opcode::kOr;
    const std::uint8_t second = next_register(to);
    const auto combine = [&] {
        code.push_back({.opcode = opcode, .to = to, .a = to, .b = second, .immediate = expression.value()});
    };
    operand_value(expression.operands().front(), to);
    if (expression.operands().size() == 1) {
        value(code, Expression::constant(0), second);  // the cap of a sum holds for a single operand, too
        combine();
    }
    for (std::size_t i = 1; i < expression.operands().size(); ++i) {
        operand_value(expression.operands()[i], second);
        combine();
    }
}

void BytecodeBuilder::assign(Code& code, const std::vector<Assignment>& assignments) const {
    const auto start = static_cast<std::ptrdiff_t>(code.size());
    for (const Assignment& assignment : assignments) {
        store(code, assignment);
    }
    // Copies that go the same way become one.
    for (auto at = code.begin() + start; at != code.end(); ++at) {
        if (at->opcode != Opcode::kMove) {
            continue;
        }
        const auto same_way = [&](const Instruction& other) {
            return other.opcode == Opcode::kMove && other.x.word == at->x.word && other.y.word == at->y.word &&
                   other.y.shift == at->y.shift;
        };
        for (auto other = at + 1; other != code.end(); ++other) {
            if (same_way(*other)) {
                at->bits |= other->bits;
            }
        }
        code.erase(std::remove_if(at + 1, code.end(), same_way), code.end());
    }
}

bool BytecodeBuilder::move(Code& code, const Assignment& assignment) const {
    const Field& target = field(assignment.variable);
    if (assignment.value.op() != Operator::kVariable) {
        return false;
    }
    const Field& source = field(assignment.value.variable());
    Field distance{.word = target.word, .shift = static_cast<std::uint8_t>((target.shift - source.shift) & 63)};
    code.push_back({.opcode = Opcode::kMove, .x = source, .y = distance, .bits = source.in_place()});
    return true;
}

void BytecodeBuilder::store(Code& code, const Assignment& assignment) const {
    const Field& target = field(assignment.variable);
    const Value largest = system_.variables[assignment.variable].largest;
    const Expression& expression = assignment.value;
    if (upper_bound(system_, expression) > largest) {
        value(code, expression, 0);
        code.push_back({.opcode = Opcode::kStoreChecked, .a = 0, .y = target, .immediate = largest});
        return;
    }
    if (move(code, assignment)) {
        return;
    }
    const auto& operands = expression.operands();
    const auto variable = only_small_variable(system_, expression, kTableBits);
    const auto table = variable ? table_of(system_, expression, *variable) : std::nullopt;
    if (table) {
        code.push_back({.opcode = Opcode::kStoreTable, .x = field(*variable), .y = target, .immediate = *table});
    } else if (expression.op() == Operator::kAdd && operands.size() == 2 && operands[0].op() == Operator::kVariable &&
               operands[1].op() == Operator::kVariable) {
        code.push_back({.opcode = Opcode::kStoreSum,
                        .x = field(operands[0].variable()),
                        .y = target,
                        .z = field(operands[1].variable()),
                        .immediate = expression.value()});
    } else {
        value(code, expression, 0);
        code.push_back({.opcode = Opcode::kStore, .a = 0, .y = target});
    }
}

}  // namespace oncecheck

#include "checker/engines/compiled_system.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace oncecheck {

namespace {

// An action, and where the index lists it.
template <std::size_t W>
struct Placed {
    CompiledAction<W> action;
    std::optional<VariableId> control;
    std::vector<Value> values;  // of the control variable, at which it is listed
};

// Positions of more values than this index nothing.
constexpr Value kLargestControl = 0xffff;

template <std::size_t W>
void place(const TransitionSystem& system, const Conjunction& guard, Placed<W>& placed) {
    const auto offer = [&](VariableId variable, const std::vector<Value>& values) {
        const bool better = !placed.control || values.size() < placed.values.size() ||
                            (values.size() == placed.values.size() && variable < *placed.control);
        if (better && system.variables[variable].control && system.variables[variable].largest <= kLargestControl) {
            placed.control = variable;
            placed.values = values;
        }
    };
    for (const auto& [variable, value] : guard.equal) {
        offer(variable, {value});
    }
    for (const auto& [variable, allowed] : guard.allowed) {
        std::vector<Value> values;
        for (std::uint64_t rest = allowed; rest != 0; rest &= rest - 1) {
            values.push_back(static_cast<Value>(std::countr_zero(rest)));
        }
        offer(variable, values);
    }
}

template <std::size_t W>
CodeRange append_list(ActionIndex<W>& index, const std::vector<Placed<W>>& placed, auto belongs) {
    CodeRange range{static_cast<std::uint32_t>(index.lists.size()), 0};
    for (const Placed<W>& candidate : placed) {
        if (belongs(candidate)) {
            index.lists.push_back(candidate.action);
        }
    }
    range.end = static_cast<std::uint32_t>(index.lists.size());
    return range;
}

template <std::size_t W>
ActionIndex<W> index_actions(const TransitionSystem& system, const PackedLayout& layout,
                             const std::vector<Placed<W>>& placed) {
    ActionIndex<W> index;
    for (VariableId id = 0; id < system.variables.size(); ++id) {
        const auto mine = [&](const Placed<W>& candidate) { return candidate.control == id; };
        // A control variable that no guard tests costs nothing.
        if (std::none_of(placed.begin(), placed.end(), mine)) {
            continue;
        }
        auto& control = index.controls.emplace_back();
        control.field = *layout.field(id);
        for (Value value = 0; value <= system.variables[id].largest; ++value) {
            control.lists.push_back(append_list(index, placed, [&](const Placed<W>& candidate) {
                return mine(candidate) && std::binary_search(candidate.values.begin(), candidate.values.end(), value);
            }));
        }
    }
    index.always = append_list(index, placed, [](const Placed<W>& candidate) { return !candidate.control; });
    return index;
}

// Fills keep and set; returns the assignments that need instructions.
template <std::size_t W>
std::vector<Assignment> compile_masks(const TransitionSystem& system, const PackedLayout& layout,
                                      const SlicedAction& source, CompiledAction<W>& action) {
    action.keep.fill(~std::uint64_t{0});
    std::vector<Assignment> computed;
    for (const Assignment& assignment : source.assignments) {
        const Field& field = *layout.field(assignment.variable);
        action.keep[field.word] &= ~field.in_place();
        const bool constant = assignment.value.op() == Operator::kConstant &&
                              assignment.value.value() <= system.variables[assignment.variable].largest;
        if (constant) {
            action.set[field.word] |= std::uint64_t{assignment.value.value()} << field.shift;
        } else {
            computed.push_back(assignment);
        }
    }
    return computed;
}

}  // namespace

template <std::size_t W>
CompiledSystem<W>::CompiledSystem(const TransitionSystem& system, const Slice& slice, const PackedLayout& layout) {
    const BytecodeBuilder builder(system, layout);
    std::vector<Placed<W>> free;
    std::vector<Placed<W>> faults;
    for (const SlicedAction& source : slice.actions) {
        const Conjunction guard = compile_conjunction(system, layout, source.guard);
        if (guard.never) {
            continue;
        }
        Placed<W> placed;
        placed.action.guard = compile_test(guard);
        placed.action.index = static_cast<std::uint32_t>(source.index);
        placed.action.kind = source.kind;
        Code effect;
        builder.assign(effect, compile_masks(system, layout, source, placed.action));
        placed.action.effect = append(effect);
        place(system, guard, placed);
        (source.kind == ActionKind::kFault ? faults : free).push_back(placed);
    }
    // Steps first: the progress check follows the first successor.
    std::stable_partition(free.begin(), free.end(),
                          [](const Placed<W>& placed) { return placed.action.kind == ActionKind::kStep; });
    free_ = index_actions(system, layout, free);
    faults_ = index_actions(system, layout, faults);
    for (const Expression& bad : slice.bad) {
        bad_.push_back(compile_tests(system, layout, bad));
    }
    complete_ = compile_tests(system, layout, slice.complete);
    silent_ = slice.silent;
    for (const Action& action : system.actions) {
        labels_.push_back(action.label.text);
    }
}

template <std::size_t W>
std::vector<CompiledTest<W>> CompiledSystem<W>::compile_tests(const TransitionSystem& system,
                                                              const PackedLayout& layout,
                                                              const Expression& expression) {
    std::vector<CompiledTest<W>> tests;
    for (const Conjunction& conjunction : compile_disjunction(system, layout, expression)) {
        tests.push_back(compile_test(conjunction));
    }
    return tests;
}

template <std::size_t W>
CompiledTest<W> CompiledSystem<W>::compile_test(const Conjunction& conjunction) {
    CompiledTest<W> test;
    std::copy_n(conjunction.mask.begin(), W, test.mask.begin());
    std::copy_n(conjunction.value.begin(), W, test.value.begin());
    test.residual = append(conjunction.residual);
    return test;
}

template <std::size_t W>
CodeRange CompiledSystem<W>::append(const Code& code) {
    const auto begin = static_cast<std::uint32_t>(code_.size());
    code_.insert(code_.end(), code.begin(), code.end());
    return {begin, static_cast<std::uint32_t>(code_.size())};
}

template class CompiledSystem<1>;
template class CompiledSystem<2>;
template class CompiledSystem<4>;
template class CompiledSystem<8>;

}  // namespace oncecheck

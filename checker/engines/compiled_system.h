// A sliced system, compiled for packed states of W words. Immutable; shared by all threads of a search.
//
//   enabled   (state & guard.mask) = guard.value, then the guard's residual test
//   successor (state & ~clear) | set, then the effect's program adds the fields that are computed
//
// Actions are found by position: each stands in the list of one control variable, at each value of it that its guard
// allows (the variable for which these are fewest; the first of several), or else in the list of those that are always
// tried. So a state tries at most one list a control variable, and no action twice.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "checker/engines/bytecode.h"
#include "checker/engines/conjunction.h"
#include "checker/engines/packed_layout.h"
#include "checker/engines/slice.h"

namespace oncecheck {

template <std::size_t W>
struct CompiledTest {
    std::array<std::uint64_t, W> mask{};
    std::array<std::uint64_t, W> value{};
    CodeRange residual;
};

template <std::size_t W>
struct CompiledAction {
    CompiledTest<W> guard;
    std::array<std::uint64_t, W> keep{};  // ~clear
    std::array<std::uint64_t, W> set{};
    CodeRange effect;
    std::uint32_t index = 0;  // in the system
    ActionKind kind = ActionKind::kStep;
};

// Actions by control variable; `lists` holds copies of the actions, so that a list is read from front to back.
template <std::size_t W>
struct ActionIndex {
    struct Control {
        Field field;
        std::vector<CodeRange> lists;  // by value: a range of `lists`
    };
    std::vector<CompiledAction<W>> lists;
    std::vector<Control> controls;
    CodeRange always;
};

template <std::size_t W>
class CompiledSystem {
  public:
    // Requires W >= layout.words().
    CompiledSystem(const TransitionSystem& system, const Slice& slice, const PackedLayout& layout);

    [[nodiscard]] const ActionIndex<W>& free_actions() const { return free_; }  // steps and environment
    [[nodiscard]] const ActionIndex<W>& faults() const { return faults_; }
    [[nodiscard]] std::size_t property_count() const { return bad_.size(); }
    // Of the whole system, those that are sliced away included.
    [[nodiscard]] std::size_t action_count() const { return labels_.size(); }
    [[nodiscard]] const std::vector<std::size_t>& silent_actions() const { return silent_; }

    [[nodiscard]] bool is_bad(std::size_t property, const Packed<W>& state) const { return any(bad_[property], state); }
    [[nodiscard]] bool is_complete(const Packed<W>& state) const { return any(complete_, state); }

    [[nodiscard]] bool passes(const CompiledTest<W>& test, const Packed<W>& state) const {
        std::uint64_t difference = 0;
        for (std::size_t i = 0; i < W; ++i) {
            difference |= (state.words[i] ^ test.value[i]) & test.mask[i];
        }
        return difference == 0 &&
               (test.residual.empty() ||
                run_test(code_.data() + test.residual.begin, code_.data() + test.residual.end, state.words.data()));
    }

    // Requires that the action is enabled. Throws InternalError if a value does not fit its variable.
    [[nodiscard]] Packed<W> successor(const CompiledAction<W>& action, const Packed<W>& state) const {
        Packed<W> next;
        for (std::size_t i = 0; i < W; ++i) {
            next.words[i] = (state.words[i] & action.keep[i]) | action.set[i];
        }
        if (!action.effect.empty() && !run_effect(code_.data() + action.effect.begin, code_.data() + action.effect.end,
                                                  state.words.data(), next.words.data())) {
            throw InternalError("action '" + labels_[action.index] + "' assigns a value that its variable cannot hold");
        }
        return next;
    }

    // Calls visit(action, successor) for each enabled action of the index, until it returns false.
    template <class Visit>
    void for_each_successor(const ActionIndex<W>& index, const Packed<W>& state, Visit visit) const {
        const auto visit_list = [&](const CodeRange& list) {
            for (std::uint32_t i = list.begin; i != list.end; ++i) {
                const CompiledAction<W>& action = index.lists[i];
                if (passes(action.guard, state) && !visit(action, successor(action, state))) {
                    return false;
                }
            }
            return true;
        };
        for (const auto& control : index.controls) {
            if (!visit_list(control.lists[control.field.of(state.words.data())])) {
                return;
            }
        }
        visit_list(index.always);
    }

  private:
    [[nodiscard]] bool any(std::span<const CompiledTest<W>> tests, const Packed<W>& state) const {
        for (const CompiledTest<W>& test : tests) {
            if (passes(test, state)) {
                return true;
            }
        }
        return false;
    }

    std::vector<CompiledTest<W>> compile_tests(const TransitionSystem& system, const PackedLayout& layout,
                                               const Expression& expression);
    CompiledTest<W> compile_test(const Conjunction& conjunction);
    CodeRange append(const Code& code);

    Code code_;
    ActionIndex<W> free_;
    ActionIndex<W> faults_;
    std::vector<std::vector<CompiledTest<W>>> bad_;  // a property
    std::vector<CompiledTest<W>> complete_;
    std::vector<std::size_t> silent_;
    std::vector<std::string> labels_;  // of the system's actions, for messages
};

extern template class CompiledSystem<1>;
extern template class CompiledSystem<2>;
extern template class CompiledSystem<4>;
extern template class CompiledSystem<8>;

}  // namespace oncecheck

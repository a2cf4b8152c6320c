#include "checker/engines/packed_layout.h"

#include <gtest/gtest.h>

namespace oncecheck {
namespace {

TransitionSystem system_of(std::vector<Variable> variables) {
    TransitionSystem system;
    system.variables = std::move(variables);
    return system;
}

TEST(PackedLayout, PutsControlVariablesFirst) {
    const TransitionSystem system = system_of({{"a", 1, 0, false}, {"b", 6, 0, true}, {"c", 1, 0, true}});
    const PackedLayout layout(system, {true, true, true});
    EXPECT_EQ(layout.field(1)->shift, 0);
    EXPECT_EQ(layout.field(1)->mask, 7U);
    EXPECT_EQ(layout.field(2)->shift, 3);
    EXPECT_EQ(layout.field(0)->shift, 4);
    EXPECT_EQ(layout.pack<1>({1, 5, 0}).words[0], 0b10101U);
}

TEST(PackedLayout, NeverSplitsAFieldBetweenWords) {
    const TransitionSystem system =
        system_of({{"a", 0xffffffff, 0, false}, {"b", 0x7fffffff, 0, false}, {"c", 3, 0, false}, {"d", 1, 0, false}});
    const PackedLayout layout(system, {true, true, true, true});
    EXPECT_EQ(layout.words(), 2U);
    EXPECT_EQ(layout.field(2)->word, 1);
    EXPECT_EQ(layout.field(3)->word, 0);
    EXPECT_EQ(layout.field(3)->shift, 63);
    const Packed<2> packed = layout.pack<2>({0xffffffff, 1, 2, 1});
    EXPECT_EQ(packed.words[0], 0x80000001ffffffffU);
    EXPECT_EQ(packed.words[1], 2U);
}

TEST(PackedLayout, HasNoFieldForWhatIsNotKept) {
    const TransitionSystem system = system_of({{"a", 1, 0, false}, {"b", 1, 0, false}});
    const PackedLayout layout(system, {false, true});
    EXPECT_FALSE(layout.field(0));
    EXPECT_EQ(layout.field(1)->shift, 0);
    EXPECT_EQ(layout.pack<1>({1, 0}), Packed<1>{});
}

}  // namespace
}  // namespace oncecheck

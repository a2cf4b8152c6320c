#include "checker/engines/state_shard.h"

#include <gtest/gtest.h>

#include <random>
#include <unordered_map>

namespace oncecheck {
namespace {

constexpr std::size_t kPlenty = std::size_t{1} << 30;

TEST(StateShard, NumbersStatesInTheOrderInWhichTheyCameAndFindsThemAgain) {
    MemoryBudget budget(kPlenty);
    StateShard<2> shard(budget);
    std::unordered_map<std::uint64_t, std::uint32_t> expected;
    std::mt19937_64 random(7);
    for (int i = 0; i < 200'000; ++i) {
        const std::uint64_t key = random() % 100'000;
        const Packed<2> state{{key, key * key}};
        const bool is_new = expected.try_emplace(key, shard.size()).second;
        ASSERT_EQ(shard.insert(state, hash_of(state)), is_new ? Insertion::kNew : Insertion::kKnown);
    }
    ASSERT_EQ(shard.size(), expected.size());
    for (const auto& [key, index] : expected) {
        const Packed<2> state{{key, key * key}};
        EXPECT_EQ(shard.find(state, hash_of(state)), index);
        EXPECT_EQ(shard.state(index), state);
    }
    const Packed<2> absent{{1, 2}};
    EXPECT_EQ(shard.find(absent, hash_of(absent)), std::nullopt);
}

TEST(StateShard, TellsStatesOfTheSameHashApart) {
    MemoryBudget budget(kPlenty);
    StateShard<1> shard(budget);
    for (std::uint64_t key = 0; key < 3000; ++key) {
        ASSERT_EQ(shard.insert(Packed<1>{{key}}, 42), Insertion::kNew);
        ASSERT_EQ(shard.insert(Packed<1>{{key}}, 42), Insertion::kKnown);
        if (key == 600) {
            break;  // the first growth of the table would compute the true hashes
        }
    }
    EXPECT_EQ(shard.find(Packed<1>{{17}}, 42), 17U);
}

TEST(StateShard, TakesAtMostTwentyBytesForAStateOfOneWord) {
    MemoryBudget budget(kPlenty);
    StateShard<1> shard(budget);
    for (std::uint64_t key = 0; key < 500'000; ++key) {
        const Packed<1> state{{key}};
        ASSERT_EQ(shard.insert(state, hash_of(state)), Insertion::kNew);
        if (shard.size() > 10'000) {
            ASSERT_LE(budget.used(), std::size_t{20} * shard.size());
        }
    }
}

TEST(StateShard, StopsAtTheLimitOfMemoryWithoutLosingStates) {
    MemoryBudget budget(std::size_t{64} << 10);
    StateShard<1> shard(budget);
    std::uint64_t key = 0;
    for (Insertion result = Insertion::kNew; result == Insertion::kNew; ++key) {
        const Packed<1> state{{key}};
        result = shard.insert(state, hash_of(state));
    }
    EXPECT_LE(budget.used(), budget.limit());
    EXPECT_EQ(shard.size(), key - 1);
    const Packed<1> last{{key - 2}};
    EXPECT_TRUE(shard.find(last, hash_of(last)));
}

}  // namespace
}  // namespace oncecheck

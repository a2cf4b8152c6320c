#include "checker/crossvalidate/random_pipeline.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/cases/support/pipelines.h"

namespace oncecheck {

namespace {

TEST(RandomPipeline, IsTheSameForTheSameSeed) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        EXPECT_EQ(RandomPipeline(seed).make(), RandomPipeline(seed).make());
    }
}

TEST(RandomPipeline, IsMostlyAcceptedAndMostlyNew) {
    std::set<std::string> different;
    int accepted = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const std::string text = RandomPipeline(seed).make().dump();
        different.insert(text);
        try {
            (void)resolved(text);
            ++accepted;
        } catch (const InputError&) {
            continue;
        }
    }
    EXPECT_GT(accepted, 400);
    EXPECT_GT(different.size(), 490U);
}

}  // namespace

}  // namespace oncecheck

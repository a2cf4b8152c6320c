#include "checker/conditions/duration_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace oncecheck {
namespace {

TEST(FormatDuration, NamesTheWholeUnitsThatAreNotZero) {
    EXPECT_EQ(format_duration(805'000), "13 min 25 s");
    EXPECT_EQ(format_duration(604'800'000), "7 d");
    EXPECT_EQ(format_duration(604'799'999), "6 d 23 h 59 min 59 s 999 ms");
    EXPECT_EQ(format_duration(250), "250 ms");
    EXPECT_EQ(format_duration(90'000'000), "1 d 1 h");
    EXPECT_EQ(format_duration(0), "0 ms");
}

TEST(FormatDuration, ShowsNegativeTimes) {
    EXPECT_EQ(format_duration(-5'000), "-5 s");
    EXPECT_EQ(format_duration(std::numeric_limits<std::int64_t>::min()), "-106751991167 d 7 h 12 min 55 s 808 ms");
}

TEST(WholeUnit, IsTheLargestThatDivides) {
    EXPECT_EQ(whole_unit(604'800'000), 86'400'000);
    EXPECT_EQ(whole_unit(805'000), 1'000);
    EXPECT_EQ(whole_unit(604'799'999), 1);
    EXPECT_EQ(whole_unit(0), 86'400'000);
}

}  // namespace
}  // namespace oncecheck

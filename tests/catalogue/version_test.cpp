#include <gtest/gtest.h>

#include "model/catalogue/catalogue.h"

namespace oncecheck {
namespace {

TEST(Versions, CompareByNumbersPartByPart) {
    EXPECT_GT(compare_versions("3.10", "3.9"), 0);
    EXPECT_LT(compare_versions("2.8", "3.0"), 0);
    EXPECT_LT(compare_versions("9", "10"), 0);
    EXPECT_GT(compare_versions("3.5.1", "3.5"), 0);
    EXPECT_EQ(compare_versions("15.4", "15.4"), 0);
}

TEST(Versions, TakeMissingPartsForZero) {
    EXPECT_EQ(compare_versions("3", "3.0.0"), 0);
    EXPECT_LT(compare_versions("", "0.1"), 0);
    EXPECT_EQ(compare_versions("", "0"), 0);
}

TEST(Versions, AreNotMisledByLeadingZerosLengthOrWords) {
    EXPECT_EQ(compare_versions("3.05", "3.5"), 0);
    EXPECT_LT(compare_versions("99999999999999999998", "99999999999999999999"), 0);
    EXPECT_LT(compare_versions("3.0", "3.0-rc1"), 0);
    EXPECT_LT(compare_versions("abc", "abd"), 0);
}

}  // namespace
}  // namespace oncecheck

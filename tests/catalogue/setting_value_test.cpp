#include "model/catalogue/setting_value.h"

#include <gtest/gtest.h>

namespace oncecheck {
namespace {

SettingSpec spec_of(SettingType type, const std::string& unit = {}, std::vector<std::string> values = {}) {
    SettingSpec spec;
    spec.type = type;
    spec.unit = unit;
    spec.values = std::move(values);
    return spec;
}

TEST(VendorDuration, ReadsAPlainNumberInTheSettingsUnit) {
    EXPECT_EQ(parse_vendor_duration("604800000", "ms"), 604'800'000);
    EXPECT_EQ(parse_vendor_duration("30", "s"), 30'000);
    EXPECT_EQ(parse_vendor_duration("5", "min"), 300'000);
}

TEST(VendorDuration, ReadsTheSuffixesOfVendors) {
    EXPECT_EQ(parse_vendor_duration("500ms", "s"), 500);
    EXPECT_EQ(parse_vendor_duration("120s", "ms"), 120'000);
    EXPECT_EQ(parse_vendor_duration("5m", "ms"), 300'000);
    EXPECT_EQ(parse_vendor_duration("30min", "ms"), 1'800'000);
    EXPECT_EQ(parse_vendor_duration("1h", "ms"), 3'600'000);
    EXPECT_EQ(parse_vendor_duration("2d", "ms"), 172'800'000);
    EXPECT_EQ(parse_vendor_duration("10 seconds", "ms"), 10'000);
    EXPECT_EQ(parse_vendor_duration("1 Minute", "ms"), 60'000);
    EXPECT_EQ(parse_vendor_duration("1500us", "ms"), 2);
}

TEST(VendorDuration, LeavesSentinelsAlone) {
    EXPECT_EQ(parse_vendor_duration("-1", "ms"), -1);
    EXPECT_EQ(parse_vendor_duration("-1", "s"), -1);
    EXPECT_EQ(parse_vendor_duration("0", "min"), 0);
}

TEST(VendorDuration, RefusesWhatIsNone) {
    for (const char* const text :
         {"", "abc", "10x", "1.5s", "1h 30m", "10  s", "s", "99999999999999999999", " 5", "5 "}) {
        EXPECT_EQ(parse_vendor_duration(text, "ms"), std::nullopt) << text;
    }
    EXPECT_EQ(parse_vendor_duration("9223372036854775807h", "ms"), std::nullopt);
    EXPECT_EQ(parse_vendor_duration("5", "rows"), std::nullopt);
}

TEST(SettingValue, ReadsEveryType) {
    EXPECT_EQ(parse_setting_value(spec_of(SettingType::kBoolean), "TRUE"), FormulaValue(true));
    EXPECT_EQ(parse_setting_value(spec_of(SettingType::kBoolean), "off"), FormulaValue(false));
    EXPECT_EQ(parse_setting_value(spec_of(SettingType::kInteger), "-1"), FormulaValue(std::int64_t{-1}));
    EXPECT_EQ(parse_setting_value(spec_of(SettingType::kString), ""), FormulaValue(std::string()));
    EXPECT_EQ(parse_setting_value(spec_of(SettingType::kDuration, "s"), "2"), FormulaValue(std::int64_t{2'000}));
}

TEST(SettingValue, SpellsAWordAsTheCatalogueDoes) {
    const SettingSpec spec = spec_of(SettingType::kEnumeration, "", {"read committed", "serializable"});
    EXPECT_EQ(parse_setting_value(spec, "READ COMMITTED"), FormulaValue(std::string("read committed")));
    EXPECT_EQ(parse_setting_value(spec, "snapshot"), std::nullopt);
    EXPECT_EQ(describe_type(spec), "one of 'read committed', 'serializable'");
}

TEST(SettingValue, RefusesAnotherType) {
    EXPECT_EQ(parse_setting_value(spec_of(SettingType::kBoolean), "1"), std::nullopt);
    EXPECT_EQ(parse_setting_value(spec_of(SettingType::kInteger), "many"), std::nullopt);
    EXPECT_EQ(parse_setting_value(spec_of(SettingType::kInteger), "3s"), std::nullopt);
    EXPECT_EQ(parse_setting_value(spec_of(SettingType::kInteger), "1e3"), std::nullopt);
}

}  // namespace
}  // namespace oncecheck

#include "checker/conditions/residual.h"

#include <gtest/gtest.h>

#include <map>

namespace oncecheck {
namespace {

std::string left_of(const std::string& text) {
    const std::map<std::string, FormulaValue> values{{"retention", std::int64_t{604'800'000}},
                                                     {"factor", std::int64_t{3}},
                                                     {"on", true},
                                                     {"mode", std::string("exactly_once")},
                                                     {"nothing", std::monostate{}}};
    const Formula left = residual(Formula::parse(text), [&](const std::string& name) -> std::optional<FormulaValue> {
        const auto place = values.find(name);
        return place == values.end() ? std::nullopt : std::optional(place->second);
    });
    return left.text();
}

TEST(Residual, PutsKnownValuesIn) {
    EXPECT_EQ(left_of("retention > assume.max_outage"), "7 d > assume.max_outage");
    EXPECT_EQ(left_of("retention - 1000 > assume.max_outage * factor"), "6 d 23 h 59 min 59 s > assume.max_outage * 3");
}

TEST(Residual, IsAConstantWhereTheFormulaHasAValue) {
    EXPECT_EQ(left_of("on and mode = 'exactly_once'"), "true");
    EXPECT_EQ(left_of("not on and assume.max_outage < 5"), "false");
    EXPECT_EQ(left_of("nothing"), "unset");
}

TEST(Residual, LeavesDecidedOperandsOut) {
    EXPECT_EQ(left_of("on and assume.a < 5 and retention > 0"), "assume.a < 5 ms");
    EXPECT_EQ(left_of("not on or assume.a < 5 or assume.b < 5"), "assume.a < 5 ms or assume.b < 5 ms");
}

TEST(Residual, KeepsTheGrouping) {
    for (const char* text : {"(x < 5 ms or y < 5 ms) and z < 5 ms", "not (x < y and y < z)", "x - (y - z) > 1 s",
                             "x - y - z > 1 s", "x * (y + z) > 1 s", "(x < y) = (y < z)", "x in (y, z, 'text')"}) {
        std::string formula = text;  // durations are shown with units; the grammar has plain milliseconds
        for (const auto& [unit, number] : std::map<std::string, std::string>{{"5 ms", "5"}, {"1 s", "1000"}}) {
            for (auto place = formula.find(unit); place != std::string::npos; place = formula.find(unit)) {
                formula.replace(place, unit.size(), number);
            }
        }
        EXPECT_EQ(left_of(formula), text);
    }
}

}  // namespace
}  // namespace oncecheck

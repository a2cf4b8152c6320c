#include "checker/crossvalidate/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace oncecheck {

namespace {

using Json = nlohmann::ordered_json;

TEST(Shrinking, KeepsOnlyWhatIsNeeded) {
    const Json document = Json::parse(R"({"a": [1, {"b": 2, "c": 3}, 4], "d": {"e": 5}})");
    const Json small = shrunk(
        document, [](const Json& smaller) { return smaller.dump().find("\"c\"") != std::string::npos; }, 1000);
    EXPECT_EQ(small, Json::parse(R"({"a": [{"c": 3}]})"));
}

TEST(Shrinking, UnwrapsABlockThatIsNotNeeded) {
    const Json document = Json::parse(R"({"steps": [{"transaction": [{"x": 1}, {"y": 2}]}]})");
    const Json small = shrunk(
        document,
        [](const Json& smaller) {
            return smaller.contains("steps") && smaller["steps"].dump().find("\"y\"") != std::string::npos;
        },
        1000);
    EXPECT_EQ(small, Json::parse(R"({"steps": [{"y": 2}]})"));
}

TEST(Shrinking, LeavesSettingsAsTheyAre) {
    const Json document = Json::parse(R"({"assume": {"faults": ["crash", "zombie"]}, "components": {
        "topic": {"type": "kafka-topic", "config": {"retention.ms": -1}, "records": {"id": "event_id"}},
        "other": {"type": "kafka-topic", "config": {"retention.ms": 5}}}})");
    const Json small = shrunk(
        document, [](const Json& smaller) { return smaller.dump().find("\"topic\"") != std::string::npos; }, 1000);
    EXPECT_EQ(small, Json::parse(R"({"assume": {"faults": []}, "components": {
        "topic": {"config": {"retention.ms": -1}, "records": {"id": "event_id"}}}})"));
}

TEST(Shrinking, AsksNoMoreOftenThanAllowed) {
    std::size_t asked = 0;
    const Json document = Json::parse(R"({"a": [1, 2, 3, 4, 5, 6, 7, 8, 9]})");
    (void)shrunk(
        document,
        [&](const Json&) {
            ++asked;
            return false;
        },
        5);
    EXPECT_EQ(asked, 5U);
}

TEST(Shrinking, FindsTheElementsOfAListThatMatter) {
    const auto kept = shrunk_list(
        40,
        [](const std::vector<std::size_t>& list) {
            return std::count(list.begin(), list.end(), 7U) == 1 && std::count(list.begin(), list.end(), 31U) == 1;
        },
        1000);
    EXPECT_EQ(kept, (std::vector<std::size_t>{7, 31}));
}

TEST(Layout, PutsAStepOnALine) {
    const Json document = Json::parse(R"({"foreachBatch": [
        {"truncate": "warehouse.staging_of_all_the_payments"},
        {"append": "warehouse.staging_of_all_the_payments"},
        {"merge": "warehouse.ledger", "using": "warehouse.staging_of_all_the_payments"}]})");
    const std::string text = laid_out(document);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 7);
    EXPECT_EQ(Json::parse(text), document);
}

}  // namespace

}  // namespace oncecheck

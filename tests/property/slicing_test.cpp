// Following one record of each batch alone against following all of them together: the same flaws, with as few faults.
// That verdicts agree is tested with the metamorphic relations; here the runs are compared.
#include <gtest/gtest.h>

#include <map>

#include "checker/engines/explicit_engine.h"
#include "tests/property/systems.h"

namespace oncecheck {

namespace {

namespace fs = std::filesystem;

const fs::path kCases = fs::path(ONCECHECK_TESTS) / "cases";
constexpr std::size_t kMemory = std::size_t{48} << 20;

// By requirement and flaw, over all systems: the fewest faults of a run that shows it.
using Fewest = std::map<std::pair<std::size_t, Flaw>, std::size_t>;

// None if the states do not fit.
std::optional<Fewest> fewest_faults(const std::vector<HopSystem>& systems) {
    Fewest fewest;
    for (const HopSystem& hop : systems) {
        Limits limits;
        limits.memory_bytes = kMemory;
        const CheckResult result = ExplicitEngine().check(hop.system, limits, {});
        for (std::size_t index = 0; index < result.properties.size(); ++index) {
            if (std::holds_alternative<Unknown>(result.properties[index])) {
                return std::nullopt;
            }
            if (const auto* run = std::get_if<Counterexample>(&result.properties[index])) {
                const PropertyMeaning& meaning = hop.meanings[index];
                const auto [place, is_new] = fewest.try_emplace({meaning.requirement, meaning.flaw}, run->faults);
                place->second = std::min(place->second, run->faults);
            }
        }
    }
    return fewest;
}

class SlowSlicing : public testing::TestWithParam<fs::path> {};

TEST_P(SlowSlicing, ShowsTheSameFlawsWithAsFewFaults) {
    const std::vector<HopSystem> sliced = systems_of(GetParam());
    const bool applies = std::any_of(sliced.begin(), sliced.end(), [](const auto& hop) { return hop.followed; });
    if (!applies) {
        return;
    }
    const auto whole = fewest_faults(systems_of(GetParam(), false));
    if (whole) {
        EXPECT_EQ(fewest_faults(sliced), whole);
    }
}

INSTANTIATE_TEST_SUITE_P(Of, SlowSlicing, testing::ValuesIn(documents_below(kCases)),
                         [](const auto& tested) { return test_name(tested.param, kCases); });

// So that the comparison above is not one of silence.
TEST(Slicing, AppliesToSomeCasesThatAreViolatedAndToSomeThatHold) {
    const auto violated = fewest_faults(systems_of(kCases / "staging" / "s00-z.json"));
    const auto holding = fewest_faults(systems_of(kCases / "staging" / "s20-z.json"));
    ASSERT_TRUE(violated && holding);
    EXPECT_FALSE(violated->empty());
    EXPECT_TRUE(holding->empty());
    EXPECT_TRUE(systems_of(kCases / "staging" / "s20-z.json").front().followed);
}

}  // namespace

}  // namespace oncecheck

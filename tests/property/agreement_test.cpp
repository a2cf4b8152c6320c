// The engines on the systems of small cases: they never contradict each other, and where two find a run it has as many
// faults and as many steps. And one engine by itself: the number of jobs changes nothing.
#include <gtest/gtest.h>

#include <chrono>

#include "checker/engines/explicit_engine.h"
#include "checker/smt/bmc_engine.h"
#include "checker/smt/induction_engine.h"
#include "tests/property/systems.h"

namespace oncecheck {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostStates = 3000;
constexpr std::chrono::seconds kForASystem{4};
const fs::path kCases = fs::path(ONCECHECK_TESTS) / "cases";

// The systems of a case that are small enough, each with its explicit result.
struct Solved {
    HopSystem hop;
    CheckResult result;
};

std::vector<Solved> small_systems(const fs::path& file) {
    std::vector<Solved> found;
    for (HopSystem& hop : systems_of(file)) {
        Limits limits;
        limits.memory_bytes = std::size_t{32} << 20;
        CheckResult result = ExplicitEngine().check(hop.system, limits, {});
        if (result.states <= kMostStates) {
            found.push_back({std::move(hop), std::move(result)});
        }
    }
    return found;
}

TransitionSystem with_one_property(const TransitionSystem& system, std::size_t property) {
    TransitionSystem one = system;
    one.properties = {system.properties[property]};
    return one;
}

Outcome bounded(const TransitionSystem& system, std::optional<int> budget) {
    Limits limits;
    limits.deadline = std::chrono::steady_clock::now() + kForASystem;
    limits.fault_budget = budget;
    return BmcEngine().check(system, limits, {}).properties.front();
}

// The first property that is violated, and the first that holds.
void expect_agreement(const Solved& solved) {
    bool compared_run = false;
    bool compared_proof = false;
    for (std::size_t index = 0; index < solved.result.properties.size(); ++index) {
        const TransitionSystem one = with_one_property(solved.hop.system, index);
        const std::string name = solved.hop.system.name + ": " + one.properties.front().name;
        const auto* run = std::get_if<Counterexample>(&solved.result.properties[index]);
        if (run != nullptr && !compared_run) {
            compared_run = true;
            const Outcome answer = bounded(one, static_cast<int>(run->faults));
            EXPECT_FALSE(std::holds_alternative<Exhausted>(answer)) << name;
            const auto* found = std::get_if<Counterexample>(&answer);
            const bool within = run->trace.steps.size() <= static_cast<std::size_t>(BmcSettings{}.most_steps);
            if (found != nullptr && within) {
                EXPECT_EQ(found->faults, run->faults) << name;
                EXPECT_EQ(found->trace.steps.size(), run->trace.steps.size()) << name;
            }
        }
        if (std::holds_alternative<Exhausted>(solved.result.properties[index]) && !compared_proof) {
            compared_proof = true;
            EXPECT_FALSE(std::holds_alternative<Counterexample>(bounded(one, std::nullopt))) << name;
        }
    }
}

// Every third small case: neighbours are much alike.
std::vector<fs::path> chosen_cases() {
    std::vector<fs::path> chosen;
    const std::vector<fs::path> all = documents_below(kCases);
    for (std::size_t index = 0; index < all.size(); index += 3) {
        chosen.push_back(all[index]);
    }
    return chosen;
}

class SlowAgreement : public testing::TestWithParam<fs::path> {};

TEST_P(SlowAgreement, OfTheEnginesOnTheFirstSmallSystems) {
    std::vector<Solved> systems = small_systems(GetParam());
    systems.resize(std::min<std::size_t>(systems.size(), 2));
    for (const Solved& solved : systems) {
        expect_agreement(solved);
    }
}

INSTANTIATE_TEST_SUITE_P(Of, SlowAgreement, testing::ValuesIn(chosen_cases()),
                         [](const auto& tested) { return test_name(tested.param, kCases); });

class SlowInduction : public testing::TestWithParam<fs::path> {};

// Proves what holds, nothing else, and little of it is left open.
TEST_P(SlowInduction, ProvesWhatHoldsInTheFirstSmallSystem) {
    const std::vector<Solved> systems = small_systems(GetParam());
    if (systems.empty()) {
        return;
    }
    const Solved& solved = systems.front();
    Limits limits;
    limits.deadline = std::chrono::steady_clock::now() + kForASystem;
    const CheckResult result = InductionEngine().check(solved.hop.system, limits, {});
    for (std::size_t index = 0; index < result.properties.size(); ++index) {
        const std::string& name = solved.hop.system.properties[index].name;
        const bool holds = std::holds_alternative<Exhausted>(solved.result.properties[index]);
        const auto* open = std::get_if<Unknown>(&result.properties[index]);
        EXPECT_TRUE(holds || open != nullptr) << name << " is violated";
        const bool late = open != nullptr && open->reason.find("time limit") != std::string::npos;
        EXPECT_TRUE(!holds || open == nullptr || late) << name << ": " << open->reason;
    }
}

INSTANTIATE_TEST_SUITE_P(Of, SlowInduction, testing::ValuesIn(chosen_cases()),
                         [](const auto& tested) { return test_name(tested.param, kCases); });

// A property whose violation both engines must find, so that the comparison above is not one of silence.
TEST(Agreement, IsReachedOnATruncatedStagingTable) {
    const std::vector<Solved> systems = small_systems(kCases / "staging" / "s01-cr.json");
    ASSERT_FALSE(systems.empty());
    bool found = false;
    for (std::size_t index = 0; index < systems.front().result.properties.size(); ++index) {
        if (const auto* run = std::get_if<Counterexample>(&systems.front().result.properties[index])) {
            const Outcome answer =
                bounded(with_one_property(systems.front().hop.system, index), static_cast<int>(run->faults));
            ASSERT_TRUE(std::holds_alternative<Counterexample>(answer));
            EXPECT_EQ(std::get<Counterexample>(answer).trace.steps.size(), run->trace.steps.size());
            found = true;
        }
    }
    EXPECT_TRUE(found);
}

void expect_equal(const Outcome& left, const Outcome& right, const std::string& what) {
    ASSERT_EQ(left.index(), right.index()) << what;
    if (const auto* run = std::get_if<Counterexample>(&left)) {
        const auto& other = std::get<Counterexample>(right);
        EXPECT_EQ(run->trace, other.trace) << what;
        EXPECT_EQ(run->faults, other.faults) << what;
        EXPECT_EQ(run->trap_states, other.trap_states) << what;
    } else if (const auto* proof = std::get_if<Exhausted>(&left)) {
        EXPECT_EQ(proof->states, std::get<Exhausted>(right).states) << what;
        EXPECT_EQ(proof->transitions, std::get<Exhausted>(right).transitions) << what;
    }
}

class SlowJobs : public testing::TestWithParam<const char*> {};

TEST_P(SlowJobs, ChangeNothing) {
    for (const HopSystem& hop : systems_of(kCases / GetParam())) {
        std::optional<CheckResult> single;
        for (const int jobs : {1, 2, 3}) {
            Limits limits;
            limits.jobs = jobs;
            const CheckResult result = ExplicitEngine().check(hop.system, limits, {});
            if (!single) {
                single = result;
            }
            const std::string what = hop.system.name + " with " + std::to_string(jobs) + " jobs";
            ASSERT_EQ(result.properties.size(), single->properties.size());
            for (std::size_t index = 0; index < result.properties.size(); ++index) {
                expect_equal(single->properties[index], result.properties[index], what);
            }
            ASSERT_EQ(result.progress.has_value(), single->progress.has_value());
            if (result.progress) {
                expect_equal(*single->progress, *result.progress, what + ", progress");
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(OnTenCases, SlowJobs,
                         testing::Values("staging/s01-cr.json", "staging/s03-bg.json", "staging/s07-z.json",
                                         "staging/s11-zplus.json", "staging/s18-2qplus.json", "staging/s27-2q.json",
                                         "staging/s29-z.json", "beyond/key-twice-in-batch.json",
                                         "beyond/detached-merge-by-attempt.json",
                                         "beyond/delete-insert-two-drivers.json"),
                         [](const auto& tested) { return test_name(kCases / tested.param, kCases); });

}  // namespace

}  // namespace oncecheck

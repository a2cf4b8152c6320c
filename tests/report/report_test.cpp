// What a report comes to: met, open, and the exit code.

#include "checker/report/report.h"

#include <gtest/gtest.h>

#include "tests/report/reports.h"

namespace oncecheck {
namespace {

RequirementReport expecting(RequirementReport requirement, const std::string& expect) {
    requirement.expect = expect;
    return requirement;
}

Report one(const RequirementReport& requirement) { return report_of(requirement.verdict, {requirement}); }

const RequirementReport kViolatedOne = violated("no-loss", {"loss"});
const RequirementReport kHoldsOne = holds("no-loss", "warehouse.ledger");
const RequirementReport kUndecidedOne = undecided("no-loss", "warehouse.ledger");

TEST(ExitCode, IsZeroOnlyIfEveryVerdictIsTheExpectedOne) {
    EXPECT_EQ(exit_code({one(kHoldsOne), one(expecting(kViolatedOne, "violated"))}, false), 0);
    EXPECT_EQ(exit_code({one(kHoldsOne), one(kViolatedOne)}, false), 1);
    EXPECT_EQ(exit_code({one(expecting(kHoldsOne, "violated"))}, false), 1);
}

TEST(ExitCode, PutsAWrongVerdictBeforeAnOpenOne) {
    EXPECT_EQ(exit_code({one(kUndecidedOne)}, false), 3);
    EXPECT_EQ(exit_code({one(kUndecidedOne), one(kViolatedOne)}, false), 1);
    EXPECT_EQ(exit_code({one(kViolatedOne), one(kUndecidedOne)}, false), 1);
    EXPECT_EQ(exit_code({report_of(Verdict::kViolated, {kUndecidedOne, kViolatedOne})}, false), 1);
}

TEST(ExitCode, TakesNoUndecidedForTheExpectedVerdict) {
    EXPECT_EQ(exit_code({one(expecting(kUndecidedOne, "holds"))}, false), 3);
    EXPECT_EQ(exit_code({one(expecting(kUndecidedOne, "violated"))}, false), 3);
}

TEST(ExitCode, AcceptsABoundUnlessStrict) {
    EXPECT_EQ(exit_code({bounded_report()}, false), 0);
    EXPECT_EQ(exit_code({bounded_report()}, true), 3);
}

TEST(ExitCode, JudgesAVariantWithAnExpectationAsAWhole) {
    Report variant = one(kViolatedOne);
    variant.expect = "violated";
    EXPECT_EQ(exit_code({variant}, false), 0);
    EXPECT_EQ(exit_code({variant_report()}, false), 1);
}

}  // namespace
}  // namespace oncecheck

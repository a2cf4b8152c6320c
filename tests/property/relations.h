// Relations between the verdicts of two documents with the same requirements, or of one document under two options.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cases/support/verified.h"

namespace oncecheck {

// Of each requirement. A search that ran into its limits says nothing.
using Verdicts = std::vector<Verdict>;

inline Verdicts verdicts_of(const std::string& text, const VerifyOptions& options) {
    Verdicts verdicts;
    for (const RequirementReport& requirement : verified(text, options).requirements) {
        verdicts.push_back(requirement.verdict);
    }
    return verdicts;
}

inline void expect_no_violation_less(const Verdicts& before, const Verdicts& after, const std::string& what) {
    ASSERT_EQ(before.size(), after.size()) << what;
    for (std::size_t index = 0; index < before.size(); ++index) {
        if (before[index] == Verdict::kViolated) {
            EXPECT_NE(after[index], Verdict::kHolds) << "requirement " << index << ' ' << what;
        }
    }
}

inline void expect_same(const Verdicts& before, const Verdicts& after, const std::string& what) {
    ASSERT_EQ(before.size(), after.size()) << what;
    for (std::size_t index = 0; index < before.size(); ++index) {
        if (before[index] != Verdict::kUndecided && after[index] != Verdict::kUndecided) {
            EXPECT_EQ(before[index], after[index]) << "requirement " << index << ' ' << what;
        }
    }
}

}  // namespace oncecheck

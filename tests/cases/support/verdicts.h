// Questions to a report, for expectations that read as a sentence: EXPECT_EQ(verdict_of(report, "no-loss"), kHolds).
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/cases/support/verified.h"

namespace oncecheck {

inline constexpr Verdict kHolds = Verdict::kHolds;
inline constexpr Verdict kUndecided = Verdict::kUndecided;
inline constexpr Verdict kViolated = Verdict::kViolated;

// The report's first requirement of that kind.
inline const RequirementReport& requirement_of(const Report& report, const std::string& kind) {
    for (const RequirementReport& requirement : report.requirements) {
        if (requirement.kind == kind) {
            return requirement;
        }
    }
    throw std::logic_error("the report has no " + kind);
}

inline Verdict verdict_of(const Report& report, const std::string& kind) {
    return requirement_of(report, kind).verdict;
}

inline bool has_flaw(const Report& report, const std::string& kind, const std::string& flaw) {
    const std::vector<std::string>& flaws = requirement_of(report, kind).flaws;
    return std::find(flaws.begin(), flaws.end(), flaw) != flaws.end();
}

// The first problem's code if the document is refused, by its pipeline or its verification; else "".
inline std::string refusal_of(const std::string& text) {
    try {
        (void)verified(text);
    } catch (const InputError& error) {
        return error.problems().front().code;
    }
    return "";
}

}  // namespace oncecheck

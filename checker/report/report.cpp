#include "checker/report/report.h"

#include <algorithm>

namespace oncecheck {

const char* to_string(Verdict verdict) {
    switch (verdict) {
        case Verdict::kHolds:
            return "holds";
        case Verdict::kViolated:
            return "violated";
        case Verdict::kUndecided:
            return "undecided";
    }
    return "";
}

bool RequirementReport::met(bool strict) const {
    const bool open_bound = strict && verdict == Verdict::kHolds && !provided.empty();
    return !open_bound && expect.value_or("holds") == to_string(verdict);
}

bool Report::met(bool strict) const {
    if (expect) {
        return *expect == to_string(verdict);
    }
    return std::all_of(requirements.begin(), requirements.end(),
                       [&](const RequirementReport& requirement) { return requirement.met(strict); });
}

bool Report::open(bool strict) const {
    if (met(strict)) {
        return false;
    }
    if (expect) {
        return verdict == Verdict::kUndecided;
    }
    return std::all_of(requirements.begin(), requirements.end(), [&](const RequirementReport& requirement) {
        const bool conditional = requirement.verdict == Verdict::kHolds && requirement.met(false);
        return requirement.met(strict) || requirement.verdict == Verdict::kUndecided || conditional;
    });
}

int exit_code(const std::vector<Report>& reports, bool strict) {
    int code = 0;
    for (const Report& report : reports) {
        if (report.open(strict)) {
            code = code == 0 ? 3 : code;
        } else if (!report.met(strict)) {
            code = 1;
        }
    }
    return code;
}

}  // namespace oncecheck

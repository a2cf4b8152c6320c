// From the text of a document to its report, and from a report to a page for whoever has to find out why a test failed.
#pragma once

#include <cctype>
#include <filesystem>
#include <string>

#include "checker/compose/verify.h"
#include "checker/report/report.h"
#include "tests/cases/support/pipelines.h"

namespace oncecheck {

inline Report verified(const Pipeline& pipeline, const VerifyOptions& options = {}) {
    return verify(pipeline, options, {});
}

inline Report verified(const std::string& text, const VerifyOptions& options = {}) {
    return verified(resolved(text), options);
}

// "exactly-once of db.payments from payments_topic".
inline std::string name_of(const RequirementReport& requirement) {
    return requirement.kind + " of " + requirement.target +
           (requirement.from.empty() ? "" : " from " + requirement.from);
}

inline std::string show(const RequirementReport& requirement) {
    std::string page = name_of(requirement) + ": " + to_string(requirement.verdict) + ", expected " +
                       requirement.expect.value_or("holds") + '\n';
    for (const std::string& flaw : requirement.flaws) {
        page += "  flaw: " + flaw + '\n';
    }
    for (const ReportedBound& bound : requirement.provided) {
        page += "  provided: " + bound.text + '\n';
    }
    page += requirement.undecided.empty() ? "" : "  undecided: " + requirement.undecided + '\n';
    if (requirement.run) {
        for (const RunStep& step : requirement.run->steps) {
            page += "  " + step.actor + ' ' + step.text + (step.fault.empty() ? "" : "  [" + step.fault + ']') + '\n';
        }
    }
    return page;
}

// The requirements of a report that are not as expected, with their runs.
inline std::string show_unmet(const Report& report) {
    std::string page = report.file + (report.variant.empty() ? "" : " (variant " + report.variant + ')') + ": " +
                       to_string(report.verdict) + '\n';
    for (const RequirementReport& requirement : report.requirements) {
        page += requirement.met(false) ? "" : show(requirement);
    }
    return page;
}

// Path below `folder` as a test's name: letters, digits and "_".
inline std::string test_name(const std::filesystem::path& file, const std::filesystem::path& folder) {
    std::string name = std::filesystem::relative(file, folder).replace_extension().string();
    for (char& letter : name) {
        letter = std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
    }
    return name;
}

}  // namespace oncecheck

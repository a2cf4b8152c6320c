// What people read: golden files for whole reports, and the rules that hold for each of them.

#include "checker/report/text_renderer.h"

#include <gtest/gtest.h>

#include <sstream>

#include "checker/report/text_page.h"
#include "tests/report/golden.h"
#include "tests/report/reports.h"

namespace oncecheck {
namespace {

std::string text_of(const Report& report, const RenderOptions& options = {}) { return render_text({report}, options); }

std::vector<Report> all_reports() {
    return {violated_report(), bounded_report(), stuck_report(), undecided_report(), variant_report()};
}

std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

TEST(TextRenderer, ShowsTheRunOfAViolationUpToItsPointOfNoReturn) {
    expect_golden("violated.txt", text_of(violated_report()));
}

TEST(TextRenderer, ShowsTheBoundOnWhichAVerdictHolds) { expect_golden("bounded.txt", text_of(bounded_report())); }

TEST(TextRenderer, ShowsThatAPipelineCanGetStuck) { expect_golden("stuck.txt", text_of(stuck_report())); }

TEST(TextRenderer, SaysWhyItIsUndecided) { expect_golden("undecided.txt", text_of(undecided_report())); }

TEST(TextRenderer, SumsUpSeveralReports) {
    expect_golden("several.txt", render_text({bounded_report(), variant_report()}, {}));
}

TEST(TextRenderer, ShowsTheWholeRunIfVerbose) {
    const std::string text = text_of(violated_report(), {.verbose = true});
    EXPECT_NE(text.find("goes on with batch 1"), std::string::npos);
    EXPECT_NE(text.find("point of no return"), std::string::npos);
    EXPECT_EQ(text.find("more step"), std::string::npos);
}

TEST(TextRenderer, PrintsARunOnceForAllRequirementsThatHaveIt) {
    const std::string text = text_of(violated_report());
    EXPECT_EQ(occurrences(text, "Run A"), 1U);
    EXPECT_EQ(occurrences(text, "Run B"), 0U);
    EXPECT_NE(text.find("violates 1 and 2"), std::string::npos);
}

TEST(TextRenderer, PrintsRunsThatDifferOneByOne) {
    Report report = violated_report();
    report.requirements[1].run->steps.pop_back();
    const std::string text = text_of(report);
    EXPECT_EQ(occurrences(text, "Run A"), 1U);
    EXPECT_EQ(occurrences(text, "Run B"), 1U);
}

TEST(TextRenderer, MarksAnUnmetRequirement) {
    const std::string text = text_of(violated_report());
    EXPECT_NE(text.find("ok    1  exactly-once"), std::string::npos);
    EXPECT_NE(text.find("FAIL  2  no-loss"), std::string::npos);
}

TEST(TextRenderer, AcceptsNoBoundIfStrict) {
    EXPECT_NE(text_of(bounded_report()).find("ok    1  "), std::string::npos);
    EXPECT_NE(text_of(bounded_report(), {.strict = true}).find("open  1  "), std::string::npos);
}

TEST(TextRenderer, KeepsToItsWidth) {
    for (const Report& report : all_reports()) {
        std::istringstream lines(text_of(report, {.verbose = true}));
        for (std::string line; std::getline(lines, line);) {
            EXPECT_LE(width_of(line), kPageWidth) << line;
        }
    }
}

TEST(TextRenderer, HasNoEscapesUnlessColourIsAskedForAndTheSameTextIfItIs) {
    for (const Report& report : all_reports()) {
        const std::string plain = text_of(report);
        EXPECT_EQ(plain.find('\x1b'), std::string::npos);
        const std::string coloured = text_of(report, {.colour = true});
        std::string stripped;
        for (std::size_t index = 0; index < coloured.size(); ++index) {
            if (coloured[index] == '\x1b') {
                index = coloured.find('m', index);
            } else {
                stripped += coloured[index];
            }
        }
        EXPECT_NE(coloured, plain);
        EXPECT_EQ(stripped, plain);
    }
}

TEST(TextRenderer, LetsNoNameSteerTheTerminal) {
    Report report = violated_report();
    report.requirements[0].reason =
        "a\x1b[2Jb\nc\xc2\x9b"
        "d\x07";
    const std::string text = text_of(report);
    EXPECT_NE(text.find("a?[2Jb c?d?"), std::string::npos) << text;
}

TEST(TextRenderer, SurvivesAReportWithNothingInIt) {
    EXPECT_EQ(render_text({}, {}), "");
    Report report;
    report.requirements.resize(1);
    report.requirements[0].verdict = Verdict::kViolated;
    report.requirements[0].run.emplace();
    EXPECT_NE(text_of(report).find("violated"), std::string::npos);
}

}  // namespace
}  // namespace oncecheck

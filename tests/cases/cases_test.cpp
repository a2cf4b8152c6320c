// One runner for every document with known answers: those of tests/cases and of examples. The expectations stand in
// the documents; verify() itself replays every run that it reports.
#include <gtest/gtest.h>

#include <set>

#include "tests/cases/support/staging_table.h"
#include "tests/cases/support/verified.h"

namespace oncecheck {

namespace {

namespace fs = std::filesystem;

const fs::path kCases = fs::path(ONCECHECK_TESTS) / "cases";
const fs::path kExamples = ONCECHECK_EXAMPLES;

// "s09-zplus.json" as (design, scenario).
std::pair<std::string, std::string> cell_of(const fs::path& file) {
    const std::string name = file.stem();
    const std::size_t dash = name.find('-');
    return {name.substr(0, dash), name.substr(dash + 1)};
}

// The kinds of violation that the report shows at its target, over all origins; K if it can get stuck.
std::string letters_of(const Report& report) {
    std::set<std::string> violated;
    for (const RequirementReport& requirement : report.requirements) {
        if (requirement.verdict == Verdict::kViolated) {
            violated.insert(requirement.kind);
            violated.insert(requirement.flaws.begin(), requirement.flaws.end());
        }
    }
    std::string letters;
    for (const auto& [name, letter] : {std::pair("no-duplicate", 'D'), std::pair("no-loss", 'L'),
                                       std::pair("no-stale", 'S'), std::pair("stuck", 'K')}) {
        if (violated.contains(name)) {
            letters += letter;
        }
    }
    return letters;
}

void expect_cell(const Report& report, const fs::path& file) {
    const StagingTable table = staging_table();
    const auto cell = table.find(cell_of(file));
    ASSERT_NE(cell, table.end()) << file << " is no cell of the table";
    EXPECT_EQ(letters_of(report), cell->second) << file;
    for (const RequirementReport& requirement : report.requirements) {
        if (requirement.kind == "exactly-once") {
            EXPECT_EQ(requirement.verdict == Verdict::kHolds, cell->second.empty()) << show(requirement);
        }
    }
}

class Case : public testing::TestWithParam<fs::path> {};

TEST_P(Case, HasTheVerdictsThatItExpects) {
    for (const Document& document : read_documents(GetParam(), {})) {
        const Pipeline pipeline = resolve(document, catalogue());
        VerifyOptions options;
        options.engine = EngineChoice::kExplicit;
        const Report report = verified(pipeline, options);
        EXPECT_TRUE(report.met(false)) << show_unmet(report);
        if (GetParam().parent_path().filename() == "staging") {
            expect_cell(report, GetParam());
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Every, Case, testing::ValuesIn(all_documents()), [](const auto& tested) {
    const bool is_case = tested.param.string().starts_with(kCases.string());
    return test_name(tested.param, is_case ? kCases : kExamples);
});

TEST(Cases, CoverEveryCellOfTheTableOnce) {
    std::set<std::pair<std::string, std::string>> cells;
    for (const fs::path& file : documents_below(kCases / "staging")) {
        cells.insert(cell_of(file));
    }
    std::set<std::pair<std::string, std::string>> table;
    for (const auto& [cell, unused] : staging_table()) {
        table.insert(cell);
    }
    EXPECT_EQ(cells, table);
}

TEST(Cases, AreArguedForWhereTheyDifferFromTheTable) {
    const StagingTable table = table_of_atomic_statements();
    for (const auto& [cell, letters] : argued_exceptions()) {
        EXPECT_NE(table.at(cell), letters) << cell.first << '-' << cell.second;
        const fs::path file = kCases / "staging" / (cell.first + '-' + cell.second + ".json");
        EXPECT_NE(text_of(file).find("Table: "), std::string::npos) << file << " does not say what the table has";
    }
}

TEST(Cases, HaveAnExpectationForEveryRequirement) {
    for (const fs::path& file : all_documents()) {
        const std::vector<Document> documents = read_documents(file, {});
        for (const Document& document : documents) {
            const auto requirements = document.require.value_or(std::vector<Requirement>{});
            for (const Requirement& requirement : requirements) {
                EXPECT_TRUE(requirement.expect || document.expect) << file << ' ' << to_string(requirement.where);
            }
        }
    }
}

}  // namespace

}  // namespace oncecheck

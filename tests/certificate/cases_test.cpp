// The verdicts of the examples and of the cases beyond the staging table have certificates, which are valid state by
// state. All of both, and what Z3 and cvc5 say about their obligations: tests/certificate/check_obligations.
#include <gtest/gtest.h>

#include "tests/certificate/made.h"

namespace oncecheck {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> documents() {
    std::vector<fs::path> found = documents_below(fs::path(ONCECHECK_TESTS) / "cases/beyond");
    found.push_back(fs::path(ONCECHECK_EXAMPLES) / "staging-by-attempt/pipeline.json");
    found.push_back(fs::path(ONCECHECK_EXAMPLES) / "card-payments/pipeline.json");
    return found;
}

class CertifiedCase : public testing::TestWithParam<fs::path> {};

TEST_P(CertifiedCase, HasAValidCertificateOfEveryVerdict) {
    constexpr std::size_t kMostStates = 30'000;
    for (const ReadSource& read : read_sources(text_of(GetParam()), GetParam().string())) {
        const Report report = verified(resolve(read.document, catalogue()));
        if (report.statistics.states > kMostStates) {
            continue;  // check_obligations has the time for it
        }
        for (std::size_t index = 0; index < report.requirements.size(); ++index) {
            if (report.requirements[index].verdict == Verdict::kUndecided) {
                continue;
            }
            const Certificate certificate = made(read, index);
            EXPECT_EQ(certificate.verdict, report.requirements[index].verdict) << index;
            EXPECT_EQ(certificate.provided.size(), report.requirements[index].provided.size()) << index;
            EXPECT_EQ(outcome_of(write_certificate(certificate)), "valid") << index;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Every, CertifiedCase, testing::ValuesIn(documents()), [](const auto& tested) {
    const fs::path root = fs::path(ONCECHECK_TESTS).parent_path();
    return test_name(tested.param, root);
});

}  // namespace
}  // namespace oncecheck

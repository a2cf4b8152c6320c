// What must not change, or only in one direction, when a document is changed: an error of the semantics is common to
// all engines, and only relations like these can show it.
#include <gtest/gtest.h>

#include <chrono>
#include <optional>

#include "checker/crossvalidate/random_pipeline.h"
#include "tests/property/relations.h"
#include "tests/property/transformed.h"

namespace oncecheck {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMemory = std::size_t{192} << 20;      // a search of a case that needs more is left out
constexpr std::size_t kRandomMemory = std::size_t{8} << 20;  // the same for a random document
constexpr std::uint64_t kRandomDocuments = 200;

VerifyOptions limited(std::size_t memory) {
    VerifyOptions options;
    options.memory_bytes = memory;
    options.timeout = std::chrono::seconds(15);  // what is too large to compare is undecided
    return options;
}

bool mentions(const Json& document, const std::string& text) { return document.dump().find(text) != std::string::npos; }

// An abort whose error nobody sees loses rows that a weaker level would have kept: no relation there.
bool loses_errors(const Json& document) {
    return mentions(document, "\"background\"") || mentions(document, "\"ignore\"");
}

// Every relation, for one document that is not refused.
class Relations {
  public:
    Relations(Json document, const VerifyOptions& options)
        : document_(std::move(document)), options_(options), verdicts_(verdicts_of(document_.dump(), options_)) {}

    void more_faults_remove_no_violation(const std::vector<std::string>& faults) const {
        less(with_faults(document_, faults), "with more faults");
    }

    // A stronger level aborts transactions, so both documents need a fault that ends an attempt.
    void weaker_isolation_removes_no_violation() const {
        if (mentions(document_, "isolation\":") && !loses_errors(document_)) {
            const Json crashing = with_faults(document_, {"crash"});
            expect_no_violation_less(verdicts_of(crashing.dump(), options_),
                                     verdicts_of(with_default_isolation(crashing).dump(), options_),
                                     "with weaker isolation: " + crashing.dump(2));
        }
    }

    void more_attempts_remove_no_violation(int attempts) const {
        VerifyOptions more = options_;
        more.size.attempts = attempts;
        VerifyOptions fewer = more;
        fewer.size.attempts = attempts - 1;
        expect_no_violation_less(verdicts_of(document_.dump(), fewer), verdicts_of(document_.dump(), more),
                                 "with more attempts of " + document_.dump(2));
    }

    void other_words_change_nothing() const {
        same(renamed(document_), "renamed");
        same(with_reversed_components(document_), "with its components in another order");
        same(with_a_transaction_a_step(document_), "with a transaction for each step");
    }

    void slicing_changes_nothing() const {
        VerifyOptions whole = options_;
        whole.slice = false;
        expect_same(verdicts_, verdicts_of(document_.dump(), whole), "unsliced of " + document_.dump(2));
    }

  private:
    void less(const Json& changed, const std::string& how) const {
        expect_no_violation_less(verdicts_, verdicts_of(changed.dump(), options_), how + ": " + changed.dump(2));
    }
    void same(const Json& changed, const std::string& how) const {
        if (changed != document_ || changed.dump() != document_.dump()) {
            expect_same(verdicts_, verdicts_of(changed.dump(), options_), how + ": " + changed.dump(2));
        }
    }

    Json document_;
    VerifyOptions options_;
    Verdicts verdicts_;
};

class SlowMetamorphicCase : public testing::TestWithParam<fs::path> {
  protected:
    [[nodiscard]] static Relations relations() {
        Json document = parsed_json(text_of(GetParam()));
        root_files(document, GetParam().parent_path());
        return {std::move(document), limited(kMemory)};
    }
};

TEST_P(SlowMetamorphicCase, LosesNoViolationByMoreFaults) {
    relations().more_faults_remove_no_violation({"crash", "lost-ack"});
}

TEST_P(SlowMetamorphicCase, LosesNoViolationByWeakerIsolation) { relations().weaker_isolation_removes_no_violation(); }

TEST_P(SlowMetamorphicCase, LosesNoViolationByTwoAttemptsInsteadOfOne) {
    relations().more_attempts_remove_no_violation(2);
}

TEST_P(SlowMetamorphicCase, MeansTheSameInOtherWords) {
    if (text_of(GetParam()).find("\"sql\"") != std::string::npos) {
        GTEST_SKIP() << "the names in a SQL file stay as they are";
    }
    relations().other_words_change_nothing();
}

TEST_P(SlowMetamorphicCase, HasTheSameVerdictsUnsliced) { relations().slicing_changes_nothing(); }

const fs::path kCases = fs::path(ONCECHECK_TESTS) / "cases";

INSTANTIATE_TEST_SUITE_P(Every, SlowMetamorphicCase, testing::ValuesIn(documents_below(kCases)),
                         [](const auto& tested) { return test_name(tested.param, kCases); });

// A random document's relations in the smallest universe; empty if the document is refused.
std::optional<Relations> random_relations(std::uint64_t seed) {
    VerifyOptions options = limited(kRandomMemory);
    options.size.records = 1 + static_cast<int>(seed % 4 == 0);
    try {
        return Relations(RandomPipeline(seed).make(), options);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

template <typename Check>
void for_random_documents(const Check& check) {
    std::uint64_t checked = 0;
    for (std::uint64_t seed = 0; seed < kRandomDocuments && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        if (const std::optional<Relations> relations = random_relations(seed)) {
            check(*relations);
            ++checked;
        }
    }
    EXPECT_TRUE(testing::Test::HasFailure() || checked > kRandomDocuments * 3 / 4) << "only " << checked;
}

TEST(SlowMetamorphicRandom, DocumentsLoseNoViolationByMoreFaults) {
    for_random_documents([](const Relations& relations) {
        relations.more_faults_remove_no_violation({"crash"});
        relations.more_faults_remove_no_violation({"zombie"});
        relations.more_faults_remove_no_violation({"detached", "crash"});
    });
}

TEST(SlowMetamorphicRandom, DocumentsLoseNoViolationByWeakerIsolation) {
    for_random_documents([](const Relations& relations) { relations.weaker_isolation_removes_no_violation(); });
}

TEST(SlowMetamorphicRandom, DocumentsLoseNoViolationByMoreAttempts) {
    for_random_documents([](const Relations& relations) { relations.more_attempts_remove_no_violation(2); });
}

TEST(SlowMetamorphicRandom, DocumentsMeanTheSameInOtherWords) {
    for_random_documents([](const Relations& relations) { relations.other_words_change_nothing(); });
}

TEST(SlowMetamorphicRandom, DocumentsHaveTheSameVerdictsUnsliced) {
    for_random_documents([](const Relations& relations) { relations.slicing_changes_nothing(); });
}

}  // namespace

}  // namespace oncecheck

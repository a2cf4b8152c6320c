// Bytes that are no document: an InputError always, never a crash, a hang or a document.
#include <gtest/gtest.h>

#include <random>

#include "tests/document/reading_fixture.h"

namespace oncecheck {
namespace {

constexpr std::size_t kMaxReported = 100;
const char* const kFull = ONCECHECK_TESTS "/document/full.json";

bool is_refused(const std::string& text) {
    try {
        (void)parse_documents(text, kFull, {});
    } catch (const InputError& error) {
        return !error.problems().empty();
    }
    return false;
}

TEST(Robustness, ADocumentCutAnywhereIsRefused) {
    const std::string text = file_text(kFull);
    ASSERT_FALSE(is_refused(text));
    for (std::size_t length = 0; length <= text.rfind('}'); ++length) {
        ASSERT_TRUE(is_refused(text.substr(0, length))) << length;
    }
}

TEST(Robustness, RandomBytesAreRefused) {
    std::mt19937 random(20240607);
    for (int round = 0; round < 8; ++round) {
        std::string bytes(std::size_t{1} << 20U, '\0');
        for (char& byte : bytes) {
            byte = static_cast<char>(static_cast<unsigned char>(random()));
        }
        EXPECT_TRUE(is_refused(bytes));
        EXPECT_TRUE(is_refused("{" + bytes));
    }
}

TEST(Robustness, RandomAsciiAndRandomTokensAreRefused) {
    std::mt19937 random(7);
    const std::string alphabet = "{}[]\",:$/*\\ \n0123456789.-eEtruefalsn";
    for (int round = 0; round < 2'000; ++round) {
        std::string text;
        for (int count = 0; count < 200; ++count) {
            text += alphabet[random() % alphabet.size()];
        }
        ASSERT_TRUE(is_refused(text)) << text;
    }
}

TEST(Robustness, AByteThatChangesNeverCrashes) {
    const std::string text = file_text(kFull);
    std::mt19937 random(11);
    int refused = 0;
    for (int round = 0; round < 2'000; ++round) {
        std::string changed = text;
        changed[random() % changed.size()] = static_cast<char>(static_cast<unsigned char>(random()));
        refused += is_refused(changed) ? 1 : 0;
    }
    EXPECT_GT(refused, 500);
}

TEST(Robustness, ThousandsOfLevelsAreRefused) {
    std::string steps;
    for (int level = 0; level < 10'000; ++level) {
        steps += "[{\"background\":";
    }
    EXPECT_EQ(problems_of(R"({"components": {"p": {"type": "t", "steps": )" + steps).front().code, "nesting");
}

TEST(Robustness, LongStringsDoNotGrowMessages) {
    const std::string word(1U << 20U, 'x');
    for (const std::string& text : {"{\"components\": {\"c\": \"t\"}, \"require\": [{\"" + word + "\": 1}]}",
                                    with_members("\"assume\": {\"faults\": [\"" + word + "\"]}"),
                                    with_steps("{\"append\": \"" + word + "{" + word + "}\"}"), "{\"a\": " + word}) {
        for (const Problem& problem : problems_of(text)) {
            EXPECT_LT(problem.message.size() + problem.hint.size(), 1'000U);
        }
        EXPECT_FALSE(problems_of(text).empty());
    }
}

TEST(Robustness, ManyMistakesInManyVariantsDoNotTakeLong) {
    std::string mistakes;
    std::string names = "\"n\": \"x\"";
    std::string variants = "\"v\": {}";
    for (int count = 0; count < 20'000; ++count) {
        mistakes +=
            "\"key_that_nobody_knows_" + std::to_string(count) + "\": \"$undefined_" + std::to_string(count) + "\", ";
        names += ", \"name_of_some_length_" + std::to_string(count) + "\": \"x\"";
    }
    for (int count = 0; count < 90; ++count) {
        variants += ", \"v" + std::to_string(count) + "\": {}";
    }
    const std::string text = "{\"let\": {" + names + "}, \"components\": {\"c\": {" + mistakes +
                             "\"type\": \"t\"}}, \"variants\": {" + variants + "}}";
    EXPECT_EQ(problems_of(text).size(), kMaxReported);
}

}  // namespace
}  // namespace oncecheck

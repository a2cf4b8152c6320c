#include "model/runtime/checkpoint.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "model/errors.h"
#include "tests/runtime/scratch_directory.h"

namespace oncecheck {
namespace {

const SourcePositions kFirst{{"payments", {1, 1}}};
const SourcePositions kSecond{{"payments", {2, 2}}, {"refunds", {0, 3}}};

// Every test runs on both kinds of files.
class CheckpointTest : public testing::TestWithParam<bool> {
  protected:
    [[nodiscard]] std::unique_ptr<Files> files() const {
        return GetParam() ? files_in_directory(directory_.path()) : files_in_memory();
    }

  private:
    ScratchDirectory directory_;
};

TEST_P(CheckpointTest, IsEmptyAtFirst) {
    const Checkpoint checkpoint(files());
    EXPECT_FALSE(checkpoint.query());
    EXPECT_EQ(checkpoint.last_offsets(), -1);
    EXPECT_EQ(checkpoint.last_commit(), -1);
    EXPECT_FALSE(checkpoint.offsets(0));
    EXPECT_FALSE(checkpoint.initial_positions(0, "payments"));
}

TEST_P(CheckpointTest, GivesBackWhatWasWritten) {
    Checkpoint checkpoint(files());
    checkpoint.write_query("c0ffee");
    checkpoint.write_initial_positions(1, "pay\"ments", {3, 4});
    EXPECT_TRUE(checkpoint.add_offsets(0, kFirst));
    EXPECT_TRUE(checkpoint.add_offsets(1, kSecond));
    EXPECT_TRUE(checkpoint.add_commit(0));
    EXPECT_EQ(checkpoint.query(), "c0ffee");
    EXPECT_EQ(checkpoint.initial_positions(1, "pay\"ments"), (Positions{3, 4}));
    EXPECT_EQ(checkpoint.offsets(1), kSecond);
    EXPECT_EQ(checkpoint.last_offsets(), 1);
    EXPECT_EQ(checkpoint.last_commit(), 0);
}

TEST_P(CheckpointTest, RefusesAnEntryThatIsThereAndKeepsIt) {
    Checkpoint checkpoint(files());
    EXPECT_TRUE(checkpoint.add_offsets(0, kFirst));
    EXPECT_FALSE(checkpoint.add_offsets(0, kSecond));
    EXPECT_EQ(checkpoint.offsets(0), kFirst);
    EXPECT_TRUE(checkpoint.add_commit(0));
    EXPECT_FALSE(checkpoint.add_commit(0));
}

TEST_P(CheckpointTest, ReplacesAnEntryThatIsPut) {
    Checkpoint checkpoint(files());
    checkpoint.put_offsets(0, kFirst);
    checkpoint.put_offsets(0, kSecond);
    EXPECT_EQ(checkpoint.offsets(0), kSecond);
}

TEST_P(CheckpointTest, FindsTheLastBatchByNumberNotByName) {
    Checkpoint checkpoint(files());
    for (const int batch : {9, 10, 2}) {
        EXPECT_TRUE(checkpoint.add_commit(batch));
    }
    EXPECT_EQ(checkpoint.last_commit(), 10);
}

TEST_P(CheckpointTest, PurgesBothLogsBelowABatch) {
    Checkpoint checkpoint(files());
    for (int batch = 0; batch < 4; ++batch) {
        EXPECT_TRUE(checkpoint.add_offsets(batch, kFirst));
        EXPECT_TRUE(checkpoint.add_commit(batch));
    }
    checkpoint.purge_below(2);
    EXPECT_FALSE(checkpoint.has_offsets(1));
    EXPECT_FALSE(checkpoint.has_commit(1));
    EXPECT_TRUE(checkpoint.has_offsets(2));
    EXPECT_TRUE(checkpoint.add_commit(1)) << "a log knows what is there now, not what was";
}

INSTANTIATE_TEST_SUITE_P(Files, CheckpointTest, testing::Bool(),
                         [](const auto& tested) { return tested.param ? "InADirectory" : "InMemory"; });

std::string text_of(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

TEST(CheckpointFiles, AreLaidOutAsSparkLaysThemOut) {
    const ScratchDirectory directory;
    Checkpoint checkpoint(files_in_directory(directory.path()));
    checkpoint.write_query("c0ffee");
    checkpoint.write_initial_positions(0, "payments", {0, 0});
    ASSERT_TRUE(checkpoint.add_offsets(0, kFirst));
    ASSERT_TRUE(checkpoint.add_commit(0));
    EXPECT_EQ(text_of(directory.path() + "/metadata"), R"({"id":"c0ffee"})");
    EXPECT_EQ(text_of(directory.path() + "/offsets/0"),
              "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":0,\"conf\":{}}\n{\"payments\":{\"0\":1,\"1\":1}}");
    EXPECT_EQ(text_of(directory.path() + "/commits/0"), "v1\n{\"nextBatchWatermarkMs\":0}");
    EXPECT_EQ(text_of(directory.path() + "/sources/0/0"), std::string("\0v1\n{\"payments\":{\"0\":0,\"1\":0}}", 30));
}

TEST(CheckpointFiles, HalfWrittenFilesAreNoEntries) {
    const ScratchDirectory directory;
    std::filesystem::create_directories(directory.path() + "/commits");
    std::ofstream(directory.path() + "/commits/.5.1.tmp") << "v1";
    Checkpoint checkpoint(files_in_directory(directory.path()));
    EXPECT_EQ(checkpoint.last_commit(), -1);
}

TEST(CheckpointFiles, AnUnreadableEntryIsAnError) {
    const ScratchDirectory directory;
    std::filesystem::create_directories(directory.path() + "/offsets");
    std::ofstream(directory.path() + "/offsets/0") << "v1\n{}\nnonsense";
    EXPECT_THROW(static_cast<void>(Checkpoint(files_in_directory(directory.path())).offsets(0)), InternalError);
    std::ofstream(directory.path() + "/offsets/1") << "v9\n";
    EXPECT_THROW(static_cast<void>(Checkpoint(files_in_directory(directory.path())).offsets(1)), InternalError);
}

}  // namespace
}  // namespace oncecheck

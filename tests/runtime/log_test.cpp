#include "model/runtime/log.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "model/runtime/frames.h"
#include "model/runtime/log_file.h"
#include "tests/runtime/scratch_directory.h"

namespace oncecheck {
namespace {

constexpr ProducerStamp kAnonymous{};

std::vector<std::string> payloads(const TopicLog& log, int partition, ReadIsolation isolation) {
    std::vector<std::string> found;
    for (const int offset : log.visible(partition, 0, 1000, isolation)) {
        found.push_back(log.entry(partition, offset)->payload);
    }
    return found;
}

TEST(TopicLog, GivesEveryPartitionOffsetsOfItsOwn) {
    TopicLog log(2);
    EXPECT_EQ(log.append(0, kAnonymous, "a"), AppendOutcome::kAppended);
    EXPECT_EQ(log.append(1, kAnonymous, "b"), AppendOutcome::kAppended);
    EXPECT_EQ(log.append(0, kAnonymous, "c"), AppendOutcome::kAppended);
    EXPECT_EQ(log.end_offset(0, ReadIsolation::kReadUncommitted), 2);
    EXPECT_EQ(log.end_offset(1, ReadIsolation::kReadUncommitted), 1);
    EXPECT_EQ(log.arrivals(), (std::vector<std::pair<int, int>>{{0, 0}, {1, 0}, {0, 1}}));
}

TEST(TopicLog, AppendsARepetitionOfAnAnonymousProducerAgain) {
    TopicLog log(1);
    EXPECT_EQ(log.append(0, kAnonymous, "a"), AppendOutcome::kAppended);
    EXPECT_EQ(log.append(0, kAnonymous, "a"), AppendOutcome::kAppended);
}

TEST(TopicLog, RecognisesTheLastFiveSequencesOfAProducer) {
    TopicLog log(1);
    for (int sequence = 0; sequence < 6; ++sequence) {
        EXPECT_EQ(log.append(0, {7, 0, sequence}, "r"), AppendOutcome::kAppended);
    }
    EXPECT_EQ(log.append(0, {7, 0, 1}, "r"), AppendOutcome::kKnown);
    EXPECT_EQ(log.append(0, {7, 0, 5}, "r"), AppendOutcome::kKnown);
    EXPECT_EQ(log.append(0, {7, 0, 0}, "r"), AppendOutcome::kOutOfOrder) << "out of the memory of five";
    EXPECT_EQ(log.append(0, {7, 0, 7}, "r"), AppendOutcome::kOutOfOrder) << "a gap";
    EXPECT_EQ(log.append(0, {7, 0, 6}, "r"), AppendOutcome::kAppended);
}

TEST(TopicLog, TakesAnySequenceOfAProducerThatItDoesNotKnow) {
    TopicLog log(1);
    EXPECT_EQ(log.append(0, {7, 0, 42}, "r"), AppendOutcome::kAppended);
}

TEST(TopicLog, FencesAnOlderEpochAndStartsANewerOneAtZero) {
    TopicLog log(1);
    EXPECT_EQ(log.append(0, {7, 1, 0}, "r"), AppendOutcome::kAppended);
    EXPECT_EQ(log.append(0, {7, 0, 1}, "r"), AppendOutcome::kFenced);
    EXPECT_EQ(log.append(0, {7, 2, 1}, "r"), AppendOutcome::kOutOfOrder);
    EXPECT_EQ(log.append(0, {7, 2, 0}, "r"), AppendOutcome::kAppended);
}

TEST(TopicLog, HidesOpenAndAbortedTransactionsFromAReaderOfCommittedOnes) {
    TopicLog log(1);
    ASSERT_EQ(log.append(0, {7, 0, 0, true}, "aborted"), AppendOutcome::kAppended);
    ASSERT_EQ(log.append(0, kAnonymous, "plain"), AppendOutcome::kAppended);
    EXPECT_EQ(log.end_offset(0, ReadIsolation::kReadCommitted), 0) << "nothing behind an open transaction is stable";
    log.end_transaction(7, 0, false);
    EXPECT_EQ(payloads(log, 0, ReadIsolation::kReadCommitted), std::vector<std::string>{"plain"});
    ASSERT_EQ(log.append(0, {7, 0, 1, true}, "committed"), AppendOutcome::kAppended);
    log.end_transaction(7, 0, true);
    EXPECT_EQ(payloads(log, 0, ReadIsolation::kReadCommitted), (std::vector<std::string>{"plain", "committed"}));
    EXPECT_EQ(payloads(log, 0, ReadIsolation::kReadUncommitted),
              (std::vector<std::string>{"aborted", "plain", "committed"}));
}

TEST(TopicLog, ATransactionEndsOnlyWhereTheProducerHasOneOpen) {
    TopicLog log(2);
    ASSERT_EQ(log.append(0, {7, 0, 0, true}, "r"), AppendOutcome::kAppended);
    log.end_transaction(7, 0, true);
    EXPECT_EQ(log.end_offset(0, ReadIsolation::kReadUncommitted), 2);
    EXPECT_EQ(log.end_offset(1, ReadIsolation::kReadUncommitted), 0);
}

TEST(TopicLog, LosesItsFirstRecordsToRetention) {
    TopicLog log(1);
    ASSERT_EQ(log.append(0, kAnonymous, "a"), AppendOutcome::kAppended);
    ASSERT_EQ(log.append(0, kAnonymous, "b"), AppendOutcome::kAppended);
    log.expire_first(0);
    EXPECT_EQ(log.first_offset(0), 1);
    EXPECT_EQ(log.entry(0, 0), nullptr);
    EXPECT_EQ(payloads(log, 0, ReadIsolation::kReadUncommitted), std::vector<std::string>{"b"});
}

TEST(LogFile, ChecksumIsThatOfEthernet) { EXPECT_EQ(crc32_of("123456789"), 0xCBF43926U); }

TEST(LogFile, BringsATopicBackWithItsProducersAndTransactions) {
    const ScratchDirectory directory;
    {
        TopicLog log(2, directory.path());
        ASSERT_EQ(log.append(0, {7, 3, 0, true}, "a"), AppendOutcome::kAppended);
        ASSERT_EQ(log.append(1, kAnonymous, std::string("b\0c", 3)), AppendOutcome::kAppended);
    }
    TopicLog log(2, directory.path());
    EXPECT_EQ(log.arrivals(), (std::vector<std::pair<int, int>>{{0, 0}, {1, 0}}));
    EXPECT_EQ(log.entry(1, 0)->payload, std::string("b\0c", 3));
    EXPECT_EQ(log.end_offset(0, ReadIsolation::kReadCommitted), 0);
    EXPECT_EQ(log.append(0, {7, 3, 0, true}, "a"), AppendOutcome::kKnown);
    EXPECT_EQ(log.append(0, {7, 2, 1, true}, "a"), AppendOutcome::kFenced);
}

TEST(LogFile, CutsOffATornTailWhereverItIsTorn) {
    const ScratchDirectory whole;
    ASSERT_EQ(TopicLog(1, whole.path()).append(0, kAnonymous, "first"), AppendOutcome::kAppended);
    const std::string segment = whole.path() + "/0/00000000000000000000.log";
    const auto kept = std::filesystem::file_size(segment);
    ASSERT_EQ(TopicLog(1, whole.path()).append(0, kAnonymous, "second"), AppendOutcome::kAppended);
    const auto all = std::filesystem::file_size(segment);
    for (auto size = kept; size < all; ++size) {
        const ScratchDirectory torn;
        std::filesystem::copy(whole.path(), torn.path(), std::filesystem::copy_options::recursive);
        std::filesystem::resize_file(torn.path() + "/0/00000000000000000000.log", size);
        TopicLog log(1, torn.path());
        EXPECT_EQ(payloads(log, 0, ReadIsolation::kReadUncommitted), std::vector<std::string>{"first"}) << size;
        ASSERT_EQ(log.append(0, kAnonymous, "third"), AppendOutcome::kAppended);
        EXPECT_EQ(payloads(TopicLog(1, torn.path()), 0, ReadIsolation::kReadUncommitted),
                  (std::vector<std::string>{"first", "third"}));
    }
}

TEST(LogFile, CutsOffAFrameWhoseBytesHaveChanged) {
    const ScratchDirectory directory;
    ASSERT_EQ(TopicLog(1, directory.path()).append(0, kAnonymous, "first"), AppendOutcome::kAppended);
    std::fstream file(directory.path() + "/0/00000000000000000000.log",
                      std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-1, std::ios::end);
    file.put('?');
    file.close();
    EXPECT_TRUE(payloads(TopicLog(1, directory.path()), 0, ReadIsolation::kReadUncommitted).empty());
}

TEST(LogFile, RollsSegmentsAndRemovesThoseThatExpired) {
    const ScratchDirectory directory;
    const int entries = 2 * LogFile::kSegmentEntries + 1;
    {
        TopicLog log(1, directory.path());
        for (int entry = 0; entry < entries; ++entry) {
            ASSERT_EQ(log.append(0, kAnonymous, std::to_string(entry)), AppendOutcome::kAppended);
        }
        for (int entry = 0; entry < LogFile::kSegmentEntries + 3; ++entry) {
            log.expire_first(0);
        }
    }
    EXPECT_FALSE(std::filesystem::exists(directory.path() + "/0/00000000000000000000.log"));
    const TopicLog log(1, directory.path());
    EXPECT_EQ(log.first_offset(0), LogFile::kSegmentEntries + 3);
    EXPECT_EQ(log.end_offset(0, ReadIsolation::kReadUncommitted), entries);
    EXPECT_EQ(log.entry(0, entries - 1)->payload, std::to_string(entries - 1));
}

}  // namespace
}  // namespace oncecheck

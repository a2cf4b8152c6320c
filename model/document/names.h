// The fixed words of the format, each listed once: readers look words up here, printers look values up here.
//
// The words under `kUnsupported...` belong to the format, but not to this version of the tool.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "model/document/document.h"
#include "model/document/step.h"

namespace oncecheck {

template <class Value>
struct Named {
    Value value;
    const char* name;
};

inline constexpr Named<Fault> kFaultNames[] = {
    {Fault::kCrash, "crash"},      {Fault::kZombie, "zombie"},        {Fault::kDetached, "detached"},
    {Fault::kLostAck, "lost-ack"}, {Fault::kTaskRetry, "task-retry"}, {Fault::kRedelivery, "redelivery"},
};
inline constexpr const char* kUnsupportedFaults[] = {
    "late-message", "broker-loss", "power-loss", "failover", "clone", "rollback", "checkpoint-reset", "backfill",
};

inline constexpr Named<Verb> kVerbNames[] = {
    {Verb::kCreate, "create"},
    {Verb::kTruncate, "truncate"},
    {Verb::kDrop, "drop"},
    {Verb::kAppend, "append"},
    {Verb::kInsert, "insert"},
    {Verb::kMerge, "merge"},
    {Verb::kDelete, "delete"},
    {Verb::kOverwrite, "overwrite"},
    {Verb::kSwap, "swap"},
    {Verb::kClaim, "claim"},
    {Verb::kCount, "count"},
    {Verb::kLock, "lock"},
    {Verb::kAcquire, "acquire"},
    {Verb::kCheck, "check"},
    {Verb::kCommitOffsets, "commit_offsets"},
    {Verb::kTransaction, "transaction"},
    {Verb::kBackground, "background"},
};
inline constexpr const char* kUnsupportedVerbs[] = {
    "put", "rename", "remove", "produce", "call", "each", "restore", "recreate", "resize",
};

inline constexpr Named<OnError> kOnErrorNames[] = {
    {OnError::kFail, "fail"}, {OnError::kIgnore, "ignore"}, {OnError::kRetry, "retry"}};
inline constexpr Named<IfExists> kIfExistsNames[] = {
    {IfExists::kFail, "fail"}, {IfExists::kKeep, "keep"}, {IfExists::kReplace, "replace"}};
inline constexpr Named<OnConflict> kOnConflictNames[] = {{OnConflict::kFail, "fail"}, {OnConflict::kIgnore, "ignore"}};
inline constexpr Named<LoadedBy> kLoadedByNames[] = {{LoadedBy::kExecutors, "executors"},
                                                     {LoadedBy::kDriver, "driver"}};
inline constexpr Named<MergeOnly> kMergeOnlyNames[] = {
    {MergeOnly::kBoth, "both"}, {MergeOnly::kMatched, "matched"}, {MergeOnly::kUnmatched, "unmatched"}};
inline constexpr Named<IfClaimed> kIfClaimedNames[] = {{IfClaimed::kSkip, "skip"}, {IfClaimed::kFail, "fail"}};
inline constexpr Named<Isolation> kIsolationNames[] = {{Isolation::kReadCommitted, "read-committed"},
                                                       {Isolation::kRepeatableRead, "repeatable-read"},
                                                       {Isolation::kSnapshot, "snapshot"},
                                                       {Isolation::kSerializable, "serializable"}};

inline constexpr Named<KeyRepeats> kKeyRepeatsNames[] = {
    {KeyRepeats::kInBatch, "in-batch"}, {KeyRepeats::kAcrossBatches, "across-batches"}, {KeyRepeats::kNever, "never"}};

inline constexpr Named<ComparedBy> kComparedByNames[] = {{ComparedBy::kCount, "count"}, {ComparedBy::kKey, "key"}};
inline constexpr const char* kUnsupportedComparedBy[] = {"bucket", "sum", "checksum"};

inline constexpr Named<RequirementKind> kRequirementNames[] = {
    {RequirementKind::kExactlyOnce, "exactly-once"},         {RequirementKind::kNoLoss, "no-loss"},
    {RequirementKind::kNoDuplicate, "no-duplicate"},         {RequirementKind::kNoStale, "no-stale"},
    {RequirementKind::kIsolatedStaging, "isolated-staging"}, {RequirementKind::kProgress, "progress"},
};
inline constexpr const char* kUnsupportedRequirements[] = {
    "no-dirty-read", "order", "atomic-visibility", "agreement", "latency", "detected", "no-false-alarm",
};

inline constexpr Named<Expectation> kExpectationNames[] = {{Expectation::kHolds, "holds"},
                                                           {Expectation::kViolated, "violated"}};

// The value of that name, or null.
template <class Value, std::size_t kSize>
[[nodiscard]] constexpr const Named<Value>* find_name(const Named<Value> (&names)[kSize], const std::string& name) {
    for (const Named<Value>& candidate : names) {
        if (name == candidate.name) {
            return &candidate;
        }
    }
    return nullptr;
}

template <class Value, std::size_t kSize>
[[nodiscard]] std::vector<std::string> all_names(const Named<Value> (&names)[kSize]) {
    std::vector<std::string> texts;
    for (const Named<Value>& candidate : names) {
        texts.emplace_back(candidate.name);
    }
    return texts;
}

[[nodiscard]] inline bool contains(std::span<const char* const> words, const std::string& word) {
    for (const char* candidate : words) {
        if (word == candidate) {
            return true;
        }
    }
    return false;
}

}  // namespace oncecheck

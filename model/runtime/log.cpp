#include "model/runtime/log.h"

#include <algorithm>

#include "model/errors.h"
#include "model/runtime/log_file.h"

namespace oncecheck {

namespace {

// ProducerStateEntry.NUM_BATCHES_TO_RETAIN.
constexpr std::size_t kKnownSequences = 5;

}  // namespace

const char* to_string(AppendOutcome outcome) {
    switch (outcome) {
        case AppendOutcome::kAppended:
            return "appended";
        case AppendOutcome::kKnown:
            return "recognised as a repetition";
        case AppendOutcome::kFenced:
            return "refused: the producer's epoch is fenced";
        case AppendOutcome::kOutOfOrder:
            return "refused: the sequence number is out of order";
    }
    throw InternalError("unknown outcome of an append");
}

TopicLog::TopicLog(int partitions) : partitions_(static_cast<std::size_t>(partitions)) {}

TopicLog::TopicLog(int partitions, const std::string& directory) : TopicLog(partitions) {
    auto file = std::make_unique<LogFile>(directory);
    const LogFile::Found found = file->open(partitions);
    for (std::size_t partition = 0; partition < partitions_.size(); ++partition) {
        partitions_[partition].first = found.first_offsets[partition];
        partitions_[partition].base = found.base_offsets[partition];
    }
    for (const ArrivedEntry& arrived : found.entries) {
        keep(arrived.entry);
    }
    file_ = std::move(file);
}

TopicLog::~TopicLog() = default;
TopicLog::TopicLog(TopicLog&&) noexcept = default;

AppendOutcome TopicLog::append(int partition, const ProducerStamp& stamp, const std::string& payload) {
    const Partition& target = at(partition);
    const auto known = target.producers.find(stamp.producer);
    if (stamp.producer != 0 && known != target.producers.end()) {
        const ProducerState& state = known->second;
        const auto& last = state.last_sequences;
        if (stamp.epoch < state.epoch) {
            return AppendOutcome::kFenced;
        }
        if (stamp.epoch > state.epoch) {
            if (stamp.sequence != 0) {
                return AppendOutcome::kOutOfOrder;
            }
        } else if (std::find(last.begin(), last.end(), stamp.sequence) != last.end()) {
            return AppendOutcome::kKnown;
        } else if (!last.empty() && stamp.sequence != last.back() + 1) {
            return AppendOutcome::kOutOfOrder;
        }
    }
    add({LogEntryKind::kRecord, partition, stamp, payload});
    return AppendOutcome::kAppended;
}

void TopicLog::end_transaction(std::int64_t producer, int epoch, bool commit) {
    const LogEntryKind kind = commit ? LogEntryKind::kCommitMarker : LogEntryKind::kAbortMarker;
    for (int partition = 0; partition < partitions(); ++partition) {
        const auto& producers = at(partition).producers;
        const auto known = producers.find(producer);
        if (known != producers.end() && known->second.open_since) {
            add({kind, partition, {producer, epoch, -1, true}, ""});
        }
    }
}

void TopicLog::add(const LogEntry& entry) {
    if (file_) {
        file_->append(next_offset(at(entry.partition)), {arrivals_.size(), entry});
    }
    keep(entry);
}

void TopicLog::keep(const LogEntry& entry) {
    Partition& partition = partitions_.at(static_cast<std::size_t>(entry.partition));
    const int offset = next_offset(partition);
    note(partition, entry, offset);
    arrivals_.emplace_back(entry.partition, offset);
    partition.entries.push_back(entry);
}

void TopicLog::note(Partition& partition, const LogEntry& entry, int offset) {
    if (entry.stamp.producer == 0) {
        return;
    }
    ProducerState& state = partition.producers[entry.stamp.producer];
    if (entry.stamp.epoch > state.epoch) {
        state.epoch = entry.stamp.epoch;
        state.last_sequences.clear();
    }
    if (entry.kind == LogEntryKind::kRecord) {
        state.last_sequences.push_back(entry.stamp.sequence);
        if (state.last_sequences.size() > kKnownSequences) {
            state.last_sequences.pop_front();
        }
        if (entry.stamp.transactional && !state.open_since) {
            state.open_since = offset;
        }
        return;
    }
    if (entry.kind == LogEntryKind::kAbortMarker) {
        partition.aborted.push_back({entry.stamp.producer, state.open_since.value_or(offset), offset});
    }
    state.open_since.reset();
}

int TopicLog::end_offset(int partition, ReadIsolation isolation) const {
    int end = next_offset(at(partition));
    if (isolation == ReadIsolation::kReadCommitted) {
        for (const auto& [unused, state] : at(partition).producers) {
            end = std::min(end, state.open_since.value_or(end));
        }
    }
    return end;
}

const LogEntry* TopicLog::entry(int partition, int offset) const {
    const Partition& found = at(partition);
    if (offset < found.first || offset >= next_offset(found)) {
        return nullptr;
    }
    return &found.entries[static_cast<std::size_t>(offset - found.base)];
}

std::vector<int> TopicLog::visible(int partition, int from, int to, ReadIsolation isolation) const {
    std::vector<int> offsets;
    for (int offset = from; offset < std::min(to, end_offset(partition, isolation)); ++offset) {
        const LogEntry* found = entry(partition, offset);
        if (found == nullptr || found->kind != LogEntryKind::kRecord) {
            continue;
        }
        if (isolation == ReadIsolation::kReadUncommitted || !is_aborted(partition, offset)) {
            offsets.push_back(offset);
        }
    }
    return offsets;
}

bool TopicLog::is_withheld(int partition, int offset) const {
    return entry(partition, offset) != nullptr &&
           (offset >= end_offset(partition, ReadIsolation::kReadCommitted) || is_aborted(partition, offset));
}

bool TopicLog::is_aborted(int partition, int offset) const {
    const LogEntry* found = entry(partition, offset);
    const auto& aborted = at(partition).aborted;
    return found != nullptr && found->stamp.transactional &&
           std::any_of(aborted.begin(), aborted.end(), [&](const Span& span) {
               return span.producer == found->stamp.producer && span.from <= offset && offset < span.to;
           });
}

void TopicLog::expire_first(int partition) {
    Partition& target = partitions_.at(static_cast<std::size_t>(partition));
    if (target.first >= next_offset(target)) {
        throw InternalError("a partition without records cannot lose one");
    }
    ++target.first;
    if (file_) {
        file_->set_first_offset(partition, target.first);
    }
}

}  // namespace oncecheck

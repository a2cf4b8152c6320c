// Where a query stands in its logs: first positions, ends, ranges, gaps.

#include <algorithm>

#include "model/runtime/query_process.h"

namespace oncecheck {

namespace {

// -1: it holds none (a marker), or has expired.
int record_at(const TopicLog& log, int partition, int offset) {
    const LogEntry* entry = log.entry(partition, offset);
    return entry == nullptr || entry->kind != LogEntryKind::kRecord ? -1 : std::stoi(entry->payload);
}

}  // namespace

// KafkaMicroBatchStream.getOrCreateInitialPartitionOffsets. "Latest" at the very first start is before every record of
// the run; a query that has lost its checkpoint finds the records of the outage behind it.
std::vector<Positions> QueryProcess::initial_positions(Incarnation& incarnation) {
    std::vector<Positions> positions;
    for (std::size_t source = 0; source < logs_.size(); ++source) {
        const TopicLog& log = world_.topics.at(logs_[source]);
        const std::string& topic = world_.pipeline.component(logs_[source]).document.name;
        std::optional<Positions> initial = incarnation.checkpoint->initial_positions(source, topic);
        if (!initial) {
            initial = Positions();
            for (int partition = 0; partition < log.partitions(); ++partition) {
                const bool latest = starts_latest_ && incarnation.generation > 0;
                initial->push_back(latest ? log.end_offset(partition, isolation_) : log.first_offset(partition));
            }
            incarnation.checkpoint->write_initial_positions(source, topic, *initial);
        }
        positions.push_back(*initial);
    }
    return positions;
}

// The positions after so many more entries of each log, in the order of their arrival.
std::vector<Positions> QueryProcess::advanced(const std::vector<Positions>& from, int records) const {
    std::vector<Positions> to = from;
    for (std::size_t source = 0; source < logs_.size(); ++source) {
        const TopicLog& log = world_.topics.at(logs_[source]);
        std::vector<int> taken;
        for (const auto& [partition, offset] : log.arrivals()) {
            int& position = to[source][static_cast<std::size_t>(partition)];
            if (offset != position || offset >= log.end_offset(partition, isolation_)) {
                continue;
            }
            if (static_cast<int>(taken.size()) == records || !may_share_a_batch(log, partition, offset, taken)) {
                break;
            }
            ++position;
            taken.push_back(record_at(log, partition, offset));
        }
    }
    return to;
}

// Where a log is written during the run, its batches take what has arrived; that its keys do not come twice in one
// batch is then kept here, for it is about the time between records. A record that was sent twice is no matter of time.
bool QueryProcess::may_share_a_batch(const TopicLog& log, int partition, int offset,
                                     const std::vector<int>& taken) const {
    const int record = record_at(log, partition, offset);
    if (record < 0) {
        return true;
    }
    const RunRecordEntry& entry = world_.inputs().records.at(static_cast<std::size_t>(record));
    const std::optional<Records>& declared = world_.pipeline.component(entry.log).document.records;
    if (world_.written.count(entry.log) == 0 || !declared || declared->key_repeats == KeyRepeats::kInBatch) {
        return true;
    }
    return std::none_of(taken.begin(), taken.end(), [&](int other) {
        return other >= 0 && other != record &&
               world_.inputs().records.at(static_cast<std::size_t>(other)).key == entry.key;
    });
}

std::vector<Positions> QueryProcess::ends() const {
    std::vector<Positions> ends;
    for (const ComponentId source : logs_) {
        const TopicLog& log = world_.topics.at(source);
        Positions& positions = ends.emplace_back();
        for (int partition = 0; partition < log.partitions(); ++partition) {
            positions.push_back(log.end_offset(partition, isolation_));
        }
    }
    return ends;
}

SourcePositions QueryProcess::named(const std::vector<Positions>& positions) const {
    SourcePositions named;
    for (std::size_t source = 0; source < logs_.size(); ++source) {
        named.emplace_back(world_.pipeline.component(logs_[source]).document.name, positions[source]);
    }
    return named;
}

SourcePositions QueryProcess::passed() const {
    if (checkpoint_ == nullptr) {
        return {};
    }
    int batch = checkpoint_->last_commit();
    if (!incarnations_.empty()) {
        for (const Worker& thread : incarnations_.back().threads) {
            batch = std::min(batch, world_.record.attempts.at(static_cast<std::size_t>(thread.attempt)).batch - 1);
        }
    }
    return checkpoint_->offsets(batch).value_or(SourcePositions{});
}

// A range that is no longer there as a whole (KafkaMicroBatchStream.reportDataLoss); empty if it is.
std::string QueryProcess::gap(const Incarnation& incarnation) const {
    for (std::size_t source = 0; source < logs_.size(); ++source) {
        const TopicLog& log = world_.topics.at(logs_[source]);
        for (int partition = 0; partition < log.partitions(); ++partition) {
            const int start = incarnation.start[source][static_cast<std::size_t>(partition)];
            const int end = incarnation.end[source][static_cast<std::size_t>(partition)];
            if (start < end && start < log.first_offset(partition)) {
                return "partition " + std::to_string(partition) + " of " +
                       world_.pipeline.component(logs_[source]).document.name + " begins at " +
                       std::to_string(log.first_offset(partition)) + " only, not at " + std::to_string(start);
            }
        }
    }
    return "";
}

}  // namespace oncecheck

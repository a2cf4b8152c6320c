// A topic: partitions of records in the order of their arrival, each at an offset, with what the broker knows about
// producers. Append-only but for expiry at the head.
//
// Idempotence (KIP-98; ProducerAppendInfo and ProducerStateEntry of Kafka): a batch carries producer, epoch and
// sequence. A sequence among the last five of its producer is answered as before and not appended again; an older epoch
// is fenced; a gap is refused; the first sequence of an unknown producer may be any. Transactions: records of an open
// transaction are in the log at once; a control marker decides about them. The *last stable offset* is the end of what
// precedes every open transaction; a reader of isolation read_committed sees nothing behind it, and no aborted record.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oncecheck {

enum class ReadIsolation { kReadUncommitted, kReadCommitted };

// Who appends. Producer 0 is one without identity: nothing is recognised.
struct ProducerStamp {
    std::int64_t producer = 0;
    int epoch = 0;
    int sequence = 0;
    bool transactional = false;

    bool operator==(const ProducerStamp&) const = default;
};

enum class LogEntryKind { kRecord, kCommitMarker, kAbortMarker };

struct LogEntry {
    LogEntryKind kind = LogEntryKind::kRecord;
    int partition = 0;
    ProducerStamp stamp;
    std::string payload;

    bool operator==(const LogEntry&) const = default;
};

enum class AppendOutcome { kAppended, kKnown, kFenced, kOutOfOrder };
[[nodiscard]] const char* to_string(AppendOutcome outcome);

// What survives a kill: told of every change of a topic.
class LogFile;

class TopicLog {
  public:
    explicit TopicLog(int partitions);
    // Keeps the topic in `directory` (log_file.h); what is there already is read first, a torn tail is cut off.
    TopicLog(int partitions, const std::string& directory);
    ~TopicLog();
    TopicLog(TopicLog&&) noexcept;

    [[nodiscard]] AppendOutcome append(int partition, const ProducerStamp& stamp, const std::string& payload);
    // Writes a marker to every partition in which the producer has a transaction open.
    void end_transaction(std::int64_t producer, int epoch, bool commit);

    [[nodiscard]] int partitions() const { return static_cast<int>(partitions_.size()); }
    [[nodiscard]] int first_offset(int partition) const { return at(partition).first; }
    // The offset of the next entry, or the last stable one.
    [[nodiscard]] int end_offset(int partition, ReadIsolation isolation) const;
    // Null if it is gone or not there yet.
    [[nodiscard]] const LogEntry* entry(int partition, int offset) const;
    // The offsets of records in [from, to) that a reader sees.
    [[nodiscard]] std::vector<int> visible(int partition, int from, int to, ReadIsolation isolation) const;

    // A record that readers of isolation read_committed do not see, or not yet; false of an entry that has expired.
    [[nodiscard]] bool is_withheld(int partition, int offset) const;

    // The entries in the order of their arrival over all partitions, as (partition, offset); some may have expired.
    [[nodiscard]] const std::vector<std::pair<int, int>>& arrivals() const { return arrivals_; }

    // Removes the first entry of the partition. Requires one.
    void expire_first(int partition);

  private:
    struct ProducerState {
        int epoch = 0;
        std::deque<int> last_sequences;  // at most five
        std::optional<int> open_since;   // offset of the first record of the open transaction
    };
    struct Span {  // of a transaction that was aborted
        std::int64_t producer;
        int from;
        int to;
    };
    struct Partition {
        int first = 0;                  // what precedes has expired
        int base = 0;                   // offset of entries[0]
        std::vector<LogEntry> entries;  // expired ones may still be here, out of reach
        std::map<std::int64_t, ProducerState> producers;
        std::vector<Span> aborted;
    };

    [[nodiscard]] bool is_aborted(int partition, int offset) const;
    [[nodiscard]] const Partition& at(int partition) const {
        return partitions_.at(static_cast<std::size_t>(partition));
    }
    [[nodiscard]] static int next_offset(const Partition& partition) {
        return partition.base + static_cast<int>(partition.entries.size());
    }
    void add(const LogEntry& entry);
    void keep(const LogEntry& entry);
    static void note(Partition& partition, const LogEntry& entry, int offset);

    std::vector<Partition> partitions_;
    std::vector<std::pair<int, int>> arrivals_;
    std::unique_ptr<LogFile> file_;
};

}  // namespace oncecheck

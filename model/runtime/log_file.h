// A topic on disk. One folder a partition ("0", "1", ...) of segment files named by their first offset
// ("00000000000000000000.log"), as a broker lays them out, each a sequence of frames (frames.h) with the body
//
//   arrival, kind, partition, stamp, payload
//
// and a file `log-start-offset` for what has expired. A torn tail is cut off when the topic is opened again
// (LogSegment.recover of Kafka does the same). Frames are not forced to disk: they survive the end of the process, not
// of the machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/runtime/log.h"

namespace oncecheck {

// An entry with its place in the order of arrival over all partitions.
struct ArrivedEntry {
    std::uint64_t arrival = 0;
    LogEntry entry;
};

// The body of a frame, and back. Throws InternalError for a body that no encoder has made.
[[nodiscard]] std::string encode(const ArrivedEntry& arrived);
[[nodiscard]] ArrivedEntry decode(std::string_view body);

class LogFile {
  public:
    // Entries a segment holds at most.
    static constexpr int kSegmentEntries = 64;

    explicit LogFile(std::string directory);

    struct Found {
        std::vector<ArrivedEntry> entries;  // in the order of arrival
        std::vector<int> base_offsets;      // by partition: of the first entry on disk
        std::vector<int> first_offsets;     // by partition: of the first entry that has not expired
    };
    // Cuts off torn tails.
    [[nodiscard]] Found open(int partitions);

    void append(int offset, const ArrivedEntry& arrived);
    // Removes the segments that hold nothing from `first` on.
    void set_first_offset(int partition, int first);

  private:
    [[nodiscard]] std::string folder(int partition) const { return directory_ + '/' + std::to_string(partition); }
    [[nodiscard]] std::string segment(int partition, int first) const;

    std::string directory_;
};

}  // namespace oncecheck

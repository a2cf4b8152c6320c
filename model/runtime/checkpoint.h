// The checkpoint of a micro-batch query, in the files and the layout that Spark uses:
//
//   metadata       {"id":"<query identity>"}
//   sources/<i>/0  where source i begins, fixed at the first plan
//   offsets/N      what batch N covers: a line "v1", the batch's metadata, then one line of positions a source
//   commits/N      batch N is done
//
// Sources: HDFSMetadataLog, OffsetSeqLog, CommitLog, StreamMetadata, KafkaSourceInitialOffsetWriter of Spark 3.5.
// Knows nothing of what a batch does. Numbers of batches, not names of files, are its language.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/runtime/files.h"

namespace oncecheck {

// How far a log has been read: the offset after the last one, by partition.
using Positions = std::vector<int>;

// The positions of every source of a query, by the name of its topic, in the order of its sources.
using SourcePositions = std::vector<std::pair<std::string, Positions>>;

class Checkpoint {
  public:
    explicit Checkpoint(std::unique_ptr<Files> files) : files_(std::move(files)) {}

    // The identity, if there is one.
    [[nodiscard]] std::optional<std::string> query() const;
    void write_query(const std::string& query);

    [[nodiscard]] std::optional<Positions> initial_positions(std::size_t source, const std::string& topic) const;
    void write_initial_positions(std::size_t source, const std::string& topic, const Positions& positions);

    // The greatest batch in a log; -1: none.
    [[nodiscard]] int last_offsets() const { return last("offsets"); }
    [[nodiscard]] int last_commit() const { return last("commits"); }

    // What offsets/N says. Throws InternalError if the file is there and cannot be read.
    [[nodiscard]] std::optional<SourcePositions> offsets(int batch) const;
    [[nodiscard]] bool has_offsets(int batch) const { return files_->exists(path("offsets", batch)); }
    [[nodiscard]] bool has_commit(int batch) const { return files_->exists(path("commits", batch)); }

    // False if the entry is there already.
    [[nodiscard]] bool add_offsets(int batch, const SourcePositions& positions);
    [[nodiscard]] bool add_commit(int batch);
    // Whatever is there is replaced: the second half of a store whose put-if-absent looks, then puts.
    void put_offsets(int batch, const SourcePositions& positions);
    void put_commit(int batch);

    // Removes the entries of both logs below `batch` (MicroBatchExecution.purge).
    void purge_below(int batch);
    void remove_commit(int batch) { files_->remove(path("commits", batch)); }

    // Every file and its text, for comparing.
    [[nodiscard]] std::map<std::string, std::string> all() const;

  private:
    [[nodiscard]] static std::string path(const std::string& folder, int batch) {
        return folder + '/' + std::to_string(batch);
    }
    [[nodiscard]] int last(const std::string& folder) const;

    std::unique_ptr<Files> files_;
};

}  // namespace oncecheck

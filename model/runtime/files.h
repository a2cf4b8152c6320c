// A folder of small files, as a checkpoint needs it: read, list, remove, and create without overwriting. Two kinds: in
// memory, for campaigns, and in a directory of the file system; tests hold them to the same behaviour.
//
// Creating is atomic with respect to kill -9: a file is written under another name and then linked or renamed to its
// own, so that it is there as a whole or not at all (HDFSMetadataLog and CheckpointFileManager of Spark 3.5 do the
// same).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oncecheck {

class Files {
  public:
    virtual ~Files() = default;

    // The text of a file; nothing if it is not there.
    [[nodiscard]] virtual std::optional<std::string> read(const std::string& path) const = 0;
    [[nodiscard]] virtual bool exists(const std::string& path) const = 0;
    // Names of the files directly in a folder, sorted; names that begin with '.' are files half written and left out.
    [[nodiscard]] virtual std::vector<std::string> list(const std::string& folder) const = 0;
    // False, and nothing is changed, if the file is there already. Atomic.
    [[nodiscard]] virtual bool put_if_absent(const std::string& path, const std::string& text) = 0;
    // Replaces what is there. Atomic.
    virtual void put(const std::string& path, const std::string& text) = 0;
    // Does nothing if the file is not there.
    virtual void remove(const std::string& path) = 0;
};

[[nodiscard]] std::unique_ptr<Files> files_in_memory();

// Folders are made as needed. Every call throws std::system_error where the file system refuses.
[[nodiscard]] std::unique_ptr<Files> files_in_directory(const std::string& directory);

}  // namespace oncecheck

// A folder of the runtime's own for files that nobody keeps: in memory where the system offers that, else among the
// temporary files. It goes with its owner; what a killed process has left goes when the next one makes a folder.
#pragma once

#include <string>

namespace oncecheck {

class ScratchFolder {
  public:
    // Throws StoreError.
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
    int lock_ = -1;  // held as long as the owner lives, so that others can tell
};

}  // namespace oncecheck

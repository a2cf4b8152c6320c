#include "model/runtime/scratch.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "model/runtime/store.h"

namespace oncecheck {

namespace {

namespace files = std::filesystem;

constexpr const char* kPrefix = "oncecheck-scratch-";
constexpr const char* kLock = "owner";

files::path root() {
    const files::path memory = "/dev/shm";
    std::error_code none;
    return ::access(memory.c_str(), W_OK) == 0 ? memory : files::temp_directory_path(none);
}

// A file that stays locked while its process lives; -1 if another holds it.
int take_lock(const files::path& file, int flags) {
    const int descriptor = ::open(file.c_str(), flags | O_CLOEXEC, 0600);
    if (descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        ::close(descriptor);
        return -1;
    }
    return descriptor;
}

void remove_abandoned(const files::path& parent) {
    std::error_code error;
    for (const files::directory_entry& entry : files::directory_iterator(parent, error)) {
        if (!entry.path().filename().string().starts_with(kPrefix)) {
            continue;
        }
        const int lock = take_lock(entry.path() / kLock, O_RDWR);
        if (lock >= 0) {
            files::remove_all(entry.path(), error);
            ::close(lock);
        }
    }
}

}  // namespace

ScratchFolder::ScratchFolder() {
    const files::path parent = root();
    remove_abandoned(parent);
    std::string pattern = (parent / (std::string(kPrefix) + "XXXXXX")).string();
    if (::mkdtemp(pattern.data()) == nullptr) {
        throw StoreError("cannot make a folder in " + parent.string() + " for the files of a run");
    }
    path_ = pattern;
    // Locked before it has its name: nobody may take it for abandoned.
    const files::path unnamed = files::path(path_) / "new";
    lock_ = take_lock(unnamed, O_RDWR | O_CREAT);
    std::error_code error;
    files::rename(unnamed, files::path(path_) / kLock, error);
    if (lock_ < 0 || error) {
        throw StoreError("cannot make files in " + path_);
    }
}

ScratchFolder::~ScratchFolder() {
    std::error_code error;
    files::remove_all(path_, error);
    ::close(lock_);
}

}  // namespace oncecheck

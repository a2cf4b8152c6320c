#include "checker/cli/new_files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "model/errors.h"

namespace oncecheck {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_cannot_write(const std::string& path) {
    throw UsageError("cannot write '" + path + "': " + std::strerror(errno));
}

void check(const NewFile& file, bool overwrite, const std::vector<std::string>& inputs) {
    std::error_code error;
    for (const std::string& input : inputs) {
        if (fs::equivalent(file.path, input, error)) {
            throw UsageError("'" + file.path + "' is an input and would be overwritten");
        }
    }
    if (!overwrite && fs::exists(fs::symlink_status(file.path, error))) {
        throw UsageError("'" + file.path + "' is there already; --force overwrites it");
    }
}

// "x": even a file that has come in the meantime is left alone.
void write(const NewFile& file, bool overwrite) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(
        std::fopen(file.path.c_str(), overwrite ? "wb" : "wbx"), std::fclose);
    if (!stream || std::fwrite(file.text.data(), 1, file.text.size(), stream.get()) != file.text.size() ||
        std::fflush(stream.get()) != 0) {
        throw_cannot_write(file.path);
    }
}

}  // namespace

void write_new_files(const std::vector<NewFile>& files, bool overwrite, const std::vector<std::string>& inputs) {
    for (const NewFile& file : files) {
        check(file, overwrite, inputs);
    }
    for (const NewFile& file : files) {
        write(file, overwrite);
    }
}

void make_directory(const std::string& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
        return;
    }
    if (!fs::create_directory(path, error)) {
        throw UsageError("cannot make the directory '" + path + "': " + error.message());
    }
}

}  // namespace oncecheck

#include "model/runtime/files.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace oncecheck {

namespace {

class MemoryFiles final : public Files {
  public:
    [[nodiscard]] std::optional<std::string> read(const std::string& path) const override {
        const auto found = files_.find(path);
        return found == files_.end() ? std::nullopt : std::optional<std::string>(found->second);
    }

    [[nodiscard]] bool exists(const std::string& path) const override { return files_.count(path) != 0; }

    [[nodiscard]] std::vector<std::string> list(const std::string& folder) const override {
        std::vector<std::string> names;
        const std::string prefix = folder + '/';
        for (auto file = files_.lower_bound(prefix); file != files_.end() && file->first.rfind(prefix, 0) == 0;
             ++file) {
            const std::string name = file->first.substr(prefix.size());
            if (name.find('/') == std::string::npos && name.front() != '.') {
                names.push_back(name);
            }
        }
        return names;
    }

    [[nodiscard]] bool put_if_absent(const std::string& path, const std::string& text) override {
        return files_.emplace(path, text).second;
    }

    void put(const std::string& path, const std::string& text) override { files_[path] = text; }
    void remove(const std::string& path) override { files_.erase(path); }

  private:
    std::map<std::string, std::string> files_;
};

class DirectoryFiles final : public Files {
  public:
    explicit DirectoryFiles(std::string directory) : directory_(std::move(directory)) {}

    [[nodiscard]] std::optional<std::string> read(const std::string& path) const override {
        std::ifstream stream(place(path), std::ios::binary);
        if (!stream) {
            return std::nullopt;
        }
        return std::string(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    }

    [[nodiscard]] bool exists(const std::string& path) const override {
        return std::filesystem::is_regular_file(place(path));
    }

    [[nodiscard]] std::vector<std::string> list(const std::string& folder) const override {
        std::vector<std::string> names;
        if (!std::filesystem::is_directory(place(folder))) {
            return names;
        }
        for (const auto& entry : std::filesystem::directory_iterator(place(folder))) {
            const std::string name = entry.path().filename();
            if (entry.is_regular_file() && name.front() != '.') {
                names.push_back(name);
            }
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    [[nodiscard]] bool put_if_absent(const std::string& path, const std::string& text) override {
        const std::string temporary = write_aside(path, text);
        const int linked = ::link(temporary.c_str(), place(path).c_str());
        const int error = errno;
        ::unlink(temporary.c_str());
        if (linked == 0) {
            return true;
        }
        if (error == EEXIST) {
            return false;
        }
        throw std::system_error(error, std::generic_category(), "cannot create " + place(path).string());
    }

    void put(const std::string& path, const std::string& text) override {
        const std::string temporary = write_aside(path, text);
        std::filesystem::rename(temporary, place(path));
    }

    void remove(const std::string& path) override { std::filesystem::remove(place(path)); }

  private:
    [[nodiscard]] std::filesystem::path place(const std::string& path) const {
        return std::filesystem::path(directory_) / path;
    }

    // Writes the text beside its place, under a hidden name that no other writer of this process uses.
    [[nodiscard]] std::string write_aside(const std::string& path, const std::string& text) {
        const std::filesystem::path target = place(path);
        std::filesystem::create_directories(target.parent_path());
        const std::string temporary =
            target.parent_path() / ("." + target.filename().string() + "." + std::to_string(++written_) + ".tmp");
        std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
        stream << text;
        stream.close();
        if (!stream) {
            throw std::system_error(errno, std::generic_category(), "cannot write " + temporary);
        }
        return temporary;
    }

    std::string directory_;
    int written_ = 0;
};

}  // namespace

std::unique_ptr<Files> files_in_memory() { return std::make_unique<MemoryFiles>(); }

std::unique_ptr<Files> files_in_directory(const std::string& directory) {
    return std::make_unique<DirectoryFiles>(directory);
}

}  // namespace oncecheck

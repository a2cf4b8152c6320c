#include "checker/cli/report_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "model/errors.h"

namespace oncecheck {

namespace {

namespace fs = std::filesystem;

// The same file, or, as long as neither exists, the same place.
bool same_file(const std::string& left, const std::string& right) {
    std::error_code error;
    if (fs::equivalent(left, right, error)) {
        return true;
    }
    return fs::weakly_canonical(fs::absolute(left), error) == fs::weakly_canonical(fs::absolute(right), error);
}

void check_place(const std::string& path) {
    std::error_code error;
    if (path.empty() || path == "-") {
        throw UsageError("--output: '" + path + "' is no file; the report on standard output is set by --format");
    }
    const fs::path folder = fs::path(path).parent_path();
    if (fs::is_directory(path, error)) {
        throw UsageError("--output: '" + path + "' is a directory");
    }
    if (!folder.empty() && !fs::is_directory(folder, error)) {
        throw UsageError("--output: the directory '" + folder.string() + "' does not exist");
    }
}

void write_file(const std::string& path, const std::string& text) {
    std::ofstream stream(path, std::ios::binary | std::ios::trunc);
    stream << text;
    stream.close();
    if (!stream) {
        throw UsageError("--output: cannot write '" + path + "': " + std::strerror(errno));
    }
}

}  // namespace

std::vector<std::string> named_config_files(const std::string& text, const std::string& file) {
    constexpr std::string_view kKey = "\"config_file\"";
    constexpr const char* kBlanks = " \t\r\n";
    std::vector<std::string> files;
    for (std::size_t key = text.find(kKey); key != std::string::npos; key = text.find(kKey, key + 1)) {
        const std::size_t colon = text.find_first_not_of(kBlanks, key + kKey.size());
        const std::size_t begin = colon < text.size() ? text.find_first_not_of(kBlanks, colon + 1) : colon;
        if (begin >= text.size() || text[colon] != ':' || text[begin] != '"') {
            continue;
        }
        const std::size_t end = std::min(text.find('"', begin + 1), text.size());
        files.push_back((fs::path(file).parent_path() / text.substr(begin + 1, end - begin - 1)).string());
    }
    return files;
}

void check_report_files(const std::vector<ReportFile>& outputs, const std::vector<std::string>& inputs) {
    for (const ReportFile& output : outputs) {
        check_place(output.path);
        for (const std::string& input : inputs) {
            if (input != "-" && same_file(output.path, input)) {
                throw UsageError("--output: '" + output.path + "' is an input and would be overwritten");
            }
        }
        for (const ReportFile& other : outputs) {
            if (&other != &output && same_file(output.path, other.path)) {
                throw UsageError("--output: '" + output.path + "' is named twice");
            }
        }
    }
}

void write_report_files(const std::vector<ReportFile>& outputs, const std::vector<Report>& reports,
                        const RenderOptions& options) {
    for (const ReportFile& output : outputs) {
        write_file(output.path, output.format->render(reports, options));
    }
}

}  // namespace oncecheck

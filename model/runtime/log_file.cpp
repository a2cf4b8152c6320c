#include "model/runtime/log_file.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "model/errors.h"
#include "model/runtime/frames.h"

namespace oncecheck {

namespace {

std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// Segments of a partition with their first offsets, oldest first.
std::vector<std::pair<int, std::filesystem::path>> segments_in(const std::string& folder) {
    std::vector<std::pair<int, std::filesystem::path>> segments;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".log") {
            segments.emplace_back(std::stoi(entry.path().stem()), entry.path());
        }
    }
    std::sort(segments.begin(), segments.end());
    return segments;
}

}  // namespace

std::string encode(const ArrivedEntry& arrived) {
    const LogEntry& entry = arrived.entry;
    std::string body;
    put_number(body, arrived.arrival, 8);
    put_number(body, static_cast<std::uint64_t>(entry.kind), 1);
    put_number(body, static_cast<std::uint64_t>(entry.partition), 4);
    put_number(body, static_cast<std::uint64_t>(entry.stamp.producer), 8);
    put_number(body, static_cast<std::uint32_t>(entry.stamp.epoch), 4);
    put_number(body, static_cast<std::uint32_t>(entry.stamp.sequence), 4);
    put_number(body, entry.stamp.transactional ? 1U : 0U, 1);
    return body + entry.payload;
}

ArrivedEntry decode(std::string_view body) {
    ArrivedEntry arrived;
    LogEntry& entry = arrived.entry;
    arrived.arrival = take_number(body, 8);
    const std::uint64_t kind = take_number(body, 1);
    if (kind > static_cast<std::uint64_t>(LogEntryKind::kAbortMarker)) {
        throw InternalError("a log entry has an unknown kind");
    }
    entry.kind = static_cast<LogEntryKind>(kind);
    entry.partition = static_cast<int>(take_number(body, 4));
    entry.stamp.producer = static_cast<std::int64_t>(take_number(body, 8));
    entry.stamp.epoch = static_cast<int>(static_cast<std::uint32_t>(take_number(body, 4)));
    entry.stamp.sequence = static_cast<int>(static_cast<std::uint32_t>(take_number(body, 4)));
    entry.stamp.transactional = take_number(body, 1) != 0;
    entry.payload = body;
    return arrived;
}

LogFile::LogFile(std::string directory) : directory_(std::move(directory)) {}

std::string LogFile::segment(int partition, int first) const {
    std::array<char, 32> name{};
    std::snprintf(name.data(), name.size(), "/%020d.log", first);
    return folder(partition) + name.data();
}

LogFile::Found LogFile::open(int partitions) {
    Found found;
    for (int partition = 0; partition < partitions; ++partition) {
        std::filesystem::create_directories(folder(partition));
        const std::string start = text_of(folder(partition) + "/log-start-offset");
        found.first_offsets.push_back(start.empty() ? 0 : std::stoi(start));
        const auto segments = segments_in(folder(partition));
        found.base_offsets.push_back(segments.empty() ? found.first_offsets.back() : segments.front().first);
        for (const auto& [unused, path] : segments) {
            for (const std::string& body : recover_frames(path)) {
                found.entries.push_back(decode(body));
            }
        }
    }
    std::sort(found.entries.begin(), found.entries.end(),
              [](const ArrivedEntry& left, const ArrivedEntry& right) { return left.arrival < right.arrival; });
    return found;
}

void LogFile::append(int offset, const ArrivedEntry& arrived) {
    append_frame(segment(arrived.entry.partition, offset - offset % kSegmentEntries), encode(arrived));
}

void LogFile::set_first_offset(int partition, int first) {
    const std::string file = folder(partition) + "/log-start-offset";
    std::ofstream(file + ".tmp", std::ios::trunc) << first;
    std::filesystem::rename(file + ".tmp", file);
    for (const auto& [base, path] : segments_in(folder(partition))) {
        if (base + kSegmentEntries <= first) {
            std::filesystem::remove(path);
        }
    }
}

}  // namespace oncecheck

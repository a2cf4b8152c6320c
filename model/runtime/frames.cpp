#include "model/runtime/frames.h"

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "model/errors.h"

namespace oncecheck {

namespace {

constexpr std::size_t kHeader = 8;

constexpr std::array<std::uint32_t, 256> crc_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t value = byte;
        for (int bit = 0; bit < 8; ++bit) {
            value = (value & 1U) != 0 ? (value >> 1U) ^ 0xEDB88320U : value >> 1U;
        }
        table[byte] = value;
    }
    return table;
}

}  // namespace

std::uint32_t crc32_of(std::string_view bytes) {
    static constexpr std::array<std::uint32_t, 256> kTable = crc_table();
    std::uint32_t value = 0xFFFFFFFFU;
    for (const char c : bytes) {
        value = kTable[(value ^ static_cast<unsigned char>(c)) & 0xFFU] ^ (value >> 8U);
    }
    return value ^ 0xFFFFFFFFU;
}

void put_number(std::string& bytes, std::uint64_t number, int width) {
    for (int byte = 0; byte < width; ++byte) {
        bytes.push_back(static_cast<char>((number >> (8 * byte)) & 0xFFU));
    }
}

std::uint64_t take_number(std::string_view& bytes, int width) {
    if (bytes.size() < static_cast<std::size_t>(width)) {
        throw InternalError("a frame is too short");
    }
    std::uint64_t number = 0;
    for (int byte = 0; byte < width; ++byte) {
        number |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[static_cast<std::size_t>(byte)]))
                  << (8 * byte);
    }
    bytes.remove_prefix(static_cast<std::size_t>(width));
    return number;
}

void append_frame(const std::string& file, std::string_view body) {
    std::string frame;
    put_number(frame, body.size(), 4);
    put_number(frame, crc32_of(body), 4);
    frame += body;
    std::ofstream stream(file, std::ios::binary | std::ios::app);
    stream.write(frame.data(), static_cast<std::streamsize>(frame.size()));
    stream.close();
    if (!stream) {
        throw std::system_error(errno, std::generic_category(), "cannot write " + file);
    }
}

std::vector<std::string> recover_frames(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    std::vector<std::string> bodies;
    std::string_view left = bytes;
    while (left.size() >= kHeader) {
        std::string_view rest = left;
        const std::size_t length = take_number(rest, 4);
        const std::uint64_t checksum = take_number(rest, 4);
        if (rest.size() < length || crc32_of(rest.substr(0, length)) != checksum) {
            break;
        }
        bodies.emplace_back(rest.substr(0, length));
        left.remove_prefix(kHeader + length);
    }
    if (!left.empty()) {
        std::filesystem::resize_file(file, bytes.size() - left.size());
    }
    return bodies;
}

}  // namespace oncecheck

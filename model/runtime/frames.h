// Frames: how entries stand in files that are only appended to.
//
//   length (4 bytes, little endian) | CRC-32 of the body (4) | body
//
// A kill can tear the last frame only. What is too short or does not match its checksum ends what can be read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oncecheck {

// CRC-32 as in zlib and Ethernet (polynomial 0xEDB88320).
[[nodiscard]] std::uint32_t crc32_of(std::string_view bytes);

// Little endian.
void put_number(std::string& bytes, std::uint64_t number, int width);
// Takes a number of `width` bytes off the front. Throws InternalError if there are too few.
[[nodiscard]] std::uint64_t take_number(std::string_view& bytes, int width);

// Appends a frame to the file. Throws std::system_error where the file system refuses.
void append_frame(const std::string& file, std::string_view body);
// The bodies of the whole frames of a file, none if it is not there; a torn tail is cut off the file.
[[nodiscard]] std::vector<std::string> recover_frames(const std::string& file);

}  // namespace oncecheck

#include "checker/certificate/digest.h"

#include <nettle/sha2.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <vector>

#include "model/document/source_text.h"
#include "model/errors.h"

namespace oncecheck {

namespace fs = std::filesystem;

std::string sha256(std::string_view text) {
    sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
    sha256_digest(&context, digest.size(), digest.data());
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hexadecimal;
    for (const std::uint8_t byte : digest) {
        hexadecimal += kDigits[byte >> 4U];
        hexadecimal += kDigits[byte & 15U];
    }
    return hexadecimal;
}

std::string catalogue_digest(const std::string& directory) {
    const fs::path root = fs::path(directory) / "components";
    std::vector<std::string> paths;
    std::error_code error;
    for (fs::recursive_directory_iterator at(root, error), end; !error && at != end; at.increment(error)) {
        if (at->is_regular_file() && at->path().extension() == ".json") {
            paths.push_back(at->path().lexically_relative(root).generic_string());
        }
    }
    std::sort(paths.begin(), paths.end());
    std::vector<Problem> problems;
    std::string all;
    for (const std::string& path : paths) {
        const std::string file = (root / path).string();
        const std::optional<std::string> text = read_file(file, {file, 0, 0, ""}, problems);
        if (!text) {
            throw InputError(problems);
        }
        all += path + '\n' + std::to_string(text->size()) + '\n' + *text;
    }
    return sha256(all);
}

}  // namespace oncecheck

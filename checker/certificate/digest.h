// SHA-256 of texts, in hexadecimal: how a certificate names the bytes that it is about.
#pragma once

#include <string>
#include <string_view>

namespace oncecheck {

[[nodiscard]] std::string sha256(std::string_view text);

// Of the catalogue in that directory: of every file below `directory`/components, its path, length and bytes, by
// ascending path. Throws InputError if one cannot be read.
[[nodiscard]] std::string catalogue_digest(const std::string& directory);

}  // namespace oncecheck

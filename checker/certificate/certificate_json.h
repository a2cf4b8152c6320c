// Certificates as JSON, without loss (specs/schema/certificate.schema.json), and back. Texts come with their SHA-256,
// which reading compares.
#pragma once

#include <string>

#include "checker/certificate/certificate.h"

namespace oncecheck {

[[nodiscard]] std::string write_certificate(const Certificate& certificate);

// `file` names the text in messages. Throws InputError for text that is no certificate of this format, or one whose
// digests do not fit ("digest").
[[nodiscard]] Certificate read_certificate(const std::string& text, const std::string& file);

}  // namespace oncecheck

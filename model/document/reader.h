// Text to documents: JSON with comments and source positions, `let`, `--set`, variants and configuration files.
//
// Everything wrong with the input is collected and thrown together. Bytes that are no document never crash or hang:
// nesting is bounded, UTF-8 is checked, duplicate and unknown keys are errors with a did-you-mean.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/document/document.h"
#include "model/document/source_text.h"

namespace oncecheck {

struct ReadOptions {
    std::map<std::string, std::string> set;  // --set NAME=VALUE; replaces the `let` of that name
    FileReading named_files = read_file;     // for files that the document names; not for the document
};

// The document followed by its variants, in the order of the file. Reads configuration files relative to the
// document. `path` "-" is standard input. Throws InputError.
[[nodiscard]] std::vector<Document> read_documents(const std::string& path, const ReadOptions& options);

// The same for text that is already in memory; `file` names it in messages and anchors relative paths.
[[nodiscard]] std::vector<Document> parse_documents(const std::string& text, const std::string& file,
                                                    const ReadOptions& options);

// Durations "45m", "1h", "250ms", "7d" in milliseconds; empty if the text is none (or overflows).
[[nodiscard]] std::optional<std::int64_t> parse_duration(const std::string& text);

// The nearest of the candidates (edit distance, at most a third of the length), or an empty string.
[[nodiscard]] std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace oncecheck

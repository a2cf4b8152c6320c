// What to send with a report that two engines, or an engine and another tool, contradict each other: the document, the
// system for other tools, and what each of them says. Whoever has it can find out who is wrong without asking back.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "checker/compose/system_check.h"
#include "checker/export/exports.h"
#include "model/transition/trace.h"

namespace oncecheck {

struct Opinion {
    std::string engine;
    std::string answer;  // "violated with 1 fault in 7 steps"
    std::optional<Trace> trace;
};

struct Dispute {
    std::string question;  // the property, or "progress of enrich"
    TransitionSystem system;
    std::vector<Opinion> opinions;
    std::string document;       // its text
    std::string document_name;  // where it was read; with the variant
};

[[nodiscard]] Dispute dispute_of(const Contradiction& contradiction, const Document& document);

// README.txt, document.json, system.pml, obligations in SMT-LIB and a trace for each engine that has one.
[[nodiscard]] std::vector<ExportedFile> render_bundle(const Dispute& dispute);

// Writes the files into a new directory "NAME", "NAME-2", ... below `parent`, never into one that is there; returns it.
// Throws std::filesystem::filesystem_error.
[[nodiscard]] std::filesystem::path write_to_fresh_directory(const std::filesystem::path& parent,
                                                             const std::string& name,
                                                             const std::vector<ExportedFile>& files);

}  // namespace oncecheck

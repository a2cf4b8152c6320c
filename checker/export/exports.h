// What a document can be exported as: one table of formats, each from a pipeline to files by name.
//
// A document has several transition systems (checker/compose/plan.h), and files are named after them; what draws the
// graph has one file. Nothing is written here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/compose/plan.h"

namespace oncecheck {

struct ExportedFile {
    std::string name;  // "enrich.pml"
    std::string text;
};

struct ExportOptions {
    PlanOptions plan;
    Limits limits;                           // of the searches that some formats need
    std::optional<std::string> requirement;  // only properties of it: "no-loss" or "no-loss:warehouse.ledger"
    std::optional<int> steps;                // of runs, in formats that unroll
};

// The files of one export, and what could not be decided on the way to them.
struct Export {
    std::vector<ExportedFile> files;
    std::vector<std::string> undecided;
};

struct ExportFormat {
    const char* name;
    const char* summary;
    // Throws InputError as plan(), UsageError for a requirement that the pipeline does not have, and for what the
    // format cannot say.
    Export (*render)(const Pipeline& pipeline, const ExportOptions& options);
};

// "smtlib", "promela", "tla", "itf", "dot", "mermaid".
[[nodiscard]] const std::vector<ExportFormat>& export_formats();

}  // namespace oncecheck

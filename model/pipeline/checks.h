// What a document must satisfy beyond its grammar, and what is worth a remark. Problems stop; findings do not.
#pragma once

#include <vector>

#include "model/pipeline/pipeline.h"

namespace oncecheck {

// References that lead nowhere, two stores in one transaction, effects before a claim, loads by executors inside a
// transaction, placeholders where they have no value, and what this version cannot translate yet.
void check_components(const Pipeline& pipeline, std::vector<Problem>& problems);

// Unused components, tables written but never read and read but never written, names that a limit cuts, adjacent
// placeholders, keys that the store does not enforce, assumptions that the document makes by leaving something out.
void add_findings(Pipeline& pipeline);

// The two names can render equal; placeholders stand for any text.
[[nodiscard]] bool matches(const Template& left, const Template& right, bool fold_case);

}  // namespace oncecheck

// Which of a document's variants a command is about.
#pragma once

#include <string>
#include <vector>

#include "model/document/document.h"

namespace oncecheck {

// The document or variant that --variant names: a variant of that name, or the document itself for "" and "base".
// Requires what read_documents() gave. Throws UsageError, with a did-you-mean, if there is none.
[[nodiscard]] std::vector<Document> chosen(const std::vector<Document>& documents, const std::string& name);

}  // namespace oncecheck

// Short ways from the text of a document to a pipeline, and to the documents that are files.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "model/catalogue/catalogue.h"
#include "model/document/reader.h"
#include "model/pipeline/pipeline.h"

namespace oncecheck {

inline const Catalogue& catalogue() {
    static const Catalogue kLoaded = Catalogue::load(ONCECHECK_SOURCE_SPECS);
    return kLoaded;
}

inline Pipeline resolved(const std::string& text) {
    return resolve(parse_documents(text, "test.json", {}).front(), catalogue());
}

inline std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// Every pipeline document below the folder, in the order of their paths. Other JSON (settings, schemas) is none.
inline std::vector<std::filesystem::path> documents_below(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        const std::string extension = entry.path().extension();
        if (entry.is_regular_file() && (extension == ".json" || extension == ".jsonc") &&
            text_of(entry.path()).find("\"components\"") != std::string::npos) {
            found.push_back(entry.path());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

// All cases and examples.
inline std::vector<std::filesystem::path> all_documents() {
    std::vector<std::filesystem::path> documents = documents_below(std::filesystem::path(ONCECHECK_TESTS) / "cases");
    const std::vector<std::filesystem::path> examples = documents_below(ONCECHECK_EXAMPLES);
    documents.insert(documents.end(), examples.begin(), examples.end());
    return documents;
}

}  // namespace oncecheck

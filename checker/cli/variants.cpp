#include "checker/cli/variants.h"

#include <algorithm>

#include "model/document/reader.h"

namespace oncecheck {

std::vector<Document> chosen(const std::vector<Document>& documents, const std::string& name) {
    const auto find = [&](const std::string& variant) {
        return std::find_if(documents.begin(), documents.end(),
                            [&](const Document& document) { return document.variant == variant; });
    };
    auto found = find(name);
    if (found == documents.end() && name == "base") {
        found = find("");
    }
    if (found != documents.end()) {
        return {*found};
    }
    std::vector<std::string> names;
    for (const Document& document : documents) {
        names.push_back(document.variant.empty() ? "base" : document.variant);
    }
    const std::string nearest = did_you_mean(name, names);
    throw UsageError("--variant: " + documents.front().file + " has no variant '" + name + "'" +
                     (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

}  // namespace oncecheck

#include "model/catalogue/catalogue.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "model/catalogue/catalogue_reader.h"

namespace oncecheck {

namespace {

namespace fs = std::filesystem;

Problem catalogue_problem(const std::string& file, const std::string& pointer, const std::string& message) {
    return {"catalogue", {file, 0, 0, pointer}, message, "", ""};
}

// Every .json below the directory, sorted by path.
std::vector<fs::path> catalogue_files(const fs::path& directory) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().extension() == ".json") {
            files.push_back(entry->path());
        }
    }
    if (error) {
        throw InputError({catalogue_problem(directory.string(), "", "cannot be read: " + error.message())});
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::string read_text(const fs::path& path, std::vector<Problem>& problems) {
    std::ifstream stream(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (!stream) {
        problems.push_back(catalogue_problem(path.string(), "", "cannot be read"));
    }
    return text;
}

}  // namespace

Catalogue Catalogue::load(const std::string& directory) {
    Catalogue catalogue;
    std::vector<Problem> problems;
    for (const fs::path& path : catalogue_files(fs::path(directory) / "components")) {
        const std::string text = read_text(path, problems);
        ComponentType type = read_component_type(text, path.string(), problems);
        if (type.name.empty()) {
            continue;  // already a problem
        }
        const auto [other, inserted] = catalogue.types_.try_emplace(type.name, type);
        if (!inserted) {
            problems.push_back(catalogue_problem(path.string(), "/type",
                                                 "the type " + type.name + " is already in " + other->second.file));
        }
    }
    if (!problems.empty()) {
        throw InputError(std::move(problems));
    }
    return catalogue;
}

const ComponentType* Catalogue::find(const std::string& type) const {
    const auto entry = types_.find(type);
    return entry == types_.end() ? nullptr : &entry->second;
}

}  // namespace oncecheck

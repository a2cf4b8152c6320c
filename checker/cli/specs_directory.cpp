#include "checker/cli/specs_directory.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "model/document/reader.h"
#include "model/document/source_text.h"
#include "model/errors.h"

namespace oncecheck {

namespace {

namespace fs = std::filesystem;

bool holds_specs(const fs::path& directory) {
    std::error_code error;
    return fs::is_directory(directory / "components", error);
}

std::string named_directory(const std::string& named, const std::string& by) {
    if (!holds_specs(named)) {
        throw UsageError(by + ": '" + named + "' is not a directory with a folder 'components'");
    }
    return named;
}

}  // namespace

std::string specs_directory(const std::string& named) {
    if (!named.empty()) {
        return named_directory(named, "--specs");
    }
    const char* const variable = std::getenv("ONCECHECK_SPECS");
    if (variable != nullptr && *variable != '\0') {
        return named_directory(variable, "ONCECHECK_SPECS");
    }
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const fs::path& directory :
         {program / "specs", program / "../share/oncecheck/specs", fs::path(ONCECHECK_SOURCE_SPECS)}) {
        if (holds_specs(directory)) {
            return directory.lexically_normal().string();
        }
    }
    throw UsageError("the catalogue was not found; name its directory with --specs or ONCECHECK_SPECS");
}

std::vector<std::string> spec_names(const std::string& specs, const std::string& folder, const std::string& ending) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(fs::path(specs) / folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string file = entry->path().filename().string();
        if (file.ends_with(ending)) {
            names.push_back(file.substr(0, file.size() - ending.size()));
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string spec_text(const std::string& specs, const std::string& folder, const std::string& name,
                      const std::string& ending, const std::string& what) {
    const std::vector<std::string> names = spec_names(specs, folder, ending);
    if (!std::binary_search(names.begin(), names.end(), name)) {
        const std::string nearest = did_you_mean(name, names);
        throw UsageError("there is no " + what + " '" + name + "'" +
                         (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
    }
    const std::string path = (fs::path(specs) / folder / (name + ending)).string();
    std::vector<Problem> problems;
    const std::optional<std::string> text = read_file(path, {path, 0, 0, ""}, problems);
    if (!text) {
        throw InputError(problems);
    }
    return *text;
}

}  // namespace oncecheck

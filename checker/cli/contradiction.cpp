#include "checker/cli/contradiction.h"

#include <filesystem>

#include "checker/cli/output.h"
#include "checker/export/bundle.h"

namespace oncecheck {

namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "oncecheck-contradiction";

std::string write_bundle(const std::vector<ExportedFile>& files) {
    try {
        return write_to_fresh_directory(".", kName, files).lexically_normal().string();
    } catch (const fs::filesystem_error&) {
        return write_to_fresh_directory(fs::temp_directory_path(), kName, files).string();
    }
}

}  // namespace

void print_contradiction(const Contradiction& contradiction, const Document& document) {
    std::string place;
    try {
        place = "All that is needed to find it is in " +
                write_bundle(render_bundle(dispute_of(contradiction, document))) + "; please report it.\n";
    } catch (const std::exception& error) {
        place = std::string("No bundle could be written: ") + error.what() + '\n';
    }
    print_error(std::string("oncecheck: internal error: ") + contradiction.what() +
                "\nThis is a mistake in oncecheck, not in the pipeline; no verdict was given. " + place);
}

}  // namespace oncecheck

// Files that a command makes and that nothing may be lost for: a file that is there is overwritten only if the user
// says so.
#pragma once

#include <string>
#include <vector>

namespace oncecheck {

struct NewFile {
    std::string path;
    std::string text;
};

// Writes all of them, or none if one is there and `overwrite` is false. Throws UsageError for that and for a file that
// cannot be written or is one of `inputs`.
void write_new_files(const std::vector<NewFile>& files, bool overwrite, const std::vector<std::string>& inputs);

// Makes the directory if it is not there; its parent must be. Throws UsageError.
void make_directory(const std::string& path);

}  // namespace oncecheck

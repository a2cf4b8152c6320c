// Where the catalogue, the rules and the schemas are.
#pragma once

#include <string>
#include <vector>

namespace oncecheck {

// The directory: `named` (--specs) if it is not empty, else ONCECHECK_SPECS, else `specs` beside the program,
// `../share/oncecheck/specs`, or the one of the sources. Throws UsageError if there is none.
[[nodiscard]] std::string specs_directory(const std::string& named);

// The names of the files in `folder` of the directory that end in `ending`, without it, sorted.
[[nodiscard]] std::vector<std::string> spec_names(const std::string& specs, const std::string& folder,
                                                  const std::string& ending);

// The file of that name. Throws UsageError, with a did-you-mean, if there is none; `what` is what it is ("rule").
[[nodiscard]] std::string spec_text(const std::string& specs, const std::string& folder, const std::string& name,
                                    const std::string& ending, const std::string& what);

}  // namespace oncecheck

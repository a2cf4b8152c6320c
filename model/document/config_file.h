// Deployed configuration files: the settings of a component as they are in production, with the lines they stand on.
//
// Two kinds are read: Java properties (`.properties`) and `spark-defaults.conf` (or any `.conf`). Spark loads the
// latter with java.util.Properties as well and trims the values (org.apache.spark.util.Utils.getPropertiesFromFile),
// so one grammar serves both: https://docs.oracle.com/javase/8/docs/api/java/util/Properties.html#load-java.io.Reader-
#pragma once

#include <string>
#include <vector>

#include "model/document/source_text.h"
#include "model/document/step.h"
#include "model/errors.h"

namespace oncecheck {

// The settings of the file at `path`, which `named_at` names; positions have the setting's name as their pointer.
// Adds problems: "file" (missing, unreadable) and "unsupported" (another kind of file) at `named_at`; "utf-8",
// "syntax" and "duplicate-key" in the file.
[[nodiscard]] Settings read_config_file(const std::string& path, const SourcePosition& named_at,
                                        std::vector<Problem>& problems, const FileReading& read = read_file);

// Parses Java properties. `trim` removes blanks at the end of values.
[[nodiscard]] Settings parse_properties(const std::string& text, const std::string& file, bool trim,
                                        std::vector<Problem>& problems);

}  // namespace oncecheck

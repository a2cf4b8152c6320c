// One catalogue file as JSON text -> one component type. The layout is described in specs/README.md and by
// specs/schema/catalogue.schema.json; this reader is as strict as the schema, and checks what a schema cannot: that
// formulas parse and name only settings of the type, that defaults fit their settings, that sources are there.
#pragma once

#include <string>
#include <vector>

#include "model/catalogue/catalogue.h"
#include "model/errors.h"

namespace oncecheck {

// Adds problems (code "catalogue", with the file and the JSON pointer) and then returns what could be read.
[[nodiscard]] ComponentType read_component_type(const std::string& text, const std::string& file,
                                                std::vector<Problem>& problems);

}  // namespace oncecheck

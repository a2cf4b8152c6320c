// By what a target of a requirement is keyed, and how it is written: what the judge has to expect there.
#pragma once

#include <string>
#include <vector>

#include "model/pipeline/pipeline.h"
#include "model/runtime/schema_of_run.h"

namespace oncecheck {

struct JudgedTarget {
    ComponentId store = 0;
    std::vector<std::string> names;    // as the store has them
    std::vector<std::string> key;      // empty: appended
    std::string sum;                   // the column in which merges add up, or empty
    bool loses_rows = false;           // some step removes rows of it
    bool judged = true;                // its key is made of columns of records
    std::vector<ComponentId> writers;  // processes with a step that takes records into it
};

// Requires an object of a store. `names` are those of `content` that its name can render to.
[[nodiscard]] JudgedTarget judged_target(const Pipeline& pipeline, const SchemaOfRun& schema,
                                         const ObjectReference& object, const std::vector<std::string>& content);

}  // namespace oncecheck

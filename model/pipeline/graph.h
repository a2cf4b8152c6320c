// The graph of a pipeline: components as vertices, data flow as edges, and what follows from its shape: origins, ends,
// what is upstream of what, and hops.
//
// A hop is a set of processes that must be looked at together: joined by any object that two of them touch and at
// least one of them writes, other than through a channel (an append-only log). Two queries with one staging table are
// one hop; each alone looks clean.
#pragma once

#include <vector>

#include "model/pipeline/pipeline.h"

namespace oncecheck {

// An object that takes in records and from which no process of the document reads on.
struct EndObject {
    ObjectReference object;
    std::vector<ComponentId> writers;
};

// Stores that some process reads and none writes, and processes that read nothing.
[[nodiscard]] std::vector<ComponentId> origins(const Pipeline& pipeline);

// Ends in the order of the document; staging objects, ledgers, fences and progress are none.
[[nodiscard]] std::vector<EndObject> ends(const Pipeline& pipeline);

// Data can flow from `from` to a process of `processes`.
[[nodiscard]] bool is_upstream(const Pipeline& pipeline, ComponentId from, const std::vector<ComponentId>& processes);

// The processes of each hop, sorted, hops by their first process.
[[nodiscard]] std::vector<std::vector<ComponentId>> hops(const Pipeline& pipeline);

// Every object reference of a process's programs, with the step that makes it.
struct ObjectUse {
    ObjectReference object;
    const Step* step = nullptr;
    bool is_source = false;  // the step reads it as its `from`, `using` or `as`
};
[[nodiscard]] std::vector<ObjectUse> object_uses(const Pipeline& pipeline, ComponentId process);

// The processes that write the object (names that can be equal).
[[nodiscard]] std::vector<ComponentId> writers_of(const Pipeline& pipeline, const ObjectReference& object);

}  // namespace oncecheck

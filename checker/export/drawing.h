// The graph of a pipeline as a drawing, apart from the language in which it is drawn: components with their shapes,
// who reads and writes what, and hops as frames around their processes and the stores that only they touch.
#pragma once

#include <string>
#include <vector>

#include "model/pipeline/pipeline.h"

namespace oncecheck {

struct DrawnNode {
    std::string name;
    std::string type;  // of the catalogue
    Role role = Role::kProcess;
};

// `label` says which objects of the store, several joined by ", ".
struct DrawnEdge {
    std::size_t from = 0;  // node
    std::size_t to = 0;
    std::string label;
    bool dotted = false;  // no data: a runner and what it runs, what an observer looks at
};

struct DrawnHop {
    std::string title;  // "hop 1"
    std::vector<std::size_t> nodes;
};

struct Drawing {
    std::string title;
    std::vector<DrawnNode> nodes;  // as the document's components
    std::vector<DrawnEdge> edges;
    std::vector<DrawnHop> hops;

    // Nodes of no hop.
    [[nodiscard]] std::vector<std::size_t> outside() const;
};

[[nodiscard]] Drawing draw(const Pipeline& pipeline);

}  // namespace oncecheck

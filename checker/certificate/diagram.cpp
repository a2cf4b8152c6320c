#include "checker/certificate/diagram.h"

#include <algorithm>

namespace oncecheck {

namespace {

bool comes_before(const DiagramTarget& target, std::size_t node) { return target.terminal || target.number < node; }

std::string check_node(const Diagram& diagram, std::size_t number, const TransitionSystem& system) {
    const DiagramNode& node = diagram.nodes[number];
    if (node.variable >= system.variables.size()) {
        return "asks for a variable that does not exist";
    }
    if (node.edges.empty()) {
        return "asks for no value";
    }
    bool ordered = comes_before(node.otherwise, number);
    for (std::size_t edge = 0; edge < node.edges.size(); ++edge) {
        if (node.edges[edge].value > system.variables[node.variable].largest) {
            return "lists a value that its variable does not have";
        }
        if (edge > 0 && node.edges[edge].value <= node.edges[edge - 1].value) {
            return "does not list its values in ascending order";
        }
        ordered = ordered && comes_before(node.edges[edge].target, number);
    }
    return ordered ? "" : "leads to a node that does not come before it";
}

}  // namespace

std::uint32_t Diagram::at(const State& state) const {
    DiagramTarget place = root;
    while (!place.terminal) {
        const DiagramNode& node = nodes[place.number];
        const Value value = state[node.variable];
        const auto edge = std::lower_bound(node.edges.begin(), node.edges.end(), value,
                                           [](const DiagramEdge& one, Value wanted) { return one.value < wanted; });
        place = edge != node.edges.end() && edge->value == value ? edge->target : node.otherwise;
    }
    return place.number;
}

std::uint32_t Diagram::largest_terminal() const {
    std::uint32_t largest = 0;
    const auto add = [&](const DiagramTarget& target) {
        largest = std::max(largest, target.terminal ? target.number : 0);
    };
    add(root);
    for (const DiagramNode& node : nodes) {
        add(node.otherwise);
        for (const DiagramEdge& edge : node.edges) {
            add(edge.target);
        }
    }
    return largest;
}

std::string check(const Diagram& diagram, const TransitionSystem& system) {
    for (std::size_t number = 0; number < diagram.nodes.size(); ++number) {
        if (const std::string wrong = check_node(diagram, number, system); !wrong.empty()) {
            return "node " + std::to_string(number) + ' ' + wrong;
        }
    }
    if (!diagram.root.terminal && diagram.root.number >= diagram.nodes.size()) {
        return "the root is a node that does not exist";
    }
    return "";
}

}  // namespace oncecheck

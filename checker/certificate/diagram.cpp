#include "checker/certificate/diagram.h"

#include <algorithm>
#include <set>

namespace oncecheck {

namespace {

std::vector<DiagramTarget> targets(const DiagramNode& node) {
    std::vector<DiagramTarget> all{node.otherwise};
    for (const DiagramEdge& edge : node.edges) {
        all.push_back(edge.target);
    }
    return all;
}

std::string check_node(const Diagram& diagram, std::size_t number, const TransitionSystem& system) {
    const DiagramNode& node = diagram.nodes[number];
    if (node.variable >= system.variables.size()) {
        return "asks for a variable that does not exist";
    }
    if (node.edges.empty()) {
        return "asks for no value";
    }
    for (std::size_t edge = 0; edge < node.edges.size(); ++edge) {
        if (node.edges[edge].value > system.variables[node.variable].largest) {
            return "lists a value that its variable does not have";
        }
        if (edge > 0 && node.edges[edge].value <= node.edges[edge - 1].value) {
            return "does not list its values in ascending order";
        }
    }
    for (const DiagramTarget& target : targets(node)) {
        if (!target.terminal && target.number >= number) {
            return "leads to a node that does not come before it";
        }
    }
    return "";
}

}  // namespace

const DiagramTarget& DiagramNode::next(Value value) const {
    const auto edge = std::lower_bound(edges.begin(), edges.end(), value,
                                       [](const DiagramEdge& one, Value wanted) { return one.value < wanted; });
    return edge != edges.end() && edge->value == value ? edge->target : otherwise;
}

std::uint32_t Diagram::from(DiagramTarget place, const State& state) const {
    while (!place.terminal) {
        const DiagramNode& node = nodes[place.number];
        place = node.next(state[node.variable]);
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
        for (const DiagramTarget& target : targets(node)) {
            add(target);
        }
    }
    return largest;
}

std::vector<VariableId> order_of(const Diagram& diagram, std::size_t count) {
    std::vector<std::set<VariableId>> later(count);
    for (const DiagramNode& node : diagram.nodes) {
        for (const DiagramTarget& target : targets(node)) {
            if (!target.terminal) {
                later[node.variable].insert(diagram.nodes[target.number].variable);
            }
        }
    }
    std::vector<std::size_t> earlier(count, 0);  // how many that are not in the order yet have to come before
    for (const std::set<VariableId>& variables : later) {
        for (const VariableId variable : variables) {
            ++earlier[variable];
        }
    }
    std::set<VariableId> next;
    for (VariableId variable = 0; variable < count; ++variable) {
        if (earlier[variable] == 0) {
            next.insert(variable);
        }
    }
    std::vector<VariableId> order;
    while (!next.empty()) {
        order.push_back(next.extract(next.begin()).value());
        for (const VariableId variable : later[order.back()]) {
            if (--earlier[variable] == 0) {
                next.insert(variable);
            }
        }
    }
    if (order.size() < count) {
        order.clear();
    }
    return order;
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
    if (order_of(diagram, system.variables.size()).size() < system.variables.size()) {
        return "asks for its variables in more than one order";
    }
    return "";
}

}  // namespace oncecheck

#include "checker/export/graph_text.h"

#include "checker/export/identifiers.h"

namespace oncecheck {

namespace {

std::string dot_string(const std::string& text) {
    std::string quoted = "\"";
    for (const char letter : comment_text(text, "")) {
        quoted += letter == '"' || letter == '\\' ? std::string{'\\', letter} : std::string(1, letter);
    }
    return quoted + '"';
}

// Mermaid has no escape but entities: "#quot;". What could begin markup or an entity of HTML is one as well.
std::string mermaid_string(const std::string& text) {
    std::string quoted = "\"";
    for (const char letter : comment_text(text, "")) {
        const bool special = std::string_view("\"#<>&`").find(letter) != std::string_view::npos;
        quoted += special ? '#' + std::to_string(static_cast<int>(letter)) + ';' : std::string(1, letter);
    }
    return quoted + '"';
}

const char* dot_shape(Role role) {
    switch (role) {
        case Role::kProcess:
            return "box";
        case Role::kStore:
            return "cylinder";
        case Role::kRunner:
            return "component";
        case Role::kObserver:
            return "note";
    }
    return "";
}

// The brackets of Mermaid's shapes.
std::pair<const char*, const char*> mermaid_shape(Role role) {
    switch (role) {
        case Role::kProcess:
            return {"[", "]"};
        case Role::kStore:
            return {"[(", ")]"};
        case Role::kRunner:
            return {"{{", "}}"};
        case Role::kObserver:
            return {">", "]"};
    }
    return {"", ""};
}

std::string dot_node(const Drawing& drawing, std::size_t node, const std::string& indent) {
    const DrawnNode& drawn = drawing.nodes[node];
    std::string label = dot_string(drawn.name);
    label.insert(label.size() - 1, "\\n" + dot_string(drawn.type).substr(1, dot_string(drawn.type).size() - 2));
    return indent + dot_string(drawn.name) + " [shape=" + dot_shape(drawn.role) + ", label=" + label + "];\n";
}

std::string mermaid_node(const Drawing& drawing, std::size_t node, const std::string& indent) {
    const DrawnNode& drawn = drawing.nodes[node];
    const auto [open, close] = mermaid_shape(drawn.role);
    std::string label = mermaid_string(drawn.name);
    label.insert(label.size() - 1,
                 "<br>" + mermaid_string(drawn.type).substr(1, mermaid_string(drawn.type).size() - 2));
    return indent + 'n' + std::to_string(node) + open + label + close + '\n';
}

}  // namespace

std::string render_dot(const Drawing& drawing) {
    std::string text = "digraph " + dot_string(drawing.title) +
                       " {\n    rankdir=LR;\n    node [fontname=\"sans-serif\"];\n"
                       "    edge [fontname=\"sans-serif\", fontsize=10];\n";
    for (std::size_t number = 0; number < drawing.hops.size(); ++number) {
        const DrawnHop& hop = drawing.hops[number];
        text += "    subgraph cluster_" + std::to_string(number + 1) + " {\n        label=" + dot_string(hop.title) +
                ";\n        style=dashed;\n";
        for (const std::size_t node : hop.nodes) {
            text += dot_node(drawing, node, "        ");
        }
        text += "    }\n";
    }
    for (const std::size_t node : drawing.outside()) {
        text += dot_node(drawing, node, "    ");
    }
    for (const DrawnEdge& edge : drawing.edges) {
        text += "    " + dot_string(drawing.nodes[edge.from].name) + " -> " + dot_string(drawing.nodes[edge.to].name);
        std::string attributes = edge.label.empty() ? "" : "label=" + dot_string(edge.label);
        attributes += edge.dotted ? std::string(attributes.empty() ? "" : ", ") + "style=dotted" : "";
        text += (attributes.empty() ? "" : " [" + attributes + ']') + ";\n";
    }
    return text + "}\n";
}

std::string render_mermaid(const Drawing& drawing) {
    std::string text = "flowchart LR\n";
    for (std::size_t number = 0; number < drawing.hops.size(); ++number) {
        const DrawnHop& hop = drawing.hops[number];
        text += "    subgraph hop" + std::to_string(number + 1) + '[' + mermaid_string(hop.title) + "]\n";
        for (const std::size_t node : hop.nodes) {
            text += mermaid_node(drawing, node, "        ");
        }
        text += "    end\n";
    }
    for (const std::size_t node : drawing.outside()) {
        text += mermaid_node(drawing, node, "    ");
    }
    for (const DrawnEdge& edge : drawing.edges) {
        text += "    n" + std::to_string(edge.from) + (edge.dotted ? " -.->" : " -->") +
                (edge.label.empty() ? "" : '|' + mermaid_string(edge.label) + '|') + " n" + std::to_string(edge.to) +
                '\n';
    }
    return text;
}

}  // namespace oncecheck

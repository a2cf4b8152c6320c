// A function from states to small numbers as an ordered decision diagram: the form in which a certificate states a set
// of states, or how far each of them is from completion.
//
//   node     a variable, where to go on for some of its values, and where for all others
//   terminal a number; of a set: kOutside or kInside
//
// Variables come in one order on every path. Nodes are numbered from the bottom: a node's children come before it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/transition/system.h"

namespace oncecheck {

// The terminals of a set.
inline constexpr std::uint32_t kOutside = 0;
inline constexpr std::uint32_t kInside = 1;

// Where an edge leads: terminal `number`, or node `number`.
struct DiagramTarget {
    bool terminal = true;
    std::uint32_t number = kOutside;

    bool operator==(const DiagramTarget&) const = default;
};

struct DiagramEdge {
    Value value = 0;
    DiagramTarget target;

    bool operator==(const DiagramEdge&) const = default;
};

struct DiagramNode {
    VariableId variable = 0;
    std::vector<DiagramEdge> edges;  // by ascending value; at least one
    DiagramTarget otherwise;

    // Where to go on for the value.
    [[nodiscard]] const DiagramTarget& next(Value value) const;

    bool operator==(const DiagramNode&) const = default;
};

struct Diagram {
    std::vector<DiagramNode> nodes;
    DiagramTarget root;

    // The terminal that the state leads to. Requires a diagram that check() accepts.
    [[nodiscard]] std::uint32_t at(const State& state) const { return from(root, state); }
    // The same from a place on.
    [[nodiscard]] std::uint32_t from(DiagramTarget place, const State& state) const;
    [[nodiscard]] std::uint32_t largest_terminal() const;

    bool operator==(const Diagram&) const = default;
};

// The variables 0..count-1 in an order in which every path asks for them; empty if there is none. Requires nodes that
// exist, about these variables.
[[nodiscard]] std::vector<VariableId> order_of(const Diagram& diagram, std::size_t count);

// Empty if the diagram is one over the system's variables; else what is wrong with it.
[[nodiscard]] std::string check(const Diagram& diagram, const TransitionSystem& system);

}  // namespace oncecheck

// Builds diagrams from states: collected as packed rows, sorted, and then reduced from the last variable to the first.
//
// Rows that agree on all variables before one are neighbours, and become one node for it; equal nodes become one. The
// time is linear in the prefixes of rows that differ, apart from sorting.
#pragma once

#include <cstdint>
#include <vector>

#include "checker/certificate/diagram.h"

namespace oncecheck {

class DiagramBuilder {
  public:
    // Over these variables of the system, asked for in this order.
    DiagramBuilder(const TransitionSystem& system, const std::vector<VariableId>& order);

    // States must differ in the variables.
    void add(const State& state);

    // The set of the states.
    [[nodiscard]] Diagram set();
    // A function with these values at the states, in the order in which they came, and any values elsewhere. Requires
    // at least one state.
    [[nodiscard]] Diagram function(const std::vector<std::uint32_t>& values);

  private:
    // Where a variable's value lies in a row; rows compare as their words do, first word first.
    struct Column {
        VariableId variable = 0;
        Value largest = 0;
        std::size_t word = 0;
        unsigned shift = 0;
        unsigned width = 0;
    };

    [[nodiscard]] Value value(std::size_t row, const Column& column) const;
    [[nodiscard]] bool same_before(std::size_t left, std::size_t right, const Column& column) const;
    [[nodiscard]] const std::vector<std::uint32_t>& sorted_rows();
    template <class Place>
    [[nodiscard]] Diagram reduce(std::vector<std::uint32_t> rows, std::vector<DiagramTarget> places, Place place) const;

    std::vector<Column> columns_;
    std::size_t words_ = 1;            // of a row
    std::vector<std::uint64_t> rows_;  // row after row
    std::size_t count_ = 0;
    std::vector<std::uint32_t> sorted_;  // rows by number; of fewer than count_ if states came after sorting
};

}  // namespace oncecheck

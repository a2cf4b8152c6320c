// States of which an invariant may not exclude any: what is known of the reachable states, as far as clauses over the
// vocabulary can see.
//
// For each literal a row of bits, one a known state. A cube is excluded if no known state lies in it: the rows of its
// literals have no bit in common. So the candidate clauses need not be listed; "which clause would exclude this state?"
// is a search for a small cube around it that no known state shares.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "checker/smt/vocabulary.h"

namespace oncecheck {

class KnownStates {
  public:
    explicit KnownStates(const Vocabulary& vocabulary)
        : rows_(vocabulary.literal_count()), counts_(vocabulary.literal_count()) {}

    // Adds a state given by its literals; false if it is known already.
    bool add(const Cube& literals);

    [[nodiscard]] std::size_t size() const { return size_; }

    // The excluded cubes of fewest literals around a state that is given by its literals, at most `most_literals` of
    // them, those first whose literals are seen often; at most `most_cubes` cubes. None: every clause of that size that
    // excludes the state also excludes a known one.
    [[nodiscard]] std::vector<Cube> excluded_around(const Cube& state, std::size_t most_literals,
                                                    std::size_t most_cubes) const;

  private:
    using Row = std::vector<std::uint64_t>;

    struct Ranked {
        double weight;
        Cube cube;
    };

    [[nodiscard]] bool disjoint(const Row& a, const Row& b) const;
    void collect(const Row& common, const Cube& state, std::size_t from, std::size_t more, double weight, Cube& chosen,
                 std::vector<Ranked>& found) const;

    std::size_t size_ = 0;
    std::vector<Row> rows_;  // by literal
    std::vector<std::size_t> counts_;
    std::set<Cube> seen_;
};

}  // namespace oncecheck

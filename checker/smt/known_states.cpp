#include "checker/smt/known_states.h"

#include <algorithm>

namespace oncecheck {

namespace {

constexpr std::size_t kWord = 64;

}  // namespace

bool KnownStates::add(const Cube& literals) {
    if (!seen_.insert(literals).second) {
        return false;
    }
    const std::size_t word = size_ / kWord;
    if (size_ % kWord == 0) {
        for (Row& row : rows_) {
            row.push_back(0);
        }
    }
    for (const LiteralId literal : literals) {
        rows_[literal][word] |= std::uint64_t{1} << (size_ % kWord);
        ++counts_[literal];
    }
    ++size_;
    return true;
}

std::vector<Cube> KnownStates::excluded_around(const Cube& state, std::size_t most_literals,
                                               std::size_t most_cubes) const {
    std::vector<Ranked> found;
    const Row everything((size_ + kWord - 1) / kWord, ~std::uint64_t{0});
    Cube chosen;
    for (std::size_t literals = 1; literals <= most_literals && found.empty(); ++literals) {
        collect(everything, state, 0, literals, 1, chosen, found);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Ranked& left, const Ranked& right) { return left.weight > right.weight; });
    std::vector<Cube> cubes;
    for (std::size_t index = 0; index < std::min(most_cubes, found.size()); ++index) {
        cubes.push_back(std::move(found[index].cube));
    }
    return cubes;
}

bool KnownStates::disjoint(const Row& a, const Row& b) const {
    for (std::size_t word = 0; word < a.size(); ++word) {
        if ((a[word] & b[word]) != 0) {
            return false;
        }
    }
    return true;
}

// Extends `chosen`, whose rows have `common` in common, by exactly `more` literals of the state from position `from`
// on.
void KnownStates::collect(const Row& common, const Cube& state, std::size_t from, std::size_t more, double weight,
                          Cube& chosen, std::vector<Ranked>& found) const {
    Row narrower;
    for (std::size_t index = from; index + more <= state.size(); ++index) {
        const LiteralId literal = state[index];
        const double share = static_cast<double>(counts_[literal]) / static_cast<double>(size_);
        chosen.push_back(literal);
        if (more == 1) {
            if (disjoint(common, rows_[literal])) {
                found.push_back({weight * share, chosen});
            }
        } else {
            narrower.resize(common.size());
            std::transform(common.begin(), common.end(), rows_[literal].begin(), narrower.begin(),
                           [](std::uint64_t a, std::uint64_t b) { return a & b; });
            collect(narrower, state, index + 1, more - 1, weight * share, chosen, found);
        }
        chosen.pop_back();
    }
}

}  // namespace oncecheck

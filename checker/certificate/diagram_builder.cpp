#include "checker/certificate/diagram_builder.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>

namespace oncecheck {

namespace {

constexpr unsigned kWordBits = 64;

struct NodeHash {
    std::size_t operator()(const DiagramNode& node) const {
        std::uint64_t hash = node.variable;
        const auto mix = [&](const DiagramTarget& target, Value value) {
            const std::uint64_t place = (std::uint64_t{target.number} << 1) | (target.terminal ? 1U : 0U);
            hash = (hash ^ (place << 24) ^ value) * 0x9e3779b97f4a7c15ULL;
            hash ^= hash >> 29;
        };
        for (const DiagramEdge& edge : node.edges) {
            mix(edge.target, edge.value);
        }
        mix(node.otherwise, 0);
        return hash;
    }
};

// Nodes so far, each once.
class NodeTable {
  public:
    DiagramTarget place(const DiagramNode& node) {
        const auto [known, is_new] = numbers_.try_emplace(node, static_cast<std::uint32_t>(nodes_.size()));
        if (is_new) {
            nodes_.push_back(node);
        }
        return {false, known->second};
    }

    std::vector<DiagramNode> take() { return std::move(nodes_); }

  private:
    std::vector<DiagramNode> nodes_;
    std::unordered_map<DiagramNode, std::uint32_t, NodeHash> numbers_;
};

bool all_lead_to(const DiagramNode& node, const DiagramTarget& target) {
    return std::all_of(node.edges.begin(), node.edges.end(),
                       [&](const DiagramEdge& edge) { return edge.target == target; });
}

// Values that are not listed may lead anywhere: they go where the last listed value leads, which then is not listed.
void choose_otherwise(DiagramNode& node) {
    node.otherwise = node.edges.back().target;
    std::erase_if(node.edges, [&](const DiagramEdge& edge) { return edge.target == node.otherwise; });
}

}  // namespace

DiagramBuilder::DiagramBuilder(const TransitionSystem& system, const std::vector<VariableId>& order) {
    unsigned free = kWordBits;
    for (const VariableId variable : order) {
        const Value largest = system.variables[variable].largest;
        const auto width = static_cast<unsigned>(std::max(1, static_cast<int>(std::bit_width(largest))));
        if (width > free) {
            ++words_;
            free = kWordBits;
        }
        free -= width;
        columns_.push_back({variable, largest, words_ - 1, free, width});
    }
}

void DiagramBuilder::add(const State& state) {
    const std::size_t begin = rows_.size();
    rows_.resize(begin + words_, 0);
    for (const Column& column : columns_) {
        rows_[begin + column.word] |= std::uint64_t{state[column.variable]} << column.shift;
    }
    ++count_;
}

Value DiagramBuilder::value(std::size_t row, const Column& column) const {
    const std::uint64_t word = rows_[row * words_ + column.word] >> column.shift;
    return static_cast<Value>(word & ((std::uint64_t{1} << column.width) - 1));
}

bool DiagramBuilder::same_before(std::size_t left, std::size_t right, const Column& column) const {
    const std::uint64_t* const a = &rows_[left * words_];
    const std::uint64_t* const b = &rows_[right * words_];
    const unsigned end = column.shift + column.width;  // bits below this are not before
    return std::equal(a, a + column.word, b) && (end == kWordBits || (a[column.word] ^ b[column.word]) >> end == 0);
}

const std::vector<std::uint32_t>& DiagramBuilder::sorted_rows() {
    if (sorted_.size() == count_) {
        return sorted_;
    }
    sorted_.resize(count_);
    std::iota(sorted_.begin(), sorted_.end(), 0U);
    std::sort(sorted_.begin(), sorted_.end(), [&](std::uint32_t left, std::uint32_t right) {
        const std::uint64_t* const a = &rows_[left * words_];
        const std::uint64_t* const b = &rows_[right * words_];
        return std::lexicographical_compare(a, a + words_, b, b + words_);
    });
    return sorted_;
}

// `rows` are sorted; one row stands for all that agree with it before the column in work, and `places` are where these
// lead from there on. `place` finds the place of a node.
template <class Place>
Diagram DiagramBuilder::reduce(std::vector<std::uint32_t> rows, std::vector<DiagramTarget> places, Place place) const {
    NodeTable table;
    for (auto column = columns_.rbegin(); column != columns_.rend(); ++column) {
        DiagramNode node;
        std::size_t kept = 0;
        for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
            node = {column->variable, {}, {}};
            for (; end < rows.size() && same_before(rows[begin], rows[end], *column); ++end) {
                node.edges.push_back({value(rows[end], *column), places[end]});
            }
            places[kept] = place(table, node, column->largest);
            rows[kept] = rows[begin];
            ++kept;
        }
        rows.resize(kept);
        places.resize(kept);
    }
    return {table.take(), places.front()};
}

Diagram DiagramBuilder::set() {
    if (count_ == 0) {
        return {};
    }
    return reduce(sorted_rows(), std::vector<DiagramTarget>(count_, {true, kInside}),
                  [](NodeTable& table, const DiagramNode& node, Value largest) {
                      const DiagramTarget first = node.edges.front().target;
                      const bool any_value = node.edges.size() == std::size_t{largest} + 1 && all_lead_to(node, first);
                      return any_value ? first : table.place(node);
                  });
}

Diagram DiagramBuilder::function(const std::vector<std::uint32_t>& values) {
    const std::vector<std::uint32_t>& rows = sorted_rows();
    std::vector<DiagramTarget> places;
    places.reserve(rows.size());
    for (const std::uint32_t row : rows) {
        places.push_back({true, values[row]});
    }
    return reduce(rows, std::move(places), [](NodeTable& table, DiagramNode& node, Value) {
        choose_otherwise(node);
        return node.edges.empty() ? node.otherwise : table.place(node);
    });
}

}  // namespace oncecheck

#include "checker/certificate/sifting.h"

#include <algorithm>
#include <map>

namespace oncecheck {

namespace {

// Children that are made or looked at: some hundredths of a microsecond each.
constexpr std::uint64_t kMostWork = 60'000'000;
// A variable is moved on while the diagram is at most so many times its smallest size so far.
constexpr double kMostGrowth = 1.2;
// A diagram that has more nodes afterwards is sifted from the reverse order, too: another end, often a better one.
constexpr std::size_t kManyNodes = 3'000;
// Unless the reverse order alone makes it so many times larger.
constexpr std::size_t kMostGrowthReversed = 8;

// Of a node; the first numbers are the terminals themselves.
using Number = std::uint32_t;

// Nodes with all their children, which lie in one array.
class Nodes {
  public:
    struct Node {
        VariableId variable = 0;
        std::uint32_t first = 0;       // of its children
        std::uint32_t references = 0;  // from other nodes and the root
    };

    Nodes(std::vector<std::uint32_t> arities, std::uint32_t terminals)
        : arities_(std::move(arities)), nodes_(terminals), unused_(arities_.size()) {}

    [[nodiscard]] const Node& operator[](Number number) const { return nodes_[number]; }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }  // with numbers that are free
    [[nodiscard]] std::uint32_t arity(VariableId variable) const { return arities_[variable]; }
    [[nodiscard]] const Number* children(Number number) const { return &children_[nodes_[number].first]; }

    void refer(Number number) { ++nodes_[number].references; }
    bool release(Number number) { return --nodes_[number].references == 0; }

    Number add(VariableId variable, const std::vector<Number>& children) {
        Number number = static_cast<Number>(nodes_.size());
        if (free_.empty()) {
            nodes_.emplace_back();
        } else {
            number = free_.back();
            free_.pop_back();
        }
        nodes_[number].references = 0;
        fill(number, variable, children);
        return number;
    }

    // The node becomes another one; its own children are the caller's to release.
    void replace(Number number, VariableId variable, const std::vector<Number>& children) {
        unused_[nodes_[number].variable].push_back(nodes_[number].first);
        fill(number, variable, children);
    }

    void remove(Number number) {
        unused_[nodes_[number].variable].push_back(nodes_[number].first);
        free_.push_back(number);
    }

  private:
    void fill(Number number, VariableId variable, const std::vector<Number>& children) {
        std::vector<std::uint32_t>& unused = unused_[variable];
        std::uint32_t first = static_cast<std::uint32_t>(children_.size());
        if (unused.empty()) {
            children_.resize(children_.size() + children.size());
        } else {
            first = unused.back();
            unused.pop_back();
        }
        std::copy(children.begin(), children.end(), children_.begin() + first);
        nodes_[number].variable = variable;
        nodes_[number].first = first;
    }

    std::vector<std::uint32_t> arities_;
    std::vector<Node> nodes_;
    std::vector<Number> free_;
    std::vector<Number> children_;
    std::vector<std::vector<std::uint32_t>> unused_;  // by variable: places in children_
};

// Nodes of one variable by their children.
class UniqueNodes {
  public:
    UniqueNodes(const Nodes& nodes, std::size_t most) : nodes_(nodes) {
        std::size_t size = 16;
        while (size < 2 * most) {
            size *= 2;
        }
        slots_.assign(size, kNone);
    }

    // The slot with the node that has these children, or the free one where it belongs.
    [[nodiscard]] Number& slot(const Number* children, std::uint32_t count) {
        std::uint64_t hash = 0;
        for (std::uint32_t child = 0; child < count; ++child) {
            hash = (hash ^ children[child]) * 0x9e3779b97f4a7c15ULL;
            hash ^= hash >> 29;
        }
        for (std::size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
            if (slots_[at] == kNone || std::equal(children, children + count, nodes_.children(slots_[at]))) {
                return slots_[at];
            }
        }
    }

    static constexpr Number kNone = ~Number{0};

  private:
    const Nodes& nodes_;
    std::vector<Number> slots_;
};

class Sifting {
  public:
    Sifting(const Diagram& diagram, std::vector<VariableId> order, const TransitionSystem& system)
        : terminals_(diagram.largest_terminal() + 1),
          nodes_(arities(system), terminals_),
          order_(std::move(order)),
          places_(system.variables.size()),
          by_variable_(system.variables.size()) {
        load(diagram);
        nodes_.refer(root_);
        for (std::size_t place = 0; place < order_.size(); ++place) {
            places_[order_[place]] = place;
        }
    }

    [[nodiscard]] std::size_t size() const { return size_; }

    // Every variable once, again and again while that makes the diagram smaller.
    void run() {
        std::size_t before = 0;
        do {
            before = size_;
            move_all();
        } while (size_ < before && work_ <= kMostWork);
    }

    // Reverses the order, or stops on the way where the diagram becomes too large.
    void reverse() {
        const std::vector<VariableId> last_first(order_.rbegin(), order_.rend());
        const std::size_t most = kMostGrowthReversed * size_;
        for (std::size_t place = 0; place < last_first.size(); ++place) {
            while (places_[last_first[place]] > place) {
                if (size_ > most || work_ > kMostWork) {
                    return;
                }
                exchange(places_[last_first[place]] - 1);
            }
        }
    }

    [[nodiscard]] Diagram take() const {
        Diagram diagram;
        std::vector<DiagramTarget> targets(nodes_.size());
        for (Number terminal = 0; terminal < terminals_; ++terminal) {
            targets[terminal] = {true, terminal};
        }
        for (auto variable = order_.rbegin(); variable != order_.rend(); ++variable) {
            for (const Number number : by_variable_[*variable]) {
                targets[number] = {false, static_cast<std::uint32_t>(diagram.nodes.size())};
                diagram.nodes.push_back(written(number, targets));
            }
        }
        diagram.root = targets[root_];
        return diagram;
    }

  private:
    static std::vector<std::uint32_t> arities(const TransitionSystem& system) {
        std::vector<std::uint32_t> all;
        for (const Variable& variable : system.variables) {
            all.push_back(variable.largest + 1);
        }
        return all;
    }

    // Nodes that differ in how they are written alone become one.
    void load(const Diagram& diagram) {
        std::vector<std::size_t> counts(by_variable_.size(), 0);
        for (const DiagramNode& node : diagram.nodes) {
            ++counts[node.variable];
        }
        std::vector<UniqueNodes> unique;
        for (const std::size_t count : counts) {
            unique.emplace_back(nodes_, count);
        }
        std::vector<Number> numbers;
        const auto number = [&](const DiagramTarget& target) {
            return target.terminal ? target.number : numbers[target.number];
        };
        for (const DiagramNode& node : diagram.nodes) {
            std::vector<Number> children;
            for (Value value = 0; value < nodes_.arity(node.variable); ++value) {
                children.push_back(number(node.next(value)));
            }
            numbers.push_back(node_with(children, node.variable, unique[node.variable]));
        }
        root_ = number(diagram.root);
        for (const std::vector<Number>& nodes : by_variable_) {
            size_ += nodes.size();
        }
    }

    // The child of most values is that of all others; of several kOutside, or else the last.
    [[nodiscard]] DiagramNode written(Number number, const std::vector<DiagramTarget>& targets) const {
        const VariableId variable = nodes_[number].variable;
        const Number* const children = nodes_.children(number);
        std::map<Number, std::size_t> counts;
        for (Value value = 0; value < nodes_.arity(variable); ++value) {
            ++counts[children[value]];
        }
        Number most = children[nodes_.arity(variable) - 1];
        for (const auto& [child, count] : counts) {
            if (count > counts[most] || (count == counts[most] && child == kOutside)) {
                most = child;
            }
        }
        DiagramNode node{variable, {}, targets[most]};
        for (Value value = 0; value < nodes_.arity(variable); ++value) {
            if (children[value] != most) {
                node.edges.push_back({value, targets[children[value]]});
            }
        }
        return node;
    }

    void move_all() {
        std::vector<VariableId> next = order_;
        std::stable_sort(next.begin(), next.end(), [&](VariableId one, VariableId other) {
            return by_variable_[one].size() > by_variable_[other].size();
        });
        for (const VariableId variable : next) {
            if (work_ <= kMostWork) {
                sift(variable);
            }
        }
    }

    // Moves the variable to the nearer end, then to the other one, then to where the diagram was smallest.
    void sift(VariableId variable) {
        const std::size_t start = places_[variable];
        std::size_t best_size = size_;
        std::size_t best = start;
        const auto move = [&](bool down) {
            while (down ? places_[variable] + 1 < order_.size() : places_[variable] > 0) {
                exchange(places_[variable] - (down ? 0 : 1));
                if (size_ < best_size) {
                    best_size = size_;
                    best = places_[variable];
                }
                if (static_cast<double>(size_) > kMostGrowth * static_cast<double>(best_size)) {
                    return;
                }
            }
        };
        const bool down_first = order_.size() - start <= start;
        move(down_first);
        move(!down_first);
        while (places_[variable] != best) {
            exchange(places_[variable] - (places_[variable] < best ? 0 : 1));
        }
    }

    // Exchanges the variables at this place and the next. A node of the upper one that leads to none of the lower one
    // stays as it is; any other becomes a node of the lower variable, in the same place, for those that lead to it.
    void exchange(std::size_t place) {
        const VariableId upper = order_[place];
        const VariableId lower = order_[place + 1];
        std::swap(order_[place], order_[place + 1]);
        places_[upper] = place + 1;
        places_[lower] = place;
        std::vector<Number> changed;
        std::vector<Number> kept;
        for (const Number number : by_variable_[upper]) {
            const Number* const children = nodes_.children(number);
            const bool asks = std::any_of(children, children + nodes_.arity(upper),
                                          [&](Number child) { return is_of(child, lower); });
            (asks ? changed : kept).push_back(number);
        }
        work_ += by_variable_[upper].size() * nodes_.arity(upper);
        size_ -= by_variable_[upper].size() + by_variable_[lower].size();
        by_variable_[upper] = std::move(kept);
        if (!changed.empty()) {
            rebuild(changed, upper, lower);
        }
        std::erase_if(by_variable_[lower], [&](Number number) {
            const bool unused = nodes_[number].references == 0;
            if (unused) {
                nodes_.remove(number);
            }
            return unused;
        });
        by_variable_[lower].insert(by_variable_[lower].end(), changed.begin(), changed.end());
        size_ += by_variable_[upper].size() + by_variable_[lower].size();
    }

    [[nodiscard]] bool is_of(Number number, VariableId variable) const {
        return number >= terminals_ && nodes_[number].variable == variable;
    }

    void rebuild(const std::vector<Number>& changed, VariableId upper, VariableId lower) {
        const std::uint32_t width = nodes_.arity(upper);
        const std::uint32_t height = nodes_.arity(lower);
        UniqueNodes unique(nodes_, by_variable_[upper].size() + changed.size() * height);
        for (const Number number : by_variable_[upper]) {
            unique.slot(nodes_.children(number), width) = number;
        }
        std::vector<Number> before(width);
        std::vector<Number> below(width);
        std::vector<Number> after(height);
        for (const Number number : changed) {
            std::copy_n(nodes_.children(number), width, before.begin());
            for (Value low = 0; low < height; ++low) {
                for (Value high = 0; high < width; ++high) {
                    const Number child = before[high];
                    below[high] = is_of(child, lower) ? nodes_.children(child)[low] : child;
                }
                after[low] = node_with(below, upper, unique);
                nodes_.refer(after[low]);
            }
            work_ += std::uint64_t{width} * height;
            nodes_.replace(number, lower, after);
            release(before, lower);
        }
    }

    Number node_with(const std::vector<Number>& children, VariableId variable, UniqueNodes& unique) {
        if (std::all_of(children.begin(), children.end(), [&](Number child) { return child == children.front(); })) {
            return children.front();
        }
        Number& slot = unique.slot(children.data(), nodes_.arity(variable));
        if (slot == UniqueNodes::kNone) {
            slot = nodes_.add(variable, children);
            by_variable_[variable].push_back(slot);
            for (const Number child : children) {
                nodes_.refer(child);
            }
        }
        return slot;
    }

    // What a node of the lower variable leads to is in use elsewhere: only that node itself can fall out of use.
    void release(const std::vector<Number>& children, VariableId lower) {
        for (const Number child : children) {
            if (nodes_.release(child) && is_of(child, lower)) {
                for (Value value = 0; value < nodes_.arity(lower); ++value) {
                    nodes_.release(nodes_.children(child)[value]);
                }
            }
        }
    }

    std::uint32_t terminals_;
    Nodes nodes_;
    std::vector<VariableId> order_;
    std::vector<std::size_t> places_;               // of a variable, in order_
    std::vector<std::vector<Number>> by_variable_;  // nodes
    Number root_ = 0;
    std::size_t size_ = 0;
    std::uint64_t work_ = 0;
};

}  // namespace

Diagram sifted(const Diagram& diagram, const std::vector<VariableId>& order, const TransitionSystem& system) {
    std::uint64_t children = 0;
    for (const DiagramNode& node : diagram.nodes) {
        children += std::uint64_t{system.variables[node.variable].largest} + 1;
    }
    if (diagram.root.terminal || children > kMostWork) {
        return diagram;
    }
    Sifting sifting(diagram, order, system);
    sifting.run();
    if (sifting.size() > kManyNodes) {
        Sifting reversed = sifting;
        reversed.reverse();
        reversed.run();
        return reversed.size() < sifting.size() ? reversed.take() : sifting.take();
    }
    return sifting.take();
}

}  // namespace oncecheck

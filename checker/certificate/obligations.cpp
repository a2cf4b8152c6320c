#include "checker/certificate/obligations.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "checker/export/expression_range.h"
#include "checker/export/smtlib_script.h"

namespace oncecheck {

namespace {

constexpr const char* kMet = "unsat: the obligation is met";

// What is claimed of the terminal that a diagram leads to, as a term.
using TerminalClaim = std::function<std::string(std::uint32_t terminal)>;

std::string is_inside(std::uint32_t terminal) { return terminal == kOutside ? "false" : "true"; }
std::string is_outside(std::uint32_t terminal) { return terminal == kOutside ? "true" : "false"; }

// Asserts that the claim is true of the terminal to which the diagram leads at one moment. One Boolean a node on the
// way, and one implication each: a node that is passed implies the next one for the value that its variable has.
class DiagramAssertion {
  public:
    // `prefix` and `suffix` tell the nodes' names from those of other diagrams and moments.
    DiagramAssertion(const Diagram& diagram, const SmtlibTerms& state, std::string prefix, std::string suffix,
                     TerminalClaim claim)
        : diagram_(diagram),
          state_(state),
          prefix_(std::move(prefix)),
          suffix_(std::move(suffix)),
          claim_(std::move(claim)) {}

    void write(SmtlibScript& script, const std::string& name) const {
        define_equations(script);
        for (std::size_t number = 0; number < diagram_.nodes.size(); ++number) {
            if (!is_passed_at_once(number)) {
                script.line("(declare-const " + symbol(number) + " Bool)");
                script.line("(assert (=> " + symbol(number) + ' ' + term(diagram_.nodes[number]) + "))");
            }
        }
        script.assert_named(place(diagram_.root), name);
    }

  private:
    [[nodiscard]] std::string symbol(std::size_t number) const {
        return smtlib_symbol(prefix_ + std::to_string(number) + suffix_);
    }

    // Variable number v has value x: "v=x", a short name for what occurs in many nodes.
    [[nodiscard]] std::string equation(VariableId variable, Value value) const {
        return smtlib_symbol(prefix_ + 'v' + std::to_string(variable) + '=' + std::to_string(value) + suffix_);
    }

    void define_equations(SmtlibScript& script) const {
        std::set<std::pair<VariableId, Value>> found;
        for (const DiagramNode& node : diagram_.nodes) {
            for (const DiagramEdge& edge : node.edges) {
                found.emplace(node.variable, edge.value);
            }
        }
        for (const auto& [variable, value] : found) {
            script.line("(define-fun " + equation(variable, value) + " () Bool (= " + state_.symbol(variable) + ' ' +
                        smtlib_literal(value, state_.bits(variable)) + "))");
        }
    }

    // In a set, a node that only one value leaves needs no name: that value has to be the variable's.
    [[nodiscard]] bool is_passed_at_once(std::size_t number) const {
        const DiagramNode& node = diagram_.nodes[number];
        return node.edges.size() == 1 && node.otherwise == DiagramTarget{};
    }

    [[nodiscard]] std::string place(DiagramTarget target) const {
        std::string values;
        while (!target.terminal && is_passed_at_once(target.number)) {
            const DiagramNode& node = diagram_.nodes[target.number];
            values += ' ' + equation(node.variable, node.edges.front().value);
            target = node.edges.front().target;
        }
        const std::string end = target.terminal ? claim_(target.number) : symbol(target.number);
        return values.empty() ? end : "(ite (and" + values + ") " + end + ' ' + claim_(kOutside) + ')';
    }

    // Values that lead to the same place are asked for together.
    [[nodiscard]] std::string term(const DiagramNode& node) const {
        std::map<std::uint64_t, std::pair<DiagramTarget, std::string>> ways;
        for (const DiagramEdge& edge : node.edges) {
            auto& [target, values] = ways[(std::uint64_t{edge.target.number} << 1) | (edge.target.terminal ? 1U : 0U)];
            target = edge.target;
            values += ' ' + equation(node.variable, edge.value);
        }
        std::string text;
        for (const auto& [unused, way] : ways) {
            text += "(ite (or" + way.second + ") " + place(way.first) + ' ';
        }
        return text + place(node.otherwise) + std::string(ways.size(), ')');
    }

    const Diagram& diagram_;
    const SmtlibTerms& state_;
    std::string prefix_;
    std::string suffix_;
    TerminalClaim claim_;
};

// That a state is in the set, or that it is not.
void assert_set(SmtlibScript& script, const StateSet& set, bool inside, const SmtlibTerms& state,
                const std::string& suffix) {
    const std::string name = (inside ? "in the set" : "not in the set") + suffix;
    if (const auto* expression = std::get_if<Expression>(&set)) {
        script.assert_named(state.truth(inside ? *expression : !*expression), name);
    } else {
        DiagramAssertion(std::get<Diagram>(set), state, inside ? "in " : "out ", suffix,
                         inside ? is_inside : is_outside)
            .write(script, name);
    }
}

// A number that is the terminal to which the diagram leads.
class DiagramValue {
  public:
    DiagramValue(SmtlibScript& script, const Diagram& diagram, const SmtlibTerms& state, const std::string& name,
                 const std::string& suffix, unsigned bits)
        : symbol_(smtlib_symbol(name + suffix)), bits_(bits) {
        script.line("(declare-const " + symbol_ + " (_ BitVec " + std::to_string(bits) + "))");
        const auto claim = [this](std::uint32_t terminal) { return is(terminal); };
        DiagramAssertion(diagram, state, name + ' ', suffix, claim).write(script, "the " + name + suffix);
    }

    [[nodiscard]] const std::string& symbol() const { return symbol_; }
    [[nodiscard]] std::string is(std::uint32_t terminal) const {
        return "(= " + symbol_ + ' ' + smtlib_literal(terminal, bits_) + ')';
    }

  private:
    std::string symbol_;
    unsigned bits_;
};

std::string any_bad(const TransitionSystem& system, const SmtlibTerms& state,
                    const std::vector<std::size_t>& properties) {
    std::string bad = "(or false";
    for (const std::size_t property : properties) {
        bad += ' ' + state.truth(system.properties[property].bad);
    }
    return bad + ')';
}

// The two moments of a step.
struct Moments {
    explicit Moments(const TransitionSystem& system)
        : now(system, smtlib_symbols(system, "")), next(system, smtlib_symbols(system, "'")) {}
    SmtlibTerms now;
    SmtlibTerms next;
};

Obligation initiation(const TransitionSystem& system, const StateSet& set) {
    const Moments at(system);
    SmtlibScript script(system, "initiation: the initial state is in the set", kMet);
    script.declare(at.now);
    script.assert_initial(at.now);
    assert_set(script, set, false, at.now, "");
    return {"initiation", script.ask()};
}

// A solver takes seconds for so many nodes; all of it has to fit into a certificate.
constexpr std::size_t kNodesOfPart = 500;
constexpr std::size_t kMostNodesOfParts = 64'000;

// Into how many parts consecution is divided.
std::size_t parts_of(const TransitionSystem& system, const StateSet& set) {
    const auto* diagram = std::get_if<Diagram>(&set);
    const std::size_t nodes = diagram == nullptr ? 0 : diagram->nodes.size();
    if (nodes <= kNodesOfPart) {
        return 1;
    }
    const std::size_t wanted = std::min((nodes - 1) / kNodesOfPart + 1, kMostNodesOfParts / nodes);
    return std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(1, system.actions.size()));
}

// That none of these actions leaves the set.
std::string consecution(const TransitionSystem& system, const StateSet& set, const std::string& question,
                        const ActionRange& actions) {
    const Moments at(system);
    SmtlibScript script(system, question, kMet);
    script.declare(at.now);
    script.declare(at.next);
    assert_set(script, set, true, at.now, "");
    script.assert_next(at.now, at.next, "", actions);
    assert_set(script, set, false, at.next, "'");
    return script.ask();
}

// Every action is in one part; the first part begins with action 0, the last ends with the last one.
void add_consecution(const TransitionSystem& system, const StateSet& set, std::vector<Obligation>& all) {
    const std::size_t count = system.actions.size();
    const std::size_t parts = parts_of(system, set);
    if (parts == 1) {
        all.push_back({"consecution", consecution(system, set, "consecution: no action leaves the set", {0, count})});
        return;
    }
    for (std::size_t part = 0; part < parts; ++part) {
        const ActionRange actions{count * part / parts, count * (part + 1) / parts};
        const std::string name = "consecution " + std::to_string(part + 1) + " of " + std::to_string(parts);
        const std::string question = name + ": none of the actions " + std::to_string(actions.first) + " to " +
                                     std::to_string(actions.end - 1) + " (of 0 to " + std::to_string(count - 1) +
                                     ") leaves the set";
        all.push_back({name, consecution(system, set, question, actions)});
    }
}

Obligation safety(const TransitionSystem& system, const StateSet& set, const std::vector<std::size_t>& properties) {
    const Moments at(system);
    SmtlibScript script(system, "safety: no state of the set is bad", kMet);
    script.declare(at.now);
    assert_set(script, set, true, at.now, "");
    script.assert_named(any_bad(system, at.now, properties), "bad");
    return {"safety", script.ask()};
}

Obligation descent(const TransitionSystem& system, const StateSet& set, const Ranking& ranking) {
    const Moments at(system);
    SmtlibScript script(system, "descent: where a state is not complete, a move without a fault lowers the rank", kMet);
    script.declare(at.now);
    script.declare(at.next);
    assert_set(script, set, true, at.now, "");
    script.assert_named("(not " + at.now.truth(system.complete) + ')', "not complete");
    const unsigned bits = bits_for(ranking.rank.largest_terminal());
    const DiagramValue before(script, ranking.rank, at.now, "rank", "", bits);
    const DiagramValue after(script, ranking.rank, at.next, "rank", "'", bits);
    const Selector action{"|move|",
                          bits_for(std::max<std::uint64_t>(system.actions.size(), ranking.move.largest_terminal()))};
    const DiagramValue move(script, ranking.move, at.now, "move", "", action.bits);
    script.assert_effect(at.now, at.next, action);
    std::vector<bool> free;
    for (const Action& one : system.actions) {
        free.push_back(one.kind != ActionKind::kFault);
    }
    script.assert_named("(not (and " + script.enabled(at.now, action, free) + " (bvult " + after.symbol() + ' ' +
                            before.symbol() + ")))",
                        "no descent");
    return {"descent", script.ask()};
}

}  // namespace

std::vector<Obligation> obligations(const TransitionSystem& system, const Proof& proof) {
    std::vector<Obligation> all{initiation(system, proof.set)};
    add_consecution(system, proof.set, all);
    if (!proof.properties.empty()) {
        all.push_back(safety(system, proof.set, proof.properties));
    }
    if (proof.ranking) {
        all.push_back(descent(system, proof.set, *proof.ranking));
    }
    return all;
}

std::optional<std::size_t> overflowing_action(const TransitionSystem& system) {
    for (std::size_t number = 0; number < system.actions.size(); ++number) {
        for (const Assignment& assignment : system.actions[number].assignments) {
            if (largest_value(system, assignment.value) > system.variables[assignment.variable].largest) {
                return number;
            }
        }
    }
    return std::nullopt;
}

}  // namespace oncecheck

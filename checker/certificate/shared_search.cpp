#include "checker/certificate/shared_search.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "checker/certificate/diagram_builder.h"
#include "checker/certificate/sifting.h"
#include "checker/certificate/variable_order.h"
#include "checker/engines/explicit_search.h"
#include "checker/engines/slice.h"

namespace oncecheck {

namespace {

// The reachable states of a system as they come, and diagrams of them, each in an order of its own that makes it small.
class States {
  public:
    States(const TransitionSystem& system, const std::vector<VariableId>& variables)
        : system_(system), order_(force_order(system, variables)), builder_(system, order_) {}

    void add(const State& state, const std::optional<WayToCompletion>& way) {
        builder_.add(state);
        ranks_.push_back(way ? way->steps : 0);
        moves_.push_back(way ? static_cast<std::uint32_t>(way->action) : 0);
    }

    [[nodiscard]] bool empty() const { return ranks_.empty(); }
    [[nodiscard]] Diagram set() { return small(builder_.set()); }
    [[nodiscard]] Ranking ranking() { return {small(builder_.function(ranks_)), small(builder_.function(moves_))}; }

  private:
    [[nodiscard]] Diagram small(const Diagram& diagram) const { return sifted(diagram, order_, system_); }

    const TransitionSystem& system_;
    std::vector<VariableId> order_;
    DiagramBuilder builder_;
    std::vector<std::uint32_t> ranks_;
    std::vector<std::uint32_t> moves_;
};

bool same_steps(const Action& one, const Action& other) {
    return one.kind == other.kind && one.guard == other.guard &&
           std::equal(one.assignments.begin(), one.assignments.end(), other.assignments.begin(),
                      other.assignments.end(), [](const Assignment& left, const Assignment& right) {
                          return left.variable == right.variable && left.value == right.value;
                      });
}

bool same_steps(const TransitionSystem& one, const TransitionSystem& other) {
    return one.variables == other.variables &&
           std::equal(one.actions.begin(), one.actions.end(), other.actions.begin(), other.actions.end(),
                      [](const Action& left, const Action& right) { return same_steps(left, right); });
}

// Variables that the slice keeps or freezes.
std::vector<bool> variables_that_matter(const TransitionSystem& system) {
    Slice of = slice(system);
    for (VariableId id = 0; id < system.variables.size(); ++id) {
        of.kept[id] = of.kept[id] || of.frozen[id];
    }
    return of.kept;
}

}  // namespace

TransitionSystem reduced(const Question& question) {
    TransitionSystem system = question.system;
    system.properties.clear();
    for (const std::size_t property : question.properties) {
        system.properties.push_back(question.system.properties[property]);
    }
    system.complete = question.progress ? question.system.complete : falsity();
    return system;
}

SharedSearch::SharedSearch(const Question& first) : system_(reduced(first)), matters_(variables_that_matter(system_)) {}

bool SharedSearch::admits(const Question& question) const {
    const Expression& complete = question.system.complete;
    return same_steps(system_, question.system) &&
           (!question.progress || system_.complete.is_constant(0) || system_.complete == complete) &&
           variables_that_matter(reduced(question)) == matters_;
}

void SharedSearch::add(const Question& question) {
    ++questions_;
    for (const std::size_t property : question.properties) {
        const Property& asked = question.system.properties[property];
        if (index_of(asked.bad) == system_.properties.size()) {
            system_.properties.push_back({std::to_string(system_.properties.size()) + ' ' + asked.name, asked.bad});
        }
    }
    if (question.progress) {
        system_.complete = question.system.complete;
    }
}

bool SharedSearch::answers(const Question& question) const {
    return admits(question) && (!question.progress || system_.complete == question.system.complete) &&
           std::all_of(question.properties.begin(), question.properties.end(), [&](std::size_t property) {
               return index_of(question.system.properties[property].bad) < system_.properties.size();
           });
}

CheckResult SharedSearch::result(const Question& question, const Limits& limits) {
    if (!result_) {
        search(limits);
    }
    CheckResult selected;
    for (const std::size_t property : question.properties) {
        selected.properties.push_back(result_->properties.at(index_of(question.system.properties[property].bad)));
    }
    if (question.progress) {
        selected.progress = result_->progress;
    }
    selected.states = result_->states;
    return selected;
}

std::optional<Proof> SharedSearch::proof(const Question& question) const {
    if (!set_ || (question.progress && !ranking_)) {
        return std::nullopt;
    }
    return Proof{*set_, question.properties, question.progress ? ranking_ : std::nullopt};
}

void SharedSearch::search(const Limits& limits) {
    const auto prepared = prepare_search(system_);
    const auto* search = std::get_if<std::unique_ptr<ExplicitSearch>>(&prepared);
    if (search == nullptr) {
        result_.emplace();
        result_->properties.assign(system_.properties.size(), Unknown{.reason = std::get<std::string>(prepared)});
        result_->progress = Unknown{.reason = std::get<std::string>(prepared)};
        return;
    }
    States states(system_, (*search)->distinguished());
    result_ = (*search)->explore(
        system_.initial(), limits, {},
        [&](const State& state, const std::optional<WayToCompletion>& way) { states.add(state, way); });
    if (states.empty()) {
        return;
    }
    set_ = states.set();
    if (result_->progress && std::holds_alternative<Exhausted>(*result_->progress)) {
        ranking_ = states.ranking();
    }
}

std::size_t SharedSearch::index_of(const Expression& bad) const {
    const auto found = std::find_if(system_.properties.begin(), system_.properties.end(),
                                    [&](const Property& property) { return property.bad == bad; });
    return static_cast<std::size_t>(found - system_.properties.begin());
}

}  // namespace oncecheck

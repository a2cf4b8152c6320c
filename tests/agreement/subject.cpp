#include "tests/agreement/subject.h"

#include <algorithm>
#include <iterator>
#include <random>

#include "checker/compose/system_check.h"
#include "checker/engines/explicit_engine.h"
#include "checker/smt/bmc_engine.h"
#include "model/transition/evaluator.h"

namespace oncecheck {

namespace {

constexpr std::size_t kSmall = 3000;    // states of a system that engines other than the explicit one are asked about
constexpr std::size_t kSamples = 2;     // states from which progress is asked where it holds
constexpr std::size_t kMostSteps = 60;  // of a random run

// Reads every variable that changes and is bad in no state: no value exceeds its largest.
Property reads_everything(const TransitionSystem& system) {
    std::vector<Expression> beyond;
    for (VariableId id = 0; id < system.variables.size(); ++id) {
        beyond.push_back(less(Expression::constant(system.variables[id].largest), Expression::variable(id)));
    }
    return {"reads everything", disjunction(beyond)};
}

CheckResult search_whole(const TransitionSystem& system, const Limits& limits) {
    TransitionSystem whole = system;
    whole.properties.push_back(reads_everything(system));
    return ExplicitEngine().check(whole, limits, {});
}

Expression is_state(const State& state) {
    std::vector<Expression> parts;
    for (VariableId id = 0; id < state.size(); ++id) {
        parts.push_back(equals(id, state[id]));
    }
    return conjunction(parts);
}

std::optional<std::size_t> length_of(const Outcome& outcome, const std::string& what) {
    if (const auto* found = std::get_if<Counterexample>(&outcome)) {
        return found->trace.steps.size();
    }
    if (const auto* unknown = std::get_if<Unknown>(&outcome)) {
        throw Disagreement(what + " is undecided: " + unknown->reason);
    }
    return std::nullopt;
}

// The system with `properties`, all faults steps, no question about progress: searched whole.
Subject searched(const std::string& name, const TransitionSystem& system, std::vector<Property> properties) {
    Subject subject{name, system, {}, 0};
    subject.system.properties = std::move(properties);
    subject.system.complete = falsity();
    TransitionSystem steps = subject.system;
    for (Action& action : steps.actions) {
        action.kind = ActionKind::kStep;
    }
    steps.properties.push_back(reads_everything(system));
    const CheckResult result = ExplicitEngine().check(steps, {}, {});
    for (std::size_t index = 0; index < subject.system.properties.size(); ++index) {
        subject.shortest.push_back(length_of(result.properties[index], subject.system.properties[index].name));
    }
    if (length_of(result.properties.back(), "the search of everything")) {
        throw Disagreement("a value is greater than the largest of its variable");
    }
    subject.states = result.states;
    return subject;
}

// What can still happen from a state without faults: is completion among it?
Subject from_state(const std::string& name, const TransitionSystem& system, const State& state) {
    TransitionSystem rest = system;
    for (std::size_t id = 0; id < state.size(); ++id) {
        rest.variables[id].initial = state[id];
    }
    std::erase_if(rest.actions, [](const Action& action) { return action.kind == ActionKind::kFault; });
    return searched(name, rest, {{"completion", system.complete}});
}

State random_state(const TransitionSystem& system, std::mt19937_64& random) {
    State state = system.initial();
    for (std::size_t steps = random() % kMostSteps; steps > 0; --steps) {
        std::vector<const Action*> possible;
        for (const Action& action : system.actions) {
            if (enabled(action, state)) {
                possible.push_back(&action);
            }
        }
        if (possible.empty()) {
            break;
        }
        state = perform(*possible[random() % possible.size()], state);
    }
    return state;
}

class Examination {
  public:
    Examination(const TransitionSystem& system, const ExamineOptions& options) : system_(system), options_(options) {}

    Examined run() {
        const CheckResult minimal = ask_for_fewest_faults();
        std::vector<Property> properties = system_.properties;
        const Counterexample* stuck = minimal.progress ? std::get_if<Counterexample>(&*minimal.progress) : nullptr;
        if (stuck != nullptr) {
            properties.push_back({"the end of the stem", is_state(stuck->trace.last())});
        }
        examined_.subjects.push_back(searched(system_.name, system_, std::move(properties)));
        compare(minimal);
        if (stuck != nullptr) {
            add_trap(*stuck);
        } else if (minimal.progress) {
            add_samples();
        }
        if (examined_.subjects.front().states <= kSmall) {
            ask_other_engines(minimal);
        }
        return std::move(examined_);
    }

  private:
    CheckResult ask_for_fewest_faults() {
        CheckResult result = search_whole(system_, {});
        if (result.progress) {
            examined_.progress = !length_of(*result.progress, "progress").has_value();
        }
        return result;
    }

    // The search by fewest faults and the one by fewest steps.
    void compare(const CheckResult& minimal) {
        const Subject& whole = examined_.subjects.front();
        // Without a question about progress the first search may stop early, but never does: one property holds.
        if (whole.states != minimal.states) {
            throw Disagreement("there are " + std::to_string(minimal.states) + " states by fewest faults, and " +
                               std::to_string(whole.states) + " by fewest steps");
        }
        for (std::size_t index = 0; index < system_.properties.size(); ++index) {
            const auto length = length_of(minimal.properties[index], system_.properties[index].name);
            if (length.has_value() != whole.shortest[index].has_value() ||
                (length && *length < *whole.shortest[index])) {
                throw Disagreement(system_.properties[index].name +
                                   " has another verdict, or a shorter run, by fewest faults than by fewest steps");
            }
            (length ? examined_.violated : examined_.held) += 1;
        }
    }

    void add_trap(const Counterexample& stuck) {
        if (!examined_.subjects.front().shortest.back()) {
            throw Disagreement("the end of the stem of progress is not reachable");
        }
        Subject trap = from_state(system_.name + ", trap", system_, stuck.trace.last());
        if (trap.shortest.front() || trap.states != stuck.trap_states) {
            throw Disagreement("the trap of progress has " + std::to_string(trap.states) + " states and not " +
                               std::to_string(stuck.trap_states) + ", or holds a complete one");
        }
        examined_.subjects.push_back(std::move(trap));
    }

    void add_samples() {
        std::mt19937_64 random(options_.seed);
        for (std::size_t sample = 0; sample < kSamples; ++sample) {
            Subject rest = from_state(system_.name + ", progress from a state", system_, random_state(system_, random));
            if (!rest.shortest.front()) {
                throw Disagreement("progress holds, and from a reachable state completion is out of reach");
            }
            examined_.subjects.push_back(std::move(rest));
        }
    }

    void ask_other_engines(const CheckResult& minimal) {
        const std::pair<const char*, EngineChoice> engines[] = {
            {"bmc", EngineChoice::kBmc}, {"induction", EngineChoice::kInduction}, {"spacer", EngineChoice::kSpacer}};
        for (const auto& [name, choice] : engines) {
            Limits limits;
            limits.deadline = std::chrono::steady_clock::now() + options_.engines / std::ssize(engines);
            try {
                compare(name, check_system(system_, choice, limits, {}).result, minimal);
            } catch (const InternalError& error) {
                throw Disagreement(error.what());
            }
        }
    }

    // What another engine decides, the explicit one has decided alike; only bounded model checking has the fewest
    // steps, and where a smaller number of faults was given up beyond its depth not the fewest faults.
    void compare(const std::string& engine, const CheckResult& result, const CheckResult& minimal) {
        for (std::size_t index = 0; index < system_.properties.size(); ++index) {
            if (std::holds_alternative<Unknown>(result.properties[index])) {
                continue;
            }
            examined_.deciding.insert(engine);
            const auto* run = std::get_if<Counterexample>(&result.properties[index]);
            const auto* best = std::get_if<Counterexample>(&minimal.properties[index]);
            if ((run == nullptr) != (best == nullptr) ||
                (run != nullptr && best->trace.steps.size() <= static_cast<std::size_t>(BmcSettings{}.most_steps) &&
                 (run->faults != best->faults || run->trace.steps.size() != best->trace.steps.size()))) {
                throw Disagreement(engine + " contradicts the explicit engine on " + system_.properties[index].name);
            }
        }
    }

    const TransitionSystem& system_;
    const ExamineOptions& options_;
    Examined examined_;
};

}  // namespace

bool fits(const TransitionSystem& system, std::size_t memory_bytes) {
    Limits limits;
    limits.memory_bytes = memory_bytes;
    const CheckResult result = search_whole(system, limits);
    const auto decided = [](const Outcome& outcome) { return !std::holds_alternative<Unknown>(outcome); };
    return std::all_of(result.properties.begin(), result.properties.end(), decided) &&
           (!result.progress || decided(*result.progress));
}

Examined examine(const TransitionSystem& system, const ExamineOptions& options) {
    return Examination(system, options).run();
}

}  // namespace oncecheck

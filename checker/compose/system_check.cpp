#include "checker/compose/system_check.h"

#include <algorithm>
#include <tuple>

#include "checker/engines/completion_witness.h"
#include "checker/engines/explicit_engine.h"
#include "checker/smt/bmc_engine.h"
#include "checker/smt/induction_engine.h"
#include "checker/smt/spacer_engine.h"
#include "model/transition/evaluator.h"

namespace oncecheck {

namespace {

using Engines = std::vector<std::unique_ptr<Engine>>;

// The evaluator shares nothing with the engines: what it does not accept is not reported.
void certify(const TransitionSystem& system, const CheckResult& result, const std::string& engine) {
    const auto replayed = [&](const Counterexample& found) {
        if (const auto wrong = replay(system, found.trace)) {
            throw InternalError("a run of the " + engine + " engine does not replay: " + *wrong);
        }
        if (fault_count(system, found.trace) != found.faults) {
            throw InternalError("a run of the " + engine + " engine does not have the faults that it claims");
        }
    };
    for (std::size_t index = 0; index < result.properties.size(); ++index) {
        const auto* found = std::get_if<Counterexample>(&result.properties[index]);
        if (found == nullptr) {
            continue;
        }
        replayed(*found);
        if (evaluate(system.properties[index].bad, found->trace.last()) == 0) {
            throw InternalError("a run of the " + engine + " engine does not violate " + system.properties[index].name);
        }
    }
    if (result.progress) {
        if (const auto* found = std::get_if<Counterexample>(&*result.progress)) {
            replayed(*found);
        }
    }
}

CheckResult certified(const Engine& engine, const TransitionSystem& system, const Limits& limits,
                      const Progress& progress) {
    CheckResult result = engine.check(system, limits, progress);
    certify(system, result, std::string(engine.name()));
    return result;
}

bool decides(const Outcome& outcome) { return !std::holds_alternative<Unknown>(outcome); }

// Both reasons, and the larger of the two parts that were searched.
Unknown united(const Unknown& left, const Unknown& right) {
    Unknown result = std::tie(left.faults, left.steps) < std::tie(right.faults, right.steps) ? right : left;
    result.reason = left.reason == right.reason ? left.reason : left.reason + "; " + right.reason;
    return result;
}

// Of two answers to one question the one that decides; both deciding differently is an internal error.
EngineAnswer reconciled(const EngineAnswer& one, const EngineAnswer& two, const TransitionSystem& system,
                        const std::string& question) {
    if (!decides(one.outcome) && !decides(two.outcome)) {
        return {"", united(std::get<Unknown>(one.outcome), std::get<Unknown>(two.outcome))};
    }
    if (!decides(one.outcome) || !decides(two.outcome)) {
        return decides(one.outcome) ? one : two;
    }
    const auto* run = std::get_if<Counterexample>(&one.outcome);
    const auto* other = std::get_if<Counterexample>(&two.outcome);
    // Bounded model checking gives a smaller fault budget up beyond its depth: only runs within it compare.
    const std::size_t depth = static_cast<std::size_t>(BmcSettings{}.most_steps);
    const bool agree = (run == nullptr) == (other == nullptr) &&
                       (run == nullptr || run->trace.steps.size() > depth ||
                        (run->faults == other->faults && run->trace.steps.size() == other->trace.steps.size()));
    if (!agree) {
        throw Contradiction({question, system, {one, two}});
    }
    return one;
}

// The answer of an engine, which says in its reason that it is this engine's.
EngineAnswer signed_answer(const std::string& engine, Outcome outcome) {
    if (auto* unknown = std::get_if<Unknown>(&outcome)) {
        unknown->reason.insert(0, engine + ": ");
        return {"", std::move(outcome)};
    }
    return {engine, std::move(outcome)};
}

std::vector<Expression> conjuncts(const Expression& expression) {
    return expression.op() == Operator::kAnd ? expression.operands() : std::vector<Expression>{expression};
}

// The bad states are complete ones, and there are some in the universe of all states.
bool is_about_complete_states(const Expression& bad, const Expression& complete) {
    const std::vector<Expression> parts = conjuncts(bad);
    const std::vector<Expression> needed = conjuncts(complete);
    return bad.op() != Operator::kConstant && std::all_of(needed.begin(), needed.end(), [&](const Expression& part) {
               return std::find(parts.begin(), parts.end(), part) != parts.end();
           });
}

// Takes the verdict from properties that hold because no complete state, in which they are judged, is reachable.
void take_back_vacuous(const TransitionSystem& system, SystemOutcome& outcome) {
    const std::optional<Coverage>& coverage = outcome.result.coverage;
    std::optional<bool> completes;
    for (std::size_t index = 0; index < system.properties.size(); ++index) {
        Outcome& answer = outcome.result.properties[index];
        const bool holds = std::holds_alternative<Exhausted>(answer) || std::holds_alternative<Inductive>(answer);
        if (!holds || !is_about_complete_states(system.properties[index].bad, system.complete)) {
            continue;
        }
        if (!completes) {
            completes = (coverage && coverage->completed) || find_completion(system).has_value();
        }
        if (!*completes) {
            const bool whole = coverage && coverage->whole;
            answer = Unknown{whole ? "no complete state is reachable, so there is nothing to judge"
                                   : "no complete state was found, so there may be nothing to judge",
                             0, 0};
            outcome.engines[index].clear();
        }
    }
}

// Puts the answers of engines together, whether they took turns or not.
class Answers {
  public:
    explicit Answers(const TransitionSystem& system) : system_(system), properties_(system.properties.size()) {}

    // `asked`: the system's properties that the result is about.
    void add(const std::string& engine, CheckResult result, const std::vector<std::size_t>& asked) {
        for (std::size_t index = 0; index < asked.size(); ++index) {
            put(properties_[asked[index]], signed_answer(engine, std::move(result.properties[index])),
                system_.properties[asked[index]].name);
        }
        if (result.progress) {
            put(progress_, signed_answer(engine, std::move(*result.progress)), "progress of " + system_.name);
        }
        if (result.coverage && !coverage_) {
            coverage_ = std::move(result.coverage);
        }
        states_ += result.states;
        bytes_ = std::max(bytes_, result.bytes);
    }

    [[nodiscard]] const Outcome& property(std::size_t index) const { return properties_[index]->outcome; }

    [[nodiscard]] SystemOutcome take() {
        SystemOutcome all;
        for (std::optional<EngineAnswer>& answer : properties_) {
            all.engines.push_back(std::move(answer->engine));
            all.result.properties.push_back(std::move(answer->outcome));
        }
        if (progress_) {
            all.progress_engine = std::move(progress_->engine);
            all.result.progress = std::move(progress_->outcome);
        }
        all.result.states = states_;
        all.result.bytes = bytes_;
        all.result.coverage = std::move(coverage_);
        take_back_vacuous(system_, all);
        return all;
    }

  private:
    void put(std::optional<EngineAnswer>& place, EngineAnswer answer, const std::string& question) {
        place = place ? reconciled(*place, answer, system_, question) : std::move(answer);
    }

    const TransitionSystem& system_;
    std::vector<std::optional<EngineAnswer>> properties_;
    std::optional<EngineAnswer> progress_;
    std::optional<Coverage> coverage_;  // only explicit search has it
    std::size_t states_ = 0;
    std::size_t bytes_ = 0;
};

std::vector<std::size_t> every(const TransitionSystem& system) {
    std::vector<std::size_t> all;
    for (std::size_t index = 0; index < system.properties.size(); ++index) {
        all.push_back(index);
    }
    return all;
}

// The limits, of which the engine may use a part of the time that is left.
Limits part_of(const Limits& limits, double share) {
    using Clock = std::chrono::steady_clock;
    Limits part = limits;
    if (limits.deadline != Clock::time_point::max()) {
        const Clock::time_point now = Clock::now();
        part.deadline =
            now + std::chrono::duration_cast<Clock::duration>(share * (std::max(limits.deadline, now) - now));
    }
    return part;
}

// The engines of auto, each with what it may use of the time that the ones before have left.
struct Turn {
    std::unique_ptr<Engine> engine;
    double share;
};

std::vector<Turn> turns_of_auto() {
    std::vector<Turn> turns;
    turns.push_back({std::make_unique<ExplicitEngine>(), 0.8});
    turns.push_back({std::make_unique<InductionEngine>(), 0.5});
    turns.push_back({std::make_unique<SpacerEngine>(), 0.5});
    turns.push_back({std::make_unique<BmcEngine>(), 1});
    return turns;
}

class TakingTurns {
  public:
    TakingTurns(const TransitionSystem& system, const Limits& limits, const Progress& progress)
        : system_(system), limits_(limits), progress_(progress), answers_(system) {}

    SystemOutcome run() {
        std::vector<EngineTurn> taken;
        std::vector<std::size_t> open = every(system_);
        for (const Turn& turn : turns_of_auto()) {
            const bool first = taken.empty();
            if (!first && open.empty()) {
                break;
            }
            const std::string name(turn.engine->name());
            answers_.add(name,
                         first ? certified(*turn.engine, system_, part_of(limits_, turn.share), progress_)
                               : certified(*turn.engine, about(open), part_of(limits_, turn.share), progress_),
                         open);
            taken.push_back({name, open.size(), 0, ""});
            std::erase_if(open, [&](std::size_t property) { return !is_open(property); });
            taken.back().decided = taken.back().asked - open.size();
            taken.back().reason = open.empty() ? "" : std::get<Unknown>(answers_.property(open.front())).reason;
        }
        SystemOutcome outcome = answers_.take();
        outcome.turns = std::move(taken);
        return outcome;
    }

  private:
    // Not decided, and not because a search of all runs with fewer faults was asked for and done.
    [[nodiscard]] bool is_open(std::size_t property) const {
        const auto* unknown = std::get_if<Unknown>(&answers_.property(property));
        return unknown != nullptr && !(limits_.fault_budget && unknown->faults > *limits_.fault_budget);
    }

    // The system with some of its properties, without progress.
    [[nodiscard]] TransitionSystem about(const std::vector<std::size_t>& properties) const {
        TransitionSystem system = system_;
        system.complete = falsity();
        system.properties.clear();
        for (const std::size_t property : properties) {
            system.properties.push_back(system_.properties[property]);
        }
        return system;
    }

    const TransitionSystem& system_;
    const Limits& limits_;
    const Progress& progress_;
    Answers answers_;
};

EngineTurn turn_of(const std::string& engine, const std::vector<Outcome>& answers) {
    EngineTurn turn{engine, answers.size(), 0, ""};
    for (const Outcome& answer : answers) {
        if (decides(answer)) {
            ++turn.decided;
        } else {
            turn.reason = std::get<Unknown>(answer).reason;
        }
    }
    return turn;
}

Engines engines_of(EngineChoice choice) {
    Engines engines;
    const bool all = choice == EngineChoice::kAll;
    if (all || choice == EngineChoice::kExplicit) {
        engines.push_back(std::make_unique<ExplicitEngine>());
    }
    if (all || choice == EngineChoice::kInduction) {
        engines.push_back(std::make_unique<InductionEngine>());
    }
    if (all || choice == EngineChoice::kBmc) {
        engines.push_back(std::make_unique<BmcEngine>());
    }
    if (all || choice == EngineChoice::kSpacer) {
        engines.push_back(std::make_unique<SpacerEngine>());
    }
    return engines;
}

}  // namespace

SystemOutcome check_system(const TransitionSystem& system, EngineChoice engine, const Limits& limits,
                           const Progress& progress) {
    return engine == EngineChoice::kAuto ? TakingTurns(system, limits, progress).run()
                                         : check_system(system, engines_of(engine), limits, progress);
}

SystemOutcome check_system(const TransitionSystem& system, const std::vector<std::unique_ptr<Engine>>& engines,
                           const Limits& limits, const Progress& progress) {
    Answers answers(system);
    std::vector<EngineTurn> turns;
    for (const std::unique_ptr<Engine>& engine : engines) {
        CheckResult result = certified(*engine, system, limits, progress);
        turns.push_back(turn_of(std::string(engine->name()), result.properties));
        answers.add(std::string(engine->name()), std::move(result), every(system));
    }
    SystemOutcome outcome = answers.take();
    outcome.turns = std::move(turns);
    return outcome;
}

}  // namespace oncecheck

// Transition systems for the tests of checker/smt: random ones, and some of known shape.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "model/transition/system.h"

namespace oncecheck::testing {

// Adds variables and actions in one line each.
class SystemBuilder {
  public:
    VariableId variable(const std::string& name, Value largest, Value initial = 0, bool control = false) {
        system_.variables.push_back({name, largest, initial, control});
        return static_cast<VariableId>(system_.variables.size() - 1);
    }
    void action(ActionKind kind, const std::string& text, std::vector<Expression> guard,
                std::vector<Assignment> assignments) {
        ActionLabel label;
        label.text = text;
        system_.actions.push_back({kind, std::move(guard), std::move(assignments), std::move(label)});
    }
    void property(const std::string& name, const Expression& bad) { system_.properties.push_back({name, bad}); }
    [[nodiscard]] TransitionSystem& system() { return system_; }

  private:
    TransitionSystem system_;
};

[[nodiscard]] inline Assignment set(VariableId variable, Value value) {
    return {variable, Expression::constant(value)};
}

// A small system with loops, dead ends, faults and every operator.
class RandomSystem {
  public:
    explicit RandomSystem(std::uint32_t seed) : random_(seed) {}

    [[nodiscard]] TransitionSystem make() {
        const std::uint32_t variables = 3 + below(3);
        for (std::uint32_t i = 0; i < variables; ++i) {
            const Value largest = 1 + below(3);
            largest_.push_back(largest);
            build_.variable("v" + std::to_string(i), largest, below(largest + 1));
        }
        const std::uint32_t actions = 3 + below(8);
        for (std::uint32_t i = 0; i < actions; ++i) {
            std::vector<Expression> guard;
            guard.push_back(condition(2));
            if (below(2) == 0) {
                guard.push_back(equals(any_variable(), below(3)));
            }
            build_.action(static_cast<ActionKind>(below(3)), "a" + std::to_string(i), guard, assignments());
        }
        for (std::uint32_t i = 0; i < 1 + below(3); ++i) {
            std::vector<Expression> bad;
            for (VariableId variable = 0; variable < largest_.size(); ++variable) {
                if (below(2) != 0) {
                    bad.push_back(equals(variable, below(largest_[variable] + 1)));
                }
            }
            build_.property("p" + std::to_string(i),
                            conjunction({conjunction(bad), below(2) == 0 ? condition(1) : truth()}));
        }
        return build_.system();
    }

    // A truth value of that nesting.
    [[nodiscard]] Expression condition(int depth) {
        switch (depth == 0 ? below(3) : below(7)) {
            case 0:
                return equals(any_variable(), below(3));
            case 1:
                return less(Expression::variable(any_variable()), Expression::variable(any_variable()));
            case 2:
                return equal(Expression::variable(any_variable()), Expression::variable(any_variable()));
            case 3:
                return !condition(depth - 1);
            case 4:
                return conjunction({condition(depth - 1), condition(depth - 1)});
            case 5:
                return disjunction({condition(depth - 1), condition(depth - 1)});
            default:
                return less(value(3, depth - 1), value(3, depth - 1));
        }
    }

    // A value of at most `largest`.
    [[nodiscard]] Expression value(Value largest, int depth) {
        const VariableId variable = any_variable();
        const bool fits = largest_[variable] <= largest;
        const Expression simple = fits ? Expression::variable(variable) : Expression::constant(below(largest + 1));
        switch (depth == 0 ? 0 : below(4)) {
            case 0:
                return simple;
            case 1:
                return Expression::constant(below(largest + 1));
            case 2:
                return choose(condition(depth - 1), simple, value(largest, depth - 1));
            default:
                return add({simple, value(largest, depth - 1), Expression::constant(below(2))}, largest);
        }
    }

  private:
    [[nodiscard]] std::vector<Assignment> assignments() {
        std::vector<Assignment> result;
        for (VariableId variable = 0; variable < largest_.size(); ++variable) {
            if (below(3) == 0 || (result.empty() && variable + 1 == largest_.size())) {
                result.push_back({variable, value(largest_[variable], 2)});
            }
        }
        return result;
    }
    [[nodiscard]] std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
    [[nodiscard]] VariableId any_variable() { return below(static_cast<std::uint32_t>(largest_.size())); }

    std::mt19937 random_;
    std::vector<Value> largest_;
    SystemBuilder build_;
};

// Lamport's two-phase commit with `managers` resource managers (TwoPhase), without and with a seeded error: the
// transaction manager commits although one manager has not prepared.
[[nodiscard]] inline TransitionSystem two_phase_commit(int managers, bool error) {
    SystemBuilder build;
    const VariableId manager = build.variable("tm", 2, 0, true);  // working, committed, aborted
    const VariableId commit = build.variable("msg_commit", 1);
    const VariableId abort = build.variable("msg_abort", 1);
    std::vector<VariableId> resource;
    std::vector<VariableId> sent;
    std::vector<VariableId> prepared;
    for (int i = 0; i < managers; ++i) {
        const std::string n = std::to_string(i);
        resource.push_back(build.variable("rm" + n, 3, 0, true));  // working, prepared, committed, aborted
        sent.push_back(build.variable("msg_prepared" + n, 1));
        prepared.push_back(build.variable("tm_prepared" + n, 1));
    }
    std::vector<Expression> all{equals(manager, 0)};
    for (std::size_t i = error ? 1 : 0; i < prepared.size(); ++i) {
        all.push_back(equals(prepared[i], 1));
    }
    build.action(ActionKind::kStep, "tm commits", all, {set(manager, 1), set(commit, 1)});
    build.action(ActionKind::kStep, "tm aborts", {equals(manager, 0)}, {set(manager, 2), set(abort, 1)});
    std::vector<Expression> aborted;
    std::vector<Expression> committed;
    for (std::size_t i = 0; i < resource.size(); ++i) {
        build.action(ActionKind::kStep, "tm receives", {equals(manager, 0), equals(sent[i], 1)}, {set(prepared[i], 1)});
        build.action(ActionKind::kStep, "rm prepares", {equals(resource[i], 0)},
                     {set(resource[i], 1), set(sent[i], 1)});
        build.action(ActionKind::kStep, "rm aborts", {equals(resource[i], 0)}, {set(resource[i], 3)});
        build.action(ActionKind::kStep, "rm commits", {equals(commit, 1)}, {set(resource[i], 2)});
        build.action(ActionKind::kStep, "rm obeys abort", {equals(abort, 1)}, {set(resource[i], 3)});
        aborted.push_back(equals(resource[i], 3));
        committed.push_back(equals(resource[i], 2));
    }
    build.property("consistent", conjunction({disjunction(aborted), disjunction(committed)}));
    return build.system();
}

// A micro-batch query whose attempts share one staging table: truncate, insert each row, append to the target, commit
// progress, `batches` times with two rows each. Restarts as often as it likes. Faults: crash, crash that leaves the
// insert in flight (detached), zombie.
[[nodiscard]] inline TransitionSystem shared_staging(int batches) {
    enum : Value { kDead, kTruncate, kInsert, kAppend, kCommit };
    SystemBuilder build;
    const int rows = 2 * batches;
    const auto last = static_cast<Value>(batches);
    const VariableId progress = build.variable("progress", last);
    const VariableId in_flight = build.variable("in_flight", static_cast<Value>(rows));  // 0: none, r + 1
    std::vector<VariableId> staging;
    std::vector<VariableId> target;
    for (int row = 0; row < rows; ++row) {
        staging.push_back(build.variable("staging" + std::to_string(row), 2));
        target.push_back(build.variable("target" + std::to_string(row), 2));
    }
    const auto more = [](VariableId variable, const Expression& summand) {
        return Assignment{variable, add({Expression::variable(variable), summand}, 2)};
    };
    std::vector<VariableId> position;
    std::vector<VariableId> batch;
    for (const std::string slot : {"a", "b"}) {
        position.push_back(build.variable("position_" + slot, kCommit, kDead, true));
        batch.push_back(build.variable("batch_" + slot, last - 1));
    }
    for (std::size_t slot = 0; slot < 2; ++slot) {
        const VariableId at = position[slot];
        const VariableId other = position[1 - slot];
        const std::vector<VariableId> inserted{build.variable("first" + std::to_string(slot), 1),
                                               build.variable("second" + std::to_string(slot), 1)};
        for (Value next = 0; next < last; ++next) {
            const std::vector<Assignment> start{set(at, kTruncate), set(batch[slot], next)};
            const std::vector<Expression> dead{equals(at, kDead), equals(progress, next)};
            build.action(ActionKind::kStep, "starts", {dead[0], dead[1], equals(other, kDead)}, start);
            build.action(ActionKind::kFault, "zombie", {dead[0], dead[1], !equals(other, kDead)}, start);
            const Expression mine = equals(batch[slot], next);
            std::vector<Assignment> append{set(at, kCommit)};
            for (std::size_t row = 0; row < staging.size(); ++row) {
                append.push_back(more(target[row], Expression::variable(staging[row])));
            }
            build.action(ActionKind::kStep, "commits", {equals(at, kCommit), mine},
                         {set(at, kDead),
                          set(batch[slot], 0),
                          {progress, choose(less(Expression::variable(progress), Expression::constant(next + 1)),
                                            Expression::constant(next + 1), Expression::variable(progress))}});
            for (std::size_t row = 0; row < 2; ++row) {
                const VariableId cell = staging[2 * next + row];
                build.action(ActionKind::kStep, "inserts",
                             {equals(at, kInsert), mine, equals(inserted[row], 0), equals(inserted[1 - row], 0)},
                             {set(inserted[row], 1), more(cell, truth())});
                build.action(ActionKind::kStep, "inserts last",
                             {equals(at, kInsert), mine, equals(inserted[row], 0), equals(inserted[1 - row], 1)},
                             {set(inserted[1 - row], 0), set(at, kAppend), more(cell, truth())});
                build.action(ActionKind::kFault, "detached",
                             {equals(at, kInsert), mine, equals(inserted[row], 0), equals(in_flight, 0)},
                             {set(inserted[0], 0), set(inserted[1], 0), set(at, kDead), set(batch[slot], 0),
                              set(in_flight, 2 * next + static_cast<Value>(row) + 1)});
            }
            if (next == 0) {
                build.action(ActionKind::kStep, "appends", {equals(at, kAppend)}, append);
            }
        }
        std::vector<Assignment> truncate{set(at, kInsert)};
        for (const VariableId cell : staging) {
            truncate.push_back(set(cell, 0));
        }
        build.action(ActionKind::kStep, "truncates", {equals(at, kTruncate)}, truncate);
        build.action(ActionKind::kFault, "crash", {!equals(at, kDead)},
                     {set(at, kDead), set(batch[slot], 0), set(inserted[0], 0), set(inserted[1], 0)});
    }
    std::vector<Expression> lost;
    std::vector<Expression> repeated;
    for (std::size_t row = 0; row < target.size(); ++row) {
        const Value number = static_cast<Value>(row) + 1;
        build.action(ActionKind::kEnvironment, "late insert", {equals(in_flight, number)},
                     {set(in_flight, 0), more(staging[row], truth())});
        build.action(ActionKind::kEnvironment, "never inserted", {equals(in_flight, number)}, {set(in_flight, 0)});
        lost.push_back(equals(target[row], 0));
        repeated.push_back(equals(target[row], 2));
    }
    build.system().complete = conjunction(
        {equals(progress, last), equals(position[0], kDead), equals(position[1], kDead), equals(in_flight, 0)});
    build.property("no-loss", conjunction({build.system().complete, disjunction(lost)}));
    build.property("no-duplicate", disjunction(repeated));
    return build.system();
}

}  // namespace oncecheck::testing

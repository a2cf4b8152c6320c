// Runs for tests: a document in a few words on SQLite, driven by hand or by seeds.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/runtime/simulate.h"
#include "tests/cases/support/documents.h"
#include "tests/runtime/store_bed.h"

namespace oncecheck {

// The faults that the document assumes of each process, in every store that holds tables. What settings exclude is
// left to those who decide about them.
inline RunInputs assumed_inputs(const Pipeline& pipeline) {
    RunInputs inputs;
    std::set<ComponentId> stores;
    for (ComponentId id = 0; id < pipeline.components.size(); ++id) {
        if (pipeline.component(id).type->protocol == Protocol::kTables) {
            stores.insert(id);
        }
    }
    for (ComponentId id = 0; id < pipeline.components.size(); ++id) {
        const std::vector<Fault> assumed = pipeline.faults_of(id);
        const auto assumes = [&](Fault fault) {
            return std::find(assumed.begin(), assumed.end(), fault) != assumed.end();
        };
        RunFaults& faults = inputs.faults[id];
        faults.crash = assumes(Fault::kCrash);
        faults.zombie = assumes(Fault::kZombie);
        faults.lost_ack = assumes(Fault::kLostAck);
        faults.task_retry = assumes(Fault::kTaskRetry);
        faults.detached = assumes(Fault::kDetached) ? stores : std::set<ComponentId>();
        faults.late = faults.lost_ack ? stores : std::set<ComponentId>();
    }
    return inputs;
}

// The pipeline of a document in text.
inline Pipeline resolved_run(const std::string& text) {
    return resolve(parse_documents(text, "test.json", {}).front(), catalogue());
}

// The pipeline of a document below the folder of the cases or examples.
inline Pipeline resolved_file(const std::string& file) {
    return resolve(read_documents(file, {}).front(), catalogue());
}

// How many of `runs` seeded runs violate something in this way ("loss", "stuck", ...).
inline int violating(const Pipeline& pipeline, const std::string& flaw, int runs, double fault_rate = 0.1) {
    SimulationOptions options;
    options.runs = runs;
    options.schedule.fault_rate = fault_rate;
    options.inputs = assumed_inputs(pipeline);
    const SimulationResult result = simulate(pipeline, options, [](const SimulationResult&) {});
    int most = 0;
    for (const ViolationCount& violation : result.violations) {
        most = violation.flaw == flaw ? std::max(most, violation.runs) : most;
    }
    return most;
}

// A run that a test drives move by move.
class DrivenRun {
  public:
    explicit DrivenRun(const std::string& document)
        : pipeline(resolved_run(document)), runtime(pipeline, assumed_inputs(pipeline), {}) {}
    DrivenRun(const std::string& document, const std::function<void(RunInputs&)>& change)
        : pipeline(resolved_run(document)), runtime(pipeline, changed(assumed_inputs(pipeline), change), {}) {}

    // The first move that can happen now and is as wanted; null if there is none.
    [[nodiscard]] const Move* find(const std::function<bool(const Move&)>& wanted) const {
        const std::vector<Move>& moves = runtime.moves();
        const auto found = std::find_if(moves.begin(), moves.end(), wanted);
        return found == moves.end() ? nullptr : &*found;
    }
    [[nodiscard]] bool can(MoveKind kind, int incarnation = -1, MoveFault fault = MoveFault::kNone) const {
        return find(like(kind, incarnation, fault)) != nullptr;
    }

    // Makes the first such move, and gives its event.
    RunEvent make(const std::function<bool(const Move&)>& wanted) {
        const Move* move = find(wanted);
        if (move == nullptr) {
            ADD_FAILURE() << "there is no such move";
            return {};
        }
        const Move copy = *move;
        return runtime.perform(copy).front();
    }
    RunEvent make(MoveKind kind, int incarnation = -1, MoveFault fault = MoveFault::kNone) {
        SCOPED_TRACE(to_string(kind));
        return make(like(kind, incarnation, fault));
    }

    // Makes the incarnation's own steps up to and including the first of this kind.
    RunEvent make_up_to(MoveKind kind, int incarnation) {
        for (int moves = 0; moves < 100; ++moves) {
            const RunEvent event = make([&](const Move& move) {
                return move.incarnation == incarnation && runtime.nature(move) == Runtime::MoveNature::kStep;
            });
            if (event.move.kind == kind || event.incarnation_ends) {
                return event;
            }
        }
        ADD_FAILURE() << "incarnation " << incarnation << " never makes a move " << to_string(kind);
        return {};
    }

    // Rows of a table, sorted by their id column.
    [[nodiscard]] std::vector<std::string> ids_in(const std::string& table) {
        std::vector<std::string> ids;
        const auto& columns = runtime.record().columns;
        const auto id = std::find(columns.begin(), columns.end(), "event_id") - columns.begin();
        for (const ObjectContent& object : runtime.content()) {
            for (const auto& row : object.rows) {
                if (object.name == table) {
                    ids.push_back(row.at(static_cast<std::size_t>(id)).value_or("null"));
                }
            }
        }
        std::sort(ids.begin(), ids.end());
        return ids;
    }

    Pipeline pipeline;
    Runtime runtime;

  private:
    static RunInputs changed(RunInputs inputs, const std::function<void(RunInputs&)>& change) {
        change(inputs);
        return inputs;
    }
    static std::function<bool(const Move&)> like(MoveKind kind, int incarnation, MoveFault fault) {
        return [=](const Move& move) {
            return move.kind == kind && (incarnation < 0 || move.incarnation == incarnation) && move.fault == fault &&
                   !move.in_flight && !move.overlaps;
        };
    }
};

}  // namespace oncecheck

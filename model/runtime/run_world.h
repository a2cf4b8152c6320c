// What the processes of a run share: stores, topics, statements that are held back, who waits for a lock, and the
// record of what has happened.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "model/runtime/held_statement.h"
#include "model/runtime/identities.h"
#include "model/runtime/log.h"
#include "model/runtime/program_run.h"
#include "model/runtime/run.h"
#include "model/runtime/runtime.h"

namespace oncecheck {

// A statement that was sent, and whose client has died or was told of a failure.
struct HeldEntry {
    int number = 0;
    ComponentId process = 0;
    int incarnation = 0;
    int thread = -1;
    int attempt = -1;
    ComponentId store = 0;
    bool lands = false;  // reported as failed, and still on its way: it arrives. Of a dead client it may never
    HeldStatement statement;
};

// Who waits for a lock: a worker of an incarnation, or a held statement that is landing (number >= 0).
struct Waiter {
    ComponentId process = 0;
    int incarnation = -1;
    int thread = -1;
    int held = -1;

    bool operator==(const Waiter&) const = default;
};

struct RunWorld {
    RunWorld(const Pipeline& of, RunStores& on, RuntimeOptions with)
        : pipeline(of), stores(on), options(std::move(with)) {}

    const Pipeline& pipeline;
    RunStores& stores;
    RuntimeOptions options;
    RunRecord record;
    std::map<ComponentId, TopicLog> topics;
    std::set<ComponentId> written;  // topics that a process of the run writes
    RecordIndex index;
    Identities identities{0};
    std::list<HeldEntry> held;
    int next_held = 0;
    std::vector<Waiter> waiters;  // those that have waited longest first
    int moment = 0;               // the clock of {now}

    [[nodiscard]] const RunInputs& inputs() const { return record.inputs; }

    // Holds the statements back on behalf of a worker, and notes their numbers in the event.
    void hold(std::vector<HeldStatement> statements, ComponentId store, const Move& of, int attempt, RunEvent& event) {
        for (HeldStatement& statement : statements) {
            held.push_back({next_held, of.process, of.incarnation, of.thread, attempt, store,
                            of.fault == MoveFault::kLate, std::move(statement)});
            event.held.push_back(next_held++);
        }
    }

    void forget_waiters(ComponentId process, int incarnation) {
        std::erase_if(waiters, [&](const Waiter& waiter) {
            return waiter.held < 0 && waiter.process == process && waiter.incarnation == incarnation;
        });
    }
};

}  // namespace oncecheck

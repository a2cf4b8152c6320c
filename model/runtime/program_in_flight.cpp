// What of a step program can be in flight while its client dies or hears of a failure.

#include "model/runtime/held_statement.h"
#include "model/runtime/program_run.h"

namespace oncecheck {

bool ProgramRun::has_effect() const {
    return step().verb != Verb::kCount && step().verb != Verb::kCheck && step().verb != Verb::kLock &&
           step().verb != Verb::kBackground;
}

std::optional<ComponentId> ProgramRun::in_flight() const {
    if (over_ || phase_ == Phase::kBegin || phase_ == Phase::kInside) {
        return std::nullopt;
    }
    if (phase_ == Phase::kStep && (!has_effect() || (!plan_ && to_load_.empty()))) {
        return std::nullopt;
    }
    if (phase_ == Phase::kStep && waits_ && plan_ && plan_->has_own_transaction()) {
        return std::nullopt;  // nobody would send the COMMIT
    }
    // Rows of a view are read by the client itself, before it sends anything.
    const Place place = phase_ == Phase::kStep && plan_ ? plan_->statement().place : place_of(input_.context, step());
    return place.scope == ObjectScope::kStore ? std::optional<ComponentId>(place.store) : std::nullopt;
}

// The step that is next as a program of its own.
ProgramRun ProgramRun::alone() const {
    ProgramRun copy = *this;
    copy.program_ = std::span<const Step>(&step(), 1);
    copy.outer_ = 0;
    copy.locks_.clear();
    copy.waits_ = false;
    copy.sent_fault_ = MoveFault::kNone;
    return copy;
}

HeldStatement ProgramRun::hold_connection(Connections& connections) {
    RunEvent about = description();
    const Place place = waits_ ? sent_to_ : place_of(input_.context, outer());
    std::unique_ptr<StoreConnection> connection = connections.release(place);
    std::optional<SqlStatement> statement;
    if (!waits_) {
        statement = commit_transaction(input_.context, outer());
        about.sql.push_back(statement->sql);
    }
    connection->abandon(statement);
    std::vector<SourceContent> took = phase_ == Phase::kCommit ? took_ : std::vector<SourceContent>();
    if (phase_ == Phase::kStep && found_) {
        took.push_back(*found_);
    }
    return {std::move(connection), std::move(about), std::move(took)};
}

std::vector<HeldStatement> ProgramRun::hold_back(Connections& connections) {
    std::vector<HeldStatement> held;
    if (waits_ || phase_ == Phase::kCommit) {
        held.push_back(hold_connection(connections));
    } else if (plan_) {
        held.emplace_back(alone(), -1, description());
    }
    for (const int record : to_load_) {
        if (!waits_ || record != sent_row_) {
            held.emplace_back(alone(), record, description());
        }
    }
    return held;
}

HeldStatement ProgramRun::hold_back_row(int record) { return {alone(), record, description()}; }

void ProgramRun::fail_unheard(Connections& connections, RunEvent& event) {
    describe(event);
    const char* message = "the statement was reported as failed";
    waits_ = false;
    if (phase_ == Phase::kCommit) {
        return step_failed_as_a_whole(message, connections, event);
    }
    step_failed(message, connections, event);
}

}  // namespace oncecheck

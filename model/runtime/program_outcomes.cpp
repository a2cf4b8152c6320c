// What comes of the statements of a step program, and how it goes on.

#include <algorithm>
#include <utility>

#include "model/runtime/program_run.h"

namespace oncecheck {

namespace {

void erase_one(std::vector<int>& records, int record) {
    const auto found = std::find(records.begin(), records.end(), record);
    if (found == records.end()) {
        throw InternalError("the load has no such row");
    }
    records.erase(found);
}

}  // namespace

void ProgramRun::take(const StatementResult& result, Connections& connections, RunEvent& event) {
    waits_ = result.status == StatementStatus::kWaits;
    if (waits_) {
        event.outcome = RunOutcome::kWaits;
        return;
    }
    event.outcome = RunOutcome::kDone;
    const bool failed = result.status == StatementStatus::kFailed;
    switch (sent_) {
        case Sent::kBegin:
            if (failed) {
                return transaction_failed(result.message, connections, event);
            }
            phase_ = Phase::kInside;
            inner_ = 0;
            return arrive_at_step();
        case Sent::kProbe:
            if (failed) {
                return take_plan(result, connections, event);
            }
            note_found(result);
            return send(plan_->statement(), Sent::kPlan, connections, event);
        case Sent::kPlan:
            return take_plan(result, connections, event);
        case Sent::kCommit:
            return failed ? transaction_failed(result.message, connections, event) : commit_done(connections, event);
        case Sent::kRow:
            return failed ? step_failed(result.message, connections, event) : row_done(connections, event);
    }
}

// A step that is one effect goes on to its end at once; of another each statement is a move.
void ProgramRun::take_plan(const StatementResult& result, Connections& connections, RunEvent& event) {
    plan_->take(result);
    if (plan_->outcome() != StepOutcome::kGoesOn) {
        return take_plan_end(connections, event);
    }
    if (plan_->in_own_transaction()) {
        send(plan_->statement(), Sent::kPlan, connections, event);
    }
}

void ProgramRun::take_plan_end(Connections& connections, RunEvent& event) {
    switch (plan_->outcome()) {
        case StepOutcome::kDone:
            return step_done(connections, event);
        case StepOutcome::kSkipped:
            return step_skipped(connections, event);
        case StepOutcome::kFailed:
            return step_failed(plan_->message(), connections, event);
        case StepOutcome::kGoesOn:
            break;
    }
    throw InternalError("the step is not over");
}

void ProgramRun::step_done(Connections& connections, RunEvent& event) {
    if (step().verb == Verb::kLock) {
        locks_.push_back(&step());
    } else if (step().verb == Verb::kAcquire) {
        input_.tokens[render_text(step().target, input_.context.values)] = input_.new_token;
    }
    if (found_) {
        (phase_ == Phase::kInside ? took_ : event.took).push_back(*std::exchange(found_, std::nullopt));
    }
    if (sent_fault_ == MoveFault::kLostAck) {
        return step_failed("the acknowledgement was lost", connections, event);
    }
    advance();
    release(connections, event);
}

void ProgramRun::step_skipped(Connections& connections, RunEvent& event) {
    event.outcome = RunOutcome::kSkipped;
    if (phase_ == Phase::kInside) {
        roll_back(connections, event);
        phase_ = Phase::kStep;
        advance();
    } else {
        end(false);
    }
    release(connections, event);
}

void ProgramRun::step_failed(const std::string& message, Connections& connections, RunEvent& event) {
    event.outcome = RunOutcome::kFailed;
    event.message = message;
    if (found_) {
        event.took.push_back(*std::exchange(found_, std::nullopt));
    }
    switch (step().on_error) {
        case OnError::kIgnore:
            advance();
            break;
        case OnError::kRetry:
            arrive_at_step();
            break;
        case OnError::kFail:
            if (phase_ == Phase::kInside) {
                return transaction_failed(message, connections, event);
            }
            end(true);
            break;
    }
    release(connections, event);
}

void ProgramRun::commit_done(Connections& connections, RunEvent& event) {
    event.took = std::move(took_);
    phase_ = Phase::kStep;
    if (sent_fault_ == MoveFault::kLostAck) {
        return step_failed_as_a_whole("the acknowledgement was lost", connections, event);
    }
    advance();
    release(connections, event);
}

void ProgramRun::transaction_failed(const std::string& message, Connections& connections, RunEvent& event) {
    roll_back(connections, event);
    step_failed_as_a_whole(message, connections, event);
}

// The transaction is over in the store; its own `on_error` decides how its client goes on.
void ProgramRun::step_failed_as_a_whole(const std::string& message, Connections& connections, RunEvent& event) {
    event.outcome = RunOutcome::kFailed;
    event.message = message;
    phase_ = Phase::kStep;
    switch (outer().on_error) {
        case OnError::kIgnore:
            advance();
            break;
        case OnError::kRetry:
            arrive();
            break;
        case OnError::kFail:
            end(true);
            break;
    }
    release(connections, event);
}

void ProgramRun::roll_back(Connections& connections, RunEvent& event) {
    StoreConnection& connection = connections.at(sent_to_);
    if (connection.in_transaction()) {
        const SqlStatement statement = rollback_transaction(input_.context, outer());
        event.sql.push_back(statement.sql);
        static_cast<void>(connection.execute(statement));
    }
}

void ProgramRun::release(Connections& connections, RunEvent& event) {
    if (!over_) {
        return;
    }
    for (const Step* lock : locks_) {
        const SqlStatement statement = release_locks(input_.context, *lock);
        event.sql.push_back(statement.sql);
        static_cast<void>(connections.at(statement.place).execute(statement));
    }
    locks_.clear();
}

void ProgramRun::row_done(Connections& connections, RunEvent& event) {
    if (sent_fault_ != MoveFault::kTaskRetry) {
        erase_one(to_load_, sent_row_);
        loaded_.push_back(sent_row_);
    }
    if (sent_fault_ == MoveFault::kLostAck) {
        step_failed("the acknowledgement was lost", connections, event);
    }
}

}  // namespace oncecheck

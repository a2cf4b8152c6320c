#include "model/runtime/held_statement.h"

namespace oncecheck {

bool HeldStatement::land(RunStores& stores, RunEvent& event) {
    event.where = description_.where;
    event.phase = description_.phase;
    event.target = description_.target;
    event.source = description_.source;
    const bool over = run_ ? land_run(stores, event) : land_connection(event);
    waits_ = !over;
    return over;
}

// Nobody is there to react to a failure, so the step's own `on_error` does not matter.
bool HeldStatement::land_run(RunStores& stores, RunEvent& event) {
    if (!connections_) {
        connections_ = std::make_unique<Connections>(stores);
    }
    if (run_->waits()) {
        run_->resume(*connections_, event);
    } else if (record_ >= 0) {
        run_->load(record_, *connections_, event, MoveFault::kNone);
    } else {
        run_->execute(*connections_, event, MoveFault::kNone);
    }
    while (event.outcome == RunOutcome::kDone && record_ < 0 && run_->next() == ProgramRun::Next::kStatement) {
        run_->execute(*connections_, event, MoveFault::kNone);
    }
    return event.outcome != RunOutcome::kWaits;
}

bool HeldStatement::land_connection(RunEvent& event) {
    event.sql = description_.sql;
    const StatementResult result = connection_->land();
    switch (result.status) {
        case StatementStatus::kWaits:
            event.outcome = RunOutcome::kWaits;
            return false;
        case StatementStatus::kFailed:
            event.outcome = RunOutcome::kFailed;
            event.message = result.message;
            return true;
        case StatementStatus::kDone:
            event.outcome = RunOutcome::kDone;
            event.took = took_;
            return true;
    }
    throw InternalError("unknown status of a statement");
}

void HeldStatement::drop() {
    if (connection_) {
        connection_->drop();
    }
}

}  // namespace oncecheck

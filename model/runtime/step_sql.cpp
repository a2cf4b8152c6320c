#include "model/runtime/step_sql.h"

#include <cassert>
#include <utility>

#include "model/runtime/step_planner.h"

namespace oncecheck {

namespace {

constexpr const char* kRollback = "ROLLBACK";
constexpr const char* kCommit = "COMMIT";

std::string begin_sql(Dialect dialect, std::optional<Isolation> isolation) {
    if (dialect == Dialect::kSqlite) {
        return "BEGIN IMMEDIATE";  // one transaction at a time: none fails half-way because another has written
    }
    if (!isolation) {
        return "BEGIN";
    }
    switch (*isolation) {
        case Isolation::kReadCommitted:
            return "BEGIN ISOLATION LEVEL READ COMMITTED";
        case Isolation::kRepeatableRead:
        case Isolation::kSnapshot:
            return "BEGIN ISOLATION LEVEL REPEATABLE READ";
        case Isolation::kSerializable:
            return "BEGIN ISOLATION LEVEL SERIALIZABLE";
    }
    throw InternalError("unknown isolation level");
}

SqlStatement around(const StepContext& context, const Step& transaction, std::string sql) {
    return {place_of(context, transaction), std::move(sql), {}, transaction.position};
}

}  // namespace

StepPlan::StepPlan(const StepContext& context, const Step& step) : if_claimed_(step.if_claimed) {
    StepStatements statements = plan_statements(context, step);
    planned_ = std::move(statements.statements);
    has_own_transaction_ = statements.one_effect && planned_.size() > 1 && !context.in_transaction;
    if (has_own_transaction_) {
        Planned begin;
        begin.statement = {place_of(context, step),
                           begin_sql(context.schema->dialect(place_of(context, step)), {}),
                           {},
                           step.position};
        Planned commit = begin;
        commit.statement.sql = kCommit;
        planned_.insert(planned_.begin() + static_cast<std::ptrdiff_t>(statements.reads_first), std::move(begin));
        planned_.push_back(std::move(commit));
    }
    prepare();
}

// Makes the next statement the current one, or ends the step.
void StepPlan::prepare() {
    if (next_ == planned_.size()) {
        outcome_ = StepOutcome::kDone;
        return;
    }
    Planned& planned = planned_[next_];
    current_ = planned.statement;
    if (planned.late) {
        current_.sql = planned.late(kept_);
    }
}

void StepPlan::take(const StatementResult& result) {
    assert(outcome_ == StepOutcome::kGoesOn && result.status != StatementStatus::kWaits);
    if (after_rollback_ != StepOutcome::kGoesOn) {
        in_own_transaction_ = false;
        outcome_ = after_rollback_;
        return;
    }
    if (result.status == StatementStatus::kFailed) {
        const bool commits = current_.sql == kCommit;
        fail(result.failure, result.message);
        if (commits && outcome_ == StepOutcome::kGoesOn) {  // a commit that fails has ended its transaction
            in_own_transaction_ = false;
            outcome_ = StepOutcome::kFailed;
        }
        return;
    }
    if (has_own_transaction_ && planned_[next_].reading == Reading::kNothing && current_.sql.starts_with("BEGIN")) {
        in_own_transaction_ = true;
    }
    if (accepts(result)) {
        ++next_;
        if (has_own_transaction_ && next_ == planned_.size()) {
            in_own_transaction_ = false;
        }
        prepare();
    }
}

// True if the step goes on after this answer.
bool StepPlan::accepts(const StatementResult& result) {
    const Planned& planned = planned_[next_];
    const std::string answer = result.rows.size() == 1 && !result.rows.front().empty()
                                   ? result.rows.front().front().value_or("")
                                   : std::string();
    switch (planned.reading) {
        case Reading::kNothing:
            return true;
        case Reading::kKeepRows:
            keep_rows(result);
            return true;
        case Reading::kRowsAreClaim:
        case Reading::kNoEffectIsClaim:
            if (planned.reading == Reading::kRowsAreClaim ? result.rows.empty() : result.affected > 0) {
                return true;
            }
            if (if_claimed_ == IfClaimed::kFail) {
                fail(FailureKind::kClaimed, "the claim is taken");
            } else {
                end(StepOutcome::kSkipped);
            }
            return false;
        case Reading::kCount:
            if (answer == planned.expected) {
                return true;
            }
            fail(FailureKind::kWrongCount, "the row count is " + answer + ", the batch has " + planned.expected);
            return false;
        case Reading::kToken:
            if (!result.rows.empty() && answer == planned.expected) {
                return true;
            }
            fail(FailureKind::kNoToken,
                 result.rows.empty() ? "nobody has acquired the fencing token" : "the fencing token is another's");
            return false;
        case Reading::kNoEffectIsMoved:
            if (result.affected > 0) {
                return true;
            }
            fail(FailureKind::kPositionMoved, "the stored position is not where this batch starts");
            return false;
        case Reading::kRowsAreDouble:
            if (result.rows.empty()) {
                return true;
            }
            fail(FailureKind::kDoubleMatch, "a key is matched twice");
            return false;
        case Reading::kRowsEndStep:
            if (result.rows.empty()) {
                return true;
            }
            end(StepOutcome::kDone);
            return false;
    }
    throw InternalError("unknown reading of an answer");
}

void StepPlan::keep_rows(const StatementResult& result) {
    for (const std::vector<SqlValue>& values : result.rows) {
        RowValues row;
        for (std::size_t i = 0; i < values.size(); ++i) {
            row.emplace(result.columns[i], values[i]);
        }
        kept_.push_back(std::move(row));
    }
}

void StepPlan::fail(FailureKind kind, std::string message) {
    failure_ = kind;
    message_ = std::move(message);
    end(StepOutcome::kFailed);
}

// Rolls the step's own transaction back first, if it is open.
void StepPlan::end(StepOutcome outcome) {
    if (!in_own_transaction_) {
        outcome_ = outcome;
        return;
    }
    after_rollback_ = outcome;
    current_.sql = kRollback;
    current_.existing.clear();
}

SqlStatement begin_transaction(const StepContext& context, const Step& transaction) {
    return around(context, transaction,
                  begin_sql(context.schema->dialect(place_of(context, transaction)), transaction.isolation));
}

SqlStatement commit_transaction(const StepContext& context, const Step& transaction) {
    return around(context, transaction, kCommit);
}

SqlStatement rollback_transaction(const StepContext& context, const Step& transaction) {
    return around(context, transaction, kRollback);
}

SqlStatement release_locks(const StepContext& context, const Step& lock) {
    const Place place = place_of(context, lock);
    const bool embedded = context.schema->dialect(place) == Dialect::kSqlite;
    return {place, embedded ? "SELECT oncecheck_unlock_all()" : "SELECT pg_advisory_unlock_all()", {}, lock.position};
}

}  // namespace oncecheck

// A step of the document as the SQL that an engineer would write for it, in the dialect of its store.
//
//   for (StepPlan plan(context, step); plan.outcome() == StepOutcome::kGoesOn;) {
//       plan.take(connection.execute(plan.statement()));   // kWaits is no answer: resume first
//   }
//
// Most steps are one statement. Those that FORMAT calls one effect and that need several (replace, overwrite, swap, a
// merge where the store has none) carry their own BEGIN and COMMIT outside a transaction, and roll back by themselves;
// inside one they run in it, and whoever runs the transaction rolls it back. A claim on a ledger without a unique key
// looks, then inserts; outside a transaction each commits.
//
// Sources: FORMAT "Steps"; PostgreSQL 15 documentation, SQL Commands; SQLite documentation, Query Language.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/document/step.h"
#include "model/runtime/schema_of_run.h"
#include "model/runtime/store.h"

namespace oncecheck {

// The one who runs a step program: what its steps are rendered with.
struct StepContext {
    const SchemaOfRun* schema = nullptr;
    ComponentId process = 0;
    std::string session;  // name of the incarnation's session
    std::string token;    // what `acquire` writes and `check` looks for: the incarnation's or attempt's own
    PlaceholderValues values;
    std::vector<RowValues> rows;  // of the batch, in the order of the log
    // Where the batch starts and ends, as a position over all logs of the process; the first batch starts at 0.
    std::int64_t start_position = 0;
    std::int64_t end_position = 0;
    bool in_transaction = false;
};

// kSkipped: a claim is taken. In a transaction the rest of it is left undone (roll it back, go on after it); outside
// the attempt ends as done.
enum class StepOutcome { kGoesOn, kDone, kSkipped, kFailed };

class StepPlan {
  public:
    // Requires a step that is no transaction and no background block; a load by executors is planned as if it committed
    // all rows at once (load_row otherwise). Context and step have to outlive the plan. Throws InputError (codes
    // "name-too-long", "merge-key").
    StepPlan(const StepContext& context, const Step& step);

    // The statement to send. Requires outcome() == kGoesOn.
    [[nodiscard]] const SqlStatement& statement() const { return current_; }
    // What came of statement(). Requires outcome() == kGoesOn and a result that is not kWaits.
    void take(const StatementResult& result);

    [[nodiscard]] StepOutcome outcome() const { return outcome_; }
    // Of kFailed: why, in the database's words or as a sentence.
    [[nodiscard]] FailureKind failure() const { return failure_; }
    [[nodiscard]] const std::string& message() const { return message_; }
    // The step's own transaction is open: what it has done so far nobody else sees.
    [[nodiscard]] bool in_own_transaction() const { return in_own_transaction_; }

    // The statements are a transaction: without its COMMIT none takes effect.
    [[nodiscard]] bool has_own_transaction() const { return has_own_transaction_; }

    // How an answer that is no error is read.
    enum class Reading {
        kNothing,
        kRowsAreClaim,     // rows: the claim is taken
        kNoEffectIsClaim,  // nothing inserted: the claim is taken
        kCount,            // one number, which has to be `expected`
        kToken,            // one text, which has to be `expected`
        kNoEffectIsMoved,  // nothing updated: the position has moved
        kRowsAreDouble,    // rows: keys that are matched twice
        kRowsEndStep,      // rows: the object is there and is kept; the step is over
        kKeepRows,         // rows of a source, which the driver sends on
    };
    // A statement to come, and how its answer is read.
    struct Planned {
        SqlStatement statement;
        Reading reading = Reading::kNothing;
        std::string expected;
        // The SQL, where it holds rows that an earlier statement has read; empty otherwise.
        std::function<std::string(const std::vector<RowValues>& kept)> late;
    };

  private:
    void fail(FailureKind kind, std::string message);
    void end(StepOutcome outcome);
    void prepare();
    void keep_rows(const StatementResult& result);
    [[nodiscard]] bool accepts(const StatementResult& result);

    std::vector<Planned> planned_;
    std::size_t next_ = 0;
    SqlStatement current_;
    StepOutcome outcome_ = StepOutcome::kGoesOn;
    StepOutcome after_rollback_ = StepOutcome::kGoesOn;  // kGoesOn: the step's transaction does not roll back
    FailureKind failure_ = FailureKind::kNone;
    std::string message_;
    IfClaimed if_claimed_ = IfClaimed::kSkip;
    bool has_own_transaction_ = false;
    bool in_own_transaction_ = false;
    std::vector<RowValues> kept_;
};

// The statement by which an executor loads one row of the batch: a commit of its own. Requires a step `append`.
[[nodiscard]] SqlStatement load_row(const StepContext& context, const Step& append, const RowValues& row);

// The statements around the body of a transaction; they go where the first statement of the body goes.
[[nodiscard]] SqlStatement begin_transaction(const StepContext& context, const Step& transaction);
[[nodiscard]] SqlStatement commit_transaction(const StepContext& context, const Step& transaction);
[[nodiscard]] SqlStatement rollback_transaction(const StepContext& context, const Step& transaction);

// Frees the locks (`lock`) that the connection holds: the attempt is over.
[[nodiscard]] SqlStatement release_locks(const StepContext& context, const Step& lock);

// The place that a step writes; of a transaction or block that of its first step. Locks, fences and progress are kept
// in the store that their name says.
[[nodiscard]] Place place_of(const StepContext& context, const Step& step);

}  // namespace oncecheck

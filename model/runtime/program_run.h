// A step program being executed, one move at a time: where it stands, what it would do next, and what comes of it.
//
//   statement ... | begin, statement ..., commit | rows of a load ..., end of the load | spawn
//
// A step that fails asks its `on_error`: fail ends the program (inside a transaction: rolls it back and asks the
// transaction's own), ignore goes on, retry sends the step again. A skipped claim leaves the rest of its transaction
// undone; outside it ends the program as done. Locks are held until the program ends.
//
// Knows SQL only through step_sql.h, and nothing of the protocol around the program.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/runtime/connections.h"
#include "model/runtime/run.h"
#include "model/runtime/step_sql.h"

namespace oncecheck {

// Fencing tokens by the name of the fence as the store has it.
using FencingTokens = std::map<std::string, std::string>;

// Which record is where in the logs. A record that was sent twice is at two places.
class RecordIndex {
  public:
    // Topic, partition and offset, as text.
    using Coordinates = std::array<std::string, 3>;

    void add(const std::string& topic, int partition, int offset, int record) {
        records_[{topic, std::to_string(partition), std::to_string(offset)}] = record;
    }
    [[nodiscard]] const std::map<Coordinates, int>& all() const { return records_; }
    // -1: none of the run.
    [[nodiscard]] int find(const SqlValue& topic, const SqlValue& partition, const SqlValue& offset) const {
        const auto found = records_.find({topic.value_or(""), partition.value_or(""), offset.value_or("")});
        return found == records_.end() ? -1 : found->second;
    }

  private:
    std::map<Coordinates, int> records_;
};

// What a program runs with.
struct ProgramInput {
    StepContext context;
    std::vector<int> records;  // those of context.rows, as indices into RunInputs::records
    FencingTokens tokens;
    std::string new_token;               // what `acquire` writes: fresh for each execution
    const RecordIndex* index = nullptr;  // if set: note what apply steps find (RunEvent::took)
};

class HeldStatement;

class ProgramRun {
  public:
    // The steps have to outlive the run.
    ProgramRun(std::span<const Step> program, ProgramInput input);

    enum class Next { kStatement, kRows, kEndOfLoad, kSpawn, kOver };
    [[nodiscard]] Next next() const;
    // A statement has been sent and waits for a lock.
    [[nodiscard]] bool waits() const { return waits_; }
    [[nodiscard]] bool failed() const { return failed_; }
    // The innermost step that is next. Requires next() != kOver.
    [[nodiscard]] const Step& step() const;
    [[nodiscard]] const ProgramInput& input() const { return input_; }
    // Of kRows and kEndOfLoad: the records that no task has loaded yet, and those that one has.
    [[nodiscard]] const std::vector<int>& rows_to_load() const { return to_load_; }
    [[nodiscard]] const std::vector<int>& rows_loaded() const { return loaded_; }

    // Sends the next statement; requires kStatement. Each fills in the event: outcome, where, phase, objects, SQL.
    // kLostAck: if it succeeds the caller does not learn it. `overlaps` (Move::overlaps) requires can_overlap().
    void execute(Connections& connections, RunEvent& event, MoveFault fault, bool overlaps = false);
    // Requires that the record is in rows_to_load(), or with kTaskRetry in rows_loaded().
    void load(int record, Connections& connections, RunEvent& event, MoveFault fault);
    void end_load(Connections& connections, RunEvent& event);
    // Goes past a `background`; its program is `step().body` and runs with the input as it is now.
    void spawn(Connections& connections, RunEvent& event);
    // The next statement stands outside a transaction and changes rows of a store with several writers.
    [[nodiscard]] bool can_overlap() const;
    // Step, phase and objects of what is next, as of an event. Requires next() != kOver.
    [[nodiscard]] RunEvent description() const;
    // When the statement that waits came to its end on the server (StoreConnection::turn). Requires waits().
    [[nodiscard]] std::int64_t turn(Connections& connections) const { return connections.at(sent_to_).turn(); }
    // Looks at the statement that waits.
    void resume(Connections& connections, RunEvent& event);

    // The store whose statement is next or waits, if it could be in flight while its client dies: it has an effect, and
    // the transaction that it stands in, if any, is at its COMMIT. Rows of a load are in flight together.
    [[nodiscard]] std::optional<ComponentId> in_flight() const;
    // Takes what is in flight out, to be applied later or never; requires in_flight(). The program itself is then over
    // or, if the client lives on and has been told of a failure (fail_unheard), goes on.
    [[nodiscard]] std::vector<HeldStatement> hold_back(Connections& connections);
    // Likewise one row of a load, which is then no longer to be loaded.
    [[nodiscard]] HeldStatement hold_back_row(int record);
    // The caller has been told that what it sent has failed.
    void fail_unheard(Connections& connections, RunEvent& event);

  private:
    enum class Phase { kStep, kBegin, kInside, kCommit };
    enum class Sent { kBegin, kProbe, kPlan, kCommit, kRow };

    [[nodiscard]] const Step& outer() const { return wrapped_ ? *wrapped_ : program_[outer_]; }
    [[nodiscard]] bool is_load() const;
    [[nodiscard]] bool has_effect() const;
    [[nodiscard]] ProgramRun alone() const;
    [[nodiscard]] HeldStatement hold_connection(Connections& connections);
    void begin_alone(Connections& connections, RunEvent& event);
    void arrive();
    void arrive_at_step();
    void advance();
    void describe(RunEvent& event) const;
    [[nodiscard]] SqlStatement probe() const;
    void note_found(const StatementResult& result);
    void send_plan(Connections& connections, RunEvent& event);
    void send(const SqlStatement& statement, Sent sent, Connections& connections, RunEvent& event);
    void take(const StatementResult& result, Connections& connections, RunEvent& event);
    void take_plan(const StatementResult& result, Connections& connections, RunEvent& event);
    void take_plan_end(Connections& connections, RunEvent& event);
    void row_done(Connections& connections, RunEvent& event);
    void step_done(Connections& connections, RunEvent& event);
    void step_skipped(Connections& connections, RunEvent& event);
    void step_failed(const std::string& message, Connections& connections, RunEvent& event);
    void commit_done(Connections& connections, RunEvent& event);
    void transaction_failed(const std::string& message, Connections& connections, RunEvent& event);
    void step_failed_as_a_whole(const std::string& message, Connections& connections, RunEvent& event);
    void roll_back(Connections& connections, RunEvent& event);
    void end(bool failed);
    void release(Connections& connections, RunEvent& event);

    std::span<const Step> program_;
    ProgramInput input_;
    std::size_t outer_ = 0;
    std::size_t inner_ = 0;
    Phase phase_ = Phase::kStep;
    std::shared_ptr<const Step> wrapped_;  // a transaction around the step that overlaps
    std::optional<StepPlan> plan_;
    bool probed_ = false;
    std::vector<int> to_load_;
    std::vector<int> loaded_;
    bool over_ = false;
    bool failed_ = false;

    bool waits_ = false;
    Sent sent_ = Sent::kPlan;
    Place sent_to_;
    int sent_row_ = -1;
    MoveFault sent_fault_ = MoveFault::kNone;

    std::optional<SourceContent> found_;  // by the apply step that runs
    std::vector<SourceContent> took_;     // by those of the open transaction
    std::vector<const Step*> locks_;
};

}  // namespace oncecheck

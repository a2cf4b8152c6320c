// A run of the reference runtime as values: what it was given, what happened one event after another, and what the
// stores held. Whoever drives the runtime (seeded scheduler, replay director) picks moves; whoever judges or follows it
// reads events. Lossless as JSON (run_json.h).
//
// A *move* can happen next; an *event* is a move that has happened, with its outcome. One move is one SQL statement,
// one row of a load by executors, one look at or write to a checkpoint, or one fault. The moves of an incarnation of a
// micro-batch query, in this order (MicroBatchExecution of Spark 3.5):
//
//   kStart          the process begins: beside a living incarnation this is a zombie (or a run that overlaps by plan).
//                   The query identity is read from `metadata`, or made
//   kStatement ...  every statement of `on_start`
//   kReadProgress   reads the last offsets/N and the last commits/N. offsets/N without commits/N: the attempt at N
//                   begins, nothing is logged. Else N+1 is planned
//   kPlan           asks the logs for their ends and decides on the range of the batch; nothing durable. It is not
//                   offered while there is nothing to read: the query idles
//   kLookAhead      only on a racy checkpoint store: looks whether offsets/N is there
//   kWriteAhead     puts offsets/N if absent (atomic), or puts it whatever is there by now (racy, after the look).
//   There
//                   already: the query ends. Then old entries are purged, and the attempt begins
//   kStatement, kLoadRow, kEndLoad, kSpawn ...
//                   the step program. Inside a transaction BEGIN, each statement and COMMIT are moves of their own. A
//                   load by executors commits row by row, in any order (kLoadRow), and ends when the driver hears that
//                   all tasks are done (kEndLoad). kSpawn starts a background thread, whose moves are the same
//   kLookCommit     only on a racy checkpoint store
//   kCommitBatch    puts commits/N if absent. There already: the query ends. Then kPlan of N+1
//
// A failed step ends the incarnation with its threads (Spark), unless `on_error` says otherwise; a restart is kStart.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/errors.h"
#include "model/pipeline/pipeline.h"
#include "model/runtime/store.h"

namespace oncecheck {

// Of every topic of a run, as in the universes of the checker.
inline constexpr int kPartitionsOfARun = 2;

// What may go wrong in a process of a run. The same kinds as in a document, those that follow from settings included.
struct RunFaults {
    bool crash = false;
    bool zombie = false;
    bool lost_ack = false;
    bool task_retry = false;
    bool redelivery = false;         // of a producer: its application sends a record again
    bool purge = false;              // the commit log entry of an old batch goes while an old incarnation runs it
    bool expiry = false;             // records of the log go before they are processed, while no incarnation lives
    std::set<ComponentId> detached;  // stores in which a statement of a dead incarnation may still be applied
    std::set<ComponentId> late;      // stores in which one that was reported as failed may still be

    bool operator==(const RunFaults&) const = default;
};

// A record of a log that nothing in the run writes, or that a producer of the run sends. In a table: the name of the
// log, partition and partition_offset are its coordinates.
struct RunRecordEntry {
    ComponentId log = 0;
    int offset = 0;            // place in the log over all partitions
    int partition = 0;         // offset % 2
    int partition_offset = 0;  // offset / 2
    int key = 0;               // equal numbers are equal keys, over all logs
    int version = 0;           // among records of one key the greatest is the newest; never equal

    bool operator==(const RunRecordEntry&) const = default;
};

// What a run is given. `records` are grouped by log, in the order of their offsets; empty: see default_records().
struct RunInputs {
    std::vector<ComponentId> processes;       // which take part; empty: all
    std::vector<RunRecordEntry> records;      // a log written by a producer that takes part starts without them
    std::map<ComponentId, RunFaults> faults;  // by process; absent: none
    int rows = 2;                             // of a log in a batch
    int batches = 2;
    int attempts = 2;        // incarnations of one process that live side by side at most
    std::uint64_t seed = 0;  // of identities (UUIDs): equal seeds give equal names

    bool operator==(const RunInputs&) const = default;
};

enum class MoveKind {
    kStart,
    kStatement,
    kResume,  // a statement that waited has gone on; it follows by itself from what freed the lock
    kLoadRow,
    kEndLoad,
    kSpawn,
    kReadProgress,
    kPlan,
    kLookAhead,
    kWriteAhead,
    kLookCommit,
    kCommitBatch,
    kCrash,
    kEndSilently,  // an incarnation that was replaced ends without a crash; its open transaction rolls back
    kLand,         // a statement that was held back is applied
    kDrop,         // it never will be; an open transaction that waited for its COMMIT rolls back
    kPurge,        // stands for enough batches of other records: commits/N of an old batch is removed
    kExpire,       // the first record of a partition goes
    kSend,         // a producer's client hands a record to the broker
    kResend,       // it does so again, for want of an acknowledgement
    kReport,       // the client reports to its application that the record was sent
};
[[nodiscard]] const char* to_string(MoveKind kind);

// How a move is faulty. kNone: it is none, or its kind says all (kCrash). Of a statement, row or send:
// kLostAck: it takes effect, but the caller sees a failure. kLate: the caller sees a failure, and the statement is held
// back: it lands later. kTaskRetry: a row that the step has loaded is loaded again. kRedelivery: a producer's
// application sends a record again that it does not know to be sent.
enum class MoveFault { kNone, kLostAck, kLate, kTaskRetry, kRedelivery };
[[nodiscard]] const char* to_string(MoveFault fault);

struct Move {
    MoveKind kind = MoveKind::kStart;
    ComponentId process = 0;
    int incarnation = -1;    // of the process, numbered from 0 in the order of starts; of kStart: the new one
    int thread = -1;         // background thread of the incarnation, numbered from 0; -1: its main program
    int record = -1;         // kLoadRow, kSend, kResend, kReport, kExpire: index into RunInputs::records
    int batch = -1;          // kPurge: whose entry
    int end = -1;            // kPlan: the range ends before this offset, in every log (only where ranges are free)
    int moment = -1;         // kReadProgress, kPlan: the attempt that may begin takes this moment for {now}
    int statement = -1;      // kLand, kDrop: which held statement (RunEvent::held)
    bool in_flight = false;  // kCrash: what was about to run has been sent: the next statement, or every row of the
                             // load that no task has written yet (each is held back by itself)
    MoveFault fault = MoveFault::kNone;
    // kStatement: what the statement does is committed by the next move of its worker; others run in between, as beside
    // any statement of a store that has several writers. Only outside a transaction.
    bool overlaps = false;

    bool operator==(const Move&) const = default;
};

enum class RunOutcome {
    kDone,
    kFailed,   // the statement failed, or the caller believes so (MoveFault)
    kSkipped,  // a claim that is taken: the rest of its transaction, attempt or unit is left out
    kWaits,    // sent, and waiting for a lock: it has not happened yet; a later event kResume says what came of it
    kEnds,     // the protocol ends the query: an entry of its log is there already, or one is missing
};
[[nodiscard]] const char* to_string(RunOutcome outcome);

// What a statement is inside its step.
enum class StatementPhase { kWhole, kBegin, kInside, kCommit };
[[nodiscard]] const char* to_string(StatementPhase phase);

// One execution of a step program for one batch. The real values that names were rendered with.
struct RunAttempt {
    ComponentId process = 0;
    int incarnation = 0;
    int batch = 0;
    int start = 0;  // offsets start..end-1 of every log that the process reads
    int end = 0;
    std::string query;    // UUID of the checkpoint
    std::string attempt;  // UUID of this execution: {attempt}, {uuid}
    int moment = 0;       // {now}: equal numbers are equal texts
    int generation = 0;   // of the query identity: 0, 1, ... in the order in which identities of the process appeared

    bool operator==(const RunAttempt&) const = default;
};

// What an apply step found in its staging object when it began: how often each record is there, among the rows that the
// step's own `where` admits.
struct SourceContent {
    SourcePosition where;     // of the apply step
    std::map<int, int> rows;  // index into RunInputs::records -> how often
    std::vector<int> batch;   // the records of the attempt's own batch, ascending

    bool operator==(const SourceContent&) const = default;
};

struct RunEvent {
    Move move;
    RunOutcome outcome = RunOutcome::kDone;
    int attempt = -1;      // index into RunRecord::attempts; whose move it is, or that begins with it; -1: none
    SourcePosition where;  // of the step (the innermost), or of the setting that the move comes from
    StatementPhase phase = StatementPhase::kWhole;
    std::string target;             // the step's object as the store has it (rendered, folded, cut), or empty
    std::string source;             // likewise
    std::vector<std::string> sql;   // what ran, in order; empty where no store was asked
    std::string message;            // of a failure, or what a protocol move found
    std::vector<int> held;          // statements held back by this move (crash in flight, kLate), by number
    bool attempt_ends = false;      // the step program is over: done, skipped or failed
    bool thread_ends = false;       // the background thread is over
    bool incarnation_ends = false;  // with its threads and open transactions
    // By apply steps that are over, done or failed; inside a transaction: at its COMMIT.
    std::vector<SourceContent> took;

    bool operator==(const RunEvent&) const = default;
};

// The committed rows of every object of every store and application (sessions apart), see RunStores::content().
using Content = std::vector<ObjectContent>;

struct RunStanding {
    bool complete = false;            // settled, and every log of every process is committed to its end
    bool settled = false;             // no attempt, thread, waiting or held statement is left
    std::vector<ComponentId> behind;  // processes that have not committed all that is there
    bool operator==(const RunStanding&) const = default;
};

struct RunRecord {
    RunInputs inputs;
    std::vector<RunAttempt> attempts;
    std::vector<RunEvent> events;
    std::vector<Content> contents;     // after each event, if the run was asked to keep them; else empty
    std::vector<std::string> columns;  // of the rows of contents
    RunStanding standing;              // at the end

    bool operator==(const RunRecord&) const = default;
};

// A record as a row without its coordinates: what its columns hold in every run. Keys are "k3", versions numbers; a
// column that adds up holds 1.
[[nodiscard]] RowValues record_values(const SchemaOfRun& schema, const RunRecordEntry& record);
// "payments-3": the value of the record's id column.
[[nodiscard]] std::string id_text(const Pipeline& pipeline, const RunRecordEntry& record);
[[nodiscard]] std::string key_text(const RunRecordEntry& record);
[[nodiscard]] std::string version_text(const RunRecordEntry& record);

// Records for every log that the processes read: `batches` times `rows` a log; the first record of every batch shares a
// key with those of the other batches of its log (of its key space), versions grow with the offset.
[[nodiscard]] std::vector<RunRecordEntry> default_records(const Pipeline& pipeline, const RunInputs& inputs);

// The processes that take part, ascending.
[[nodiscard]] std::vector<ComponentId> processes_of(const Pipeline& pipeline, const RunInputs& inputs);

}  // namespace oncecheck

// What an action does, for a machine that matches actions with what a runtime did. The text of the label says the same
// in words; nothing here takes part in the meaning of a system.
//
// A statement outside a transaction and a transaction are *units*. A unit is one action, or (where others could tell)
// one for each statement that reads or locks and one for the commit. The steps that a unit stands for are those at
// ActionLabel::where: a statement, or a transaction with its body.
#pragma once

#include <cstdint>

namespace oncecheck {

enum class EventKind : std::uint8_t {
    kNone,  // of a system that was not made from a document
    // The protocol of an incarnation.
    kStart,            // begins; without `on_start` it reads its progress in the same action
    kReadProgress,     // reads its progress after `on_start`
    kNothingLeft,      // finds after `on_start` that all is done, and ends
    kWriteAheadLook,   // racy: sees no entry of the batch in the offset log
    kWriteAhead,       // puts the entry
    kWriteAheadTaken,  // finds an entry, and ends
    kCommitLook,       // racy: sees no entry of the batch in the commit log
    kCommit,           // puts the entry, and goes on to the next batch if there is one
    kCommitTaken,      // finds an entry, and ends
    kCrash,
    kSilentEnd,  // ends because it was replaced
    // Its program.
    kUnit,           // a unit, whole
    kUnitRead,       // of a unit that is split: statement number `statement` runs; -1: all that read run
    kUnitCommit,     // of a unit that is split: its effects appear
    kLoad,           // row `record` of the batch appears; -1: the batch has no rows
    kSpawn,          // starts the thread of block `block`
    kLock,           // takes a lock
    kAbort,          // the store aborts the unit: it waits for a lock, or conflicts with another
    kLostAck,        // the unit or row has taken effect (or, with outcome kIgnored, has not), and is reported failed
    kLateStatement,  // the unit is reported failed and is still on its way; the incarnation ends
    kStatementLost,  // a statement in flight of a dead incarnation is never applied
    kTaskRetry,      // row `record` appears once more
    // Logs.
    kPurge,   // commits once more: the old entry is gone
    kExpiry,  // the records of `batch` are removed
    // Producers.
    kSend,
    kConfirmed,    // the record is in the log, and the producer knows
    kUnconfirmed,  // reports success without knowing
    kArrival,      // a record that was reported arrives
    kRequestLost,  // a record that was reported never arrives
    kResend,       // the record is in the log, the producer does not know and sends again
    kGiveUp,       // the record is in the log, the producer does not know and gives up
};

// How an action of the program ends for its incarnation.
enum class EventOutcome : std::uint8_t {
    kDone,
    kSkipped,  // a claim is taken: nothing of the unit happens, and that is success
    kFailed,   // the attempt is over, or goes to `on_error`
    kIgnored,  // the failure is swallowed
    kRetried,  // the statement is sent again
};

struct ActionEvent {
    EventKind kind = EventKind::kNone;
    EventOutcome outcome = EventOutcome::kDone;
    bool in_flight = false;         // done by the statement of an incarnation that is dead
    bool leaves_statement = false;  // of an end: a statement stays in flight
    int block = -1;                 // of a background thread: its block ...
    int thread_batch = -1;          // ... and the batch that it was started for
    int batch = -1;                 // -1: none is known yet
    int start = 0;                  // the batch covers offsets start..end-1 of each log
    int end = 0;
    int generation = 0;  // how often the checkpoint was lost before
    int record = -1;     // index into the records of the universe
    int statement = -1;  // index into the body of the transaction

    [[nodiscard]] ActionEvent with(EventOutcome how) const {
        ActionEvent changed = *this;
        changed.outcome = how;
        return changed;
    }
    [[nodiscard]] ActionEvent as(EventKind other) const {
        ActionEvent changed = *this;
        changed.kind = other;
        return changed;
    }

    bool operator==(const ActionEvent&) const = default;
};

}  // namespace oncecheck

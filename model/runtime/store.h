// The stores of a run: real databases that execute the steps of a pipeline as SQL. One connection an incarnation and
// store (and one more for each background thread), so that locks, isolation and errors are the database's own.
//
//   RunStores (opened once) -> connect(place) -> StoreConnection::execute(statement) -> done | failed | waits
//
// Everything is single-threaded. A statement that waits for a lock has not happened; after every statement of anyone,
// ask the connections that wait (`resume`), by `turn`, then those that have waited longest first: whoever can go on
// goes on at once, as on a server. A client that dies with a statement in flight is `abandon`ed: the statement is held
// back until it lands or is dropped.
//
// Does not decide what happens next, and does not read what a statement means for its step (step_sql.h does).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/pipeline/pipeline.h"
#include "model/runtime/gaps.h"
#include "model/runtime/schema_of_run.h"

namespace oncecheck {

enum class StatementStatus { kDone, kFailed, kWaits };

// Why a statement or a step failed, whatever the database calls it. The last four are answers that a step does not
// accept, and no errors of a statement.
enum class FailureKind {
    kNone,
    kUniqueViolation,
    kDeadlock,
    kSerialization,
    kMissingObject,
    kDuplicateObject,
    kDoubleMatch,         // a merge meets a row twice
    kTransactionAborted,  // an earlier statement of the transaction failed; also a COMMIT that rolled back
    kConnectionLost,
    kOther,
    kClaimed,        // the claim is taken, and the step says that this is an error
    kWrongCount,     // the row count is not that of the batch
    kNoToken,        // the fencing token is another's
    kPositionMoved,  // the stored position is not where the batch starts
};
// In words: "unique key violated".
[[nodiscard]] const char* to_string(FailureKind kind);

// What came of a statement. Values are text as the database prints them.
struct StatementResult {
    StatementStatus status = StatementStatus::kDone;
    FailureKind failure = FailureKind::kNone;
    std::string code;     // SQLSTATE, or the name of the embedded database's result code; empty if done
    std::string message;  // of the database; empty if done
    std::int64_t affected = 0;
    std::vector<std::string> columns;
    std::vector<std::vector<SqlValue>> rows;

    bool operator==(const StatementResult&) const = default;
};

// A statement and where it goes. `existing` are the tables that it names and that exist from the start; names with
// placeholders come to light only now, so they are made before the statement runs, which nobody can tell.
struct SqlStatement {
    Place place;
    std::string sql;
    std::vector<TableDefinition> existing;
    SourcePosition where;  // of the step

    bool operator==(const SqlStatement&) const = default;
};

// The database cannot be reached or used; says what to do.
class StoreError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class StoreConnection {
  public:
    StoreConnection() = default;
    StoreConnection(const StoreConnection&) = delete;
    StoreConnection& operator=(const StoreConnection&) = delete;
    // The client is gone: an open transaction rolls back, its locks and a statement in flight go with it.
    virtual ~StoreConnection() = default;

    // Requires that no statement waits and that the client lives. After kConnectionLost every statement fails so.
    // A failed statement aborts its transaction: all but ROLLBACK and COMMIT fail then, and COMMIT rolls back and fails
    // (kTransactionAborted), as the usual drivers report it (JDBC driver of PostgreSQL,
    // raiseExceptionOnSilentRollback).
    [[nodiscard]] virtual StatementResult execute(const SqlStatement& statement) = 0;
    // The statement that waits: kWaits again, or what came of it. Requires waits().
    [[nodiscard]] virtual StatementResult resume() = 0;
    [[nodiscard]] virtual bool waits() const = 0;
    // A server runs a statement as soon as its lock is free: then a number that grows with the moment at which the
    // statement came to its end; 0 while it waits, and for a database that does nothing by itself. Resume those with a
    // turn first, the smallest first: what the one did, the next may have seen.
    [[nodiscard]] virtual std::int64_t turn() const = 0;
    [[nodiscard]] virtual bool in_transaction() const = 0;

    // The client dies with this statement in flight. The server does not know: an open transaction stays open, with its
    // locks, until the statement lands or is dropped. If a statement waits already, that one is meant and `statement`
    // is empty.
    virtual void abandon(std::optional<SqlStatement> statement) = 0;
    [[nodiscard]] virtual bool abandoned() const = 0;
    // The server runs the statement in flight, finds its client gone and closes the connection. kWaits: it waits for a
    // lock; land again later. Requires abandoned().
    [[nodiscard]] virtual StatementResult land() = 0;
    // The statement in flight never arrives, or is cancelled; the connection closes. Requires abandoned().
    virtual void drop() = 0;
};

// The committed rows of one object; a row has one value for each column of the run's schema.
struct ObjectContent {
    Place place;
    std::string name;  // as the store has it: folded and cut
    std::vector<std::vector<SqlValue>> rows;
    // False: somebody's lock keeps every reader out (a TRUNCATE that has not committed, say), and the rows are those
    // that were read last.
    bool current = true;

    bool operator==(const ObjectContent&) const = default;
};

struct StoreOptions {
    // Empty: the embedded database, in a scratch folder of its own (in memory where the system has such a folder).
    // A folder: the embedded database with files in there, which survive the run. "postgresql://...": that server.
    std::string url = "";
    // Go on with what an earlier run left in the folder, instead of refusing it.
    bool reopen = false;
    // Run although the database already has tables of the document's names (in other schemas; they are not touched).
    bool allow_same_names = false;
    // Refuse also what the store can only do one transaction at a time (Gap::Kind::kSerial).
    bool strict = false;
};

class RunStores {
  public:
    RunStores() = default;
    RunStores(const RunStores&) = delete;
    RunStores& operator=(const RunStores&) = delete;
    // Closes everything and removes what the run has made (files in a folder that the user named stay).
    // Connections must be gone before.
    virtual ~RunStores() = default;

    [[nodiscard]] virtual const SchemaOfRun& schema() const = 0;
    // A connection of its own. To a session or application of that name; it lives as long as the stores do, or until
    // `end_session`.
    [[nodiscard]] virtual std::unique_ptr<StoreConnection> connect(const Place& place) = 0;
    // The session's objects go. Its connections must be gone before.
    virtual void end_session(const std::string& session) = 0;
    // Committed rows of every object of every store and application, by place, then by name; the bookkeeping tables of
    // this runtime (fences, progress) are left out. Throws StoreError.
    [[nodiscard]] virtual const std::vector<ObjectContent>& content() = 0;
    // One query on a place, on a connection that belongs to nobody: how the sink is judged. Throws StoreError.
    [[nodiscard]] virtual StatementResult query(const Place& place, const std::string& sql) = 0;
    // Everything as at the start, for another run of the same pipeline. Connections must be gone before.
    virtual void reset() = 0;
    // How people call it: "SQLite 3.40.1", "PostgreSQL 15.6".
    [[nodiscard]] virtual std::string product() const = 0;
};

// Opens the stores of the pipeline and makes the tables that exist from the start. The pipeline has to outlive them.
// Throws NeedsAnotherStore if the store lacks what the document needs, StoreError if it cannot be used or already has
// tables of those names.
[[nodiscard]] std::unique_ptr<RunStores> open_stores(const Pipeline& pipeline, const StoreOptions& options);

}  // namespace oncecheck

#include "model/runtime/sqlite_connection.h"

#include <cassert>
#include <utility>

namespace oncecheck {

namespace {

bool starts_word(const std::string& sql, std::string_view word) {
    return lower_case(sql.substr(0, word.size())) == word;
}

StatementResult failure(FailureKind kind, std::string code, std::string message) {
    StatementResult result;
    result.status = StatementStatus::kFailed;
    result.failure = kind;
    result.code = std::move(code);
    result.message = std::move(message);
    return result;
}

}  // namespace

SqliteConnection::SqliteConnection(SqliteDatabase& database)
    : database_(database), handle_(database.take_handle(*this)) {}

SqliteConnection::~SqliteConnection() { close(); }

bool SqliteConnection::in_transaction() const { return aborted_ || (handle_ && handle_->in_transaction()); }

bool SqliteConnection::writes() const { return handle_ && handle_->writes(); }

bool SqliteConnection::lock(const std::string& name) const {
    const bool got = database_.try_lock(name, *this);
    wanted_lock_ = got ? "" : name;
    return got;
}

void SqliteConnection::unlock_all() const { database_.unlock_all(*this); }

StatementResult SqliteConnection::execute(const SqlStatement& statement) {
    assert(!waiting_ && !abandoned_);
    return run(statement);
}

StatementResult SqliteConnection::resume() {
    assert(waiting_);
    const SqlStatement statement = std::move(*waiting_);
    waiting_.reset();
    return run(statement);
}

StatementResult SqliteConnection::run(const SqlStatement& statement) {
    if (!handle_) {
        return failure(FailureKind::kConnectionLost, "closed", "the connection is closed");
    }
    if (aborted_) {
        return end_aborted(statement.sql);
    }
    wanted_lock_.clear();
    const bool was_open = in_transaction();
    StatementResult result;
    if (const std::optional<StatementResult> refused = make_existing(statement)) {
        result = *refused;
    } else {
        result = handle_->run(statement.sql);
    }
    if (result.status == StatementStatus::kWaits) {
        result = wait_or_deadlock(statement);
    }
    if (result.status == StatementStatus::kFailed && was_open) {
        aborted_ = true;
    } else if (was_open && !in_transaction()) {
        note_end_of_transaction(starts_word(statement.sql, "commit") || starts_word(statement.sql, "end"));
    }
    return result;
}

// What a transaction accepts after a statement of it has failed.
StatementResult SqliteConnection::end_aborted(const std::string& sql) {
    const bool commits = starts_word(sql, "commit") || starts_word(sql, "end");
    if (!commits && !starts_word(sql, "rollback")) {
        return failure(FailureKind::kTransactionAborted, "aborted",
                       "the transaction is aborted, statements are ignored until it ends");
    }
    aborted_ = false;
    if (in_transaction()) {  // some errors end it at once
        static_cast<void>(handle_->run("ROLLBACK"));
    }
    note_end_of_transaction(false);
    return commits ? failure(FailureKind::kTransactionAborted, "aborted",
                             "the transaction was aborted: COMMIT has rolled it back")
                   : StatementResult{};
}

// Makes the tables that the statement names and that exist from the start; empty, or why it cannot go on.
std::optional<StatementResult> SqliteConnection::make_existing(const SqlStatement& statement) {
    for (const TableDefinition& table : statement.existing) {
        if (database_.is_made(table.name) || made_.contains(table.name)) {
            continue;
        }
        const bool alone = !in_transaction();
        StatementResult result;
        for (const std::string& sql : {std::string(alone ? "BEGIN IMMEDIATE" : "SAVEPOINT oncecheck_made"),
                                       create_table(database_.schema(), table, true),
                                       "INSERT INTO oncecheck_made (name) VALUES (" + quote_text(table.name) + ')',
                                       std::string(alone ? "COMMIT" : "RELEASE oncecheck_made")}) {
            result = handle_->run(sql);
            if (result.status != StatementStatus::kDone) {
                if (alone && handle_->in_transaction()) {
                    static_cast<void>(handle_->run("ROLLBACK"));
                }
                return result;
            }
        }
        if (alone) {
            database_.mark_made(table.name);
        } else {
            made_.insert(table.name);
        }
    }
    return std::nullopt;
}

void SqliteConnection::note_end_of_transaction(bool committed) {
    for (const std::string& name : committed ? made_ : std::set<std::string>{}) {
        database_.mark_made(name);
    }
    made_.clear();
}

const SqliteConnection* SqliteConnection::blocker() const {
    return wanted_lock_.empty() ? database_.writer_besides(*this) : database_.lock_holder(wanted_lock_);
}

// The statement waits, unless those that it waits for wait for it.
StatementResult SqliteConnection::wait_or_deadlock(const SqlStatement& statement) {
    const SqliteConnection* other = blocker();
    if (other == nullptr) {
        return failure(FailureKind::kOther, std::to_string(SQLITE_BUSY), "another program uses the database file");
    }
    // Everyone waits for one other at most; following them ends at somebody who works, or here.
    while (other != nullptr && other != this && other->waiting_ && !other->abandoned_) {
        other = other->blocker();
    }
    if (other == this) {
        return failure(FailureKind::kDeadlock, std::to_string(SQLITE_BUSY), "deadlock detected");
    }
    StatementResult result;
    result.status = StatementStatus::kWaits;
    waiting_ = statement;
    return result;
}

void SqliteConnection::abandon(std::optional<SqlStatement> statement) {
    assert(!abandoned_ && statement.has_value() != waiting_.has_value());
    if (statement) {
        waiting_ = std::move(statement);
    }
    abandoned_ = true;
}

StatementResult SqliteConnection::land() {
    assert(abandoned_);
    if (!waiting_) {
        return failure(FailureKind::kConnectionLost, "closed", "the connection is closed");
    }
    const StatementResult result = resume();
    if (result.status != StatementStatus::kWaits) {
        close();
    }
    return result;
}

void SqliteConnection::drop() {
    assert(abandoned_);
    close();
}

void SqliteConnection::close() {
    if (!handle_) {
        return;
    }
    if (handle_->in_transaction()) {
        static_cast<void>(handle_->run("ROLLBACK"));
    }
    waiting_.reset();
    aborted_ = false;
    made_.clear();
    unlock_all();
    database_.give_back(std::move(handle_), *this);
}

}  // namespace oncecheck

#include "model/runtime/postgres_connection.h"

#include <cassert>
#include <utility>

#include "model/runtime/postgres_store.h"

namespace oncecheck {

namespace {

bool is_commit(const std::string& sql) {
    const std::string start = lower_case(sql.substr(0, 6));
    return start == "commit" || start.starts_with("end");
}

StatementResult lost(const std::string& message) {
    StatementResult result;
    result.status = StatementStatus::kFailed;
    result.failure = FailureKind::kConnectionLost;
    result.code = "08003";
    result.message = message;
    return result;
}

}  // namespace

PostgresConnection::PostgresConnection(PostgresStores& stores, const Place& place)
    : stores_(stores),
      server_(stores.server()),
      place_(place),
      settings_(stores.settings_of(place)),
      client_(server_.take_client(settings_)),
      process_id_(client_->process_id()) {
    server_.join(*this);
}

PostgresConnection::~PostgresConnection() {
    try {
        close();
    } catch (const StoreError&) {  // the server is gone, and with it what the connection held
        server_.leave(*this);
    }
}

StatementResult PostgresConnection::execute(const SqlStatement& statement) {
    assert(!waits() && !abandoned_);
    return run(statement);
}

StatementResult PostgresConnection::run(const SqlStatement& statement) {
    if (!client_ || !client_->is_alive()) {
        return lost("the connection is closed");
    }
    stores_.make_existing(place_, statement.existing);
    sql_ = statement.sql;
    has_locks_ = has_locks_ || sql_.find("pg_advisory_lock") != std::string::npos;
    client_->send(sql_);
    waits_ = true;
    if (!server_.await(*client_)) {
        StatementResult result;
        result.status = StatementStatus::kWaits;
        return result;
    }
    note_answer();
    return finish(std::move(*answer_));
}

bool PostgresConnection::note_answer() {
    StatementResult result = client_->answer();
    in_transaction_ = client_->in_transaction();
    if (result.status == StatementStatus::kDone && is_commit(sql_) && result.message == "ROLLBACK") {
        result.status = StatementStatus::kFailed;
        result.failure = FailureKind::kTransactionAborted;
        result.code = "25P02";
        result.message = "the transaction was aborted: COMMIT has rolled it back";
    } else if (result.status == StatementStatus::kDone) {
        result.message.clear();  // the name of the command
    }
    answer_ = std::move(result);
    return answer_->status == StatementStatus::kFailed || !in_transaction_ || has_locks_;
}

// Takes the answer out; others whom it has freed go on first.
StatementResult PostgresConnection::finish(StatementResult result) {
    answer_.reset();
    waits_ = false;
    turn_ = 0;
    server_.settle();
    return result;
}

StatementResult PostgresConnection::resume() {
    assert(waits() && !held_);
    if (!answer_) {
        server_.settle();
    }
    if (answer_) {
        return finish(std::move(*answer_));
    }
    StatementResult result;
    result.status = StatementStatus::kWaits;
    return result;
}

void PostgresConnection::abandon(std::optional<SqlStatement> statement) {
    assert(!abandoned_ && statement.has_value() != waits_);
    held_ = std::move(statement);
    abandoned_ = true;
}

StatementResult PostgresConnection::land() {
    assert(abandoned_);
    if (!held_ && !waits_) {
        return lost("the connection is closed");
    }
    StatementResult result;
    if (held_) {
        const SqlStatement statement = std::move(*held_);
        held_.reset();
        result = run(statement);
    } else {
        result = resume();
    }
    if (result.status != StatementStatus::kWaits) {
        close();
    }
    return result;
}

void PostgresConnection::drop() {
    assert(abandoned_);
    close();
}

void PostgresConnection::close() {
    if (!client_) {
        return;
    }
    if (is_blocked() && client_->is_alive()) {
        client_->cancel();
        static_cast<void>(client_->answer());
    }
    std::string leave = client_->in_transaction() ? "ROLLBACK" : "";
    if (has_locks_) {
        leave += std::string(leave.empty() ? "" : "; ") + "SELECT pg_advisory_unlock_all()";
    }
    if (!leave.empty() && client_->is_alive()) {
        static_cast<void>(client_->run(leave));
    }
    server_.leave(*this);
    server_.give_back(settings_, std::move(client_));
    held_.reset();
    answer_.reset();
    waits_ = false;
    in_transaction_ = false;
    has_locks_ = false;
    server_.note_change();
    server_.settle();
}

}  // namespace oncecheck

#include "model/runtime/postgres_client.h"

#include <poll.h>

#include <charconv>
#include <string_view>

namespace oncecheck {

namespace {

struct ClearResult {
    void operator()(PGresult* result) const { PQclear(result); }
};
using Result = std::unique_ptr<PGresult, ClearResult>;

struct FreeCancel {
    void operator()(PGcancel* cancel) const { PQfreeCancel(cancel); }
};

std::string text_of(const char* text) {
    std::string copy = text == nullptr ? "" : text;
    while (!copy.empty() && copy.back() == '\n') {
        copy.pop_back();
    }
    return copy;
}

// SQLSTATE -> what it is here. PostgreSQL 15 documentation, Appendix A.
constexpr struct {
    std::string_view code;
    FailureKind kind;
} kFailures[] = {
    {"23505", FailureKind::kUniqueViolation}, {"40P01", FailureKind::kDeadlock},
    {"40001", FailureKind::kSerialization},   {"42P01", FailureKind::kMissingObject},
    {"42P07", FailureKind::kDuplicateObject}, {"42710", FailureKind::kDuplicateObject},
    {"21000", FailureKind::kDoubleMatch},     {"25P02", FailureKind::kTransactionAborted},
    {"57P01", FailureKind::kConnectionLost},  {"57P02", FailureKind::kConnectionLost},
    {"57P03", FailureKind::kConnectionLost},
};

FailureKind failure_of(const PGresult* result, const std::string& code) {
    if (code.starts_with("08")) {
        return FailureKind::kConnectionLost;
    }
    for (const auto& failure : kFailures) {
        if (failure.code == code) {
            // Two that create one object at once meet in a unique index of the catalogs.
            const bool of_catalog = text_of(PQresultErrorField(result, PG_DIAG_SCHEMA_NAME)) == "pg_catalog";
            return failure.kind == FailureKind::kUniqueViolation && of_catalog ? FailureKind::kDuplicateObject
                                                                               : failure.kind;
        }
    }
    return FailureKind::kOther;
}

StatementResult refusal(const PGresult* result) {
    StatementResult refused;
    refused.status = StatementStatus::kFailed;
    refused.code = text_of(PQresultErrorField(result, PG_DIAG_SQLSTATE));
    refused.message = text_of(PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
    if (refused.message.empty()) {
        refused.message = text_of(PQresultErrorMessage(result));
    }
    refused.failure = failure_of(result, refused.code);
    return refused;
}

StatementResult rows_of(const PGresult* result) {
    StatementResult done;
    const int columns = PQnfields(result);
    for (int column = 0; column < columns; ++column) {
        done.columns.emplace_back(PQfname(result, column));
    }
    for (int row = 0; row < PQntuples(result); ++row) {
        std::vector<SqlValue> values;
        values.reserve(static_cast<std::size_t>(columns));
        for (int column = 0; column < columns; ++column) {
            if (PQgetisnull(result, row, column) != 0) {
                values.emplace_back(std::nullopt);
            } else {
                values.emplace_back(std::string(PQgetvalue(result, row, column),
                                                static_cast<std::size_t>(PQgetlength(result, row, column))));
            }
        }
        done.rows.push_back(std::move(values));
    }
    return done;
}

StatementResult result_of(PGresult* result) {
    const ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK && status != PGRES_EMPTY_QUERY) {
        return refusal(result);
    }
    StatementResult done = rows_of(result);
    if (status == PGRES_COMMAND_OK) {
        const std::string_view affected = PQcmdTuples(result);
        std::from_chars(affected.data(), affected.data() + affected.size(), done.affected);
    }
    done.message = text_of(PQcmdStatus(result));
    return done;
}

}  // namespace

PostgresClient::PostgresClient(const std::string& url) {
    const char* const keywords[] = {"dbname", "client_encoding", "application_name", nullptr};
    const char* const values[] = {url.c_str(), "UTF8", "oncecheck", nullptr};
    connection_.reset(PQconnectdbParams(keywords, values, 1));
    if (PQstatus(connection_.get()) != CONNECTION_OK) {
        throw StoreError("cannot connect to the database: " + text_of(PQerrorMessage(connection_.get())));
    }
    process_id_ = PQbackendPID(connection_.get());
    PQsetNoticeProcessor(
        connection_.get(), [](void*, const char*) {}, nullptr);
}

void PostgresClient::send(const std::string& sql) { PQsendQuery(connection_.get(), sql.c_str()); }

bool PostgresClient::has_answer(int milliseconds) {
    PGconn* const connection = connection_.get();
    for (;;) {
        if (PQstatus(connection) != CONNECTION_OK || PQisBusy(connection) == 0) {
            return true;
        }
        PQflush(connection);
        pollfd descriptor{PQsocket(connection), POLLIN, 0};
        if (::poll(&descriptor, 1, milliseconds) <= 0) {
            return false;
        }
        if (PQconsumeInput(connection) == 0) {
            return true;
        }
    }
}

StatementResult PostgresClient::answer() {
    StatementResult last;
    bool answered = false;
    while (Result result{PQgetResult(connection_.get())}) {
        if (!answered || last.status == StatementStatus::kDone) {
            last = result_of(result.get());
        }
        answered = true;
    }
    if (!answered || !is_alive()) {
        last.status = StatementStatus::kFailed;
        last.failure = FailureKind::kConnectionLost;
        last.code = last.code.empty() ? "08006" : last.code;
        if (last.message.empty()) {
            last.message = text_of(PQerrorMessage(connection_.get()));
        }
    }
    return last;
}

StatementResult PostgresClient::run(const std::string& sql) {
    send(sql);
    return answer();
}

void PostgresClient::cancel() {
    const std::unique_ptr<PGcancel, FreeCancel> cancel(PQgetCancel(connection_.get()));
    char reason[256] = {};
    PQcancel(cancel.get(), reason, sizeof reason);
}

bool PostgresClient::is_alive() const { return PQstatus(connection_.get()) == CONNECTION_OK; }

bool PostgresClient::in_transaction() const {
    const PGTransactionStatusType status = PQtransactionStatus(connection_.get());
    return status == PQTRANS_INTRANS || status == PQTRANS_INERROR;
}

int PostgresClient::version() const { return PQserverVersion(connection_.get()); }

std::string PostgresClient::database() const { return text_of(PQdb(connection_.get())); }

}  // namespace oncecheck

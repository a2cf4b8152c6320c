#include "model/runtime/sqlite_handle.h"

#include "model/runtime/sqlite_connection.h"

namespace oncecheck {

namespace {

// More than the texts of any pipeline; names with UUIDs in them never come again.
constexpr std::size_t kMostPrepared = 200;

// Null for a statement of the runtime's own, which holds no locks.
const SqliteConnection* user_of(sqlite3_context* context) {
    return static_cast<const SqliteHandle*>(sqlite3_user_data(context))->user;
}

// oncecheck_lock(name): 1, or "busy" while another connection has the lock.
void lock_function(sqlite3_context* context, int, sqlite3_value** arguments) {
    const SqliteConnection* const user = user_of(context);
    const unsigned char* const name = sqlite3_value_text(arguments[0]);
    if (user == nullptr || name == nullptr || user->lock(reinterpret_cast<const char*>(name))) {
        sqlite3_result_int(context, 1);
    } else {
        sqlite3_result_error_code(context, SQLITE_BUSY);
    }
}

void unlock_function(sqlite3_context* context, int, sqlite3_value**) {
    if (const SqliteConnection* const user = user_of(context)) {
        user->unlock_all();
    }
    sqlite3_result_int(context, 1);
}

FailureKind failure_of(int code, const std::string& message) {
    switch (code) {
        case SQLITE_CONSTRAINT_PRIMARYKEY:
        case SQLITE_CONSTRAINT_UNIQUE:
        case SQLITE_CONSTRAINT_ROWID:
            return FailureKind::kUniqueViolation;
        case SQLITE_BUSY_SNAPSHOT:
            return FailureKind::kSerialization;
        case SQLITE_ERROR:
            break;
        default:
            return FailureKind::kOther;
    }
    if (message.starts_with("no such table")) {
        return FailureKind::kMissingObject;
    }
    return message.ends_with("already exists") ? FailureKind::kDuplicateObject : FailureKind::kOther;
}

SqlValue value_at(sqlite3_stmt* statement, int column) {
    const unsigned char* const text = sqlite3_column_text(statement, column);
    if (text == nullptr) {
        return std::nullopt;
    }
    return std::string(reinterpret_cast<const char*>(text),
                       static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
}

std::vector<SqlValue> row_of(sqlite3_stmt* statement) {
    const int size = sqlite3_column_count(statement);
    std::vector<SqlValue> row;
    row.reserve(static_cast<std::size_t>(size));
    for (int column = 0; column < size; ++column) {
        row.push_back(value_at(statement, column));
    }
    return row;
}

struct Reset {
    void operator()(sqlite3_stmt* statement) const { sqlite3_reset(statement); }
};

}  // namespace

SqliteHandle::SqliteHandle(const std::string& file, SqliteChanges& changes) : committed_(changes) {
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(file.c_str(), &handle,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
    handle_.reset(handle);
    sqlite3_extended_result_codes(handle, 1);
    // Commits survive the end of the process, if not of the machine.
    StatementResult result = code == SQLITE_OK ? run("PRAGMA journal_mode = WAL") : refusal();
    if (result.status == StatementStatus::kDone) {
        result = run("PRAGMA synchronous = OFF");
    }
    if (result.status != StatementStatus::kDone) {
        throw StoreError("cannot open the database file " + file + ": " +
                         (result.message.empty() ? "another program uses it" : result.message));
    }
    sqlite3_create_function(handle, "oncecheck_lock", 1, SQLITE_UTF8, this, lock_function, nullptr, nullptr);
    sqlite3_create_function(handle, "oncecheck_unlock_all", 0, SQLITE_UTF8, this, unlock_function, nullptr, nullptr);
    sqlite3_set_authorizer(handle, note_write, this);
    sqlite3_commit_hook(handle, note_commit, this);
}

// Called for everything that a statement does, when it is prepared, and when SQLite prepares it again.
int SqliteHandle::note_write(void* self, int action, const char* object, const char*, const char*, const char*) {
    SqliteChanges* const writes = static_cast<SqliteHandle*>(self)->running_;
    switch (action) {
        case SQLITE_INSERT:
        case SQLITE_UPDATE:
        case SQLITE_DELETE:
        case SQLITE_CREATE_TABLE:
        case SQLITE_DROP_TABLE:
            writes->tables.emplace(object);
            break;
        case SQLITE_ALTER_TABLE:
            writes->anything = true;
            break;
        default:
            break;
    }
    return SQLITE_OK;
}

int SqliteHandle::note_commit(void* self) {
    auto* const handle = static_cast<SqliteHandle*>(self);
    handle->committed_.add(handle->pending_);
    handle->committed_.add(*handle->running_);
    handle->committed_.last = handle;
    return 0;  // it may go on
}

StatementResult SqliteHandle::run(const std::string& sql) {
    if (prepared_.size() >= kMostPrepared) {
        prepared_.clear();
    }
    Prepared& known = prepared_[sql];
    running_ = &known.writes;
    if (!known.statement && !prepare(sql, known)) {
        return refusal();
    }
    StatementResult result = step_to_end(known.statement.get());
    if (in_transaction()) {
        pending_.add(known.writes);
    } else {
        pending_ = {};
    }
    return result;
}

bool SqliteHandle::prepare(const std::string& sql, Prepared& made) {
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &statement,
                       nullptr);
    made.statement.reset(statement);
    return statement != nullptr;
}

StatementResult SqliteHandle::step_to_end(sqlite3_stmt* statement) {
    const std::unique_ptr<sqlite3_stmt, Reset> reset(statement);
    StatementResult result;
    const sqlite3_int64 before = sqlite3_total_changes64(handle_.get());
    int code = sqlite3_step(statement);
    // After the first step: that may have prepared the statement again, for tables that are others now.
    for (int column = 0; column < sqlite3_column_count(statement); ++column) {
        result.columns.emplace_back(sqlite3_column_name(statement, column));
    }
    for (; code == SQLITE_ROW; code = sqlite3_step(statement)) {
        result.rows.push_back(row_of(statement));
    }
    if (code != SQLITE_DONE) {
        return refusal();
    }
    result.affected = sqlite3_total_changes64(handle_.get()) - before;
    return result;
}

StatementResult SqliteHandle::refusal() const {
    const int code = sqlite3_extended_errcode(handle_.get());
    StatementResult result;
    if ((code & 0xFF) == SQLITE_BUSY && code != SQLITE_BUSY_SNAPSHOT) {
        result.status = StatementStatus::kWaits;
        return result;
    }
    result.status = StatementStatus::kFailed;
    result.message = sqlite3_errmsg(handle_.get());
    result.failure = failure_of(code, result.message);
    result.code = std::to_string(code);
    return result;
}

}  // namespace oncecheck

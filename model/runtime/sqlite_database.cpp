#include "model/runtime/sqlite_database.h"

#include <algorithm>

#include "model/runtime/bookkeeping.h"
#include "model/runtime/sqlite_connection.h"

namespace oncecheck {

namespace {

// Names of tables that were made because they exist from the start: when the file is opened again, one that is gone
// by then has been dropped.
constexpr const char* kCreateMadeTable = "CREATE TABLE oncecheck_made (name text PRIMARY KEY)";

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

StatementResult refusal(sqlite3* handle) {
    const int code = sqlite3_extended_errcode(handle);
    StatementResult result;
    if ((code & 0xFF) == SQLITE_BUSY && code != SQLITE_BUSY_SNAPSHOT) {
        result.status = StatementStatus::kWaits;
        return result;
    }
    result.status = StatementStatus::kFailed;
    result.message = sqlite3_errmsg(handle);
    result.failure = failure_of(code, result.message);
    result.code = std::to_string(code);
    return result;
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

SqliteStatement prepare(sqlite3* handle, const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(handle, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
    return SqliteStatement(statement);
}

}  // namespace

StatementResult run_sqlite(sqlite3* handle, const std::string& sql) {
    const SqliteStatement statement = prepare(handle, sql);
    if (!statement) {
        return refusal(handle);
    }
    StatementResult result;
    for (int column = 0; column < sqlite3_column_count(statement.get()); ++column) {
        result.columns.emplace_back(sqlite3_column_name(statement.get(), column));
    }
    const sqlite3_int64 before = sqlite3_total_changes64(handle);
    int code = sqlite3_step(statement.get());
    for (; code == SQLITE_ROW; code = sqlite3_step(statement.get())) {
        result.rows.push_back(row_of(statement.get()));
    }
    if (code != SQLITE_DONE) {
        return refusal(handle);
    }
    result.affected = sqlite3_total_changes64(handle) - before;
    return result;
}

SqliteDatabase::SqliteDatabase(const SchemaOfRun& schema, Place place, std::string file,
                               std::vector<TableDefinition> tables)
    : schema_(schema), place_(std::move(place)), file_(std::move(file)), tables_(std::move(tables)), own_(open()) {
    if (rows("SELECT name FROM sqlite_schema WHERE name = " + quote_text(kFenceTable)).empty()) {
        make();
    }
    for (const std::vector<SqlValue>& row : rows("SELECT name FROM oncecheck_made")) {
        made_.insert(row.front().value_or(""));
    }
}

std::unique_ptr<SqliteHandle> SqliteDatabase::open() const {
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(file_.c_str(), &handle,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
    auto opened = std::make_unique<SqliteHandle>();
    opened->handle.reset(handle);
    sqlite3_extended_result_codes(handle, 1);
    // Commits survive the end of the process, if not of the machine.
    StatementResult result = code == SQLITE_OK ? run_sqlite(handle, "PRAGMA journal_mode = WAL") : refusal(handle);
    if (result.status == StatementStatus::kDone) {
        result = run_sqlite(handle, "PRAGMA synchronous = OFF");
    }
    if (result.status != StatementStatus::kDone) {
        throw StoreError("cannot open the database file " + file_ + ": " +
                         (result.message.empty() ? "another program uses it" : result.message));
    }
    sqlite3_create_function(handle, "oncecheck_lock", 1, SQLITE_UTF8, opened.get(), lock_function, nullptr, nullptr);
    sqlite3_create_function(handle, "oncecheck_unlock_all", 0, SQLITE_UTF8, opened.get(), unlock_function, nullptr,
                            nullptr);
    return opened;
}

void SqliteDatabase::make() {
    run("BEGIN IMMEDIATE");
    run(std::string(kCreateFenceTable));
    run(std::string(kCreateProgressTable));
    run(kCreateMadeTable);
    for (const TableDefinition& table : tables_) {
        run(create_table(schema_, table, false));
    }
    run("COMMIT");
}

void SqliteDatabase::run(const std::string& sql) {
    const StatementResult result = query(sql);
    if (result.status != StatementStatus::kDone) {
        throw StoreError("the database file " + file_ + " refuses '" + sql +
                         "': " + (result.message.empty() ? "another program uses it" : result.message));
    }
}

std::vector<std::vector<SqlValue>> SqliteDatabase::rows(const std::string& sql) {
    StatementResult result = query(sql);
    if (result.status != StatementStatus::kDone) {
        throw StoreError("cannot read the database file " + file_ + ": " + result.message);
    }
    return std::move(result.rows);
}

StatementResult SqliteDatabase::query(const std::string& sql) { return run_sqlite(own_->handle.get(), sql); }

std::unique_ptr<SqliteHandle> SqliteDatabase::take_handle(SqliteConnection& user) {
    std::unique_ptr<SqliteHandle> handle;
    if (idle_.empty()) {
        handle = open();
    } else {
        handle = std::move(idle_.back());
        idle_.pop_back();
    }
    handle->user = &user;
    users_.push_back(&user);
    return handle;
}

void SqliteDatabase::give_back(std::unique_ptr<SqliteHandle> handle, const SqliteConnection& user) {
    handle->user = nullptr;
    idle_.push_back(std::move(handle));
    std::erase(users_, &user);
}

const SqliteConnection* SqliteDatabase::writer_besides(const SqliteConnection& other) const {
    const auto found = std::find_if(users_.begin(), users_.end(),
                                    [&](const SqliteConnection* user) { return user != &other && user->writes(); });
    return found == users_.end() ? nullptr : *found;
}

bool SqliteDatabase::try_lock(const std::string& name, const SqliteConnection& owner) {
    return locks_.emplace(name, &owner).first->second == &owner;
}

const SqliteConnection* SqliteDatabase::lock_holder(const std::string& name) const {
    const auto found = locks_.find(name);
    return found == locks_.end() ? nullptr : found->second;
}

void SqliteDatabase::unlock_all(const SqliteConnection& owner) {
    std::erase_if(locks_, [&](const auto& lock) { return lock.second == &owner; });
}

sqlite3_stmt* SqliteDatabase::reader_of(const std::string& table) {
    SqliteStatement& reader = readers_[table];
    if (!reader) {
        std::vector<std::string> names;
        for (const RunColumn& column : schema_.columns()) {
            names.push_back(quote_name(column.name));
        }
        reader = prepare(own_->handle.get(), "SELECT " + join(names, ", ") + " FROM " + quote_name(table));
    }
    return reader.get();
}

bool SqliteDatabase::read_content() {
    const std::string now = rows("PRAGMA data_version").front().front().value_or("");
    if (now == version_) {
        return false;
    }
    version_ = now;
    content_.clear();
    run("BEGIN");  // all tables as of one moment
    for (const std::vector<SqlValue>& row :
         rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'oncecheck\\_%' ESCAPE '\\' "
              "ORDER BY name")) {
        ObjectContent object{place_, row.front().value_or(""), {}};
        sqlite3_stmt* const reader = reader_of(object.name);
        while (reader != nullptr && sqlite3_step(reader) == SQLITE_ROW) {
            object.rows.push_back(row_of(reader));
        }
        sqlite3_reset(reader);
        content_.push_back(std::move(object));
    }
    run("COMMIT");
    return true;
}

void SqliteDatabase::reset() {
    std::map<std::string, std::string> wanted;  // name -> statement
    for (const TableDefinition& table : tables_) {
        wanted.emplace(table.name, create_table(schema_, table, false));
    }
    readers_.clear();
    run("BEGIN IMMEDIATE");
    for (const std::vector<SqlValue>& row :
         rows("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")) {
        const std::string name = row.front().value_or("");
        const auto found = wanted.find(name);
        const bool stays = found != wanted.end() && found->second == row.back();
        run((stays || name.starts_with(kOwnPrefix) ? "DELETE FROM " : "DROP TABLE ") + quote_name(name));
        if (stays) {
            wanted.erase(found);
        }
    }
    for (const auto& [unused, sql] : wanted) {
        run(sql);
    }
    run("COMMIT");
    made_.clear();
    locks_.clear();
    version_.clear();
}

}  // namespace oncecheck

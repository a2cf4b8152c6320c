#include "model/runtime/sqlite_database.h"

#include <algorithm>
#include <utility>

#include "model/runtime/bookkeeping.h"
#include "model/runtime/sqlite_connection.h"

namespace oncecheck {

namespace {

// Names of tables that were made because they exist from the start: when the file is opened again, one that is gone
// by then has been dropped.
constexpr const char* kCreateMadeTable = "CREATE TABLE oncecheck_made (name text PRIMARY KEY)";

}  // namespace

SqliteDatabase::SqliteDatabase(const SchemaOfRun& schema, Place place, std::string file,
                               std::vector<TableDefinition> tables)
    : schema_(schema),
      place_(std::move(place)),
      file_(std::move(file)),
      tables_(std::move(tables)),
      own_(file_, changes_) {
    std::vector<std::string> names;
    for (const RunColumn& column : schema_.columns()) {
        names.push_back(quote_name(column.name));
    }
    columns_ = join(names, ", ");
    changes_.anything = true;
    if (rows("SELECT name FROM sqlite_schema WHERE name = " + quote_text(kFenceTable)).empty()) {
        make();
    }
    for (const std::vector<SqlValue>& row : rows("SELECT name FROM oncecheck_made")) {
        made_.insert(row.front().value_or(""));
    }
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

StatementResult SqliteDatabase::query(const std::string& sql) { return own_.run(sql); }

std::unique_ptr<SqliteHandle> SqliteDatabase::take_handle(SqliteConnection& user) {
    std::unique_ptr<SqliteHandle> handle;
    if (idle_.empty()) {
        handle = std::make_unique<SqliteHandle>(file_, changes_);
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

// Nobody else is at work meanwhile: all tables are as of one moment. Where the last commit was, SQLite knows the tables
// as they are now, and has not to read all their definitions again.
bool SqliteDatabase::read_content() {
    const SqliteChanges changes = std::exchange(changes_, {});
    if (changes.anything) {
        read_all();
        return true;
    }
    SqliteHandle& reader = changes.last == nullptr || changes.last->in_transaction() ? own_ : *changes.last;
    for (const std::string& table : changes.tables) {
        if (!table.starts_with(kOwnPrefix) && !table.starts_with("sqlite_")) {
            read_table(reader, table);
        }
    }
    return !changes.tables.empty();
}

void SqliteDatabase::read_all() {
    content_.clear();
    for (const std::vector<SqlValue>& row : rows("SELECT name FROM sqlite_schema WHERE type = 'table'")) {
        const std::string name = row.front().value_or("");
        if (!name.starts_with(kOwnPrefix) && !name.starts_with("sqlite_")) {
            read_table(own_, name);
        }
    }
}

void SqliteDatabase::read_table(SqliteHandle& reader, const std::string& name) {
    StatementResult read = reader.run("SELECT " + columns_ + " FROM " + quote_name(name));
    const auto place =
        std::lower_bound(content_.begin(), content_.end(), name,
                         [](const ObjectContent& one, const std::string& other) { return one.name < other; });
    const bool known = place != content_.end() && place->name == name;
    if (read.failure == FailureKind::kMissingObject) {
        if (known) {
            content_.erase(place);
        }
        return;
    }
    if (read.status != StatementStatus::kDone) {
        throw StoreError("cannot read the database file " + file_ + ": " + read.message);
    }
    if (known) {
        place->rows = std::move(read.rows);
    } else {
        content_.insert(place, {place_, name, std::move(read.rows)});
    }
}

void SqliteDatabase::reset() {
    std::map<std::string, std::string> wanted;  // name -> statement
    for (const TableDefinition& table : tables_) {
        wanted.emplace(table.name, create_table(schema_, table, false));
    }
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
}

}  // namespace oncecheck

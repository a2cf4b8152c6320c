// One open database file, and the statements that have run on it: a campaign runs the same few texts thousands of
// times, and SQLite spends longer on preparing one than on running it.
//
// SQLite prepares a statement again when tables have changed meanwhile, so that it means what its text means now.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/runtime/store.h"

namespace oncecheck {

class SqliteConnection;
class SqliteHandle;

// Tables that committed transactions may have changed, made or dropped.
struct SqliteChanges {
    bool anything = false;  // any table
    std::set<std::string> tables;
    SqliteHandle* last = nullptr;  // the commit was there

    void add(const SqliteChanges& others) {
        anything = anything || others.anything;
        tables.insert(others.tables.begin(), others.tables.end());
    }
};

class SqliteHandle {
  public:
    // Every commit here adds to `changes`, which has to outlive the handle. SQLite waits for nobody (no busy time-out):
    // whoever cannot go on is told so at once. Throws StoreError.
    SqliteHandle(const std::string& file, SqliteChanges& changes);
    SqliteHandle(const SqliteHandle&) = delete;
    SqliteHandle& operator=(const SqliteHandle&) = delete;

    // Runs one statement to its end. The result code of SQLite tells kWaits (SQLITE_BUSY) and why it failed.
    [[nodiscard]] StatementResult run(const std::string& sql);
    [[nodiscard]] bool in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }
    // Its transaction holds the right to write.
    [[nodiscard]] bool writes() const { return sqlite3_txn_state(handle_.get(), "main") == SQLITE_TXN_WRITE; }

    // Whose connection it is at the moment; functions of the runtime ask for it. Null: nobody's.
    SqliteConnection* user = nullptr;

  private:
    struct Close {
        void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
    };
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };
    struct Prepared {
        std::unique_ptr<sqlite3_stmt, Finalize> statement;  // null if SQLite refuses it
        SqliteChanges writes;                               // of every time it was prepared
    };

    [[nodiscard]] bool prepare(const std::string& sql, Prepared& made);
    [[nodiscard]] StatementResult step_to_end(sqlite3_stmt* statement);
    [[nodiscard]] StatementResult refusal() const;
    static int note_write(void* self, int action, const char* object, const char*, const char*, const char*);
    static int note_commit(void* self);

    std::unique_ptr<sqlite3, Close> handle_;
    std::unordered_map<std::string, Prepared> prepared_;  // by text
    SqliteChanges pending_;                               // of the open transaction
    SqliteChanges* running_ = nullptr;                    // of the statement that is prepared, or runs
    SqliteChanges& committed_;
};

}  // namespace oncecheck

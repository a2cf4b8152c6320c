// One client of an embedded database. A statement that meets the writer of another connection waits, and is tried again
// when somebody asks; it has left no trace until then.
//
// A failed statement aborts its transaction, as in PostgreSQL: SQLite itself would let the rest go on.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "model/runtime/sqlite_database.h"
#include "model/runtime/store.h"

namespace oncecheck {

class SqliteConnection final : public StoreConnection {
  public:
    explicit SqliteConnection(SqliteDatabase& database);
    ~SqliteConnection() override;

    [[nodiscard]] StatementResult execute(const SqlStatement& statement) override;
    [[nodiscard]] StatementResult resume() override;
    [[nodiscard]] bool waits() const override { return waiting_.has_value(); }
    [[nodiscard]] std::int64_t turn() const override { return 0; }
    [[nodiscard]] bool in_transaction() const override;
    void abandon(std::optional<SqlStatement> statement) override;
    [[nodiscard]] bool abandoned() const override { return abandoned_; }
    [[nodiscard]] StatementResult land() override;
    void drop() override;

    // For the database: this connection's transaction writes, or is about to.
    [[nodiscard]] bool writes() const;
    // For oncecheck_lock and oncecheck_unlock_all.
    [[nodiscard]] bool lock(const std::string& name) const;
    void unlock_all() const;

  private:
    StatementResult run(const SqlStatement& statement);
    std::optional<StatementResult> make_existing(const SqlStatement& statement);
    StatementResult end_aborted(const std::string& sql);
    void note_end_of_transaction(bool committed);
    StatementResult wait_or_deadlock(const SqlStatement& statement);
    [[nodiscard]] const SqliteConnection* blocker() const;
    void close();

    SqliteDatabase& database_;
    std::unique_ptr<SqliteHandle> handle_;  // null: closed
    std::optional<SqlStatement> waiting_;   // it waits for somebody, or is held back with its client gone
    std::set<std::string> made_;            // tables that exist from the start, made in the open transaction
    mutable std::string wanted_lock_;       // that the statement has met and not got
    bool aborted_ = false;
    bool abandoned_ = false;
};

}  // namespace oncecheck

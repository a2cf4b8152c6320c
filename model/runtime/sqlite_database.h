// One embedded database: a file in WAL mode, so that readers see the last commit while one writer is at work. Keeps
// handles that can be used again, knows who writes and who holds which lock, and reads committed content.
//
// SQLite waits for nobody here (no busy time-out): whoever cannot go on is told so at once.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "model/runtime/schema_of_run.h"
#include "model/runtime/sqlite_handle.h"
#include "model/runtime/store.h"

namespace oncecheck {

class SqliteConnection;

class SqliteDatabase {
  public:
    // Opens the file, or makes it with `tables`. Throws StoreError.
    SqliteDatabase(const SchemaOfRun& schema, Place place, std::string file, std::vector<TableDefinition> tables);
    SqliteDatabase(const SqliteDatabase&) = delete;
    SqliteDatabase& operator=(const SqliteDatabase&) = delete;

    [[nodiscard]] const Place& place() const { return place_; }
    [[nodiscard]] const SchemaOfRun& schema() const { return schema_; }

    [[nodiscard]] std::unique_ptr<SqliteHandle> take_handle(SqliteConnection& user);
    // Requires that no transaction is open on it.
    void give_back(std::unique_ptr<SqliteHandle> handle, const SqliteConnection& user);
    // Whose transaction writes at the moment, `other` apart; null: nobody's.
    [[nodiscard]] const SqliteConnection* writer_besides(const SqliteConnection& other) const;

    // Locks of the document (`lock`). True if `owner` has it now.
    [[nodiscard]] bool try_lock(const std::string& name, const SqliteConnection& owner);
    [[nodiscard]] const SqliteConnection* lock_holder(const std::string& name) const;
    void unlock_all(const SqliteConnection& owner);

    // Tables with placeholders in their names that exist from the start and have been made.
    [[nodiscard]] bool is_made(const std::string& name) const { return made_.contains(name); }
    void mark_made(const std::string& name) { made_.insert(name); }

    // Committed rows of every object, by name. True if they may differ from those of the last call.
    bool read_content();
    [[nodiscard]] const std::vector<ObjectContent>& content() const { return content_; }
    [[nodiscard]] StatementResult query(const std::string& sql);
    // As it was when it was made. Requires that no connection is in use.
    void reset();

  private:
    void make();
    void run(const std::string& sql);
    [[nodiscard]] std::vector<std::vector<SqlValue>> rows(const std::string& sql);
    void read_all();
    void read_table(SqliteHandle& reader, const std::string& name);

    const SchemaOfRun& schema_;
    Place place_;
    std::string file_;
    std::vector<TableDefinition> tables_;  // that exist from the start
    SqliteChanges changes_;                // since content_ was read
    SqliteHandle own_;                     // reads content; writes only while nobody else is connected
    std::vector<std::unique_ptr<SqliteHandle>> idle_;
    std::vector<const SqliteConnection*> users_;
    std::map<std::string, const SqliteConnection*> locks_;
    std::set<std::string> made_;
    std::string columns_;                 // of a row, for SELECT
    std::vector<ObjectContent> content_;  // by name
};

}  // namespace oncecheck

// Places on SQLite: a database file for each. SqliteStores puts every store of the pipeline there; sessions and
// applications live there whatever the stores are.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/runtime/scratch.h"
#include "model/runtime/sqlite_database.h"
#include "model/runtime/store.h"

namespace oncecheck {

// The files are in `folder`, and stay there; those of sessions, or all if it is empty, in a folder of their own.
class SqlitePlaces {
  public:
    SqlitePlaces(const SchemaOfRun& schema, std::string folder) : schema_(schema), folder_(std::move(folder)) {}

    // Makes the database when it is asked for first.
    [[nodiscard]] SqliteDatabase& database(const Place& place);
    [[nodiscard]] std::unique_ptr<StoreConnection> connect(const Place& place);
    void end_session(const std::string& session);
    // Reads what has changed since the last call; true if anything may have.
    bool read_content();
    // Adds the content as of the last read, by place.
    void append_content(std::vector<ObjectContent>& content) const;
    // Stores and applications as they were made; sessions go.
    void reset();
    // Whether the folder that stays holds files of an earlier run.
    [[nodiscard]] bool has_files() const;
    // Removes them. Requires that no place is in use.
    void remove_files() const;

  private:
    std::string file_of(const Place& place);

    const SchemaOfRun& schema_;
    std::string folder_;
    std::optional<ScratchFolder> scratch_;
    std::map<Place, std::unique_ptr<SqliteDatabase>> databases_;
    bool changed_ = true;  // databases have come or gone since the last read
};

class SqliteStores final : public RunStores {
  public:
    // Throws as open_stores does.
    SqliteStores(const Pipeline& pipeline, const StoreOptions& options);

    [[nodiscard]] const SchemaOfRun& schema() const override { return schema_; }
    [[nodiscard]] std::unique_ptr<StoreConnection> connect(const Place& place) override;
    void end_session(const std::string& session) override { places_.end_session(session); }
    [[nodiscard]] const std::vector<ObjectContent>& content() override;
    [[nodiscard]] StatementResult query(const Place& place, const std::string& sql) override;
    void reset() override { places_.reset(); }
    [[nodiscard]] std::string product() const override;

  private:
    SchemaOfRun schema_;
    SqlitePlaces places_;
    std::vector<ObjectContent> content_;
};

}  // namespace oncecheck

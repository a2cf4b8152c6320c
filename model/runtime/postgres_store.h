// Stores on a PostgreSQL server: a schema for each, which the run makes and removes. It looks at nothing else in the
// database but the names of tables, and refuses one that has tables of the document's names.
//
// A schema that a killed run has left is removed by the next run that opens the database: it bears a comment, and an
// advisory lock says whether its run lives.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/runtime/postgres_server.h"
#include "model/runtime/sqlite_store.h"
#include "model/runtime/store.h"

namespace oncecheck {

class PostgresStores final : public RunStores {
  public:
    // Throws as open_stores does.
    PostgresStores(const Pipeline& pipeline, const StoreOptions& options);
    ~PostgresStores() override;

    [[nodiscard]] const SchemaOfRun& schema() const override { return schema_; }
    [[nodiscard]] std::unique_ptr<StoreConnection> connect(const Place& place) override;
    void end_session(const std::string& session) override { embedded_.end_session(session); }
    [[nodiscard]] const std::vector<ObjectContent>& content() override;
    [[nodiscard]] StatementResult query(const Place& place, const std::string& sql) override;
    void reset() override;
    [[nodiscard]] std::string product() const override;

    // For connections.
    [[nodiscard]] PostgresServer& server() { return server_; }
    // Statements by which a client of this store begins: its schema, and what the declared store does by default.
    [[nodiscard]] std::string settings_of(const Place& place) const;
    // Makes tables that exist from the start and whose names have come to light now.
    void make_existing(const Place& place, const std::vector<TableDefinition>& tables);

  private:
    void refuse_old_server();
    void refuse_same_names();
    void remove_abandoned();
    void make_schemas();
    void note_tables_at_start();
    void read_tables();
    [[nodiscard]] std::string schema_name(ComponentId store) const;
    [[nodiscard]] std::string create(ComponentId store, const TableDefinition& table) const;

    SchemaOfRun schema_;
    SqlitePlaces embedded_;
    PostgresServer server_;
    std::string name_;                                                    // of the run: what its schemas begin with
    std::map<ComponentId, std::map<std::string, std::string>> at_start_;  // store -> table -> its identity (OID)
    int resets_ = 0;
    std::set<std::pair<ComponentId, std::string>> made_;
    std::vector<ObjectContent> tables_;  // of the stores, as read last
    std::vector<ObjectContent> content_;
};

}  // namespace oncecheck

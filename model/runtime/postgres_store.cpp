#include "model/runtime/postgres_store.h"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <random>

#include "model/runtime/bookkeeping.h"
#include "model/runtime/postgres_connection.h"

namespace oncecheck {

namespace {

constexpr std::string_view kSchemaPrefix = "oncecheck_run_";
constexpr std::string_view kComment = "oncecheck: tables of a run";
constexpr int kResetsBeforeTruncate = 64;
constexpr int kFirstVersionWithMerge = 150000;

// Tables of the runtime apart, and what the catalogs call them.
constexpr const char* kTables =
    "SELECT n.nspname, c.relname, c.oid, EXISTS (SELECT 1 FROM pg_locks AS l WHERE l.relation = c.oid AND "
    "l.mode = 'AccessExclusiveLock') FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace "
    "WHERE c.relkind = 'r' AND c.relname NOT LIKE 'oncecheck\\_%' AND n.nspname = ";

std::string like_prefix(std::string_view prefix) {
    std::string pattern;
    for (const char c : prefix) {
        pattern += c == '_' ? std::string("\\_") : std::string(1, c);
    }
    return quote_text(pattern + '%');
}

std::string fresh_name() {
    std::random_device device;
    return std::string(kSchemaPrefix) + std::to_string(::getpid()) + '_' + std::to_string(device());
}

// The key of the advisory lock that a run holds as long as it lives.
std::string lock_key(const std::string& name) { return "hashtextextended(" + quote_text(name) + ", 0)"; }

// The name of the run that a schema belongs to: without the number of the store.
std::string run_of(const std::string& schema) { return schema.substr(0, schema.rfind('_')); }

std::string isolation_words(const std::string& meaning) {
    if (meaning == "serializable") {
        return "serializable";
    }
    return meaning == "repeatable-read" || meaning == "snapshot" ? "repeatable read" : "read committed";
}

std::vector<std::vector<SqlValue>> take_rows(std::vector<ObjectContent>& objects, const Place& place,
                                             const std::string& name) {
    for (ObjectContent& object : objects) {
        if (object.place == place && object.name == name) {
            return std::move(object.rows);
        }
    }
    return {};
}

}  // namespace

PostgresStores::PostgresStores(const Pipeline& pipeline, const StoreOptions& options)
    : schema_(pipeline, Dialect::kPostgresql), embedded_(schema_, ""), server_(options.url), name_(fresh_name()) {
    refuse_gaps(schema_, Dialect::kPostgresql, options.strict);
    refuse_old_server();
    remove_abandoned();
    if (!options.allow_same_names) {
        refuse_same_names();
    }
    make_schemas();
}

PostgresStores::~PostgresStores() {
    try {
        if (!server_.control().is_alive()) {
            return;  // the next run removes what is left
        }
        for (const ComponentId store : schema_.stores()) {
            server_.run("DROP SCHEMA IF EXISTS " + schema_name(store) + " CASCADE");
        }
    } catch (const StoreError&) {  // likewise
        return;
    }
}

void PostgresStores::refuse_old_server() {
    bool merges = false;
    for_each_step_of(schema_.pipeline(),
                     [&](ComponentId, const Step& step) { merges = merges || step.verb == Verb::kMerge; });
    if (merges && server_.control().version() < kFirstVersionWithMerge) {
        throw StoreError(product() + " has no MERGE; use version 15 or newer");
    }
}

void PostgresStores::refuse_same_names() {
    const StatementResult tables = server_.run(
        "SELECT n.nspname, c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE "
        "c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' "
        "AND n.nspname NOT LIKE " +
        like_prefix(kSchemaPrefix) + " ORDER BY 1, 2");
    for (const std::vector<SqlValue>& row : tables.rows) {
        const std::string& name = *row[1];
        for (const ComponentId store : schema_.stores()) {
            for (const Template& used : schema_.names_in(store)) {
                if (can_render(used, name, true, name.size() >= 60)) {
                    throw StoreError(
                        "the database '" + server_.control().database() + "' has a table " + *row[0] + '.' + name +
                        " already, which the document calls '" + used.text +
                        "': use a database without it, or allow the same names (the run does not touch it)");
                }
            }
        }
    }
}

void PostgresStores::remove_abandoned() {
    const StatementResult schemas =
        server_.run("SELECT nspname FROM pg_namespace WHERE nspname LIKE " + like_prefix(kSchemaPrefix) +
                    " AND obj_description(oid, 'pg_namespace') = " + quote_text(kComment) + " ORDER BY 1");
    for (const std::vector<SqlValue>& row : schemas.rows) {
        const std::string key = lock_key(run_of(*row[0]));
        if (server_.run("SELECT pg_try_advisory_lock(" + key + ')').rows.front().front() == "t") {
            server_.run("DROP SCHEMA IF EXISTS " + quote_name(*row[0]) + " CASCADE; SELECT pg_advisory_unlock(" + key +
                        ')');
        }
    }
}

std::string PostgresStores::schema_name(ComponentId store) const { return name_ + '_' + std::to_string(store); }

std::string PostgresStores::create(ComponentId store, const TableDefinition& table) const {
    TableDefinition qualified = table;
    qualified.written = schema_name(store) + '.' + table.written;
    return create_table(schema_, qualified, true);
}

void PostgresStores::make_schemas() {
    server_.run("SELECT pg_advisory_lock(" + lock_key(name_) + ')');
    std::string sql = "BEGIN";
    for (const ComponentId store : schema_.stores()) {
        const std::string name = schema_name(store);
        sql += "; CREATE SCHEMA " + name + "; COMMENT ON SCHEMA " + name + " IS " + quote_text(kComment) +
               "; SET LOCAL search_path TO " + name + "; " + std::string(kCreateFenceTable) + "; " +
               std::string(kCreateProgressTable);
        for (const TableDefinition& table : schema_.tables_at_start(store)) {
            sql += "; " + create(store, table);
        }
    }
    server_.run(sql + "; COMMIT");
    note_tables_at_start();
}

void PostgresStores::note_tables_at_start() {
    for (const ComponentId store : schema_.stores()) {
        for (const std::vector<SqlValue>& row : server_.run(kTables + quote_text(schema_name(store))).rows) {
            at_start_[store].insert_or_assign(*row[1], *row[2]);
        }
    }
}

std::string PostgresStores::settings_of(const Place& place) const {
    const std::string isolation = schema_.pipeline().component(place.store).settings.meaning("default_isolation");
    return "SET search_path TO " + schema_name(place.store) + "; SET default_transaction_isolation TO " +
           quote_text(isolation_words(isolation)) +
           "; SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0; "
           "SET standard_conforming_strings = on; SET client_min_messages = error";
}

void PostgresStores::make_existing(const Place& place, const std::vector<TableDefinition>& tables) {
    for (const TableDefinition& table : tables) {
        if (made_.emplace(place.store, table.name).second) {
            server_.run(create(place.store, table));
        }
    }
}

std::unique_ptr<StoreConnection> PostgresStores::connect(const Place& place) {
    if (place.scope != ObjectScope::kStore) {
        return embedded_.connect(place);
    }
    return std::make_unique<PostgresConnection>(*this, place);
}

// All tables as of one moment. A table under an exclusive lock, or that somebody waits to lock so, lets no reader in.
void PostgresStores::read_tables() {
    std::vector<std::string> columns;
    for (const RunColumn& column : schema_.columns()) {
        columns.push_back(quote_name(column.name));
    }
    std::vector<ObjectContent> before = std::move(tables_);
    tables_.clear();
    std::vector<std::string> readers;
    for (const ComponentId store : schema_.stores()) {
        const Place place{ObjectScope::kStore, store, ""};
        for (const std::vector<SqlValue>& row :
             server_.run(kTables + quote_text(schema_name(store)) + " ORDER BY c.relname COLLATE \"C\"").rows) {
            ObjectContent object{place, *row[1], {}, row[3] == "f"};
            if (object.current) {
                readers.push_back("SELECT " + std::to_string(tables_.size()) + ", " + join(columns, ", ") + " FROM " +
                                  schema_name(store) + '.' + quote_name(object.name));
            } else {
                object.rows = take_rows(before, place, object.name);
            }
            tables_.push_back(std::move(object));
        }
    }
    if (readers.empty()) {
        return;
    }
    for (std::vector<SqlValue>& row : server_.run(join(readers, " UNION ALL ")).rows) {
        std::vector<std::vector<SqlValue>>& rows = tables_[std::stoul(*row.front())].rows;
        rows.emplace_back(std::make_move_iterator(row.begin() + 1), std::make_move_iterator(row.end()));
    }
}

const std::vector<ObjectContent>& PostgresStores::content() {
    const bool embedded_changed = embedded_.read_content();
    const bool server_changed = server_.take_changed();
    if (server_changed) {
        read_tables();
    }
    if (server_changed || embedded_changed) {
        content_ = tables_;
        embedded_.append_content(content_);
    }
    return content_;
}

StatementResult PostgresStores::query(const Place& place, const std::string& sql) {
    if (place.scope != ObjectScope::kStore) {
        return embedded_.database(place).query(sql);
    }
    server_.run("SET search_path TO " + schema_name(place.store));
    return server_.run(sql);
}

void PostgresStores::reset() {
    embedded_.reset();
    // A DELETE is quicker than a TRUNCATE, but leaves the dead rows in the file.
    const char* const empty = ++resets_ % kResetsBeforeTruncate == 0 ? "; TRUNCATE " : "; DELETE FROM ";
    std::string sql = "BEGIN";
    for (const ComponentId store : schema_.stores()) {
        const std::string prefix = schema_name(store) + '.';
        std::map<std::string, std::string> missing = at_start_[store];
        for (const std::vector<SqlValue>& row : server_.run(kTables + quote_text(schema_name(store))).rows) {
            const auto found = missing.find(*row[1]);
            const bool stays = found != missing.end() && found->second == *row[2];
            sql += (stays ? empty : "; DROP TABLE ") + prefix + quote_name(*row[1]);
            if (stays) {
                missing.erase(found);
            }
        }
        sql += empty + prefix + std::string(kFenceTable) + empty + prefix + std::string(kProgressTable);
        for (const TableDefinition& table : schema_.tables_at_start(store)) {
            if (missing.contains(table.name)) {
                sql += "; " + create(store, table);
            }
        }
    }
    server_.run(sql + "; COMMIT");
    note_tables_at_start();
    made_.clear();
    tables_.clear();
    server_.note_change();
}

std::string PostgresStores::product() const {
    const int version = server_.version();
    return "PostgreSQL " + std::to_string(version / 10000) + '.' + std::to_string(version % 10000);
}

}  // namespace oncecheck

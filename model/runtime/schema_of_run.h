// The tables of a run, from the document: which columns rows have, which objects exist from the start, which keys they
// enforce, and how a name becomes an identifier of a store.
//
// Every table has the same columns: the coordinates, those that `records` name, and those of `set`, `values`, keys,
// claims and sums; what a row has no value for is null. Types are text and bigint.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/pipeline/pipeline.h"
#include "model/runtime/columns.h"
#include "model/runtime/placeholders.h"
#include "model/runtime/sql_text.h"

namespace oncecheck {

// Where SQL runs: a store of the pipeline, the session of one incarnation (temporary views), or an application that
// processes share. Names of sessions are the caller's; an application has its name, or else that of its process.
struct Place {
    ObjectScope scope = ObjectScope::kStore;
    ComponentId store = 0;  // of scope kStore
    std::string name;       // of the session or application

    auto operator<=>(const Place&) const = default;
};

// Where progress lives that is kept in no store of the document (a consumer group): beside them all.
[[nodiscard]] Place progress_place();

// A table to be made. `name` is as the store is expected to have it, `written` what stands in SQL: the store itself
// folds and cuts it.
struct TableDefinition {
    std::string name;
    std::string written;
    std::vector<std::string> primary_key;          // empty: none, or not enforced
    std::vector<std::vector<std::string>> unique;  // further keys that the store enforces

    bool operator==(const TableDefinition&) const = default;
};

// An object in one execution: its place, its name there, folded and cut as the declared store does it, and the name as
// an SQL identifier. PostgreSQL gets the name as the document writes it, and folds and cuts it itself.
struct RunObject {
    Place place;
    std::string name;
    std::string written;
    const DeclaredObject* declared = nullptr;  // null: not declared
    bool from_start = false;                   // no step creates it

    bool operator==(const RunObject&) const = default;
};

class SchemaOfRun {
  public:
    // `stores`: what stands in for the declared stores. The pipeline has to outlive the schema.
    SchemaOfRun(const Pipeline& pipeline, Dialect stores);

    [[nodiscard]] const Pipeline& pipeline() const { return *pipeline_; }
    // Sessions and applications are embedded, whatever the stores are.
    [[nodiscard]] Dialect dialect(const Place& place) const;
    // As find_columns.
    [[nodiscard]] const std::vector<RunColumn>& columns() const { return columns_; }
    // Null if rows have no such column.
    [[nodiscard]] const RunColumn* find_column(const std::string& name) const;

    // The object that a step of `process` names; `session` is the incarnation's.
    // Throws InputError (code "name-too-long") where the declared store refuses the name.
    [[nodiscard]] RunObject object(ComponentId process, const Template& name, const PlaceholderValues& values,
                                   const std::string& session) const;
    // The keys of an object that its store enforces, the primary key first.
    [[nodiscard]] std::vector<std::vector<std::string>> unique_keys(const RunObject& object) const;
    // The table of an object, with the keys that its store enforces.
    [[nodiscard]] TableDefinition definition(const RunObject& object) const;
    // The columns that a claim on the object fills, in order: its first key, or columns of the schema's own.
    [[nodiscard]] std::vector<std::string> claim_columns(const RunObject& object, std::size_t size) const;

    // The tables of a store whose names have no placeholders and that exist from the start, by name.
    [[nodiscard]] const std::vector<TableDefinition>& tables_at_start(ComponentId store) const;
    // The stores of the pipeline that hold tables.
    [[nodiscard]] const std::vector<ComponentId>& stores() const { return stores_; }
    // Every name of an object of the store in the document: declared, or in a step.
    [[nodiscard]] std::vector<Template> names_in(ComponentId store) const;

  private:
    void find_created();
    void find_tables_at_start();
    [[nodiscard]] bool is_created(const ObjectReference& reference, const std::string& name) const;

    const Pipeline* pipeline_;
    Dialect stores_dialect_;
    std::vector<RunColumn> columns_;
    std::vector<ComponentId> stores_;
    std::vector<ObjectReference> created_;  // by some step
    std::map<ComponentId, std::vector<TableDefinition>> at_start_;
};

// CREATE TABLE for a definition.
[[nodiscard]] std::string create_table(const SchemaOfRun& schema, const TableDefinition& table, bool if_absent);

// Calls `visit` for every step of every program of every process, with the process.
void for_each_step_of(const Pipeline& pipeline, const std::function<void(ComponentId, const Step&)>& visit);

}  // namespace oncecheck

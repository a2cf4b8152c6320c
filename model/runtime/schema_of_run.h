// The tables of a run, from the document: which columns rows have, which objects exist from the start, which keys they
// enforce, and how a name becomes an identifier of a store.
//
// Every table has the same columns: the coordinates, those that `records` name, and those of `set`, `values`, keys,
// claims and sums; what a row has no value for is null. Types are text and bigint.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "model/pipeline/pipeline.h"

namespace oncecheck {

enum class Dialect { kSqlite, kPostgresql };

// Text of a value, or null.
using SqlValue = std::optional<std::string>;
// The values of one row by column; columns without an entry are null.
using RowValues = std::map<std::string, SqlValue>;

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

// What the values of a column are. kUnknown: no log and no step says; where no log names its key such a column is
// kKey.
enum class ColumnRole { kTopic, kPartition, kOffset, kId, kKey, kVersion, kSum, kTag, kClaim, kUnknown };

struct RunColumn {
    std::string name;
    bool is_number = false;  // bigint, else text
    ColumnRole role = ColumnRole::kTag;

    bool operator==(const RunColumn&) const = default;
};

// A table to be made. `name` is as the store has it.
struct TableDefinition {
    std::string name;
    std::vector<std::string> primary_key;          // empty: none, or not enforced
    std::vector<std::vector<std::string>> unique;  // further keys that the store enforces

    bool operator==(const TableDefinition&) const = default;
};

// What placeholders of names and values stand for in one execution of a step program. Before a batch is known
// (on_start) those of the batch have no value, and no template may name them.
struct PlaceholderValues {
    std::string query;    // persisted identity: a UUID
    std::string attempt;  // fresh for each execution; also {uuid}
    std::int64_t batch = 0;
    std::int64_t start_offset = 0;
    std::int64_t end_offset = 0;
    std::int64_t now_milliseconds = 0;  // since 1970, UTC
    std::int64_t attempt_number = 1;    // {try}
    std::int64_t instance = 0;
    const ResolvedSettings* settings = nullptr;  // {config.NAME}
};

// The text with its placeholders replaced. {now} is seconds since 1970; {now:PATTERN} knows yyyy MM dd HH mm ss.
[[nodiscard]] std::string render_text(const Template& text, const PlaceholderValues& values);

// An object in one execution: its place and its name there, folded and cut as the declared store does it.
struct RunObject {
    Place place;
    std::string name;
    const DeclaredObject* declared = nullptr;  // null: not declared
    bool from_start = false;                   // no step creates it

    bool operator==(const RunObject&) const = default;
};

class SchemaOfRun {
  public:
    // The pipeline has to outlive the schema.
    explicit SchemaOfRun(const Pipeline& pipeline);

    [[nodiscard]] const Pipeline& pipeline() const { return *pipeline_; }
    // Coordinates first, then by name.
    [[nodiscard]] const std::vector<RunColumn>& columns() const { return columns_; }
    // Null if rows have no such column.
    [[nodiscard]] const RunColumn* find_column(const std::string& name) const;

    // The object that a step of `process` names. `session` is the incarnation's.
    [[nodiscard]] RunObject object(ComponentId process, const Template& name, const PlaceholderValues& values,
                                   const std::string& session) const;
    // The table of an object, with the keys that its store enforces.
    [[nodiscard]] TableDefinition definition(const RunObject& object) const;
    // The keys of an object that its store enforces, the primary key first.
    [[nodiscard]] std::vector<std::vector<std::string>> unique_keys(const RunObject& object) const;
    // The tables of a store whose names have no placeholders and that exist from the start, by name.
    [[nodiscard]] std::vector<TableDefinition> tables_at_start(ComponentId store) const;
    // The stores of the pipeline that hold tables.
    [[nodiscard]] const std::vector<ComponentId>& stores() const { return stores_; }
    // Every object name that the document uses in the store, as written; for finding tables of the same names.
    [[nodiscard]] std::vector<Template> names_in(ComponentId store) const;

  private:
    const Pipeline* pipeline_;
    std::vector<RunColumn> columns_;
    std::vector<ComponentId> stores_;
    std::vector<ObjectReference> created_;  // by some step
};

// CREATE TABLE for a definition.
[[nodiscard]] std::string create_table(const SchemaOfRun& schema, const TableDefinition& table, bool if_absent);

// The name as an SQL identifier that means exactly this name: quoted unless it is plain, lower-case and no keyword.
[[nodiscard]] std::string quote_name(std::string_view name);
// The value as an SQL literal of the column's type.
[[nodiscard]] std::string quote_value(const SqlValue& value, bool is_number);

// Something that a document needs and the run's store does not have.
struct Gap {
    // kNever: no store of this runtime can stand in. kOtherStore: PostgreSQL can. kSerial: runs as one transaction at a
    // time, so some schedules cannot occur.
    enum class Kind { kNever, kOtherStore, kSerial };
    Kind kind = Kind::kNever;
    std::string capability;  // the catalogue's meaning, or the step
    std::string message;     // a sentence, with what to do
    SourcePosition where;

    bool operator==(const Gap&) const = default;
};

// Compares what the steps use with what the dialect offers, capability by capability.
[[nodiscard]] std::vector<Gap> find_gaps(const Pipeline& pipeline, Dialect dialect);

// The run's store lacks what the document needs. needs_other_store(): with PostgreSQL it can run.
class NeedsAnotherStore : public std::runtime_error {
  public:
    explicit NeedsAnotherStore(std::vector<Gap> gaps);
    [[nodiscard]] const std::vector<Gap>& gaps() const { return gaps_; }
    [[nodiscard]] bool needs_other_store() const;

  private:
    std::vector<Gap> gaps_;
};

}  // namespace oncecheck

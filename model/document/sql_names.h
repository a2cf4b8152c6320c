// Which object a table name in SQL means. A bare name is a table of the store that the process `writes`, unless a
// CREATE TEMP TABLE of the same file makes it an object of the session; "store.name" names the store, as in steps; and
// "batch" is the rows of the batch. Schemas of the database are refused: "public.ledger" and "ledger" may be one table,
// and nothing here could tell.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/document/sql_tree.h"
#include "model/document/template.h"

namespace oncecheck {

class SqlNames {
  public:
    // `store` is the store of bare names, or empty; `components` are the names that a qualifier may be.
    SqlNames(std::string store, std::vector<std::string> components)
        : store_(std::move(store)), components_(std::move(components)) {}

    // The object of a RangeVar; nothing: the batch. Throws SqlRefusal, as all of these do.
    [[nodiscard]] std::optional<Template> source(const SqlTree& tree, const JsonValue& range);
    // The same for an object that the statement changes, which the batch cannot be.
    [[nodiscard]] Template target(const SqlTree& tree, const JsonValue& range);
    // The object of a DROP, whose name is a list of parts.
    [[nodiscard]] Template dropped(const SqlTree& tree, const JsonValue& at, std::vector<std::string> parts);
    // The object that a RangeVar is renamed to; it stays in its store.
    [[nodiscard]] Template renamed(const SqlTree& tree, const JsonValue& range, const std::string& name);
    // If the statement creates a temporary table, its name is one of the session in the whole file: a DROP before it
    // means the table of the attempt before.
    void note_temporary(const SqlTree& tree);

    // Forgets where the names of the last statement stood.
    void start_statement() { qualifiers_.clear(); }
    // The text of the statement whose names were asked for since its start, as its store takes it: without the names of
    // stores before the tables.
    [[nodiscard]] std::string store_text(const SqlTree& tree) const;

  private:
    [[nodiscard]] Template resolve(const SqlTree& tree, const JsonValue& at, const std::vector<std::string>& parts);

    std::string store_;
    std::vector<std::string> components_;
    std::set<std::string> temporary_;
    std::set<std::string> tables_;                   // bare names that were taken for tables
    std::map<std::size_t, std::string> qualifiers_;  // names of stores, by where they stand in the statement
};

// How columns name the table of a RangeVar: its alias, or its name.
[[nodiscard]] std::string alias_of(const SqlTree& tree, const JsonValue& range);

}  // namespace oncecheck

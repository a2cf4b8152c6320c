// The objects of a hop as sets of rows. An object instance is one name as the store sees it; a row class is a record
// with the tags that the hop's steps tell rows apart by; the state holds how often each class is there, exact up to
// a cap:
//
//   content(object) = { class -> count },  count in 0..cap (2 where nothing counts)
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/pipeline/pipeline.h"
#include "model/semantics/universe.h"
#include "model/transition/system.h"

namespace oncecheck {

// A row without a record (-1) is one of constants: a ledger row.
struct RowClass {
    int record = -1;
    std::map<std::string, std::string> tags;  // column -> rendered value

    auto operator<=>(const RowClass&) const = default;
};

struct ObjectInstance {
    std::string identity;
    ObjectReference reference;
    std::string plane;                                  // the attempt or session that it is private to; empty: shared
    std::vector<std::vector<std::string>> unique_keys;  // enforced, the primary key first
    bool keyed = false;                                 // the first of them is a primary key
    bool initially = true;                              // exists from the start: no step creates it
    bool may_vanish = false;                            // some step drops it
    Value cap = 2;
    std::set<RowClass> classes;
    std::map<RowClass, VariableId> counts;
    std::optional<VariableId> exists;  // none: it always exists
};

// The names of the rows' columns in a hop, and what they mean.
struct Columns {
    std::set<std::string> relevant;                     // columns that some step or key tells rows apart by
    std::map<std::string, std::string> record_columns;  // column -> "id", "key", "version"
    bool unknown_is_key = false;  // no log says what its key column is: an unknown column is the key
};

// The value of a row in a list of columns, as text that is equal exactly when the values are. Coordinates, columns of
// the records and tags.
[[nodiscard]] std::string key_of(const RowClass& row, const std::vector<std::string>& columns, const Columns& names,
                                 const std::vector<Record>& records, const Pipeline& pipeline);

}  // namespace oncecheck

// The columns that rows of a run have, found in the document.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/pipeline/pipeline.h"

namespace oncecheck {

// What the values of a column are. kUnknown: no log and no step says.
enum class ColumnRole { kTopic, kPartition, kOffset, kId, kKey, kVersion, kSum, kTag, kClaim, kUnknown };

struct RunColumn {
    std::string name;
    bool is_number = false;  // bigint, else text
    ColumnRole role = ColumnRole::kTag;

    // The rows of a batch bring it along; others are written by steps.
    [[nodiscard]] bool is_of_rows() const {
        return role != ColumnRole::kTag && role != ColumnRole::kClaim && role != ColumnRole::kUnknown;
    }
    bool operator==(const RunColumn&) const = default;
};

// Those of the rows first, in the order in which they come to light (coordinates, identity, key, version, sums), then
// the others by name. The first that says what a column is, decides: the coordinates, `records`, sums
// (`add`), `set` and `values`, claims. A column that a step compares versions by is one where no log names its own;
// one that is part of a key is the key of the rows where no log names its own.
[[nodiscard]] std::vector<RunColumn> find_columns(const Pipeline& pipeline);

// The columns that a claim fills, in order: those of the primary key, or of the first other key; none: no key.
[[nodiscard]] const std::vector<std::string>* claimed_key(const DeclaredObject& ledger);

// The column of a claim's value where the ledger has no key: "key_1", "key_2", ...
[[nodiscard]] std::string claim_column(std::size_t index);

}  // namespace oncecheck

// What a document needs of its stores and the store of the run does not have, capability by capability, as the
// catalogue names them. Decided from the steps before anything runs.
//
// SQLite has one writer at a time and no MERGE; PostgreSQL is itself. What behaves otherwise in both (two source rows
// of a key that a store silently accepts, say) can run on neither.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "model/pipeline/pipeline.h"
#include "model/runtime/schema_of_run.h"

namespace oncecheck {

struct Gap {
    // kNever: no store of this runtime can stand in. kOtherStore: PostgreSQL can. kSerial: runs, one transaction at a
    // time, so that what takes two side by side cannot occur.
    enum class Kind { kNever, kOtherStore, kSerial };
    Kind kind = Kind::kNever;
    std::string capability;  // the catalogue's meaning, or the step
    std::string message;     // a sentence, with what to do
    SourcePosition where;

    bool operator==(const Gap&) const = default;
};

// In the order of the document; one for each store and capability.
[[nodiscard]] std::vector<Gap> find_gaps(const SchemaOfRun& schema, Dialect dialect);

// The run's store lacks what the document needs.
class NeedsAnotherStore : public std::runtime_error {
  public:
    // Requires at least one gap.
    explicit NeedsAnotherStore(std::vector<Gap> gaps);
    [[nodiscard]] const std::vector<Gap>& gaps() const { return gaps_; }
    // With PostgreSQL it can run.
    [[nodiscard]] bool needs_postgresql() const;

  private:
    std::vector<Gap> gaps_;
};

// Throws NeedsAnotherStore where the dialect cannot stand in for a store; with `strict` also where it can, one
// transaction at a time.
void refuse_gaps(const SchemaOfRun& schema, Dialect dialect, bool strict);

}  // namespace oncecheck

// The reference runtime: the pipeline of a document executed on real stores, one move at a time.
//
//   while (something is to be done) { pick one of runtime.moves(); runtime.perform(it); }
//
// Single-threaded: whatever runs side by side is an interleaving of moves, and the run is a function of inputs and
// picks. Written from the sources of Spark, Kafka and the databases that its parts name; it shares document, catalogue
// and pipeline with the checker, and no semantics.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/pipeline/pipeline.h"
#include "model/runtime/run.h"

namespace oncecheck {

struct RuntimeOptions {
    std::string store;           // "" : SQLite in memory; a postgresql:// URL
    std::string directory;       // checkpoints, logs (and SQLite) live in files here and survive; "": in memory
    bool keep_contents = false;  // RunRecord::contents
    bool use_existing = false;   // a store that holds tables of the document's names already is not refused
};

class Runtime {
  public:
    // `pipeline` has to outlive the runtime. Empty `inputs.records` become default_records().
    // Throws UnsupportedOnStore (store.h) where the run needs another store, and StoreError where it cannot be reached.
    Runtime(const Pipeline& pipeline, RunInputs inputs, const RuntimeOptions& options);
    ~Runtime();
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;

    // Everything that can happen now: steps first, then what the environment may do, then faults; within each by
    // process, incarnation, thread. Deterministic. A statement that waits is offered (kResume) only once something has
    // happened in its store since it was last looked at, or when nothing else is left but faults.
    [[nodiscard]] const std::vector<Move>& moves() const;

    // kStep: needed to go on. kEnvironment: may or may not happen. kFault: counted.
    enum class MoveNature { kStep, kEnvironment, kFault };
    [[nodiscard]] MoveNature nature(const Move& move) const;

    // Requires a member of moves(). Throws StoreError where the store is gone; what a statement runs into is an
    // outcome.
    const RunEvent& perform(const Move& move);

    // "enrich, incarnation 1: MERGE INTO ...": what the move would do, for people.
    [[nodiscard]] std::string describe(const Move& move) const;

    [[nodiscard]] RunStanding standing() const;
    // Committed rows of every object, read through a connection of its own.
    [[nodiscard]] Content content();
    // Events so far, with the standing as it is now.
    [[nodiscard]] const RunRecord& record() const;

    // Begins a new run on the same store: everything is as after construction, with these inputs.
    void restart(RunInputs inputs);

  private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace oncecheck

// The reference runtime: the pipeline of a document executed on real stores, one move at a time.
//
//   while (something is to be done) { pick one of runtime.moves(); runtime.perform(it); }
//
// Single-threaded: whatever runs side by side is an interleaving of moves, and the run is a function of inputs and
// picks. Written from the sources of Spark, Kafka and the databases that its parts name; it shares document, catalogue
// and pipeline with the checker, and no semantics.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/pipeline/pipeline.h"
#include "model/runtime/program_run.h"
#include "model/runtime/run.h"

namespace oncecheck {

class TopicLog;

struct RuntimeOptions {
    std::string store;           // "" : SQLite in memory; a postgresql:// URL
    std::string directory;       // checkpoints, logs (and SQLite) live in files here and survive; "": in memory
    bool keep_contents = false;  // RunRecord::contents
    bool probe_sources = true;   // RunEvent::took, for isolated-staging
    bool use_existing = false;   // a store that holds tables of the document's names already is not refused
};

class Runtime {
  public:
    // `pipeline` has to outlive the runtime. Empty `inputs.records` become default_records().
    // Throws NeedsAnotherStore where the run needs another store, StoreError where it cannot be reached, and InputError
    // for names that are too long.
    Runtime(const Pipeline& pipeline, RunInputs inputs, const RuntimeOptions& options);
    ~Runtime();
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;

    // Everything that can happen now: steps first, then what the environment may do, then faults; within each by
    // process, incarnation, thread. Deterministic. kResume is a move only where every step waits for a lock: it gives
    // the database time to find the deadlock.
    [[nodiscard]] const std::vector<Move>& moves() const;

    // kStep: needed to go on. kEnvironment: may or may not happen. kFault: counted.
    enum class MoveNature { kStep, kEnvironment, kFault };
    [[nodiscard]] MoveNature nature(const Move& move) const;

    // Requires a member of moves(). The event of the move, and then one (kResume) for each statement that waited and
    // could go on by it, as on a server; they end with record().events. What a statement runs into is an outcome.
    // Throws StoreError where the store is gone.
    std::span<const RunEvent> perform(const Move& move);

    // Step, phase and objects of the statement or row that the move would send, as of an event; empty for other moves.
    [[nodiscard]] RunEvent preview(const Move& move) const;

    // "enrich, incarnation 1: load-row payments-3": what the move would do, for people.
    [[nodiscard]] std::string describe(const Move& move) const;

    [[nodiscard]] RunStanding standing() const;
    // How far the query has its logs behind it, as an offset of each partition, by topic: committed, and no background
    // thread of its newest incarnation is still at work on it. Empty: nothing is, or the process is no query of the
    // run.
    [[nodiscard]] std::map<std::string, std::vector<int>> passed(ComponentId query) const;
    // Committed rows, read through a connection of its own.
    [[nodiscard]] const Content& content();
    // The stores, for the judge's queries.
    [[nodiscard]] RunStores& stores();
    // A topic, for whoever reads it beside the queries.
    [[nodiscard]] const TopicLog& log(ComponentId topic) const;
    // Where the records are in the logs.
    [[nodiscard]] const RecordIndex& index() const;
    // Events so far, with the standing as it is now.
    [[nodiscard]] const RunRecord& record() const;

    // Begins a new run on the same store: everything is as after construction, with these inputs.
    void restart(RunInputs inputs);

  private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace oncecheck

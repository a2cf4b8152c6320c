// A micro-batch query: its checkpoint, its incarnations, and the protocol that Spark follows between them (run.h has
// the moves in order). Sources: MicroBatchExecution (populateStartOffsets, constructNextBatch, runBatch, purge),
// StreamExecution, ForeachBatchSink of Spark 3.5.
//
// A failure in a batch ends the query; nothing is tried again inside one incarnation. Positions that an incarnation
// carries from batch to batch are in its memory; the logs are read at its start only.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/runtime/checkpoint.h"
#include "model/runtime/run_world.h"

namespace oncecheck {

// One that executes a step program: the main program of an incarnation, or a background thread.
struct Worker {
    int thread = -1;
    int attempt = -1;
    std::optional<ProgramRun> run;
    Connections connections;
};

enum class QueryPosition { kOnStart, kReadProgress, kPlan, kWriteAhead, kProgram, kCommit, kOnError };

struct Incarnation {
    Incarnation(int of_number, RunStores& stores)
        : number(of_number), main{-1, -1, std::nullopt, Connections(stores)} {}

    int number;
    QueryPosition position = QueryPosition::kReadProgress;
    bool looked = false;  // a racy store has been looked at
    std::shared_ptr<Checkpoint> checkpoint;
    std::string session;
    std::string query;
    int generation = 0;
    int batch = 0;
    std::vector<Positions> start;  // by log that the query reads
    std::vector<Positions> end;
    int moment = 0;
    FencingTokens tokens;
    Worker main;
    std::list<Worker> threads;
    int next_thread = 0;
};

class QueryProcess {
  public:
    QueryProcess(RunWorld& world, ComponentId process);

    // Adds what can happen now: what the query itself would do, what may happen to it, and its faults.
    void add_steps(std::vector<Move>& moves) const;
    void add_environment(std::vector<Move>& moves) const;
    void add_faults(std::vector<Move>& moves) const;

    // What the worker of the move would do next: step, phase and objects. Nothing if it is not in a step program.
    [[nodiscard]] RunEvent preview(const Move& move) const;
    // Requires a move that was added. Fills in everything of the event but the move.
    void perform(const Move& move, RunEvent& event);
    // As StoreConnection::turn, of the statement for which a worker waits.
    [[nodiscard]] std::int64_t turn(const Waiter& waiter);
    // Looks at the statement for which a worker waits.
    void resume(const Waiter& waiter, RunEvent& event);

    // No attempt, thread or waiting statement: every living incarnation idles.
    [[nodiscard]] bool settled() const;
    // The last batch is committed, and nothing is behind it in any log.
    [[nodiscard]] bool read_to_the_end() const;
    [[nodiscard]] bool lives(int incarnation) const;
    [[nodiscard]] int living() const { return static_cast<int>(incarnations_.size()); }
    // A start beside a living incarnation is no fault: runs overlap by plan.
    [[nodiscard]] bool overlaps_by_plan() const { return overlap_planned_; }
    // How far its logs are behind it: committed, and no background thread of the newest incarnation is still at work on
    // it. Empty: nothing is.
    [[nodiscard]] SourcePositions passed() const;
    [[nodiscard]] ComponentId process() const { return process_; }
    [[nodiscard]] const std::vector<ComponentId>& logs() const { return logs_; }
    // The checkpoint in use; null before the first start.
    [[nodiscard]] const Checkpoint* checkpoint() const { return checkpoint_.get(); }

  private:
    [[nodiscard]] const PipelineComponent& component() const { return world_.pipeline.component(process_); }
    [[nodiscard]] RunFaults faults() const;
    [[nodiscard]] Incarnation* find(int number);
    [[nodiscard]] Worker& worker(Incarnation& incarnation, int thread);

    // query_moves.cpp
    void add_worker_steps(const Incarnation& incarnation, const Worker& worker, std::vector<Move>& moves) const;
    void add_worker_faults(const Incarnation& incarnation, const Worker& worker, std::vector<Move>& moves) const;
    void add_protocol_steps(const Incarnation& incarnation, std::vector<Move>& moves) const;
    void add_crashes(const Incarnation& incarnation, std::vector<Move>& moves) const;
    void add_purges(std::vector<Move>& moves) const;
    void add_expiries(std::vector<Move>& moves) const;
    [[nodiscard]] Move move(MoveKind kind, const Incarnation& incarnation, int thread = -1) const;
    [[nodiscard]] std::vector<int> moments() const;
    [[nodiscard]] std::vector<int> possible_ends(const Incarnation& incarnation) const;

    // query_process.cpp
    void start(RunEvent& event);
    void read_progress(Incarnation& incarnation, const Move& move, RunEvent& event);
    void plan(Incarnation& incarnation, const Move& move, RunEvent& event);
    void look_ahead(Incarnation& incarnation, RunEvent& event);
    void write_ahead(Incarnation& incarnation, RunEvent& event);
    void look_commit(Incarnation& incarnation, RunEvent& event);
    void commit(Incarnation& incarnation, RunEvent& event);
    void purge(int batch, RunEvent& event);
    void expire(int record, RunEvent& event);
    void begin_attempt(Incarnation& incarnation, RunEvent& event);
    void end_incarnation(Incarnation& incarnation, RunEvent& event);
    void end_query(Incarnation& incarnation, const std::string& why, RunEvent& event);
    void open_checkpoint(Incarnation& incarnation);
    [[nodiscard]] std::vector<Positions> initial_positions(Incarnation& incarnation);
    [[nodiscard]] std::vector<Positions> advanced(const std::vector<Positions>& from, int records) const;
    [[nodiscard]] bool may_share_a_batch(const TopicLog& log, int partition, int offset,
                                         const std::vector<int>& taken) const;
    [[nodiscard]] std::vector<Positions> ends() const;
    [[nodiscard]] bool starts_at_the_end() const;
    [[nodiscard]] SourcePositions named(const std::vector<Positions>& positions) const;
    [[nodiscard]] std::string gap(const Incarnation& incarnation) const;

    // query_program.cpp
    [[nodiscard]] ProgramInput program_input(const Incarnation& incarnation, bool in_batch) const;
    void add_rows(const Incarnation& incarnation, ProgramInput& input) const;
    void perform_program(Incarnation& incarnation, const Move& move, RunEvent& event);
    void spawn(Incarnation& incarnation, Worker& worker, RunEvent& event);
    void send_late(Worker& worker, const Move& move, RunEvent& event);
    void crash(Incarnation& incarnation, const Move& move, RunEvent& event);
    void after(Incarnation& incarnation, Worker& worker, RunEvent& event);
    void after_main(Incarnation& incarnation, RunEvent& event);

    RunWorld& world_;
    ComponentId process_;
    std::vector<ComponentId> logs_;
    ReadIsolation isolation_ = ReadIsolation::kReadUncommitted;
    bool racy_ = false;
    bool persistent_ = true;
    bool gap_fails_ = true;
    bool starts_latest_ = false;
    bool overlap_planned_ = false;
    bool tells_moments_ = false;  // some name holds {now}
    int batches_to_retain_ = 100;
    std::shared_ptr<Checkpoint> checkpoint_;
    std::list<Incarnation> incarnations_;  // that live
    int starts_ = 0;
    int generations_ = 0;
};

}  // namespace oncecheck

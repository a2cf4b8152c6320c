// What can happen to a query now.

#include <algorithm>
#include <numeric>

#include "model/runtime/query_process.h"

namespace oncecheck {

namespace {

// {now} has two values in a run: enough for two attempts to have the same or another.
constexpr int kLastMoment = 1;

}  // namespace

Move QueryProcess::move(MoveKind kind, const Incarnation& incarnation, int thread) const {
    Move move;
    move.kind = kind;
    move.process = process_;
    move.incarnation = incarnation.number;
    move.thread = thread;
    return move;
}

std::vector<int> QueryProcess::moments() const {
    std::vector<int> moments{world_.moment};
    if (tells_moments_ && world_.moment < kLastMoment) {
        moments.push_back(world_.moment + 1);
    }
    return moments;
}

// Where the next batch may end, as a position of the first log. One end, `rows` further, where nothing can form a range
// anew; else every end, and the batch after the last planned one takes what is left.
std::vector<int> QueryProcess::possible_ends(const Incarnation& incarnation) const {
    const auto position = [](const Positions& positions) {
        return std::accumulate(positions.begin(), positions.end(), 0);
    };
    const std::vector<Positions> all = ends();
    int left = 0;
    for (std::size_t source = 0; source < logs_.size(); ++source) {
        left = std::max(left, position(all[source]) - position(incarnation.start[source]));
    }
    std::vector<int> counts;
    if (left <= 0) {
        return counts;
    }
    if (!racy_) {
        counts.push_back(std::min(left, world_.inputs().rows));
    } else if (incarnation.batch >= world_.inputs().batches) {
        counts.push_back(left);
    } else {
        counts.resize(static_cast<std::size_t>(left));
        std::iota(counts.begin(), counts.end(), 1);
    }
    for (int& count : counts) {
        count += position(incarnation.start.front());
    }
    return counts;
}

void QueryProcess::add_protocol_steps(const Incarnation& incarnation, std::vector<Move>& moves) const {
    const auto add = [&](MoveKind kind) { moves.push_back(move(kind, incarnation)); };
    switch (incarnation.position) {
        case QueryPosition::kReadProgress:
            for (const int moment : moments()) {
                add(MoveKind::kReadProgress);
                moves.back().moment = moment;
            }
            return;
        case QueryPosition::kPlan:
            for (const int end : possible_ends(incarnation)) {
                for (const int moment : moments()) {
                    add(MoveKind::kPlan);
                    moves.back().end = end;
                    moves.back().moment = moment;
                }
            }
            return;
        case QueryPosition::kWriteAhead:
            return add(racy_ && !incarnation.looked ? MoveKind::kLookAhead : MoveKind::kWriteAhead);
        case QueryPosition::kCommit:
            return add(racy_ && !incarnation.looked ? MoveKind::kLookCommit : MoveKind::kCommitBatch);
        case QueryPosition::kOnStart:
        case QueryPosition::kProgram:
        case QueryPosition::kOnError:
            return add_worker_steps(incarnation, incarnation.main, moves);
    }
}

void QueryProcess::add_worker_steps(const Incarnation& incarnation, const Worker& worker,
                                    std::vector<Move>& moves) const {
    const ProgramRun& run = *worker.run;
    if (run.waits()) {
        return;
    }
    switch (run.next()) {
        case ProgramRun::Next::kStatement:
            moves.push_back(move(MoveKind::kStatement, incarnation, worker.thread));
            if (run.can_overlap()) {
                moves.push_back(move(MoveKind::kStatement, incarnation, worker.thread));
                moves.back().overlaps = true;
            }
            return;
        case ProgramRun::Next::kRows:
            for (const int record : run.rows_to_load()) {
                moves.push_back(move(MoveKind::kLoadRow, incarnation, worker.thread));
                moves.back().record = record;
            }
            return;
        case ProgramRun::Next::kEndOfLoad:
            moves.push_back(move(MoveKind::kEndLoad, incarnation, worker.thread));
            return;
        case ProgramRun::Next::kSpawn:
            moves.push_back(move(MoveKind::kSpawn, incarnation, worker.thread));
            return;
        case ProgramRun::Next::kOver:
            return;
    }
}

void QueryProcess::add_worker_faults(const Incarnation& incarnation, const Worker& worker,
                                     std::vector<Move>& moves) const {
    if (!worker.run || worker.run->waits() || worker.run->next() == ProgramRun::Next::kOver) {
        return;
    }
    const RunFaults faults = this->faults();
    const auto add = [&](MoveKind kind, MoveFault fault, int record) {
        moves.push_back(move(kind, incarnation, worker.thread));
        moves.back().fault = fault;
        moves.back().record = record;
    };
    const auto add_unheard = [&](MoveKind kind, ComponentId store, int record) {
        if (faults.lost_ack) {
            add(kind, MoveFault::kLostAck, record);
        }
        if (faults.late.count(store) != 0) {
            add(kind, MoveFault::kLate, record);
        }
    };
    const ProgramRun& run = *worker.run;
    if (const std::optional<ComponentId> store = run.in_flight()) {
        if (run.next() == ProgramRun::Next::kStatement) {
            add_unheard(MoveKind::kStatement, *store, -1);
        }
        for (const int record : run.rows_to_load()) {
            add_unheard(MoveKind::kLoadRow, *store, record);
        }
    }
    const bool loads = run.next() == ProgramRun::Next::kRows || run.next() == ProgramRun::Next::kEndOfLoad;
    if (faults.task_retry && loads) {
        for (const int record : run.rows_loaded()) {
            add(MoveKind::kLoadRow, MoveFault::kTaskRetry, record);
        }
    }
}

void QueryProcess::add_steps(std::vector<Move>& moves) const {
    if (incarnations_.empty()) {
        moves.push_back({.kind = MoveKind::kStart, .process = process_, .incarnation = starts_});
    }
    for (const Incarnation& incarnation : incarnations_) {
        add_protocol_steps(incarnation, moves);
        for (const Worker& thread : incarnation.threads) {
            add_worker_steps(incarnation, thread, moves);
        }
    }
}

// A run that was replaced may end at any point; where runs overlap by plan none replaces another.
void QueryProcess::add_environment(std::vector<Move>& moves) const {
    if (overlap_planned_) {
        if (!incarnations_.empty() && living() < world_.inputs().attempts) {
            moves.push_back({.kind = MoveKind::kStart, .process = process_, .incarnation = starts_});
        }
        return;
    }
    for (const Incarnation& incarnation : incarnations_) {
        if (incarnation.number + 1 < starts_) {
            moves.push_back(move(MoveKind::kEndSilently, incarnation));
        }
    }
}

void QueryProcess::add_crashes(const Incarnation& incarnation, std::vector<Move>& moves) const {
    moves.push_back(move(MoveKind::kCrash, incarnation));
    const auto add_in_flight = [&](const Worker& worker) {
        if (!worker.run) {
            return;
        }
        const std::optional<ComponentId> store = worker.run->in_flight();
        if (store && faults().detached.count(*store) != 0) {
            moves.push_back(move(MoveKind::kCrash, incarnation, worker.thread));
            moves.back().in_flight = true;
        }
    };
    add_in_flight(incarnation.main);
    for (const Worker& thread : incarnation.threads) {
        add_in_flight(thread);
    }
}

void QueryProcess::add_faults(std::vector<Move>& moves) const {
    const RunFaults faults = this->faults();
    if (faults.zombie && !overlap_planned_ && !incarnations_.empty() && living() < world_.inputs().attempts) {
        moves.push_back({.kind = MoveKind::kStart, .process = process_, .incarnation = starts_});
    }
    for (const Incarnation& incarnation : incarnations_) {
        if (faults.crash) {
            add_crashes(incarnation, moves);
        }
        add_worker_faults(incarnation, incarnation.main, moves);
        for (const Worker& thread : incarnation.threads) {
            add_worker_faults(incarnation, thread, moves);
        }
    }
    if (faults.purge) {
        add_purges(moves);
    }
    if (faults.expiry) {
        add_expiries(moves);
    }
}

// An old incarnation still runs a batch that is committed, and enough batches may have passed for the logs to have
// dropped it. The last batch may go only when the run has no more records for a batch of its own behind it.
void QueryProcess::add_purges(std::vector<Move>& moves) const {
    if (!persistent_ || checkpoint_ == nullptr) {
        return;
    }
    std::vector<int> added;
    for (const Incarnation& incarnation : incarnations_) {
        const bool runs_batch =
            incarnation.position == QueryPosition::kProgram || incarnation.position == QueryPosition::kCommit;
        const int batch = incarnation.batch;
        if (!runs_batch || !checkpoint_->has_commit(batch) ||
            std::find(added.begin(), added.end(), batch) != added.end()) {
            continue;
        }
        if (checkpoint_->last_offsets() > batch) {  // the newest entries are never purged
            added.push_back(batch);
            moves.push_back({.kind = MoveKind::kPurge, .process = process_, .batch = batch});
        }
    }
}

// The first record of a partition goes while nobody reads, if no committed batch has it.
void QueryProcess::add_expiries(std::vector<Move>& moves) const {
    if (!incarnations_.empty() || starts_ == 0) {
        return;
    }
    std::vector<Positions> done;
    const int committed = checkpoint_->last_commit();
    if (const auto offsets = checkpoint_->offsets(committed)) {
        for (const auto& [unused, positions] : *offsets) {
            done.push_back(positions);
        }
    }
    for (std::size_t source = 0; source < logs_.size(); ++source) {
        const TopicLog& log = world_.topics.at(logs_[source]);
        for (int partition = 0; partition < log.partitions(); ++partition) {
            const int first = log.first_offset(partition);
            const LogEntry* entry = log.entry(partition, first);
            if (entry == nullptr || entry->kind != LogEntryKind::kRecord ||
                (!done.empty() && first < done[source][static_cast<std::size_t>(partition)])) {
                continue;
            }
            moves.push_back({.kind = MoveKind::kExpire, .process = process_, .record = std::stoi(entry->payload)});
        }
    }
}

}  // namespace oncecheck

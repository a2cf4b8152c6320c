// How an incarnation of a query executes its step program and its threads.

#include <algorithm>

#include "model/runtime/query_process.h"

namespace oncecheck {

namespace {

// Two moments differ in every part of a date: 2024-01-01 00:00:00 and 2025-02-02 01:01:01.
constexpr std::int64_t kFirstMoment = 1'704'067'200'000;
constexpr std::int64_t kBetweenMoments = (398 * 86'400LL + 3'661) * 1000;

std::int64_t position_of(const std::vector<Positions>& positions) {
    std::int64_t sum = 0;
    for (const Positions& one : positions) {
        for (const int offset : one) {
            sum += offset;
        }
    }
    return sum;
}

}  // namespace

ProgramInput QueryProcess::program_input(const Incarnation& incarnation, bool in_batch) const {
    ProgramInput input;
    StepContext& context = input.context;
    context.schema = &world_.stores.schema();
    context.process = process_;
    context.session = incarnation.session;
    context.values.query = incarnation.query;
    context.values.settings = &component().settings;
    context.values.now_milliseconds = kFirstMoment + incarnation.moment * kBetweenMoments;
    input.tokens = incarnation.tokens;
    input.new_token = world_.identities.next();
    if (!in_batch) {
        return input;
    }
    const RunAttempt& attempt = world_.record.attempts.at(static_cast<std::size_t>(incarnation.main.attempt));
    context.values.attempt = attempt.attempt;
    context.values.batch = attempt.batch;
    context.values.start_offset = attempt.start;
    context.values.end_offset = attempt.end;
    context.start_position = position_of(incarnation.start);
    context.end_position = position_of(incarnation.end);
    input.index = world_.options.probe_sources ? &world_.index : nullptr;
    add_rows(incarnation, input);
    return input;
}

void QueryProcess::add_rows(const Incarnation& incarnation, ProgramInput& input) const {
    struct Found {
        int record;
        RowValues row;
    };
    std::vector<Found> found;
    for (std::size_t source = 0; source < logs_.size(); ++source) {
        const TopicLog& log = world_.topics.at(logs_[source]);
        const Component& topic = world_.pipeline.component(logs_[source]).document;
        for (int partition = 0; partition < log.partitions(); ++partition) {
            const auto at = static_cast<std::size_t>(partition);
            for (const int offset :
                 log.visible(partition, incarnation.start[source][at], incarnation.end[source][at], isolation_)) {
                const int record = std::stoi(log.entry(partition, offset)->payload);
                RowValues row =
                    record_values(world_.stores.schema(), world_.inputs().records.at(static_cast<std::size_t>(record)));
                row["topic"] = topic.name;
                row["partition"] = std::to_string(partition);
                row["offset"] = std::to_string(offset);
                found.push_back({record, std::move(row)});
            }
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Found& left, const Found& right) { return left.record < right.record; });
    for (Found& one : found) {
        input.records.push_back(one.record);
        input.context.rows.push_back(std::move(one.row));
    }
}

void QueryProcess::perform_program(Incarnation& incarnation, const Move& move, RunEvent& event) {
    Worker& acting = worker(incarnation, move.thread);
    event.attempt = acting.attempt;
    if (move.fault == MoveFault::kLate) {
        send_late(acting, move, event);
        return after(incarnation, acting, event);
    }
    switch (move.kind) {
        case MoveKind::kStatement:
            acting.run->execute(acting.connections, event, move.fault, move.overlaps);
            break;
        case MoveKind::kLoadRow:
            acting.run->load(move.record, acting.connections, event, move.fault);
            break;
        case MoveKind::kEndLoad:
            acting.run->end_load(acting.connections, event);
            break;
        case MoveKind::kSpawn:
            spawn(incarnation, acting, event);
            break;
        default:
            throw InternalError(std::string("a query has no move ") + to_string(move.kind));
    }
    after(incarnation, acting, event);
}

std::int64_t QueryProcess::turn(const Waiter& waiter) {
    Incarnation* incarnation = find(waiter.incarnation);
    if (incarnation == nullptr) {
        throw InternalError("an incarnation waits that does not live");
    }
    Worker& waiting = worker(*incarnation, waiter.thread);
    return waiting.run->turn(waiting.connections);
}

void QueryProcess::resume(const Waiter& waiter, RunEvent& event) {
    Incarnation* incarnation = find(waiter.incarnation);
    if (incarnation == nullptr) {
        throw InternalError("an incarnation waits that does not live");
    }
    Worker& acting = worker(*incarnation, waiter.thread);
    event.attempt = acting.attempt;
    acting.run->resume(acting.connections, event);
    after(*incarnation, acting, event);
}

void QueryProcess::spawn(Incarnation& incarnation, Worker& worker, RunEvent& event) {
    const Step& block = worker.run->step();
    incarnation.threads.push_back(
        {incarnation.next_thread++, worker.attempt, std::nullopt, Connections(world_.stores)});
    incarnation.threads.back().run.emplace(block.body, worker.run->input());
    worker.run->spawn(worker.connections, event);
}

void QueryProcess::send_late(Worker& worker, const Move& move, RunEvent& event) {
    const ComponentId store = worker.run->in_flight().value();
    std::vector<HeldStatement> held;
    if (move.kind == MoveKind::kLoadRow) {
        held.push_back(worker.run->hold_back_row(move.record));
    } else {
        held = worker.run->hold_back(worker.connections);
    }
    world_.hold(std::move(held), store, move, worker.attempt, event);
    worker.run->fail_unheard(worker.connections, event);
}

void QueryProcess::crash(Incarnation& incarnation, const Move& move, RunEvent& event) {
    if (move.in_flight) {
        Worker& dying = worker(incarnation, move.thread);
        event.attempt = dying.attempt;
        const ComponentId store = dying.run->in_flight().value();
        std::vector<HeldStatement> held = dying.run->hold_back(dying.connections);
        event.where = held.front().description().where;
        world_.hold(std::move(held), store, move, dying.attempt, event);
    }
    end_incarnation(incarnation, event);
}

void QueryProcess::after(Incarnation& incarnation, Worker& worker, RunEvent& event) {
    const Waiter self{process_, incarnation.number, worker.thread, -1};
    const auto waiting = std::find(world_.waiters.begin(), world_.waiters.end(), self);
    if (worker.run->waits()) {
        if (waiting == world_.waiters.end()) {
            world_.waiters.push_back(self);
        }
        return;
    }
    if (waiting != world_.waiters.end()) {
        world_.waiters.erase(waiting);
    }
    if (worker.run->next() != ProgramRun::Next::kOver) {
        return;
    }
    if (worker.thread < 0) {
        return after_main(incarnation, event);
    }
    event.thread_ends = true;
    const int ended = worker.thread;
    incarnation.threads.remove_if([&](const Worker& one) { return one.thread == ended; });
}

// ForeachBatchSink.addBatch has returned, or has thrown; the latter ends the query.
void QueryProcess::after_main(Incarnation& incarnation, RunEvent& event) {
    const ProgramRun& run = *incarnation.main.run;
    if (run.next() != ProgramRun::Next::kOver) {
        return;
    }
    incarnation.tokens = run.input().tokens;
    const bool failed = run.failed();
    const QueryPosition at = incarnation.position;
    event.attempt_ends = at == QueryPosition::kProgram;
    if (at == QueryPosition::kOnStart && !failed) {
        incarnation.position = QueryPosition::kReadProgress;
    } else if (at == QueryPosition::kProgram && !failed) {
        incarnation.position = QueryPosition::kCommit;
    } else if (at == QueryPosition::kProgram && !component().document.on_error.empty()) {
        incarnation.position = QueryPosition::kOnError;
        ProgramInput input = run.input();
        incarnation.main.run.emplace(component().document.on_error, std::move(input));
    } else {
        end_incarnation(incarnation, event);
    }
}

}  // namespace oncecheck

// Moves of step programs.
#include <algorithm>
#include <tuple>
#include <utility>

#include "checker/crossvalidate/director.h"
#include "model/pipeline/steps.h"

namespace oncecheck {

namespace {

constexpr int kMostStatements = 200;  // of a unit

bool agrees(RunOutcome happened, EventOutcome expected) {
    switch (expected) {
        case EventOutcome::kDone:
            return happened == RunOutcome::kDone;
        case EventOutcome::kSkipped:
            return happened == RunOutcome::kSkipped;
        case EventOutcome::kFailed:
        case EventOutcome::kIgnored:
        case EventOutcome::kRetried:
            return happened == RunOutcome::kFailed;
    }
    return false;
}

std::string told(const RunEvent& event) {
    std::string text = to_string(event.outcome);
    return text + (event.message.empty() ? "" : ": " + event.message);
}

}  // namespace

// A step of several statements outside a transaction: a claim without a unique key to rely on looks, then inserts; rows
// of a session or application are read, then sent on.
bool Director::takes_several(int number) const {
    const Step& step = *unit(number).step;
    std::vector<Problem> ignored;
    if (step.source) {
        return resolve_object(*model_.pipeline, *step.source, ignored).scope != ObjectScope::kStore;
    }
    if (step.verb != Verb::kClaim) {
        return false;
    }
    const DeclaredObject* ledger =
        declaration_of(*model_.pipeline, resolve_object(*model_.pipeline, step.target, ignored));
    return ledger == nullptr || (ledger->primary_key.empty() && ledger->unique.empty());
}

void Director::run_unit(const ActionLabel& label, std::span<const TraceStep> ahead) {
    const int number = units_.find(process_, label.where).unit;
    const ActionEvent& event = label.event;
    if (event.kind != EventKind::kUnitRead || event.outcome != EventOutcome::kDone) {
        begin_aborted(number, ahead);
        return run_whole(number, event.outcome);
    }
    if (unit(number).step->verb == Verb::kTransaction) {
        return run_to_statement(number, std::max(event.statement, 0));
    }
    read_alone(number);
}

// A statement outside a transaction reads, and commits later: where the store can have it run beside others it does;
// where it is several statements the first reads.
void Director::read_alone(int number) {
    const Wanted next = of_worker(MoveKind::kStatement);
    const auto overlapping = [&](const Move& move) {
        Move plain = move;
        plain.overlaps = false;
        return move.overlaps && next(plain);
    };
    worker().has_read = true;
    if (!takes_several(number) && !offers(overlapping)) {
        return;
    }
    worker().under_way = number;
    const RunEvent& event = perform("runs its next statement", takes_several(number) ? next : Wanted(overlapping));
    settle(event);
}

// All statements of the unit that are left.
void Director::run_whole(int number, EventOutcome outcome) {
    worker().has_read = false;
    worker().expected = outcome;
    if (const std::optional<RunOutcome> early = std::exchange(worker().came_out, std::nullopt)) {
        if (!any_outcome_ && !agrees(*early, outcome)) {
            throw Diverged(std::string("the step has come out otherwise: ") + to_string(*early));
        }
        worker().expected.reset();
        return;
    }
    worker().under_way = number;
    go_on();
}

// The store will abort a unit for the one that commits now: it has to have begun by then.
void Director::begin_aborted(int committing, std::span<const TraceStep> ahead) {
    const auto here = std::tuple(process_, slot_, thread_);
    bool begun = false;
    for (const Execution* execution : model_.executions()) {
        const auto mark = execution->buffer.find(kConflictMark);
        if (mark == execution->buffer.end() || before_.at(mark->second) != 0 || (*after_)[mark->second] == 0) {
            continue;
        }
        const int own = aborted_unit(*execution, ahead);
        if (own < 0 || unit(own).split) {
            continue;
        }
        if (!begun) {
            begun = true;
            run_before_commit(committing);
        }
        process_ = execution->process;
        slot_ = execution->slot;
        thread_ = thread_of(*execution);
        end_load();
        run_before_commit(own);
        std::tie(process_, slot_, thread_) = here;
    }
}

int Director::thread_of(const Execution& execution) const {
    return execution.background
               ? index_.thread_number(execution.process, static_cast<int>(execution.block), execution.batch)
               : 0;
}

// The unit that the execution's next action aborts; -1: that is another one.
int Director::aborted_unit(const Execution& execution, std::span<const TraceStep> ahead) const {
    for (const TraceStep& step : ahead) {
        const ActionLabel& label = hop_.system.actions[step.action].label;
        const ActionEvent& event = label.event;
        const int thread =
            event.thread_batch < 0 ? 0 : index_.thread_number(execution.process, event.block, event.thread_batch);
        if (label.process == model_.processes[execution.process].name && label.slot == execution.slot &&
            thread == thread_of(execution)) {
            return event.kind == EventKind::kAbort ? units_.find(execution.process, label.where).unit : -1;
        }
    }
    return -1;
}

// Runs the statements of a transaction up to its COMMIT, or until one waits for a lock.
void Director::run_before_commit(int number) {
    if (unit(number).step->verb != Verb::kTransaction) {
        if (worker().under_way != number) {
            read_alone(number);
        }
        return;
    }
    worker().under_way = number;
    while (!worker().waits && worker().under_way == number) {
        const Wanted next = of_worker(MoveKind::kStatement);
        const std::vector<Move>& moves = runtime_.moves();
        const auto found = std::find_if(moves.begin(), moves.end(), next);
        if (found == moves.end() || runtime_.preview(*found).phase == StatementPhase::kCommit) {
            return;
        }
        settle(perform("runs its next statement", next));
    }
}

bool Director::next_is_in(int number) const {
    const Wanted next = of_worker(MoveKind::kStatement);
    const std::vector<Move>& moves = runtime_.moves();
    const auto found = std::find_if(moves.begin(), moves.end(), next);
    return found != moves.end() && units_.find(process_, runtime_.preview(*found).where).unit == number;
}

// Runs the statements that are left of a unit that is under way, unless one waits for a lock.
void Director::go_on() {
    const auto open = [&] { return worker().under_way >= 0 && worker().expected && !worker().waits; };
    for (int count = 0; open() && count < kMostStatements; ++count) {
        settle(perform("runs its next statement", of_worker(MoveKind::kStatement)));
    }
}

// What came of a statement of the unit that is under way.
void Director::settle(const RunEvent& event) {
    Worker& own = worker();
    own.waits = event.outcome == RunOutcome::kWaits;
    if (own.waits) {
        return;
    }
    const bool transaction = own.under_way >= 0 && unit(own.under_way).step->verb == Verb::kTransaction;
    const bool over = event.outcome != RunOutcome::kDone || event.phase == StatementPhase::kCommit ||
                      (!transaction && event.phase == StatementPhase::kWhole && !next_is_in(own.under_way));
    if (!over) {
        return;
    }
    own.under_way = -1;
    const std::optional<EventOutcome> expected = std::exchange(own.expected, std::nullopt);
    if (!expected) {
        own.came_out = event.outcome;
    } else if (!any_outcome_ && !agrees(event.outcome, *expected)) {
        throw Diverged("the step comes out otherwise: " + told(event));
    }
    if (event.incarnation_ends) {
        const std::optional<RunOutcome> early = own.came_out;
        slot() = {};
        worker().came_out = early;
    }
}

// Runs BEGIN and the statements up to this one.
void Director::run_to_statement(int number, int statement) {
    const Step& wanted = unit(number).step->body[static_cast<std::size_t>(statement)];
    worker().under_way = number;
    for (int count = 0; count < kMostStatements; ++count) {
        const RunEvent& event = perform("runs its next statement", of_worker(MoveKind::kStatement));
        if (event.outcome == RunOutcome::kWaits) {
            worker().waits = true;
            return;
        }
        if (event.outcome != RunOutcome::kDone) {
            throw Diverged("a statement comes out otherwise: " + told(event));
        }
        if (event.where == wanted.position && event.phase == StatementPhase::kInside) {
            return;
        }
    }
    throw Diverged("the statement is not reached");
}

bool Director::has_left(int number) const {
    const Value position = (*after_)[index_.execution(process_, slot_, thread_).position];
    return position < unit(number).first || position > unit(number).last;
}

void Director::load(const ActionLabel& label) {
    const int number = units_.find(process_, label.where).unit;
    const ActionEvent& event = label.event;
    const bool again = worker().loaded.contains(event.record);
    if (event.record >= 0) {
        const Wanted loads = of_worker(MoveKind::kLoadRow, again ? MoveFault::kTaskRetry : MoveFault::kNone);
        const auto wanted = [&](const Move& move) { return loads(move) && move.record == event.record; };
        const auto gone = process().gone.find(event.batch);
        if (gone != process().gone.end() && (*after_)[gone->second] != 0 && !offers(wanted)) {
            worker().ends_load = has_left(number);  // the record has expired
            return;
        }
        const RunEvent& loaded = perform("loads a row", wanted);
        if (loaded.outcome != RunOutcome::kWaits && !agrees(loaded.outcome, event.outcome)) {
            throw Diverged("the load comes out otherwise: " + told(loaded));
        }
        if (loaded.incarnation_ends) {
            slot() = {};
            return;
        }
        worker().loaded.insert(event.record);
    }
    worker().ends_load = has_left(number);
}

// The model has left the load: rows of records that it does not follow, and the end of the load.
void Director::end_load() {
    if (!worker().ends_load) {
        return;
    }
    worker().ends_load = false;
    worker().loaded.clear();
    load_rest();
    (void)perform("ends its load", of_worker(MoveKind::kEndLoad));
}

void Director::load_rest() {
    const Wanted loads = of_worker(MoveKind::kLoadRow);
    while (offers(loads)) {
        (void)perform("loads a row", loads);
    }
}

std::vector<int> Director::rows_to_load() const {
    std::vector<int> records;
    const Wanted loads = of_worker(MoveKind::kLoadRow);
    for (const Move& move : runtime_.moves()) {
        if (loads(move)) {
            records.push_back(move.record);
        }
    }
    return records;
}

// Runs statements until the runtime offers the move; of a transaction only the COMMIT can be lost or in flight.
void Director::run_until_offered(const Wanted& wanted, int number) {
    for (int count = 0; !offers(wanted) && count < kMostStatements; ++count) {
        const Wanted next = of_worker(MoveKind::kStatement);
        if (!offers(next)) {
            break;
        }
        const RunEvent& event = perform("runs its next statement", next);
        if (event.outcome != RunOutcome::kDone) {
            throw Diverged("a statement comes out otherwise: " + told(event));
        }
        if (number >= 0 && units_.find(process_, event.where).unit != number) {
            throw Diverged("the runtime cannot lose the acknowledgement of this step");
        }
    }
}

void Director::lose_acknowledgement(const ActionLabel& label, MoveFault fault) {
    const bool loads = label.event.record >= 0 || !rows_to_load().empty();
    const Wanted loses = of_worker(loads ? MoveKind::kLoadRow : MoveKind::kStatement, fault);
    const int record = label.event.record;
    const auto wanted = [&](const Move& move) { return loses(move) && (record < 0 || move.record == record); };
    if (!loads) {
        run_until_offered(wanted, -1);
    }
    worker().under_way = -1;
    worker().has_read = false;
    const RunEvent event = perform("is told that a statement failed", wanted);
    if (event.incarnation_ends) {
        slot() = {};
    }
    note_held(event, loads ? std::vector<int>{event.move.record} : std::vector<int>{}, thread_);
}

// A statement in flight of a dead incarnation is applied.
void Director::land(const ActionLabel& label) {
    const ActionEvent& event = label.event;
    std::vector<Held>& held = slot().held;
    if (event.kind == EventKind::kUnitRead) {
        return;  // reads and writes when it lands
    }
    const auto found = std::find_if(held.begin(), held.end(), [&](const Held& one) {
        return event.kind != EventKind::kLoad || one.record == event.record;
    });
    if (found == held.end()) {
        return drop_all();  // a batch without the record that is followed
    }
    const int number = found->number;
    held.erase(found);
    const RunEvent& landed = perform("has its statement applied", [&](const Move& move) {
        return move.kind == MoveKind::kLand && move.statement == number;
    });
    if (!agrees(landed.outcome, event.outcome)) {
        throw Diverged("the statement in flight comes out otherwise: " + told(landed));
    }
    if ((*after_)[index_.execution(process_, slot_, thread_).position] == 0) {
        drop_all();
    }
}

void Director::drop_all() {
    for (const Held& held : slot().held) {
        const auto drops = [&](const Move& move) {
            return (move.kind == MoveKind::kDrop || move.kind == MoveKind::kLand) && move.statement == held.number;
        };
        const auto never = [&](const Move& move) { return drops(move) && move.kind == MoveKind::kDrop; };
        (void)perform("loses a statement in flight", offers(never) ? Wanted(never) : Wanted(drops));
    }
    slot().held.clear();
}

void Director::spawn(const ActionLabel& label) {
    (void)perform("starts a thread", of_worker(MoveKind::kSpawn));
    const int number = index_.thread_number(process_, label.event.block, label.event.batch);
    slot().workers[number] = {};
    slot().workers[number].thread = slot().threads++;
}

}  // namespace oncecheck

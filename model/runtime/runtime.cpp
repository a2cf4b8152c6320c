#include "model/runtime/runtime.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "model/runtime/runtime_implementation.h"

namespace oncecheck {

namespace {

bool is_written_by(const Pipeline& pipeline, ComponentId log, const std::vector<ComponentId>& processes) {
    return std::any_of(processes.begin(), processes.end(), [&](ComponentId process) {
        const auto& writes = pipeline.component(process).document.writes;
        return std::any_of(writes.begin(), writes.end(),
                           [&](const Connection& connection) { return pipeline.find(connection.object.text) == log; });
    });
}

StoreOptions store_options(const RuntimeOptions& options) {
    StoreOptions store;
    store.url = options.store;
    if (store.url.empty() && !options.directory.empty()) {
        store.url = options.directory + "/store";
        std::filesystem::create_directories(store.url);
    }
    store.allow_same_names = options.use_existing;
    return store;
}

}  // namespace

Runtime::Implementation::Implementation(const Pipeline& pipeline, RunInputs inputs, const RuntimeOptions& options)
    : stores_(open_stores(pipeline, store_options(options))), world_(pipeline, *stores_, options) {
    begin(std::move(inputs));
}

void Runtime::Implementation::restart(RunInputs inputs) {
    queries_.clear();
    producers_.clear();
    world_.held.clear();
    world_.topics.clear();
    stores_->reset();
    for (const char* part : {"/topics", "/checkpoints"}) {
        if (!world_.options.directory.empty()) {
            std::filesystem::remove_all(world_.options.directory + part);
        }
    }
    begin(std::move(inputs));
}

void Runtime::Implementation::begin(RunInputs inputs) {
    const Pipeline& pipeline = world_.pipeline;
    if (inputs.records.empty()) {
        inputs.records = default_records(pipeline, inputs);
    }
    inputs.processes = processes_of(pipeline, inputs);
    world_.record = {};
    for (const RunColumn& column : stores_->schema().columns()) {
        world_.record.columns.push_back(column.name);
    }
    world_.identities = Identities(inputs.seed);
    world_.record.inputs = std::move(inputs);
    world_.next_held = 0;
    world_.waiters.clear();
    world_.moment = 0;
    world_.index = {};
    open_topics(world_.inputs().processes);
    for (const ComponentId process : world_.inputs().processes) {
        if (pipeline.component(process).type->protocol == Protocol::kMicroBatch) {
            queries_.emplace_back(world_, process);
        } else if (pipeline.component(process).type->protocol == Protocol::kProducer) {
            producers_.emplace_back(world_, process);
        }
    }
    listed_ = false;
}

void Runtime::Implementation::open_topics(const std::vector<ComponentId>& processes) {
    const std::string folder = world_.options.directory + "/topics";
    if (!world_.options.directory.empty() && std::filesystem::exists(folder)) {
        throw StoreError("'" + folder + "' is there already: an earlier run has left it; name another directory");
    }
    world_.topics.clear();
    world_.written.clear();
    const Pipeline& pipeline = world_.pipeline;
    for (ComponentId id = 0; id < pipeline.components.size(); ++id) {
        if (pipeline.component(id).type->protocol == Protocol::kLog) {
            world_.topics.emplace(id, world_.options.directory.empty()
                                          ? TopicLog(kPartitionsOfARun)
                                          : TopicLog(kPartitionsOfARun, folder + '/' + std::to_string(id)));
            if (is_written_by(pipeline, id, processes)) {
                world_.written.insert(id);
            }
        }
    }
    for (std::size_t record = 0; record < world_.inputs().records.size(); ++record) {
        const RunRecordEntry& entry = world_.inputs().records[record];
        if (world_.written.count(entry.log) == 0) {
            const int number = static_cast<int>(record);
            static_cast<void>(world_.topics.at(entry.log).append(entry.partition, {}, std::to_string(number)));
            world_.index.add(pipeline.component(entry.log).document.name, entry.partition, entry.partition_offset,
                             number);
        }
    }
}

QueryProcess& Runtime::Implementation::query(ComponentId process) {
    for (QueryProcess& query : queries_) {
        if (query.process() == process) {
            return query;
        }
    }
    throw InternalError("a move names a process that does not take part");
}

const QueryProcess* Runtime::Implementation::find_query(ComponentId process) const {
    const auto found = std::find_if(queries_.begin(), queries_.end(),
                                    [&](const QueryProcess& query) { return query.process() == process; });
    return found == queries_.end() ? nullptr : &*found;
}

HeldEntry& Runtime::Implementation::held(int number) {
    for (HeldEntry& entry : world_.held) {
        if (entry.number == number) {
            return entry;
        }
    }
    throw InternalError("a move names a statement that is not held back");
}

std::span<const RunEvent> Runtime::Implementation::perform(const Move& move) {
    listed_ = false;
    const std::size_t before = world_.record.events.size();
    if (move.kind != MoveKind::kResume) {
        RunEvent event;
        event.move = move;
        perform_move(move, event);
        keep(std::move(event));
    }
    resume_waiters();
    return std::span<const RunEvent>(world_.record.events).subspan(before);
}

void Runtime::Implementation::perform_move(const Move& move, RunEvent& event) {
    switch (move.kind) {
        case MoveKind::kLand:
            return land(move.statement, event);
        case MoveKind::kDrop:
            return drop(move.statement, event);
        default:
            break;
    }
    for (ProducerProcess& producer : producers_) {
        if (producer.process() == move.process) {
            return producer.perform(move, event);
        }
    }
    query(move.process).perform(move, event);
}

void Runtime::Implementation::land(int number, RunEvent& event) {
    HeldEntry& entry = held(number);
    const Waiter self{entry.process, -1, -1, number};
    event.attempt = entry.attempt;
    event.move.incarnation = entry.incarnation;
    event.move.thread = entry.thread;
    event.move.record = entry.statement.record();
    if (!entry.statement.land(*stores_, event)) {
        if (std::find(world_.waiters.begin(), world_.waiters.end(), self) == world_.waiters.end()) {
            world_.waiters.push_back(self);
        }
        return;
    }
    std::erase(world_.waiters, self);
    world_.held.remove_if([&](const HeldEntry& one) { return one.number == number; });
}

void Runtime::Implementation::drop(int number, RunEvent& event) {
    HeldEntry& entry = held(number);
    event.attempt = entry.attempt;
    event.move.incarnation = entry.incarnation;
    event.move.thread = entry.thread;
    event.move.record = entry.statement.record();
    event.where = entry.statement.description().where;
    event.target = entry.statement.description().target;
    entry.statement.drop();
    std::erase(world_.waiters, Waiter{entry.process, -1, -1, number});
    world_.held.remove_if([&](const HeldEntry& one) { return one.number == number; });
}

// Whoever can go on does so at once; what it did may let another go on. Those that the server has let go on by itself
// come first, in its order; then those that have waited longest.
void Runtime::Implementation::resume_waiters() {
    bool resumed = !world_.waiters.empty();
    while (resumed) {
        const std::vector<Waiter> waiters = in_turn();
        resumed = std::any_of(waiters.begin(), waiters.end(), [&](const Waiter& waiter) { return resume(waiter); });
    }
}

std::vector<Waiter> Runtime::Implementation::in_turn() {
    std::vector<std::pair<std::int64_t, Waiter>> waiters;
    for (const Waiter& waiter : world_.waiters) {
        const std::int64_t turn =
            waiter.held >= 0 ? held(waiter.held).statement.turn() : query(waiter.process).turn(waiter);
        waiters.emplace_back(turn > 0 ? turn : std::numeric_limits<std::int64_t>::max(), waiter);
    }
    std::stable_sort(waiters.begin(), waiters.end(),
                     [](const auto& left, const auto& right) { return left.first < right.first; });
    std::vector<Waiter> ordered;
    for (auto& [unused, waiter] : waiters) {
        ordered.push_back(waiter);
    }
    return ordered;
}

// True if the waiter no longer waits; only then there is an event.
bool Runtime::Implementation::resume(const Waiter& waiter) {
    RunEvent event;
    event.move = {.kind = MoveKind::kResume,
                  .process = waiter.process,
                  .incarnation = waiter.incarnation,
                  .thread = waiter.thread,
                  .statement = waiter.held};
    if (waiter.held >= 0) {
        land(waiter.held, event);
    } else {
        query(waiter.process).resume(waiter, event);
    }
    if (event.outcome == RunOutcome::kWaits) {
        return false;
    }
    keep(std::move(event));
    return true;
}

void Runtime::Implementation::keep(RunEvent event) {
    world_.record.events.push_back(std::move(event));
    if (world_.options.keep_contents) {
        world_.record.contents.push_back(stores_->content());
    }
}

RunStanding Runtime::Implementation::standing() const {
    RunStanding standing;
    standing.settled =
        world_.held.empty() && world_.waiters.empty() &&
        std::all_of(queries_.begin(), queries_.end(), [](const QueryProcess& query) { return query.settled(); });
    for (const QueryProcess& query : queries_) {
        if (!query.read_to_the_end()) {
            standing.behind.push_back(query.process());
        }
    }
    for (const ProducerProcess& producer : producers_) {
        if (!producer.done()) {
            standing.behind.push_back(producer.process());
        }
    }
    standing.complete = standing.settled && standing.behind.empty();
    return standing;
}

Runtime::Runtime(const Pipeline& pipeline, RunInputs inputs, const RuntimeOptions& options)
    : implementation_(std::make_unique<Implementation>(pipeline, std::move(inputs), options)) {}
Runtime::~Runtime() = default;

const std::vector<Move>& Runtime::moves() const { return implementation_->moves(); }
Runtime::MoveNature Runtime::nature(const Move& move) const { return implementation_->nature(move); }
std::span<const RunEvent> Runtime::perform(const Move& move) { return implementation_->perform(move); }
std::string Runtime::describe(const Move& move) const { return implementation_->describe(move); }
RunEvent Runtime::preview(const Move& move) const { return implementation_->preview(move); }
RunStanding Runtime::standing() const { return implementation_->standing(); }
std::map<std::string, std::vector<int>> Runtime::passed(ComponentId query) const {
    return implementation_->passed(query);
}
const TopicLog& Runtime::log(ComponentId topic) const { return implementation_->log(topic); }
const Content& Runtime::content() { return implementation_->content(); }
RunStores& Runtime::stores() { return implementation_->stores(); }
const RecordIndex& Runtime::index() const { return implementation_->index(); }
const RunRecord& Runtime::record() const { return implementation_->record(); }
void Runtime::restart(RunInputs inputs) { implementation_->restart(std::move(inputs)); }

}  // namespace oncecheck

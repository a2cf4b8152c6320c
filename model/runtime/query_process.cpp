#include "model/runtime/query_process.h"

#include <algorithm>
#include <numeric>

#include "model/pipeline/steps.h"

namespace oncecheck {

namespace {

bool mentions_now(const Component& component) {
    bool found = false;
    const auto look = [&](const Template& text) { found = found || text.mentions("now"); };
    for (const Program* program : {&component.on_start, &component.steps, &component.on_error}) {
        for_each_step(*program, [&](const Step& step) {
            look(step.target);
            look(step.partner);
            look(step.source.value_or(Template{}));
            for (const auto& columns : {step.set, step.where}) {
                std::for_each(columns.begin(), columns.end(), [&](const auto& column) { look(column.second); });
            }
            std::for_each(step.key.begin(), step.key.end(), look);
        });
    }
    return found;
}

int total(const Positions& positions) { return std::accumulate(positions.begin(), positions.end(), 0); }

// The positions that offsets/N holds. Requires that it is there.
std::vector<Positions> positions_of(const Checkpoint& checkpoint, int batch) {
    const SourcePositions named = checkpoint.offsets(batch).value();
    std::vector<Positions> positions;
    for (const auto& [unused, offsets] : named) {
        positions.push_back(offsets);
    }
    return positions;
}

// A name that is safe as that of a folder.
std::string folder_name(const std::string& component) {
    std::string name = component;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '/' || c == '\0' || c == '.'; }, '_');
    return name;
}

}  // namespace

QueryProcess::QueryProcess(RunWorld& world, ComponentId process) : world_(world), process_(process) {
    const PipelineComponent& query = component();
    for (const Connection& connection : query.document.reads) {
        logs_.push_back(world_.pipeline.find(connection.object.text).value());
    }
    isolation_ = query.settings.meaning("reads_aborted") == "no" ? ReadIsolation::kReadCommitted
                                                                 : ReadIsolation::kReadUncommitted;
    racy_ = query.settings.meaning("put_if_absent") != "atomic";
    persistent_ = query.settings.meaning("progress") == "persistent";
    gap_fails_ = query.settings.meaning("source_gap") == "fails";
    starts_latest_ = query.settings.meaning("first_position") == "latest";
    tells_moments_ = mentions_now(query.document);
    const FormulaValue retained = query.settings.value("spark.sql.streaming.minBatchesToRetain");
    if (const auto* number = std::get_if<std::int64_t>(&retained)) {
        batches_to_retain_ = static_cast<int>(*number);
    }
    if (const auto runner = world_.pipeline.find(query.document.run_by)) {
        overlap_planned_ = world_.pipeline.component(*runner).settings.meaning("overlap") == "planned";
    }
}

RunFaults QueryProcess::faults() const {
    const auto found = world_.inputs().faults.find(process_);
    return found == world_.inputs().faults.end() ? RunFaults{} : found->second;
}

bool QueryProcess::lives(int incarnation) const {
    return std::any_of(incarnations_.begin(), incarnations_.end(),
                       [&](const Incarnation& one) { return one.number == incarnation; });
}

Incarnation* QueryProcess::find(int number) {
    const auto found = std::find_if(incarnations_.begin(), incarnations_.end(),
                                    [&](const Incarnation& one) { return one.number == number; });
    return found == incarnations_.end() ? nullptr : &*found;
}

Worker& QueryProcess::worker(Incarnation& incarnation, int thread) {
    if (thread < 0) {
        return incarnation.main;
    }
    const auto found = std::find_if(incarnation.threads.begin(), incarnation.threads.end(),
                                    [&](const Worker& one) { return one.thread == thread; });
    if (found == incarnation.threads.end()) {
        throw InternalError("a move names a thread that does not live");
    }
    return *found;
}

RunEvent QueryProcess::preview(const Move& move) const {
    const auto incarnation = std::find_if(incarnations_.begin(), incarnations_.end(),
                                          [&](const Incarnation& one) { return one.number == move.incarnation; });
    if (incarnation == incarnations_.end()) {
        return {};
    }
    const Worker* acting = &incarnation->main;
    for (const Worker& thread : incarnation->threads) {
        acting = thread.thread == move.thread ? &thread : acting;
    }
    if (!acting->run || acting->run->next() == ProgramRun::Next::kOver) {
        return {};
    }
    return acting->run->description();
}

void QueryProcess::perform(const Move& move, RunEvent& event) {
    switch (move.kind) {
        case MoveKind::kStart:
            return start(event);
        case MoveKind::kPurge:
            return purge(move.batch, event);
        case MoveKind::kExpire:
            return expire(move.record, event);
        default:
            break;
    }
    Incarnation* incarnation = find(move.incarnation);
    if (incarnation == nullptr) {
        throw InternalError("a move names an incarnation that does not live");
    }
    switch (move.kind) {
        case MoveKind::kReadProgress:
            return read_progress(*incarnation, move, event);
        case MoveKind::kPlan:
            return plan(*incarnation, move, event);
        case MoveKind::kLookAhead:
            return look_ahead(*incarnation, event);
        case MoveKind::kWriteAhead:
            return write_ahead(*incarnation, event);
        case MoveKind::kLookCommit:
            return look_commit(*incarnation, event);
        case MoveKind::kCommitBatch:
            return commit(*incarnation, event);
        case MoveKind::kCrash:
            return crash(*incarnation, move, event);
        case MoveKind::kEndSilently:
            return end_incarnation(*incarnation, event);
        default:
            return perform_program(*incarnation, move, event);
    }
}

void QueryProcess::start(RunEvent& event) {
    Incarnation& incarnation = incarnations_.emplace_back(starts_++, world_.stores);
    incarnation.session = component().document.name + '#' + std::to_string(incarnation.number);
    open_checkpoint(incarnation);
    event.where = component().document.where;
    if (component().document.on_start.empty()) {
        return;
    }
    incarnation.position = QueryPosition::kOnStart;
    incarnation.main.run.emplace(component().document.on_start, program_input(incarnation, false));
}

// StreamingQueryManager: without a location every start has a directory of its own, and so a new identity.
void QueryProcess::open_checkpoint(Incarnation& incarnation) {
    if (checkpoint_ == nullptr || !persistent_) {
        const std::string folder = world_.options.directory + "/checkpoints/" + folder_name(component().document.name) +
                                   (persistent_ ? "" : "-temporary-" + std::to_string(incarnation.number));
        checkpoint_ = std::make_shared<Checkpoint>(world_.options.directory.empty() ? files_in_memory()
                                                                                    : files_in_directory(folder));
    }
    incarnation.checkpoint = checkpoint_;
    std::optional<std::string> query = checkpoint_->query();
    if (!query) {
        query = world_.identities.next();
        checkpoint_->write_query(*query);
        ++generations_;
    }
    incarnation.query = *query;
    incarnation.generation = generations_ - 1;
}

// populateStartOffsets: the last offsets/N without its commits/N runs again, with the start that offsets/N-1 says.
void QueryProcess::read_progress(Incarnation& incarnation, const Move& move, RunEvent& event) {
    const Checkpoint& checkpoint = *incarnation.checkpoint;
    const int written = checkpoint.last_offsets();
    const int committed = checkpoint.last_commit();
    event.message = "the last of offsets is " + std::to_string(written) + ", of commits " + std::to_string(committed);
    if (written < 0) {
        incarnation.batch = 0;
        incarnation.start = initial_positions(incarnation);
        incarnation.position = QueryPosition::kPlan;
        return;
    }
    if (written == committed) {
        incarnation.batch = written + 1;
        incarnation.start = positions_of(checkpoint, written);
        incarnation.position = QueryPosition::kPlan;
        return;
    }
    if (written > 0 && !checkpoint.has_offsets(written - 1)) {
        return end_query(incarnation, "offsets/" + std::to_string(written - 1) + " does not exist", event);
    }
    incarnation.batch = written;
    incarnation.start = written == 0 ? initial_positions(incarnation) : positions_of(checkpoint, written - 1);
    incarnation.end = positions_of(checkpoint, written);
    incarnation.moment = world_.moment = move.moment;
    begin_attempt(incarnation, event);
}

void QueryProcess::plan(Incarnation& incarnation, const Move& move, RunEvent& event) {
    incarnation.end = advanced(incarnation.start, move.end - total(incarnation.start.front()));
    incarnation.moment = world_.moment = move.moment;
    incarnation.looked = false;
    incarnation.position = QueryPosition::kWriteAhead;
    event.message = "batch " + std::to_string(incarnation.batch) + " shall end at " + std::to_string(move.end);
}

void QueryProcess::look_ahead(Incarnation& incarnation, RunEvent& event) {
    if (incarnation.checkpoint->has_offsets(incarnation.batch)) {
        return end_query(incarnation, "offsets/" + std::to_string(incarnation.batch) + " is there already", event);
    }
    incarnation.looked = true;
}

// constructNextBatch: offsets/N, then a look at offsets/N-1 for the sources' sake, then the purge.
void QueryProcess::write_ahead(Incarnation& incarnation, RunEvent& event) {
    Checkpoint& checkpoint = *incarnation.checkpoint;
    const int batch = incarnation.batch;
    if (racy_) {
        checkpoint.put_offsets(batch, named(incarnation.end));
    } else if (!checkpoint.add_offsets(batch, named(incarnation.end))) {
        return end_query(incarnation, "offsets/" + std::to_string(batch) + " is there already", event);
    }
    if (batch > 0 && !checkpoint.has_offsets(batch - 1)) {
        return end_query(incarnation, "offsets/" + std::to_string(batch - 1) + " does not exist", event);
    }
    if (batches_to_retain_ < batch) {
        checkpoint.purge_below(batch - batches_to_retain_);
    }
    begin_attempt(incarnation, event);
}

void QueryProcess::look_commit(Incarnation& incarnation, RunEvent& event) {
    event.attempt = incarnation.main.attempt;
    if (incarnation.checkpoint->has_commit(incarnation.batch)) {
        return end_query(incarnation, "commits/" + std::to_string(incarnation.batch) + " is there already", event);
    }
    incarnation.looked = true;
}

void QueryProcess::commit(Incarnation& incarnation, RunEvent& event) {
    event.attempt = incarnation.main.attempt;
    if (racy_) {
        incarnation.checkpoint->put_commit(incarnation.batch);
    } else if (!incarnation.checkpoint->add_commit(incarnation.batch)) {
        return end_query(incarnation, "commits/" + std::to_string(incarnation.batch) + " is there already", event);
    }
    incarnation.start = incarnation.end;
    ++incarnation.batch;
    incarnation.main.attempt = -1;
    incarnation.position = QueryPosition::kPlan;
}

void QueryProcess::begin_attempt(Incarnation& incarnation, RunEvent& event) {
    const std::string missing = gap(incarnation);
    if (!missing.empty() && gap_fails_) {
        return end_query(incarnation, missing, event);
    }
    RunAttempt attempt;
    attempt.process = process_;
    attempt.incarnation = incarnation.number;
    attempt.batch = incarnation.batch;
    attempt.start = total(incarnation.start.front());
    attempt.end = total(incarnation.end.front());
    attempt.query = incarnation.query;
    attempt.attempt = world_.identities.next();
    attempt.moment = incarnation.moment;
    attempt.generation = incarnation.generation;
    event.attempt = incarnation.main.attempt = static_cast<int>(world_.record.attempts.size());
    world_.record.attempts.push_back(std::move(attempt));
    incarnation.looked = false;
    incarnation.position = QueryPosition::kProgram;
    incarnation.main.run.emplace(component().document.steps, program_input(incarnation, true));
    after_main(incarnation, event);
}

void QueryProcess::end_query(Incarnation& incarnation, const std::string& why, RunEvent& event) {
    event.outcome = RunOutcome::kEnds;
    event.message = why;
    end_incarnation(incarnation, event);
}

void QueryProcess::end_incarnation(Incarnation& incarnation, RunEvent& event) {
    event.incarnation_ends = true;
    world_.forget_waiters(process_, incarnation.number);
    const std::string session = incarnation.session;
    incarnations_.remove_if([&](const Incarnation& one) { return &one == &incarnation; });
    world_.stores.end_session(session);
}

// The batches of others that went by: where the batch is the last, one that holds none of the run's records follows.
void QueryProcess::purge(int batch, RunEvent& event) {
    if (checkpoint_->last_offsets() == batch) {
        checkpoint_->put_offsets(batch + 1, checkpoint_->offsets(batch).value());
        checkpoint_->put_commit(batch + 1);
    }
    checkpoint_->remove_commit(batch);
    event.message = "commits/" + std::to_string(batch) + " is purged";
}

void QueryProcess::expire(int record, RunEvent& event) {
    const RunRecordEntry& entry = world_.inputs().records.at(static_cast<std::size_t>(record));
    world_.topics.at(entry.log).expire_first(entry.partition);
    event.message = id_text(world_.pipeline, entry) + " is gone";
}

bool QueryProcess::settled() const {
    return std::all_of(incarnations_.begin(), incarnations_.end(), [&](const Incarnation& one) {
        return one.position == QueryPosition::kPlan && one.threads.empty() && possible_ends(one).empty();
    });
}

// No batch yet: nothing has been written, or all that has been is before its first position.
bool QueryProcess::starts_at_the_end() const {
    const std::vector<Positions> all = ends();
    for (std::size_t source = 0; source < logs_.size(); ++source) {
        const std::string& topic = world_.pipeline.component(logs_[source]).document.name;
        if (total(all[source]) != 0 && checkpoint_->initial_positions(source, topic) != all[source]) {
            return false;
        }
    }
    return true;
}

bool QueryProcess::read_to_the_end() const {
    if (checkpoint_ == nullptr) {
        return false;
    }
    const int written = checkpoint_->last_offsets();
    if (written < 0) {
        return starts_at_the_end();
    }
    return checkpoint_->last_commit() == written && checkpoint_->offsets(written) == named(ends());
}

}  // namespace oncecheck

#include "checker/crossvalidate/run_reading.h"

#include <algorithm>
#include <map>

namespace oncecheck {

namespace {

bool is_of_program(MoveKind kind) {
    switch (kind) {
        case MoveKind::kStatement:
        case MoveKind::kResume:
        case MoveKind::kLoadRow:
        case MoveKind::kEndLoad:
        case MoveKind::kSpawn:
            return true;
        default:
            return false;
    }
}

class Reader {
  public:
    Reader(const RunRecord& run, const HopSystem& hop, const ProgramUnits& units, const ActionIndex& index)
        : run_(run), hop_(hop), units_(units), index_(index), model_(*hop.model) {}

    RunReading read() {
        reading_.events.resize(run_.events.size());
        for (std::size_t event = 0; event < run_.events.size(); ++event) {
            read_actor(event);
            read_thread(event);
            read_place(event);
        }
        read_units();
        read_held();
        read_plans();
        read_generations();
        return std::move(reading_);
    }

  private:
    EventReading& at(std::size_t event) { return reading_.events[event]; }

    void read_actor(std::size_t event) {
        const Move& move = run_.events[event].move;
        const auto owner = std::find_if(model_.processes.begin(), model_.processes.end(),
                                        [&](const ProcessModel& process) { return process.id == move.process; });
        if (owner == model_.processes.end()) {
            return;
        }
        const Actor actor{static_cast<std::size_t>(owner - model_.processes.begin()), move.incarnation};
        at(event).process = static_cast<int>(actor.process);
        if (move.incarnation < 0) {
            return;
        }
        const auto known = std::find(reading_.actors.begin(), reading_.actors.end(), actor);
        at(event).actor = static_cast<int>(known - reading_.actors.begin());
        if (known == reading_.actors.end()) {
            reading_.actors.push_back(actor);
            threads_.emplace_back();
        }
    }

    // Threads are numbered in the order in which the incarnation starts them.
    void read_thread(std::size_t event) {
        EventReading& read = at(event);
        const RunEvent& happened = run_.events[event];
        if (happened.attempt >= 0) {
            read.attempt = &run_.attempts[static_cast<std::size_t>(happened.attempt)];
        }
        if (read.actor < 0) {
            return;
        }
        std::vector<int>& threads = threads_[static_cast<std::size_t>(read.actor)];
        const int thread = happened.move.thread;
        if (thread >= 0 && thread < static_cast<int>(threads.size())) {
            read.thread = threads[static_cast<std::size_t>(thread)];
        }
        if (happened.move.kind == MoveKind::kSpawn && read.attempt != nullptr) {
            const UnitPlace place = units_.find(static_cast<std::size_t>(read.process), happened.where);
            const int block = place.unit < 0 ? 0 : units_.all()[static_cast<std::size_t>(place.unit)].spawned_block;
            threads.push_back(index_.thread_number(static_cast<std::size_t>(read.process), block, read.attempt->batch));
        }
    }

    void read_place(std::size_t event) {
        EventReading& read = at(event);
        const RunEvent& happened = run_.events[event];
        if (read.process < 0) {
            return;
        }
        read.place = units_.find(static_cast<std::size_t>(read.process), happened.where);
        if (happened.move.record >= 0) {
            read.record = record_of(happened.move.record);
        }
    }

    int record_of(int of_run) const {
        const RunRecordEntry& entry = run_.inputs.records[static_cast<std::size_t>(of_run)];
        for (std::size_t record = 0; record < hop_.records.size(); ++record) {
            if (hop_.records[record].log == entry.log && hop_.records[record].offset == entry.offset) {
                return static_cast<int>(record);
            }
        }
        return -1;
    }

    bool is_landing(const RunEvent& event) const {
        return event.move.kind == MoveKind::kLand ||
               (event.move.kind == MoveKind::kResume && event.move.statement >= 0);
    }

    // A unit is over when its client knows: after a COMMIT, a failure or skip, or when the next one begins.
    void read_units() {
        std::map<std::pair<int, int>, std::vector<std::size_t>> open;  // by actor and thread
        const auto close = [&](std::vector<std::size_t>& events, std::optional<RunOutcome> outcome) {
            if (!events.empty()) {
                at(events.back()).ends = true;
                for (const std::size_t event : events) {
                    at(event).outcome = outcome;
                }
            }
            events.clear();
        };
        // Its client is gone: it may have been the unit's last statement.
        const auto cut_short = [&](std::vector<std::size_t>& events) {
            const std::size_t last = events.back();
            const bool finished =
                run_.events[last].outcome == RunOutcome::kDone && run_.events[last].phase == StatementPhase::kWhole;
            close(events, finished ? std::optional(RunOutcome::kDone) : std::nullopt);
            at(last).ends = false;
        };
        for (std::size_t event = 0; event < run_.events.size(); ++event) {
            EventReading& read = at(event);
            const RunEvent& happened = run_.events[event];
            if (read.actor < 0 || is_landing(happened)) {
                continue;
            }
            const auto ends_all = [&] {
                for (auto& [who, events] : open) {
                    if (who.first == read.actor && !events.empty()) {
                        cut_short(events);
                    }
                }
            };
            if (happened.move.kind == MoveKind::kCrash || happened.move.kind == MoveKind::kEndSilently) {
                ends_all();
                continue;
            }
            std::vector<std::size_t>& events = open[{read.actor, read.thread}];
            if (!is_of_program(happened.move.kind)) {
                close(events, RunOutcome::kDone);
                continue;
            }
            if (!events.empty() && at(events.back()).place.unit != read.place.unit) {
                close(events, RunOutcome::kDone);
            }
            read.begins = events.empty();
            read.fault = happened.move.fault;
            if (!events.empty() && happened.move.kind == MoveKind::kResume) {
                resume(event, events);
            }
            events.push_back(event);
            const bool failed = happened.outcome == RunOutcome::kFailed;
            if (failed || happened.outcome == RunOutcome::kSkipped) {
                close(events, happened.outcome);
            } else if (happened.outcome == RunOutcome::kDone &&
                       (happened.phase == StatementPhase::kCommit || happened.move.kind == MoveKind::kEndLoad)) {
                close(events, RunOutcome::kDone);
            }
            if (happened.incarnation_ends) {
                ends_all();
            }
        }
        for (auto& [unused, events] : open) {
            if (!events.empty()) {
                cut_short(events);
            }
        }
    }

    // What was sent and has waited: of a load, the row whose task still waits.
    void resume(std::size_t event, const std::vector<std::size_t>& events) {
        const auto sent = std::find_if(events.rbegin(), events.rend(), [&](std::size_t earlier) {
            return run_.events[earlier].outcome == RunOutcome::kWaits &&
                   run_.events[earlier].move.kind != MoveKind::kResume;
        });
        if (sent != events.rend()) {
            at(event).record = at(*sent).record;
            at(event).fault = at(*sent).fault;
        }
    }

    // Of statements that are held back: which are applied, and which rows come again.
    void read_held() {
        std::map<int, std::size_t> holders;          // statement -> the event that holds it back
        std::map<int, std::size_t> last;             // actor -> its last landing with an effect
        std::map<std::pair<int, int>, int> waiting;  // actor and thread -> the row that waited last
        for (std::size_t event = 0; event < run_.events.size(); ++event) {
            const RunEvent& happened = run_.events[event];
            if (happened.move.kind == MoveKind::kLoadRow && happened.outcome == RunOutcome::kWaits) {
                waiting[{at(event).actor, at(event).thread}] = at(event).record;
            }
            for (const int held : happened.held) {
                holders.emplace(held, event);
            }
            if (!is_landing(happened)) {
                continue;
            }
            const auto holder = holders.find(happened.move.statement);
            if (holder == holders.end()) {
                continue;
            }
            EventReading& read = at(event);
            const EventReading& held = at(holder->second);
            read.actor = held.actor;
            read.process = held.process;
            read.thread = held.thread;
            read.attempt = held.attempt;
            if (read.record < 0 && waiting.contains({read.actor, read.thread})) {
                read.record = waiting.at({read.actor, read.thread});  // a row that waited for a lock
            }
            const bool inside = happened.phase == StatementPhase::kInside || happened.phase == StatementPhase::kBegin;
            if (happened.outcome == RunOutcome::kDone && !inside && read.actor >= 0) {
                read.takes_effect = true;
                at(holder->second).leaves = true;
                last[read.actor] = event;
            }
        }
        for (const auto& [unused, event] : last) {
            at(event).last_effect = true;
        }
        read_retries();
    }

    void read_retries() {
        std::map<std::tuple<int, int, int, int>, bool> again;  // actor, thread, unit, record -> a retry follows
        for (std::size_t event = run_.events.size(); event-- > 0;) {
            const RunEvent& happened = run_.events[event];
            EventReading& read = at(event);
            const bool lands = happened.move.kind == MoveKind::kLand;  // of a task that was run again, if it was done
            const bool of_load =
                lands || happened.move.kind == MoveKind::kLoadRow || happened.move.kind == MoveKind::kResume;
            const bool done = happened.outcome == RunOutcome::kDone;
            const bool retried = read.fault == MoveFault::kTaskRetry;
            if (!of_load || read.record < 0 || (!done && !(retried && happened.outcome == RunOutcome::kFailed))) {
                continue;
            }
            bool& follows = again[{read.actor, happened.attempt, read.place.unit, read.record}];
            read.loaded_again = done && follows && !lands;
            follows = retried || lands;
        }
    }

    // The batch that a reading of progress or a plan leads to.
    void read_plans() {
        struct Ahead {
            const RunAttempt* attempt = nullptr;
            int end = -1;
            bool at_once = false;
        };
        std::vector<Ahead> ahead(reading_.actors.size());
        for (std::size_t event = run_.events.size(); event-- > 0;) {
            EventReading& read = at(event);
            const RunEvent& happened = run_.events[event];
            if (read.actor < 0) {
                continue;
            }
            Ahead& next = ahead[static_cast<std::size_t>(read.actor)];
            switch (happened.move.kind) {
                case MoveKind::kPlan:
                    next = {next.attempt, happened.move.end, false};
                    break;
                case MoveKind::kReadProgress:
                    read.again = read.attempt != nullptr;
                    break;
                case MoveKind::kLookAhead:
                case MoveKind::kWriteAhead:
                    if (read.attempt != nullptr) {
                        next = {read.attempt, read.attempt->end, true};
                    }
                    break;
                default:
                    continue;
            }
            if (read.attempt == nullptr && !read.again) {
                read.attempt = next.attempt;
            }
            read.planned_end = read.attempt != nullptr ? read.attempt->end : next.end;
            read.planned_start = read.attempt != nullptr ? read.attempt->start : -1;
            if (happened.move.kind == MoveKind::kReadProgress) {
                next = {};
            }
        }
        note_plans_forward();
    }

    // Where no attempt follows, the end is that of the plan before.
    void note_plans_forward() {
        std::vector<int> ends(reading_.actors.size(), -1);
        for (std::size_t event = 0; event < run_.events.size(); ++event) {
            EventReading& read = at(event);
            const RunEvent& happened = run_.events[event];
            if (read.actor < 0) {
                continue;
            }
            int& end = ends[static_cast<std::size_t>(read.actor)];
            if (happened.move.kind == MoveKind::kPlan) {
                end = happened.move.end;
            }
            const bool writes =
                happened.move.kind == MoveKind::kLookAhead || happened.move.kind == MoveKind::kWriteAhead;
            if (writes && read.planned_end < 0) {
                read.planned_end = end;
            }
        }
    }

    // Where no checkpoint survives each has an identity of its own, in the order in which the model takes them.
    void read_generations() {
        reading_.generations.resize(reading_.actors.size());
        std::vector<std::vector<int>> begun(model_.processes.size());
        for (std::size_t event = 0; event < run_.events.size(); ++event) {
            const EventReading& read = at(event);
            if (read.actor < 0 || !takes_identity(read, run_.events[event])) {
                continue;
            }
            std::vector<int>& actors = begun[static_cast<std::size_t>(read.process)];
            if (std::find(actors.begin(), actors.end(), read.actor) == actors.end()) {
                reading_.generations[static_cast<std::size_t>(read.actor)] =
                    std::min(static_cast<int>(actors.size()), kIdentities - 1);
                actors.push_back(read.actor);
            }
        }
    }

    // In the model the start of a query without `on_start` is its reading of progress.
    bool takes_identity(const EventReading& read, const RunEvent& happened) const {
        const ProcessModel& process = model_.processes[static_cast<std::size_t>(read.process)];
        const MoveKind kind = process.on_start.points.empty() ? MoveKind::kReadProgress : MoveKind::kStart;
        return process.temporary && happened.move.kind == kind;
    }

    const RunRecord& run_;
    const HopSystem& hop_;
    const ProgramUnits& units_;
    const ActionIndex& index_;
    const HopModel& model_;
    RunReading reading_;
    std::vector<std::vector<int>> threads_;  // by actor: thread of the run -> thread number
};

}  // namespace

RunReading read_run(const RunRecord& run, const HopSystem& hop, const ProgramUnits& units, const ActionIndex& index) {
    return Reader(run, hop, units, index).read();
}

}  // namespace oncecheck

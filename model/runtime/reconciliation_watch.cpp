#include "model/runtime/reconciliation_watch.h"

#include <algorithm>
#include <array>
#include <utility>

#include "model/pipeline/checks.h"
#include "model/runtime/log.h"

namespace oncecheck {

namespace {

int amount(const std::map<std::string, int>& amounts, const std::string& item) {
    const auto found = amounts.find(item);
    return found == amounts.end() ? 0 : found->second;
}

// What an alarm can show; nothing shows a row that is there in an old version.
const char* flaw_of(bool surplus) { return surplus ? "duplicate" : "loss"; }

}  // namespace

ReconciliationWatch::ReconciliationWatch(const Pipeline& pipeline, Runtime& runtime,
                                         const ResolvedReconciliation& reconciliation)
    : pipeline_(pipeline),
      runtime_(runtime),
      run_(runtime.record()),
      reconciliation_(reconciliation),
      target_(target_now(pipeline, runtime, reconciliation.sink)) {
    const std::vector<ComponentId>& all = run_.inputs.processes;
    std::copy_if(reconciliation.processes.begin(), reconciliation.processes.end(), std::back_inserter(queries_),
                 [&](ComponentId process) { return std::find(all.begin(), all.end(), process) != all.end(); });
    add_origins();
}

bool ReconciliationWatch::takes_part() const { return target_.judged && !queries_.empty(); }

int ReconciliationWatch::window_of(int record) const {
    const RunInputs& inputs = run_.inputs;
    return inputs.records.at(static_cast<std::size_t>(record)).offset / inputs.rows;
}

// About the table, and counted from the log or from a producer of it.
bool ReconciliationWatch::is_in_sight(const ResolvedRequirement& requirement) const {
    if (!requirement.from || requirement.object.scope != ObjectScope::kStore ||
        requirement.object.store != reconciliation_.sink.store ||
        !matches(requirement.object.name, reconciliation_.sink.name, true)) {
        return false;
    }
    const auto& writes = pipeline_.component(*requirement.from).document.writes;
    return *requirement.from == reconciliation_.source ||
           std::any_of(writes.begin(), writes.end(), [&](const Connection& connection) {
               return pipeline_.find(connection.object.text) == reconciliation_.source;
           });
}

void ReconciliationWatch::add_origins() {
    origins_ = {reconciliation_.source};
    for (const ResolvedRequirement& requirement : pipeline_.requirements) {
        if (is_in_sight(requirement)) {
            origins_.insert(*requirement.from);
        }
    }
}

// A record that its producer has reported counts as passed if the queries have passed whatever of it is in the log.
bool ReconciliationWatch::is_passed(const CountedRecord& counted) const {
    if (counted.at) {
        return passed_.contains(*counted.at);
    }
    return std::all_of(read_.begin(), read_.end(), [&](const CountedRecord& entry) {
        return entry.record != counted.record || passed_.contains(*entry.at);
    });
}

void ReconciliationWatch::look() {
    target_ = target_now(pipeline_, runtime_, reconciliation_.sink);
    if (!takes_part()) {
        return;
    }
    read_log();
    note_progress();
    note_flaws();
    close_windows(false);
}

void ReconciliationWatch::read_log() {
    const TopicLog& log = runtime_.log(reconciliation_.source);
    const std::string& name = pipeline_.component(reconciliation_.source).document.name;
    for (int partition = 0; partition < log.partitions(); ++partition) {
        int& next = next_.try_emplace(partition, 0).first->second;
        const int end = log.end_offset(partition, ReadIsolation::kReadCommitted);
        for (const int offset : log.visible(partition, next, end, ReadIsolation::kReadCommitted)) {
            read_.push_back({std::stoi(log.entry(partition, offset)->payload),
                             RecordIndex::Coordinates{name, std::to_string(partition), std::to_string(offset)}});
        }
        next = end;
    }
}

// What is passed stays so, though a query that has lost its checkpoint comes again.
void ReconciliationWatch::note_progress() {
    const std::vector<RunEvent>& events = run_.events;
    const bool moved =
        std::any_of(events.begin() + static_cast<std::ptrdiff_t>(seen_), events.end(), [](const RunEvent& event) {
            return event.move.kind == MoveKind::kCommitBatch || event.thread_ends || event.incarnation_ends ||
                   event.move.kind == MoveKind::kStart;
        });
    seen_ = events.size();
    if (!moved) {
        return;
    }
    std::map<RecordIndex::Coordinates, std::size_t> by;  // entry -> how many queries have passed it
    const std::string& log = pipeline_.component(reconciliation_.source).document.name;
    for (const ComponentId query : queries_) {
        for (const auto& [topic, positions] : runtime_.passed(query)) {
            for (std::size_t partition = 0; topic == log && partition < positions.size(); ++partition) {
                for (int offset = 0; offset < positions[partition]; ++offset) {
                    const RecordIndex::Coordinates at{log, std::to_string(partition), std::to_string(offset)};
                    if (++by[at] == queries_.size()) {
                        passed_.insert(at);
                    }
                }
            }
        }
    }
}

void ReconciliationWatch::note_flaws() {
    const JudgedRows rows(pipeline_, runtime_, target_);
    Flaws flaws;
    for (const ComponentId from : origins_) {
        for (const RowFlaw& flaw :
             rows.flaws(from == reconciliation_.source ? read_ : counted_records(pipeline_, runtime_, from),
                        [&](const CountedRecord& counted) { return is_passed(counted); })) {
            const auto known = flaws_.find({from, flaw.flaw, flaw.item});
            flaws.emplace(std::tuple{from, flaw.flaw, flaw.item}, known == flaws_.end() ? now() : known->second);
        }
    }
    flaws_ = std::move(flaws);
}

// A window with an entry that arrives after it has closed is open again until that is passed too.
void ReconciliationWatch::close_windows(bool all) {
    std::set<int> closed;
    std::set<int> open;
    for (const CountedRecord& entry : read_) {
        closed.insert(window_of(entry.record));
        if (!all && !is_passed(entry)) {
            open.insert(window_of(entry.record));
        }
    }
    for (const int window : open) {
        closed.erase(window);
    }
    const auto more =
        std::count_if(closed.begin(), closed.end(), [&](int window) { return !closed_.contains(window); });
    closings_ += static_cast<int>(more);
    closed_ = std::move(closed);
    if (more > 0 || all) {
        compare(all);
    }
}

ReconciliationWatch::Source ReconciliationWatch::source(const JudgedRows& rows) const {
    const bool once = !target_.key.empty() && target_.sum.empty();
    Source source;
    for (const CountedRecord& entry : read_) {
        const std::string item = rows.item_of(entry);
        int& amount = source.amounts[item];
        amount = once ? 1 : amount + 1;
        source.windows[window_of(entry.record)].insert(item);
    }
    return source;
}

// What is compared together: the items of each closed window; where rows add up, all keys that no open window has.
std::vector<std::set<std::string>> ReconciliationWatch::groups(const Source& source) const {
    std::vector<std::set<std::string>> groups;
    std::set<std::string> in_closed;
    std::set<std::string> in_open;
    for (const auto& [window, items] : source.windows) {
        if (closed_.contains(window)) {
            groups.push_back(items);
            in_closed.insert(items.begin(), items.end());
        } else {
            in_open.insert(items.begin(), items.end());
        }
    }
    if (target_.sum.empty()) {
        return groups;
    }
    std::erase_if(in_closed, [&](const std::string& item) { return in_open.contains(item); });
    return {in_closed};
}

void ReconciliationWatch::compare(bool last) {
    const JudgedRows rows(pipeline_, runtime_, target_);
    const Source in_source = source(rows);
    const std::map<std::string, int> in_sink = rows.amounts();
    ++comparisons_;
    switch (reconciliation_.by) {
        case ComparedBy::kCount:
            return compare_by_count(in_source, in_sink, last);
        case ComparedBy::kKey:
            return compare_by_key(in_source, in_sink, last);
    }
}

void ReconciliationWatch::compare_by_count(const Source& source, const std::map<std::string, int>& sink, bool last) {
    for (std::set<std::string>& items : groups(source)) {
        int in_source = 0;
        int in_sink = 0;
        for (const std::string& item : items) {
            in_source += amount(source.amounts, item);
            in_sink += amount(sink, item);
        }
        const std::string about = items.empty() ? "" : *items.begin() + (items.size() > 1 ? " and others" : "");
        raise(in_source, in_sink, std::move(items), about, last);
    }
}

void ReconciliationWatch::compare_by_key(const Source& source, const std::map<std::string, int>& sink, bool last) {
    std::set<std::string> items;
    for (const std::set<std::string>& group : groups(source)) {
        items.insert(group.begin(), group.end());
    }
    for (const std::string& item : items) {
        raise(amount(source.amounts, item), amount(sink, item), {item}, item, last);
    }
}

void ReconciliationWatch::raise(int in_source, int in_sink, std::set<std::string> items, const std::string& about,
                                bool last) {
    if (in_source != in_sink) {
        alarms_.push_back({in_sink > in_source, last, now(), std::move(items),
                           about + ": " + std::to_string(in_source) + " in " +
                               pipeline_.component(reconciliation_.source).document.name + ", " +
                               std::to_string(in_sink) + " in " + reconciliation_.target});
    }
}

// A flaw of this kind was true when the alarm was raised, of something that the alarm is about.
bool ReconciliationWatch::shows(const Alarm& alarm, ComponentId from, const std::string& flaw) const {
    return flaw_of(alarm.surplus) == flaw &&
           std::any_of(alarm.items.begin(), alarm.items.end(), [&](const std::string& item) {
               const auto found = flaws_.find({from, flaw, item});
               return found != flaws_.end() && found->second.moves <= alarm.at.moves;
           });
}

// What a query that got stuck never brings is missing in truth, at the end of the run.
bool ReconciliationWatch::is_false(const Alarm& alarm, bool complete) const {
    const bool stuck = !complete && alarm.last && !alarm.surplus;
    return !stuck && !shows(alarm, reconciliation_.source, flaw_of(alarm.surplus));
}

Sighting ReconciliationWatch::sighting(ComponentId from, const std::string& flaw) const {
    Sighting sighting{from, flaw, false, {}, {}};
    if (flaw == "stuck") {
        sighting.noticed = std::any_of(alarms_.begin(), alarms_.end(),
                                       [](const Alarm& alarm) { return alarm.last && !alarm.surplus; });
        return sighting;
    }
    std::optional<Onset> first;
    for (const auto& [what, onset] : flaws_) {
        if (std::get<0>(what) == from && std::get<1>(what) == flaw && (!first || onset.moves < first->moves)) {
            first = onset;
        }
    }
    const auto alarm =
        std::find_if(alarms_.begin(), alarms_.end(), [&](const Alarm& one) { return shows(one, from, flaw); });
    if (first && alarm != alarms_.end()) {
        sighting.noticed = true;
        sighting.moves = alarm->at.moves - first->moves;
        sighting.windows = alarm->at.windows - first->windows;
    }
    return sighting;
}

RunReconciliation ReconciliationWatch::finish(const std::vector<RunViolation>& violations, bool complete) {
    RunReconciliation run;
    if (takes_part()) {
        close_windows(true);
    }
    std::set<std::pair<ComponentId, std::string>> seen;
    for (const RunViolation& violation : violations) {
        const ResolvedRequirement& requirement = pipeline_.requirements.at(violation.requirement);
        const auto& meant = requirement.processes;
        const bool stuck = violation.flaw == "stuck" && std::any_of(queries_.begin(), queries_.end(), [&](auto query) {
                               return std::find(meant.begin(), meant.end(), query) != meant.end();
                           });
        if (takes_part() && (stuck || is_in_sight(requirement))) {
            seen.emplace(requirement.from.value_or(reconciliation_.source), violation.flaw);
        }
    }
    for (const auto& [from, flaw] : seen) {
        run.sightings.push_back(sighting(from, flaw));
    }
    for (const Alarm& alarm : alarms_) {
        if (is_false(alarm, complete)) {
            run.example = run.false_alarms == 0 ? alarm.message : run.example;
            ++run.false_alarms;
        }
    }
    run.comparisons = comparisons_;
    return run;
}

}  // namespace oncecheck

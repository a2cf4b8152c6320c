// What a reconciliation of the document notices while a run goes on, and what it does not (FORMAT, Components).
//
// It reads the table by SQL and the log as it grows (committed records only; what expires later has been counted),
// never a checkpoint, and knows no framework. A *window* holds `rows` records that follow each other in their log,
// wherever and whenever they arrive, as windows over the records' own timestamps do (Confluent Control Center Concepts,
// Time windows and metrics). A run has no clock, so progress stands in for it: a window closes, window and lateness
// over, when every query that takes the log to the table has committed all its entries and its newest incarnation has
// no background thread left on them; all windows close at the end of the run. Whenever one closes, all closed ones are
// compared:
//
//   by        appended target            keyed target                  target whose rows add up
//   count     records and rows           keys and rows with one of     records and the sum, over the keys that no open
//             of each window             them, of each window          window has
//   key       each record id, how often  each key, is it there once    the same keys, each
//
// An *alarm* is a shortage or a surplus. It notices a violation of its kind (loss, duplicate) if the violation is true
// by then and is about a record or key that the alarm is about. A violation that lasts is true from the move on after
// which the rows show it until the end; a loss not before the window's queries have passed the record. A false alarm is
// about nothing that lasts: a statement that landed late, say.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "model/runtime/judge.h"
#include "model/runtime/judged_rows.h"

namespace oncecheck {

// A violation in the sight of a reconciliation: of its table, counted from its log or from a producer of that.
struct Sighting {
    ComponentId from = 0;
    std::string flaw;
    bool noticed = false;
    // From the move that made it true to the comparison that noticed it: moves, and windows that closed. Empty: not
    // noticed, or a query that got stuck, which no one move did.
    std::optional<int> moves;
    std::optional<int> windows;

    bool operator==(const Sighting&) const = default;
};

// What came of one reconciliation in one run.
struct RunReconciliation {
    int comparisons = 0;
    std::vector<Sighting> sightings;  // by log or producer, then flaw
    int false_alarms = 0;
    std::string example;  // of the first false alarm

    bool operator==(const RunReconciliation&) const = default;
};

class ReconciliationWatch {
  public:
    // All have to outlive it.
    ReconciliationWatch(const Pipeline& pipeline, Runtime& runtime, const ResolvedReconciliation& reconciliation);

    // To be called at the start and after every move.
    void look();
    // The run is over: all windows close. `violations` are the judge's. To be called once, after the last look.
    [[nodiscard]] RunReconciliation finish(const std::vector<RunViolation>& violations, bool complete);

  private:
    // When something became true that has been since.
    struct Onset {
        int moves = 0;
        int windows = 0;  // that had closed by then
    };
    struct Alarm {
        bool surplus = false;  // else a shortage
        bool last = false;     // at the end of the run
        Onset at;
        std::set<std::string> items;
        std::string message;
    };
    // What each item amounts to in the log, and the items of each window.
    struct Source {
        std::map<std::string, int> amounts;
        std::map<int, std::set<std::string>> windows;
    };
    using Flaws = std::map<std::tuple<ComponentId, std::string, std::string>, Onset>;  // by origin, flaw, item

    [[nodiscard]] int moves() const { return static_cast<int>(run_.events.size()); }
    [[nodiscard]] Onset now() const { return {moves(), closings_}; }
    [[nodiscard]] bool takes_part() const;
    [[nodiscard]] int window_of(int record) const;
    [[nodiscard]] bool is_in_sight(const ResolvedRequirement& requirement) const;
    [[nodiscard]] bool is_passed(const CountedRecord& counted) const;
    void add_origins();
    void read_log();
    void note_progress();
    void note_flaws();
    void close_windows(bool all);
    void compare(bool last);
    [[nodiscard]] Source source(const JudgedRows& rows) const;
    [[nodiscard]] std::vector<std::set<std::string>> groups(const Source& source) const;
    void compare_by_count(const Source& source, const std::map<std::string, int>& sink, bool last);
    void compare_by_key(const Source& source, const std::map<std::string, int>& sink, bool last);
    void raise(int in_source, int in_sink, std::set<std::string> items, const std::string& about, bool last);
    [[nodiscard]] bool shows(const Alarm& alarm, ComponentId from, const std::string& flaw) const;
    [[nodiscard]] bool is_false(const Alarm& alarm, bool complete) const;
    [[nodiscard]] Sighting sighting(ComponentId from, const std::string& flaw) const;

    const Pipeline& pipeline_;
    Runtime& runtime_;
    const RunRecord& run_;
    const ResolvedReconciliation& reconciliation_;
    std::set<ComponentId> origins_;  // the log, and producers from which a requirement counts
    std::vector<ComponentId> queries_;
    JudgedTarget target_;
    std::size_t seen_ = 0;                       // events
    std::map<int, int> next_;                    // partition -> offset
    std::vector<CountedRecord> read_;            // entries of the log
    std::set<RecordIndex::Coordinates> passed_;  // of those
    std::set<int> closed_;                       // windows
    int closings_ = 0;
    int comparisons_ = 0;
    Flaws flaws_;
    std::vector<Alarm> alarms_;  // oldest first
};

}  // namespace oncecheck

// One run on its way through the model: what each kind of event makes of a hypothesis. Inside checker/crossvalidate;
// follower.h says what the events are mapped to.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checker/crossvalidate/content_comparison.h"
#include "checker/crossvalidate/follower.h"

namespace oncecheck {

class FollowedRun {
  public:
    FollowedRun(Follower& follower, const RunRecord& run);

    [[nodiscard]] FollowResult follow();

  private:
    using Hypotheses = std::set<Hypothesis>;
    using Accepts = std::function<bool(const ActionEvent&)>;

    void advance(const Hypothesis& from, Hypotheses& to);
    void advance_protocol(const Hypothesis& from, Hypotheses& to);
    void advance_program(const Hypothesis& from, Hypotheses& to);

    // followed_run.cpp
    void start(const Hypothesis& from, Hypotheses& to);
    [[nodiscard]] bool has_expired_in_part() const;
    [[nodiscard]] bool takes_too_many_identities() const;
    [[nodiscard]] bool is_range_known() const;
    void read_progress(const Hypothesis& from, Hypotheses& to);
    void write_ahead(const Hypothesis& from, Hypotheses& to);
    void enter_batch(const Hypothesis& from, Hypotheses& to);
    void commit(const Hypothesis& from, Hypotheses& to);
    void expire(const Hypothesis& from, Hypotheses& to);

    // followed_names.cpp
    [[nodiscard]] bool tells_cut_names_apart();

    // followed_program.cpp
    void load_row(const Hypothesis& from, Hypotheses& to);
    void run_unit(const Hypothesis& from, Hypotheses& to);
    void fail_unheard(const Hypothesis& from, Hypotheses& to);
    [[nodiscard]] bool may_do(const ActionEvent& action) const;
    [[nodiscard]] bool goes_on_unheard() const;
    [[nodiscard]] bool may_fail(const ActionEvent& action) const;
    [[nodiscard]] bool in_window(const ActionEvent& action) const;
    void reach_all(const Hypothesis& from, bool in_flight, const Accepts& accepts, Hypotheses& reached);
    [[nodiscard]] bool stands_in_unit(const Hypothesis& in) const;
    [[nodiscard]] bool stands_at(const Hypothesis& in, Value position) const;

    // followed_ends.cpp
    void crash(const Hypothesis& from, Hypotheses& to);
    void land(const Hypothesis& from, Hypotheses& to);
    void finish(const Hypothesis& from, int actor, Hypotheses& to);
    void end(const Hypothesis& from, int actor, Hypotheses& to);
    [[nodiscard]] Hypotheses with_ends(const Hypotheses& from);

    void take(const Hypothesis& from, EventKind kind, const Accepts& accepts, Hypotheses& to);
    void take(const Hypothesis& from, int actor, EventKind kind, const Accepts& accepts, Hypotheses& to);
    [[nodiscard]] std::optional<Hypothesis> after(const Hypothesis& from, int actor, std::size_t action);
    [[nodiscard]] bool fits_batch(const ActionEvent& action) const;
    [[nodiscard]] bool has_room(const Hypothesis& in) const;
    void leave_universe(const std::string& why);

    [[nodiscard]] const ProcessModel& process() const;
    [[nodiscard]] const Tracked& who(const Hypothesis& in) const;
    [[nodiscard]] bool is_gone(const Hypothesis& in, int actor) const;
    void note_open_units(std::size_t event);
    void add_steps_of_open_units(Hypotheses& moved);
    [[nodiscard]] std::vector<ContentComparison::Early> early_units(const Hypothesis& in) const;
    [[nodiscard]] FollowResult outside(std::size_t event) const;
    [[nodiscard]] FollowResult lost(std::size_t event, const Hypotheses& before, const Hypotheses& moved);
    [[nodiscard]] std::string describe(const Hypothesis& hypothesis) const;
    [[nodiscard]] std::string describe(const RunEvent& event) const;

    Follower& follower_;
    const HopModel& model_;
    const RunRecord& run_;
    RunReading reading_;
    std::optional<ContentComparison> contents_;
    const RunEvent* event_ = nullptr;     // that is being followed
    const EventReading* read_ = nullptr;  // the same
    struct OpenUnit {
        int unit = -1;
        const RunAttempt* attempt = nullptr;
        std::size_t event = 0;  // the last one of the unit so far
    };
    // Transactions that are open in the run, by actor and thread.
    std::map<std::pair<int, int>, OpenUnit> open_;
    bool unseen_ = false;                   // the stores were not looked at after the last event
    std::set<std::pair<int, int>> purged_;  // process and batch
    std::set<int> expired_;                 // index into HopSystem::records
    // Store and name as the model cuts it -> the name in the run.
    std::map<std::pair<ComponentId, std::string>, std::string> cut_names_;
    std::string outside_;  // why the run has left the universe
};

}  // namespace oncecheck

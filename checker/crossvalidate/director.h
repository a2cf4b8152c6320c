// Drives a runtime along a trace of the model: for each action of the trace the moves that the runtime makes for it.
//
// The model takes fewer steps; an action stands for all moves up to the point from which its next one goes on: a start
// for reading progress and writing ahead, a unit for its statements from BEGIN to COMMIT, the first reading statement
// of a unit that is cut for BEGIN as well. Of a trace that follows single records the other records of a load come when
// it ends. A statement that waits for a lock is finished when it can go on, at the latest before its client's next
// action.
//
// Does not judge: whoever drives reads the stores afterwards (replay.h).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "checker/crossvalidate/action_index.h"
#include "model/runtime/runtime.h"
#include "model/transition/trace.h"

namespace oncecheck {

// The runtime cannot do what the trace says, or does it otherwise.
class Diverged : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The inputs of a run in the universe of the system, with the faults that it assumes. Requires hop.model.
[[nodiscard]] RunInputs inputs_of(const HopSystem& hop);

class Director {
  public:
    // Requires hop.model. Both have to outlive the director.
    Director(const HopSystem& hop, Runtime& runtime);

    // The moves of the trace's next action: from a state through the action to the state after it. `ahead` are the
    // actions that follow. Throws Diverged.
    void take(const TraceStep& step, std::span<const TraceStep> ahead);
    // Whatever the trace has left open: ends of loads, statements in flight that it says no more about.
    void finish();
    // Lets the execution that can take the step at `where` in the state do so.
    void take_step_at(const State& state, const SourcePosition& where);

    // What happened since the last call.
    [[nodiscard]] std::span<const RunEvent> new_events();
    // A statement has waited for a lock, or others run between what a unit reads and its commit.
    [[nodiscard]] bool side_by_side() const { return side_by_side_; }

  private:
    struct Held {
        int number = 0;
        int record = -1;
        int thread = 0;
    };
    // The main program of an incarnation, or a thread.
    struct Worker {
        int thread = -1;     // as the runtime numbers it
        int under_way = -1;  // a unit of which a statement has run, or waits for a lock
        bool waits = false;
        std::optional<EventOutcome> expected;  // set once the model has taken the unit whole: how it comes out
        std::optional<RunOutcome> came_out;    // of a unit that was over before the model has taken it whole
        bool has_read = false;                 // the model has read for the unit, and nothing has run
        bool ends_load = false;                // the model has left the load
        std::set<int> loaded;
    };
    struct Slot {
        int incarnation = -1;
        int threads = 0;                // started so far
        std::map<int, Worker> workers;  // by ActionIndex::thread_number
        std::vector<Held> held;
    };
    using Wanted = std::function<bool(const Move&)>;

    void do_action(const ActionLabel& label, std::span<const TraceStep> ahead);

    // director_protocol.cpp
    void start(const ActionLabel& label);
    void make_room();
    void read_progress(const ActionLabel& label);
    void begin_batch();
    void commit(const ActionLabel& label);
    void expect_end(MoveKind kind);
    void purge(const ActionLabel& label);
    void expire(const ActionLabel& label);
    void start_and_crash();
    void end(const ActionLabel& label, std::span<const TraceStep> ahead);
    void crash_in_flight(int landing);
    void note_held(const RunEvent& event, const std::vector<int>& records, int thread);
    [[nodiscard]] int landing_thread(const ActionLabel& label, std::span<const TraceStep> ahead) const;
    [[nodiscard]] const BatchContext& context() const;

    // director_program.cpp
    void run_unit(const ActionLabel& label, std::span<const TraceStep> ahead);
    void read_alone(int unit);
    void run_whole(int unit, EventOutcome outcome);
    void begin_aborted(int committing, std::span<const TraceStep> ahead);
    [[nodiscard]] int thread_of(const Execution& execution) const;
    [[nodiscard]] int aborted_unit(const Execution& execution, std::span<const TraceStep> ahead) const;
    void run_before_commit(int unit);
    void go_on();
    void settle(const RunEvent& event);
    void go_on_everywhere();
    [[nodiscard]] bool next_is_in(int unit) const;
    void run_to_statement(int unit, int statement);
    void load(const ActionLabel& label);
    void end_load();
    void load_rest();
    void lose_acknowledgement(const ActionLabel& label, MoveFault fault);
    void run_until_offered(const Wanted& wanted, int unit);
    void land(const ActionLabel& label);
    void drop_all();
    void spawn(const ActionLabel& label);
    [[nodiscard]] bool takes_several(int unit) const;
    void note_interleaving();
    [[nodiscard]] std::vector<int> rows_to_load() const;

    [[nodiscard]] bool offers(const Wanted& wanted) const;
    const RunEvent& perform(const std::string& what, const Wanted& wanted);
    [[nodiscard]] Wanted of_worker(MoveKind kind, MoveFault fault = MoveFault::kNone) const;
    [[nodiscard]] Wanted of_incarnation(MoveKind kind) const;
    void note_resumed(const RunEvent& event);
    [[nodiscard]] const ProcessModel& process() const { return model_.processes[process_]; }
    [[nodiscard]] const Unit& unit(int number) const { return units_.all()[static_cast<std::size_t>(number)]; }
    [[nodiscard]] Slot& slot() { return slots_[{process_, slot_}]; }
    [[nodiscard]] const Slot& slot() const { return slots_.at({process_, slot_}); }
    [[nodiscard]] Worker& worker() { return slot().workers[thread_]; }
    [[nodiscard]] bool has_left(int number) const;

    const HopSystem& hop_;
    const HopModel& model_;
    ProgramUnits units_;
    ActionIndex index_;
    Runtime& runtime_;
    std::map<std::pair<std::size_t, int>, Slot> slots_;  // by process and slot
    std::size_t process_ = 0;                            // of the action that is taken
    int slot_ = 0;
    int thread_ = 0;
    State before_;                  // the state before the action that is taken
    const State* after_ = nullptr;  // the state after it
    std::size_t seen_ = 0;          // events that new_events() has given
    bool side_by_side_ = false;
    bool any_outcome_ = false;  // the step at the end may fail
};

}  // namespace oncecheck

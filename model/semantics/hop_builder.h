// Builds the transition system of one hop in one universe. Inside model/semantics only.
//
// Order: processes and executions, objects, cutting of programs into points, variables, actions of the points, actions
// of the protocol (start, logs), faults, properties. Actions of faults come last because they clear whatever the
// others have put into an incarnation.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "model/semantics/hop.h"
#include "model/semantics/hop_model.h"
#include "model/semantics/path.h"
#include "model/semantics/statements.h"

namespace oncecheck {

class HopBuilder {
  public:
    HopBuilder(const Pipeline& pipeline, const std::vector<ComponentId>& processes,
               const std::vector<std::size_t>& requirements, const HopOptions& options, Universe universe,
               std::optional<int> followed);

    [[nodiscard]] HopSystem build();
    // Processes, executions and objects without the transition system.
    [[nodiscard]] HopModel explore();

  private:
    // Something that a split unit holds from a point on until it commits.
    struct Hold {
        const Execution* execution = nullptr;
        Value after = 0;  // held at positions after this one ...
        Value until = 0;  // ... up to this one
        std::size_t context = 0;
        std::string resource;
    };
    // Where an execution goes from a point.
    struct Route {
        Writes success;
        Writes failure;
        Writes skipped;  // behind the whole unit, without its effects
        Writes ended;    // the attempt is over and done: a claim outside a transaction was taken
        Writes again;    // before the whole unit

        const Writes& after_failure(OnError on_error) const {
            return on_error == OnError::kFail ? failure : on_error == OnError::kIgnore ? skipped : again;
        }
    };
    // A statement that was reported as failed and is still on its way, while its incarnation goes on.
    struct LateCopy {
        const Execution* main = nullptr;
        const Point* point = nullptr;
        Value position = 0;
        Value detached = 0;  // where the copy stands
        Writes after;        // what the incarnation does
    };
    struct Effects;
    struct StandingUnit;
    class EffectsReader;

    // hop_processes.cpp
    void add_process(ComponentId id);
    void compile_programs(ProcessModel& process);
    bool is_read_by_client(const ProcessModel& process, const Step& step) const;
    bool others_write_source(const ProcessModel& process, const Step& reader) const;
    bool must_split(const ProcessModel& process, const std::vector<const Step*>& statements,
                    const Step* transaction) const;
    bool is_ruled_out(const ProcessModel& process, const BatchContext& context) const;
    bool alone() const;
    bool fenced_alike(const std::string& target) const;
    void place(ProcessModel& process);
    void add_process_variables(ProcessModel& process);
    void add_execution_variables(Execution& execution, const std::string& name, Value largest);

    // hop_locks.cpp
    void find_holds();
    std::vector<Expression> not_held(const Execution& execution, const Point& point, const Site& site) const;
    std::vector<Expression> not_held(const Execution& execution, const std::vector<std::string>& resources) const;
    std::vector<Expression> not_held_by_rivals(const Execution& execution, const Point& point, const Site& site) const;
    std::vector<std::string> wanted(const Step& step, const Site& site) const;
    std::vector<std::string> wanted(const Point& point, const Site& site) const;
    std::vector<std::string> kept(const Point& point, const Site& site) const;
    bool may_be_emptied(const Point& point, std::size_t index, const Site& site, const std::string& resource) const;
    void keep(const Step& step, const Site& site, std::vector<std::string>& resources) const;

    // hop_points.cpp
    void prepare_reads();
    void add_point_actions();
    void add_point_actions(Execution& execution, const CompiledProgram& program, Value first, Value last_next,
                           bool with_context);
    void add_point(Execution& execution, const CompiledProgram& program, std::size_t index, Value position,
                   const Route& route, std::size_t context, bool detached);
    void add_spawn(Execution& execution, const Point& point, Value position, const Route& route, std::size_t context);
    void add_lock(Execution& execution, const Point& point, Value position, const Route& route, std::size_t context);
    void add_unit(Execution& execution, const CompiledProgram& program, std::size_t index, Value position,
                  const Route& route, std::size_t context, bool detached);
    bool feeds_a_later_step(const Execution& execution, const Point& point) const;
    void add_lost_ack(const Execution& execution, const Point& point, const std::vector<Expression>& guard,
                      const Path& path, const Route& route, const ActionEvent& event);
    Paths run_point(Execution& execution, const CompiledProgram& program, std::size_t index, const Site& site,
                    const std::vector<Expression>& guard);

    // hop_loads.cpp
    struct RowLoad {
        int record = 0;
        std::size_t row = 0;                    // of the batch
        std::vector<Expression> ready;          // it can be loaded now
        std::vector<Expression> others_loaded;  // by each other row of the batch
    };
    void add_load(Execution& execution, const Point& point, Value position, const Route& route, std::size_t context,
                  bool detached);
    void add_row_load(Execution& execution, const Point& point, const Route& route, std::size_t context, bool detached,
                      const RowLoad& load);
    void add_failed_load(const Point& point, const Route& route, ActionKind kind, std::vector<Expression> guard,
                         const RowLoad& load, ActionLabel fails);

    // hop_conflicts.cpp
    void find_conflicts();
    std::vector<StandingUnit> standing_units();
    void note_conflict(const StandingUnit& own, const StandingUnit& other);
    Path marking(const Execution& execution, const Point& point, std::size_t context, Path path) const;
    Isolation isolation(const Point& point) const;
    bool detects_conflicts(const Point& point) const;
    Expression conflicts(const Execution& execution, const Point& point) const;
    void add_serialization_failure(const Execution& execution, const Point& point, Value position, const Route& route,
                                   std::size_t context);

    // hop_starts.cpp
    void add_starts(ProcessModel& process, const Execution& main);
    void add_starts(ProcessModel& process, const Execution& main, const Expression& possible, const Writes& moves,
                    std::optional<int> moved_to);
    Expression is_newest(const ProcessModel& process, const Execution& main) const;
    bool orders_slots(const ProcessModel& process) const;
    Expression slot_is_free(const ProcessModel& process, const Execution& main) const;
    Writes moved(const ProcessModel& process, const Execution& from, const Execution& to) const;
    void move_plane(const Site& from, const Site& to, Writes& moves) const;

    // hop_protocol.cpp
    void add_log_reading(ProcessModel& process, const Execution& main, const std::vector<Expression>& guard,
                         const Writes& start, ActionKind kind, const ActionLabel& label);
    void add_fixed_reading(ProcessModel& process, const Execution& main, const std::vector<Expression>& guard,
                           const Writes& start, ActionKind kind, const ActionLabel& label);
    void add_racy_reading(ProcessModel& process, const Execution& main, const std::vector<Expression>& guard,
                          const Writes& start, ActionKind kind, const ActionLabel& label);
    void add_temporary_reading(ProcessModel& process, const Execution& main, const std::vector<Expression>& guard,
                               const Writes& start, ActionKind kind, const ActionLabel& label);
    void add_start_of_temporary(const ProcessModel& process, const Execution& main,
                                const std::vector<Expression>& guard, const Writes& start, ActionKind kind,
                                const ActionLabel& name);
    Writes new_checkpoint(const ProcessModel& process, int generation) const;
    Expression had_checkpoints(const ProcessModel& process, int generation) const;
    Writes batch_begins(const ProcessModel& process, const Execution& main, std::size_t context,
                        const Expression& newest) const;
    void add_write_ahead(ProcessModel& process, const Execution& main);
    void add_commit(ProcessModel& process, const Execution& main);
    void add_racy_logs(ProcessModel& process, const Execution& main);
    void add_expiry(ProcessModel& process);

    // hop_faults.cpp
    bool can_be_late(const Execution& execution, const Point& point) const;
    void note_late_copy(Execution& main, const Point& point, Value position, const Route& route);
    void add_late_copy(const LateCopy& late);
    void add_endings(ProcessModel& process, const Execution& main);
    void add_detached(ProcessModel& process, Execution& main);
    void add_detached(const ProcessModel& process, Execution& main, const CompiledProgram& program, Value first);
    void add_detached_thread(ProcessModel& process, Execution& thread);
    bool detachable(const ProcessModel& process, const Point& point) const;
    bool fails_attempt(const ProcessModel& process, Value position) const;
    std::optional<Value> detached_position(const ProcessModel& process, Value position) const;
    bool is_unused(const ProcessModel& process, Value position) const;
    std::optional<Writes> left_behind(const ProcessModel& process, const Execution& main, Value position) const;
    bool leave_thread(const ProcessModel& process, const Execution& thread, Writes& left) const;

    // hop_properties.cpp
    void add_properties(HopSystem& result);
    void add_target_properties(HopSystem& result, std::size_t requirement);
    void add_staging_properties(HopSystem& result, std::size_t requirement);
    void show_rows(HopSystem& result) const;
    Expression process_complete(const ProcessModel& process) const;
    Expression settled(const ProcessModel& process) const;

    // hop_builder.cpp
    void add_action(ActionKind kind, std::vector<Expression> guard, const Writes& writes, ActionLabel label);
    ActionLabel label(const Execution& execution, const std::string& text, const SourcePosition& where,
                      ActionEvent event) const;
    ActionLabel fault(const Execution& execution, const std::string& kind, const std::string& text,
                      const ActionEvent& event) const;
    Expression at(const Execution& execution, Value position) const;
    Expression in_context(const Execution& execution, std::size_t context) const;
    Expression live(const ProcessModel& process, const Execution& main) const;
    Expression enough_live(const ProcessModel& process, const Execution& main, bool enough, bool with_own) const;
    Writes freed(const Execution& main) const;         // the incarnation is gone
    Writes attempt_over(const Execution& main) const;  // what belongs to one attempt is cleared
    Writes thread_over(const Execution& thread) const;
    void clear_execution(const Execution& execution, Writes& writes, bool keep_fences) const;
    void clear_plane(const std::string& plane, Writes& writes) const;
    Writes at_batch(const ProcessModel& process, const Execution& main, Value position, std::size_t context) const;
    std::vector<std::size_t> contexts_of(const ProcessModel& process, int batch, int generation) const;
    std::string describe(const Point& point, const Site& site) const;
    std::string describe(const Step& step, const Site& site) const;

    const Pipeline& pipeline_;
    std::vector<ComponentId> ids_;
    std::vector<std::size_t> requirements_;
    HopModel model_;
    std::vector<Hold> holds_;
    // Execution, unit and batch (SIZE_MAX: none yet) -> the marks that a commit sets.
    std::vector<LateCopy> late_copies_;  // added when all buffers are known
    std::map<std::tuple<const Execution*, const Point*, std::size_t>, Writes> conflicts_;
    std::vector<HopHazard> hazards_;
    std::vector<std::size_t> hazard_process_;  // as hazards_: index of the process
};

}  // namespace oncecheck

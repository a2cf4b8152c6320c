// The parts of a hop's transition system while it is built: processes with their executions, objects, and the
// variables of all of them. hop.h is the way in; whoever compares a system with real runs looks in here.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/pipeline/naming.h"
#include "model/pipeline/pipeline.h"
#include "model/semantics/hop_options.h"
#include "model/semantics/objects.h"
#include "model/semantics/program.h"
#include "model/semantics/universe.h"
#include "model/transition/system.h"

namespace oncecheck {

// Where the main execution of a process can stand. Free is 0; dead incarnations whose statement is still in flight
// stand at `detached + point`.
struct Positions {
    Value on_start = 1;         // first point of on_start
    Value read_log = 0;         // reads the progress logs (only with on_start; else the start does it)
    Value write_ahead = 0;      // puts the offset log entry; at an atomic store one step
    Value write_ahead_put = 0;  // a racy store: has seen that the entry is absent
    Value program = 0;          // first point of the step program
    Value commit = 0;           // puts the commit log entry
    Value commit_put = 0;
    Value on_error = 0;           // first point of on_error
    Value idle = 0;               // all done, background threads may still run
    Value detached = 0;           // first detached position of the program's points, ...
    Value detached_on_start = 0;  // ... and of those of on_start
    Value largest = 0;
};

// The name among the buffers of an execution of the mark that another has committed what its transaction conflicts
// with.
inline constexpr const char* kConflictMark = "conflict";
// Likewise of the mark that the statement in flight is applied sooner or later: its client was only not told.
inline constexpr const char* kLandsMark = "lands";

// One flow of control: the main thread of an incarnation, or a background thread that it has spawned.
struct Execution {
    std::size_t process = 0;  // index into HopModel::processes
    int slot = 0;
    bool background = false;
    std::size_t block = 0;  // of a thread: which background block
    int batch = 0;          // of a thread: of which batch
    VariableId position = 0;
    VariableId context = 0;
    std::vector<VariableId> loaded;            // by row of the batch: loaded at the load that it stands at
    std::map<std::string, VariableId> holds;   // fence -> its token is the valid one
    std::map<std::string, VariableId> buffer;  // what a split unit has read
    const CompiledProgram* program = nullptr;
};

struct ProcessModel {
    ComponentId id = 0;
    std::string name;
    ProcessFaults faults;
    bool racy = false;       // put-if-absent is check-then-put
    bool temporary = false;  // no checkpoint survives a restart
    bool starts_latest = false;
    bool gap_fails = true;
    bool task_retry = false;
    int planned = 1;
    int slots = 1;
    std::vector<ComponentId> logs;
    std::vector<BatchContext> contexts;
    CompiledProgram on_start;
    CompiledProgram program;
    CompiledProgram on_error;
    Positions positions;
    std::vector<Execution> mains;          // by slot
    std::vector<Execution> threads;        // of all slots
    VariableId offsets = 0;                // fixed ranges: entries of the offset log
    VariableId commits = 0;                // entries of the commit log (the last one, plus one)
                                           // temporary: of the newest incarnation's own logs
    std::vector<VariableId> ends;          // racy: the end in each offset log entry; 0: absent
    std::optional<VariableId> newest;      // the slot that started last
    std::optional<VariableId> generation;  // temporary: how many checkpoints there have been
    std::map<int, VariableId> gone;        // by batch: its records have expired
    bool renders_batch_in_plane = false;

    // The range of a batch is written ahead in the step that decides on it. Nobody can tell: an incarnation that loses
    // the race for an entry ends before any effect, as one does that pauses and is then replaced. Not with incarnations
    // that are planned side by side, which cannot end so.
    [[nodiscard]] bool writes_ahead_at_once() const { return !racy && planned == 1; }
    // What names of on_start render to: of no batch. Where each start has an identity of its own, of its first batch.
    [[nodiscard]] std::vector<const BatchContext*> contexts_on_start() const;
    [[nodiscard]] bool has_background() const { return !program.backgrounds.empty(); }
};

// One execution at work on one batch: what names render to. `context` is null before progress is read.
struct Site {
    const Execution* execution = nullptr;
    const BatchContext* context = nullptr;
    NameValues values;
    std::string session;
    std::string application;
};

struct HopModel {
    const Pipeline* pipeline = nullptr;
    HopOptions options;
    Universe universe;
    std::set<int> followed;  // records that the state follows
    Columns columns;
    std::vector<ProcessModel> processes;
    std::map<std::string, ObjectInstance> objects;
    std::map<std::string, VariableId> progress_marks;  // of commit_offsets, by identity
    // Rows -> what open deletes have seen of them, and the value that this takes when others delete them: nothing, or
    // for a transaction with one snapshot a mark of the conflict.
    std::map<VariableId, std::map<VariableId, Value>> seen;
    // Rows -> what open transactions with one snapshot have read of them for a statement that has not used the table
    // yet: it finds none if another empties the table. By execution.
    std::map<VariableId, std::set<std::pair<const Execution*, VariableId>>> not_kept;
    TransitionSystem system;

    [[nodiscard]] VariableId add_variable(const std::string& name, Value largest, Value initial, bool control);
    [[nodiscard]] Site site(const Execution& execution, const BatchContext* context) const;
    [[nodiscard]] std::string identity_of(const Site& site, const Template& name) const;
    // As if no store cut it: two that differ may differ still when they are cut, and then a lock on one keeps nobody
    // from the other.
    [[nodiscard]] std::string uncut_name(const Site& site, const Template& name) const;
    [[nodiscard]] const ObjectInstance& object(const Site& site, const Template& name) const;
    // The followed records of the batch, in log order.
    [[nodiscard]] std::vector<int> batch_records(const ProcessModel& process, const BatchContext& context) const;
    [[nodiscard]] const ProcessModel& process_of(const Execution& execution) const {
        return processes[execution.process];
    }
    // Every main and thread of every process.
    [[nodiscard]] std::vector<const Execution*> executions() const;
};

// The isolation level of a transaction, its own or the store's default. `transaction` is null for a single statement.
[[nodiscard]] Isolation isolation_of(const Pipeline& pipeline, const Step* transaction,
                                     const std::vector<const Step*>& statements);

// An event of a batch, or of none yet.
[[nodiscard]] ActionEvent event_of(EventKind kind, const BatchContext* context);

// Value of a placeholder template in a column.
[[nodiscard]] std::string column_value(const Template& value, const Site& site);

}  // namespace oncecheck

// A step program as points: places in the program where an execution can stand, each with what happens next there.
//
// A statement outside a transaction is one point; a transaction is one point where nobody can tell, else one point a
// reading statement and one for the commit. A load by executors is one point at which rows appear one by one.
#pragma once

#include <functional>
#include <vector>

#include "model/document/step.h"

namespace oncecheck {

enum class PointKind {
    kUnit,    // a statement or transaction, whole
    kRead,    // of a unit that is split: one statement runs (takes its snapshot, checks a fence or claim, locks)
    kCommit,  // of a unit that is split: writes and commits
    kLoad,    // executors load, one row a commit
    kSpawn,   // a background block starts
    kLock,    // waits for a lock that is held until the attempt ends
};

struct Point {
    PointKind kind = PointKind::kUnit;
    const Step* step = nullptr;           // the step or transaction it belongs to
    std::vector<const Step*> statements;  // of the unit, in order
    bool snapshot = false;                // kRead: all statements run on the snapshot of the first
    std::size_t reading = 0;              // kRead: index of the statement in `statements`
    std::size_t first = 0;                // index of the unit's first point
    bool in_transaction = false;
    OnError on_error = OnError::kFail;
    std::size_t background = 0;  // kSpawn: index of the block
};

struct CompiledProgram {
    std::vector<Point> points;
    std::vector<CompiledProgram> backgrounds;  // bodies of the background blocks, in order
};

// How units and loads have to be cut; decided by the hop, which knows who else touches the objects.
struct CuttingRules {
    // The unit must be cut into reads and a commit: somebody could tell. `transaction` is null for a single statement.
    std::function<bool(const std::vector<const Step*>& statements, const Step* transaction)> must_split;
    // All statements of the transaction see the snapshot of the first.
    std::function<bool(const std::vector<const Step*>& statements, const Step* transaction)> one_snapshot;
    // A load by executors commits once a task (else once in all).
    std::function<bool(const Step& load)> commits_by_task;
};

[[nodiscard]] CompiledProgram compile(const Program& program, const CuttingRules& rules);

// The commit point of the split unit that the point belongs to; any other point is its own.
[[nodiscard]] std::size_t commit_of(const CompiledProgram& program, std::size_t index);

// Inside a split unit the statement is a point of its own: it reads something (rows, a claim, a fence), or it takes a
// lock that others notice.
[[nodiscard]] bool is_point(const Step& statement);

}  // namespace oncecheck

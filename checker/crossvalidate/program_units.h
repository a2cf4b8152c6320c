// The units of a hop's step programs: a statement outside a transaction, a transaction, a load, a lock, the start of a
// background block. The model has a place (Point) for each, or several where others could tell; a runtime has a move
// for each statement. Both say by the step's place in the document which unit they mean.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/semantics/hop_model.h"

namespace oncecheck {

struct Unit {
    std::size_t process = 0;     // index into HopModel::processes
    const Step* step = nullptr;  // the statement, or the transaction
    PointKind kind = PointKind::kUnit;
    bool split = false;       // several points: reads and a commit
    bool in_program = false;  // else of on_start or on_error
    int block = -1;           // of a background block: its body; -1: of the main program
    Value first = 0;          // positions at which an execution stands in the unit: first..last
    Value last = 0;
    int spawned_block = -1;  // of a kSpawn
};

// Where an event is: a unit, and the statement inside it.
struct UnitPlace {
    int unit = -1;
    int statement = -1;  // index into the body of the transaction; -1: the unit's own step
};

class ProgramUnits {
  public:
    // `model` has to outlive the units.
    explicit ProgramUnits(const HopModel& model);

    [[nodiscard]] const std::vector<Unit>& all() const { return units_; }
    // Unit -1 if no step of the process stands there.
    [[nodiscard]] UnitPlace find(std::size_t process, const SourcePosition& where) const;

  private:
    void add_program(std::size_t process, const CompiledProgram& program, Value first, int block, bool in_program);

    std::vector<Unit> units_;
    std::unordered_map<std::string, UnitPlace> places_;
};

}  // namespace oncecheck

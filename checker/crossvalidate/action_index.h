// The actions of a hop's system by what a runtime can tell of them: whose (process, slot, thread), and either the unit
// of the step program or the kind of the protocol action.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "checker/crossvalidate/program_units.h"
#include "model/semantics/hop.h"

namespace oncecheck {

class ActionIndex {
  public:
    using Actions = std::span<const std::uint32_t>;

    // Requires hop.model.
    ActionIndex(const HopSystem& hop, const ProgramUnits& units);

    // A thread of execution of an incarnation by number: 0 is the main program, others a background block at work on a
    // batch.
    [[nodiscard]] int thread_number(std::size_t process, int block, int batch) const;
    [[nodiscard]] const Execution& execution(std::size_t process, int slot, int thread) const;

    // Steps, losses of acknowledgements and retries of a living execution; or what its statement in flight does.
    [[nodiscard]] Actions of_unit(std::size_t process, int slot, int thread, int unit, bool in_flight) const;
    // Starts, logs, ends. Slot -1: of none in particular (expiry).
    [[nodiscard]] Actions of_protocol(std::size_t process, int slot, EventKind kind) const;

  private:
    [[nodiscard]] std::size_t unit_key(std::size_t process, int slot, int thread, int unit, bool in_flight) const;
    [[nodiscard]] static std::size_t protocol_key(int slot, EventKind kind);
    void add(const HopSystem& hop, const ProgramUnits& units, std::uint32_t action);

    const HopModel& model_;
    std::size_t units_;
    std::vector<int> batches_;  // by process: batch numbers that threads are told apart by
    std::vector<int> threads_;  // by process: threads of a slot, the main program included
    std::vector<std::vector<std::vector<std::uint32_t>>> by_unit_;      // by process, then unit_key
    std::vector<std::vector<std::vector<std::uint32_t>>> by_protocol_;  // by process, then protocol_key
};

}  // namespace oncecheck

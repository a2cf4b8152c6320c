// A hop as transition systems: the processes that share objects, with their stores, under the faults that may occur.
//
// One system a universe (a pattern of keys) and, where slicing is exact, a followed record. Every system has the
// properties of all requirements that it can decide; a requirement is violated if it is in any, and holds if it holds
// in all. model/semantics/README.md has the definitions.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/pipeline/pipeline.h"
#include "model/semantics/hop_options.h"
#include "model/transition/system.h"

namespace oncecheck {

// What a property of a system says about a requirement.
enum class Flaw { kLoss, kDuplicate, kStale, kForeignRows, kMissingRows, kDoubledRows };
[[nodiscard]] const char* to_string(Flaw flaw);

struct PropertyMeaning {
    std::size_t requirement = 0;  // index into Pipeline::requirements
    Flaw flaw = Flaw::kLoss;
};

// How to show a state: rows of objects and where each incarnation stands.
struct ShownRow {
    std::string object;
    std::string row;
    VariableId count = 0;
    bool fresh = false;                       // private to an attempt or session
    int record = -1;                          // index into HopSystem::records; -1: a row of constants
    std::map<std::string, std::string> tags;  // column -> value
};

// A place where an apply step takes wrong rows; tells staging isolation from other causes.
struct HopHazard {
    Flaw flaw = Flaw::kForeignRows;
    Expression condition = falsity();
    SourcePosition where;
};

struct HopModel;  // hop_model.h

struct HopSystem {
    TransitionSystem system;
    std::vector<PropertyMeaning> meanings;  // as system.properties
    std::vector<ShownRow> rows;
    std::vector<HopHazard> hazards;
    std::string universe;                 // in words
    std::vector<Record> records;          // of the universe
    std::optional<std::string> followed;  // the record, if the system follows one
    std::vector<std::string> bounds;      // what the universe limits beyond its size, in words
    // What the variables stand for; its own `system` is empty. Null for a producer. Refers to the pipeline.
    std::shared_ptr<const HopModel> model;
};

// The systems of one hop. `requirements` are indices into pipeline.requirements; those about other hops are ignored.
// Throws InputError (for what only a translation can see: unknown columns).
[[nodiscard]] std::vector<HopSystem> build_hop(const Pipeline& pipeline, const std::vector<ComponentId>& processes,
                                               const std::vector<std::size_t>& requirements, const HopOptions& options);

// Why following single records is not exact for these processes; empty if it is.
[[nodiscard]] std::string slicing_obstacle(const Pipeline& pipeline, const std::vector<ComponentId>& processes);

}  // namespace oncecheck

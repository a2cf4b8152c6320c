// What verification is going to check, before any of it is checked: the hops of a document with the requirements that
// they bear on and the faults that can occur, and from these the transition systems.
//
//   document -> hops -> PlannedQueries, PlannedProducer -> transition systems
//
// verify() follows the plan; exports and comparisons with other tools take their systems from it, so that they see the
// same ones. The plan itself asks one question of the engines: whether a producer may repeat a record.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checker/compose/fault_decision.h"
#include "checker/engines/engine.h"
#include "model/pipeline/pipeline.h"
#include "model/semantics/hop.h"

namespace oncecheck {

// The queries of one hop, which share objects and so are translated together.
struct PlannedQueries {
    std::vector<ComponentId> processes;
    std::vector<std::size_t> requirements;  // those that they bear on, by index into Pipeline::requirements
    HopOptions options;                     // with the faults that are certain
    std::vector<std::pair<ComponentId, OpenFault>> open;
    std::vector<std::string> sentences;  // as FaultDecision, of all the queries
    std::vector<std::string> undecided;

    // The options with one of the open faults as well.
    [[nodiscard]] HopOptions with(const std::pair<ComponentId, OpenFault>& fault) const;
};

// A producer whose log some requirement counts from.
struct PlannedProducer {
    ComponentId process = 0;
    std::vector<std::size_t> requirements;
    ProcessFaults faults;
};

struct PlannedHop {
    std::optional<PlannedQueries> queries;
    std::vector<PlannedProducer> producers;
};

struct PlanOptions {
    UniverseSize size;
    bool slice = true;
    const Engine* engine = nullptr;  // what is asked whether a producer repeats; null: explicit search
};

// `limits` are for the question whether a producer repeats; where they do not suffice it may. Throws InputError for
// what only the translation can see, and for assumed times that contradict each other.
[[nodiscard]] std::vector<PlannedHop> plan(const Pipeline& pipeline, const PlanOptions& options, const Limits& limits);

// One transition system of a document, and what tells it from the others.
struct PlannedSystem {
    std::string name;  // unique in the document: "enrich", "enrich, payments[0]", "enrich, with expiry"
    HopSystem hop;
};

// Every system of the plan; those with an open fault after those with the certain faults alone. System names are
// those of the list. Throws as plan().
[[nodiscard]] std::vector<PlannedSystem> systems(const Pipeline& pipeline, const std::vector<PlannedHop>& plan);

}  // namespace oncecheck

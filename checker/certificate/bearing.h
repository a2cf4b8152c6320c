// What bears on one requirement: the transition systems from which its verdict follows, with the properties that count
// in each, and the premises. Who makes a certificate and who checks one both start here.
//
//   holds     every property and, if asked for, progress holds in every system of `certain`
//   violated  one of them is violated in one system of `certain`
//   provided  as holds; and for a fault of `open` that breaks it, the bound that excludes the fault
#pragma once

#include <string>
#include <vector>

#include "checker/compose/plan.h"

namespace oncecheck {

struct BearingSystem {
    std::string name;  // unique in the document
    HopSystem hop;
    std::vector<std::size_t> properties;  // those that the requirement needs, by index
    bool progress = false;                // it needs progress, too
};

// A fault that only an unstated time could exclude, with the systems in which it can occur.
struct OpenBearing {
    OpenFault fault;
    std::string process;
    std::vector<BearingSystem> systems;
};

struct Bearing {
    std::vector<BearingSystem> certain;
    std::vector<OpenBearing> open;
    std::vector<std::string> universe;  // in sentences, as are the others
    std::vector<std::string> faults;
    std::vector<std::string> assumptions;
    std::vector<std::string> undecided;  // faults whose exclusion could not be decided
};

// `planned` is the plan of the pipeline with these options. Systems are built for this requirement alone.
[[nodiscard]] Bearing bearing_on(const Pipeline& pipeline, const std::vector<PlannedHop>& planned,
                                 const PlanOptions& options, std::size_t requirement);

}  // namespace oncecheck

// Finds the objects of a hop and the rows that each can hold: every name that a step can render to, and, to a fixed
// point, every row class that a load, insert, merge or swap can bring there.
#pragma once

#include "model/semantics/hop_model.h"

namespace oncecheck {

// Requires processes with their executions and contexts. Fills `columns`, `objects`, `progress_marks` (keys only).
// Throws InputError for key columns that no row has (code "unknown-column").
void find_objects(HopModel& model);

// Adds the variables of the objects and progress marks.
void add_object_variables(HopModel& model);

// Calls visit(site, step) for every step of the process in every slot and context, blocks before their bodies.
void for_each_site(const HopModel& model, const ProcessModel& process,
                   const std::function<void(const Site&, const Step&)>& visit);

}  // namespace oncecheck

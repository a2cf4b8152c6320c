// The transition systems that verify() checks for a document, for tests of the engines.
#pragma once

#include <numeric>
#include <vector>

#include "checker/compose/fault_decision.h"
#include "model/pipeline/graph.h"
#include "model/semantics/hop.h"
#include "tests/cases/support/verified.h"

namespace oncecheck {

// Of every hop of queries of the document itself (not its variants), under the faults that are certain.
inline std::vector<HopSystem> systems_of(const std::filesystem::path& file, bool slice = true) {
    const Pipeline pipeline = resolve(read_documents(file, {}).front(), catalogue());
    std::vector<std::size_t> requirements(pipeline.requirements.size());
    std::iota(requirements.begin(), requirements.end(), std::size_t{0});
    std::vector<HopSystem> systems;
    for (const std::vector<ComponentId>& hop : hops(pipeline)) {
        std::vector<ComponentId> queries;
        HopOptions options;
        options.slice = slice;
        for (const ComponentId process : hop) {
            if (pipeline.component(process).type->protocol == Protocol::kMicroBatch) {
                queries.push_back(process);
                options.faults[process] = decide_faults(pipeline, process).certain;
            }
        }
        if (queries.empty()) {
            continue;
        }
        std::vector<HopSystem> built = build_hop(pipeline, queries, requirements, options);
        std::move(built.begin(), built.end(), std::back_inserter(systems));
    }
    return systems;
}

}  // namespace oncecheck

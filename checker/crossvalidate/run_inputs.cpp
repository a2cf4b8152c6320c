#include "checker/crossvalidate/run_inputs.h"

#include <set>

#include "checker/compose/fault_decision.h"
#include "model/semantics/universe.h"

namespace oncecheck {

RunFaults run_faults(const ProcessFaults& faults) {
    RunFaults run;
    run.crash = faults.crash;
    run.zombie = faults.zombie;
    run.lost_ack = faults.lost_ack;
    run.task_retry = faults.task_retry;
    run.purge = faults.purge;
    run.expiry = faults.expiry;
    run.detached = faults.detached;
    run.late = faults.late;
    return run;
}

RunInputs pipeline_inputs(const Pipeline& pipeline, const UniverseSize& size) {
    RunInputs inputs;
    inputs.rows = size.records;
    inputs.batches = size.batches;
    inputs.attempts = size.attempts;
    for (ComponentId id = 0; id < pipeline.components.size(); ++id) {
        if (pipeline.component(id).type->role == Role::kProcess) {
            inputs.faults[id] = run_faults(decide_faults(pipeline, id).certain);
        }
    }
    return inputs;
}

std::vector<std::vector<RunRecordEntry>> record_patterns(const Pipeline& pipeline, const UniverseSize& size) {
    std::set<ComponentId> logs;
    for (const PipelineComponent& component : pipeline.components) {
        for (const auto* connections : {&component.document.reads, &component.document.writes}) {
            for (const Connection& connection : *connections) {
                const auto log = pipeline.find(connection.object.text);
                if (log && pipeline.component(*log).type->protocol == Protocol::kLog) {
                    logs.insert(*log);
                }
            }
        }
    }
    std::vector<std::vector<RunRecordEntry>> patterns;
    for (const Universe& universe : universes(pipeline, {logs.begin(), logs.end()}, size, false)) {
        std::vector<RunRecordEntry>& records = patterns.emplace_back();
        for (const Record& record : universe.records) {
            records.push_back(
                {record.log, record.offset, record.partition, record.partition_offset, record.key, record.version});
        }
    }
    return patterns;
}

}  // namespace oncecheck

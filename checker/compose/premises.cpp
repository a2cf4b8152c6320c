#include "checker/compose/premises.h"

#include <algorithm>
#include <set>

#include "checker/conditions/duration_text.h"
#include "model/pipeline/graph.h"

namespace oncecheck {

bool absorbs_repeats(const Pipeline& pipeline, const ResolvedRequirement& requirement) {
    std::set<std::string> carried;
    for (const PipelineComponent& component : pipeline.components) {
        if (component.document.records) {
            carried.insert({component.document.records->key, component.document.records->id});
        }
    }
    carried.erase("");
    std::vector<std::string> columns;
    const DeclaredObject* declared = declaration_of(pipeline, requirement.object);
    if (declared != nullptr) {
        columns = declared->primary_key;
    }
    for (const ComponentId writer : writers_of(pipeline, requirement.object)) {
        for (const ObjectUse& use : object_uses(pipeline, writer)) {
            if (columns.empty() && !use.is_source && use.step->verb == Verb::kMerge && use.step->add.empty() &&
                use.object.name == requirement.object.name) {
                columns = use.step->on;
            }
        }
    }
    return !columns.empty() && std::all_of(columns.begin(), columns.end(),
                                           [&](const std::string& column) { return carried.contains(column); });
}

std::string size_sentence(const UniverseSize& size) {
    return std::to_string(size.batches) + " batches of " + std::to_string(size.records) + " rows, up to " +
           std::to_string(size.attempts) + " live incarnations of a process, any number of faults";
}

std::string fault_sentence(const Pipeline& pipeline, const PlannedProducer& producer) {
    const ProcessFaults& faults = producer.faults;
    return pipeline.component(producer.process).document.name + ':' + (faults.crash ? " crash" : "") +
           (faults.lost_ack ? " lost-ack" : "") + (faults.crash || faults.lost_ack ? "" : " no fault");
}

std::vector<std::string> assumption_sentences(const Pipeline& pipeline) {
    std::vector<std::string> assumptions;
    for (const PipelineComponent& component : pipeline.components) {
        const Component& document = component.document;
        if (component.type->protocol == Protocol::kMicroBatch && !document.transform) {
            assumptions.push_back("'" + document.name +
                                  "' treats each record by itself and gives the same rows on a re-run");
        }
        for (const DeclaredObject& object : document.objects) {
            if (object.exclusive) {
                assumptions.push_back("nothing outside this document writes " + document.name + '.' + object.name.text);
            }
        }
        for (const auto& excluded : document.assume.except) {
            assumptions.push_back("no " + std::string(to_string(excluded.fault)) + " of '" + document.name +
                                  "': " + excluded.reason);
        }
    }
    for (const ExcludedFault& excluded : pipeline.document.assume.except) {
        assumptions.push_back("no " + std::string(to_string(excluded.fault)) + ": " + excluded.reason);
    }
    for (const auto& [time, assumed] : pipeline.document.assume.times) {
        assumptions.push_back(time + " = " + format_duration(assumed.milliseconds));
    }
    if (origins(pipeline).size() > 1) {
        assumptions.emplace_back("ids and coordinates of two origins are never equal, keys only in one key_space");
    }
    return assumptions;
}

}  // namespace oncecheck

#include "model/semantics/hop.h"

#include <algorithm>

#include "model/pipeline/graph.h"
#include "model/pipeline/steps.h"
#include "model/semantics/hop_builder.h"
#include "model/semantics/interaction.h"

namespace oncecheck {

namespace {

std::vector<ComponentId> logs_of(const Pipeline& pipeline, const std::vector<ComponentId>& processes) {
    std::vector<ComponentId> logs;
    for (const ComponentId process : processes) {
        for (const Connection& connection : pipeline.component(process).document.reads) {
            const ComponentId log = pipeline.find(connection.object.text).value();
            if (std::find(logs.begin(), logs.end(), log) == logs.end()) {
                logs.push_back(log);
            }
        }
    }
    std::sort(logs.begin(), logs.end());
    return logs;
}

bool has_unique_key(const Pipeline& pipeline, const Template& name) {
    std::vector<Problem> ignored;
    const DeclaredObject* declared = declaration_of(pipeline, resolve_object(pipeline, name, ignored));
    return declared != nullptr && (!declared->primary_key.empty() || !declared->unique.empty());
}

// One record of each batch of each log stands for all records of that batch.
std::vector<int> representatives(const Universe& universe, const UniverseSize& size) {
    std::vector<int> found;
    for (std::size_t index = 0; index < universe.records.size(); ++index) {
        if (universe.records[index].offset % size.records == 0) {
            found.push_back(static_cast<int>(index));
        }
    }
    return found;
}

bool chooses_ranges(const Pipeline& pipeline, ComponentId process) {
    const ResolvedSettings& settings = pipeline.component(process).settings;
    return settings.meaning("progress") != "temporary" && settings.meaning("put_if_absent") != "atomic";
}

}  // namespace

std::string slicing_obstacle(const Pipeline& pipeline, const std::vector<ComponentId>& processes) {
    std::string obstacle;
    for (const ComponentId process : processes) {
        const Component& component = pipeline.component(process).document;
        if (chooses_ranges(pipeline, process)) {
            obstacle = "the ranges of '" + component.name + "' may be cut anew";
        }
        for (const Program* program : {&component.on_start, &component.steps, &component.on_error}) {
            for_each_step(*program, [&](const Step& step) {
                const bool compares = step.verb == Verb::kMerge || step.verb == Verb::kCount ||
                                      (step.verb == Verb::kDelete && step.source) || !step.dedupe_by.empty();
                const bool conflicts = takes_in_records(step) && has_unique_key(pipeline, step.target);
                if (compares || conflicts) {
                    obstacle = std::string("`") + to_string(step.verb) + "` at " + to_string(step.position) +
                               " looks at other records";
                } else if (takes_in_records(step) && step.on_error == OnError::kIgnore) {
                    obstacle = std::string("`") + to_string(step.verb) + "` at " + to_string(step.position) +
                               " goes on without the rest when one record fails";
                }
            });
        }
    }
    return obstacle;
}

namespace {

void build_group(const Pipeline& pipeline, const std::vector<ComponentId>& processes,
                 const std::vector<std::size_t>& requirements, const HopOptions& options, const Universe& universe,
                 bool slices, std::vector<HopSystem>& systems) {
    std::vector<std::optional<int>> followed{std::nullopt};
    const std::vector<ComponentId> logs = logs_of(pipeline, processes);
    if (slices) {
        followed.clear();
        for (const int record : representatives(universe, options.size)) {
            if (std::find(logs.begin(), logs.end(), universe.records[static_cast<std::size_t>(record)].log) !=
                logs.end()) {
                followed.emplace_back(record);
            }
        }
    }
    for (const std::optional<int>& record : followed) {
        HopSystem system = HopBuilder(pipeline, processes, requirements, options, universe, record).build();
        if (record) {
            system.followed = universe.records[static_cast<std::size_t>(*record)].label;
        }
        for (const ComponentId process : processes) {
            if (chooses_ranges(pipeline, process)) {
                system.bounds.push_back("the batches of '" + pipeline.component(process).document.name +
                                        "' are cut anywhere, with one more than planned");
            }
            if (pipeline.component(process).settings.meaning("progress") == "temporary") {
                system.bounds.push_back("the checkpoint of '" + pipeline.component(process).document.name +
                                        "' is lost at most twice");
            }
        }
        systems.push_back(std::move(system));
    }
}

}  // namespace

std::vector<HopSystem> build_hop(const Pipeline& pipeline, const std::vector<ComponentId>& processes,
                                 const std::vector<std::size_t>& requirements, const HopOptions& options) {
    std::vector<HopSystem> systems;
    for (const Universe& universe :
         universes(pipeline, logs_of(pipeline, processes), options.size, options.records_repeat)) {
        bool keys_matter = false;
        const std::vector<std::vector<ComponentId>> groups =
            options.slice ? interacting_groups(pipeline, processes, options, universe)
                          : std::vector<std::vector<ComponentId>>{processes};
        for (const std::vector<ComponentId>& group : groups) {
            const bool slices = options.slice && slicing_obstacle(pipeline, group).empty();
            keys_matter = keys_matter || !slices;
            build_group(pipeline, group, requirements, options, universe, slices, systems);
        }
        if (!keys_matter) {
            break;  // no step looks at keys
        }
    }
    return systems;
}

}  // namespace oncecheck

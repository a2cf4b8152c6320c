#include "model/runtime/target_key.h"

#include <algorithm>

#include "model/pipeline/checks.h"
#include "model/pipeline/steps.h"

namespace oncecheck {

namespace {

// The steps of the pipeline that have this object, or one whose name can be equal, as their target.
std::vector<std::pair<ComponentId, const Step*>> steps_on(const Pipeline& pipeline, const ObjectReference& object) {
    std::vector<std::pair<ComponentId, const Step*>> found;
    for (ComponentId id = 0; id < pipeline.components.size(); ++id) {
        const Component& process = pipeline.component(id).document;
        for (const Program* program : {&process.on_start, &process.steps, &process.on_error}) {
            for_each_step(*program, [&](const Step& step) {
                if (!targets_object(step)) {
                    return;
                }
                std::vector<Problem> ignored;
                const ObjectReference target = resolve_object(pipeline, step.target, ignored);
                if (target.scope == object.scope && target.store == object.store &&
                    matches(target.name, object.name, true)) {
                    found.emplace_back(id, &step);
                }
            });
        }
    }
    return found;
}

bool removes_rows(const Step& step) {
    switch (step.verb) {
        case Verb::kTruncate:
        case Verb::kDrop:
        case Verb::kDelete:
        case Verb::kOverwrite:
        case Verb::kSwap:
            return true;
        case Verb::kCreate:
            return step.if_exists == IfExists::kReplace;
        default:
            return false;
    }
}

bool is_of_a_record(const RunColumn* column) {
    return column != nullptr && column->role != ColumnRole::kTag && column->role != ColumnRole::kClaim &&
           column->role != ColumnRole::kSum && column->role != ColumnRole::kUnknown;
}

// The columns that all writers merge on; empty if one does not merge, or on others.
std::vector<std::string> merged_on(const std::vector<std::pair<ComponentId, const Step*>>& steps) {
    std::vector<std::string> on;
    for (const auto& [unused, step] : steps) {
        if (!takes_in_records(*step)) {
            continue;
        }
        if (step->verb != Verb::kMerge || (!on.empty() && on != step->on)) {
            return {};
        }
        on = step->on;
    }
    return on;
}

}  // namespace

JudgedTarget judged_target(const Pipeline& pipeline, const SchemaOfRun& schema, const ObjectReference& object,
                           const std::vector<std::string>& content) {
    JudgedTarget target;
    target.store = object.store;
    for (const std::string& name : content) {
        Template found;
        found.text = name;
        found.pieces = {{false, name, ""}};
        if (matches(object.name, found, true)) {
            target.names.push_back(name);
        }
    }
    const auto steps = steps_on(pipeline, object);
    const DeclaredObject* declared = declaration_of(pipeline, object);
    const bool enforced = pipeline.component(object.store).settings.meaning("enforces_keys") == "yes";
    target.key =
        declared != nullptr && enforced && !declared->primary_key.empty() ? declared->primary_key : merged_on(steps);
    for (const auto& [process, step] : steps) {
        target.loses_rows = target.loses_rows || removes_rows(*step);
        if (step->verb == Verb::kMerge && !step->add.empty()) {
            target.sum = step->add.front();
        }
        if (takes_in_records(*step) &&
            std::find(target.writers.begin(), target.writers.end(), process) == target.writers.end()) {
            target.writers.push_back(process);
        }
    }
    target.judged = std::all_of(target.key.begin(), target.key.end(),
                                [&](const std::string& column) { return is_of_a_record(schema.find_column(column)); });
    return target;
}

}  // namespace oncecheck

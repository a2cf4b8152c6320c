#include "model/pipeline/pipeline.h"

#include <algorithm>

#include "model/document/reader.h"
#include "model/pipeline/checks.h"
#include "model/pipeline/graph.h"
#include "model/pipeline/reconciliations.h"
#include "model/pipeline/temporary_tables.h"

namespace oncecheck {

namespace {

std::vector<std::string> names_of(const std::map<std::string, ComponentType>& types) {
    std::vector<std::string> names;
    for (const auto& [name, unused] : types) {
        names.push_back(name);
    }
    return names;
}

std::vector<std::string> component_names(const Pipeline& pipeline) {
    std::vector<std::string> names;
    for (const PipelineComponent& component : pipeline.components) {
        names.push_back(component.document.name);
    }
    return names;
}

// Settings of connections stand beside those of the component: Spark takes `startingOffsets` on the source.
Settings with_connection_settings(const Component& component) {
    Settings settings = component.config;
    for (const std::vector<Connection>* connections : {&component.reads, &component.writes}) {
        for (const Connection& connection : *connections) {
            settings.insert(connection.config.begin(), connection.config.end());
        }
    }
    return settings;
}

void add_components(Pipeline& pipeline, const Catalogue& catalogue, std::vector<Problem>& problems) {
    for (const Component& component : pipeline.document.components) {
        const ComponentType* type = catalogue.find(component.type);
        if (type == nullptr) {
            const std::string nearest = did_you_mean(component.type, names_of(catalogue.types()));
            problems.push_back({"unknown-type", component.type_where,
                                "the catalogue has no component type '" + component.type + "'",
                                "a type of the catalogue",
                                nearest.empty() ? "see `oncecheck components`" : "did you mean '" + nearest + "'?"});
            continue;
        }
        PipelineComponent resolved;
        resolved.document = component;
        resolved.type = type;
        resolved.settings = ResolvedSettings::resolve(*type, component.version, component.where,
                                                      with_connection_settings(component), problems, pipeline.findings);
        pipeline.components.push_back(std::move(resolved));
    }
}

// A process without a program loads the batch into what it writes.
void add_default_programs(Pipeline& pipeline) {
    for (PipelineComponent& component : pipeline.components) {
        Component& document = component.document;
        if (component.type->protocol != Protocol::kMicroBatch) {
            continue;
        }
        if (!document.steps_key.empty()) {
            continue;
        }
        for (const Connection& connection : document.writes) {
            Step step;
            step.verb = Verb::kAppend;
            step.target = connection.object;
            step.position = connection.position;
            document.steps.push_back(std::move(step));
        }
    }
}

ResolvedRequirement default_requirement(const Pipeline& pipeline, RequirementKind kind) {
    ResolvedRequirement requirement;
    requirement.kind = kind;
    requirement.is_default = true;
    requirement.target = "*";
    requirement.where = pipeline.document.where;
    return requirement;
}

std::vector<ComponentId> micro_batch_processes(const Pipeline& pipeline) {
    std::vector<ComponentId> found;
    for (ComponentId id = 0; id < pipeline.components.size(); ++id) {
        if (pipeline.component(id).type->protocol == Protocol::kMicroBatch) {
            found.push_back(id);
        }
    }
    return found;
}

void add_default_requirements(Pipeline& pipeline) {
    for (const EndObject& end : ends(pipeline)) {
        for (const ComponentId origin : origins(pipeline)) {
            if (!is_upstream(pipeline, origin, end.writers)) {
                continue;
            }
            ResolvedRequirement requirement = default_requirement(pipeline, RequirementKind::kExactlyOnce);
            requirement.object = end.object;
            requirement.from = origin;
            requirement.target = to_string(pipeline, end.object);
            pipeline.requirements.push_back(std::move(requirement));
        }
    }
    for (const RequirementKind kind : {RequirementKind::kIsolatedStaging, RequirementKind::kProgress}) {
        ResolvedRequirement requirement = default_requirement(pipeline, kind);
        requirement.processes = micro_batch_processes(pipeline);
        if (!requirement.processes.empty()) {
            pipeline.requirements.push_back(std::move(requirement));
        }
    }
}

Template literal(const std::string& text, const SourcePosition& where) {
    Template name;
    name.text = text;
    name.pieces.push_back({false, text, ""});
    name.where = where;
    return name;
}

class RequirementResolver {
  public:
    RequirementResolver(Pipeline& pipeline, std::vector<Problem>& problems)
        : pipeline_(pipeline), problems_(problems) {}

    void resolve(const Requirement& requirement) {
        for (const std::string& target : requirement.targets) {
            ResolvedRequirement resolved;
            resolved.kind = requirement.kind;
            resolved.target = target;
            resolved.expect = requirement.expect;
            resolved.reason = requirement.reason;
            resolved.where = requirement.where;
            const bool about_processes =
                requirement.kind == RequirementKind::kIsolatedStaging || requirement.kind == RequirementKind::kProgress;
            if (about_processes) {
                resolve_processes(std::move(resolved));
            } else {
                resolve_object_target(requirement, std::move(resolved));
            }
        }
    }

  private:
    void dangling(const SourcePosition& where, const std::string& name, const std::string& expected,
                  const std::vector<std::string>& candidates) {
        const std::string nearest = did_you_mean(name, candidates);
        problems_.push_back({"dangling-reference", where, "'" + name + "' names nothing that fits", expected,
                             nearest.empty() ? "" : "did you mean '" + nearest + "'?"});
    }

    void resolve_processes(ResolvedRequirement resolved) {
        const auto process = pipeline_.find(resolved.target);
        if (resolved.target == "*") {
            resolved.processes = micro_batch_processes(pipeline_);
        } else if (process && pipeline_.component(*process).type->protocol == Protocol::kMicroBatch) {
            resolved.processes = {*process};
        } else {
            std::vector<Problem> ignored;
            const Template name = literal(resolved.target, resolved.where);
            const ObjectReference object = resolve_object(pipeline_, name, ignored);
            resolved.processes = ignored.empty() ? writers_of(pipeline_, object) : std::vector<ComponentId>{};
        }
        if (resolved.processes.empty()) {
            dangling(resolved.where, resolved.target, "a process, an object that a process writes, or \"*\"",
                     component_names(pipeline_));
            return;
        }
        pipeline_.requirements.push_back(std::move(resolved));
    }

    void resolve_object_target(const Requirement& requirement, ResolvedRequirement resolved) {
        std::vector<std::string> written;
        for (const EndObject& end : ends(pipeline_)) {
            written.push_back(to_string(pipeline_, end.object));
        }
        std::vector<Problem> found;
        resolved.object = resolve_object(pipeline_, literal(resolved.target, resolved.where), found);
        const std::vector<ComponentId> writers =
            found.empty() ? writers_of(pipeline_, resolved.object) : std::vector<ComponentId>{};
        if (writers.empty()) {
            dangling(resolved.where, resolved.target, "an object that some process puts records into", written);
            return;
        }
        std::vector<ComponentId> sources = origins(pipeline_);
        if (!requirement.from.empty()) {
            const auto from = pipeline_.find(requirement.from);
            if (!from || !is_upstream(pipeline_, *from, writers)) {
                dangling(resolved.where, requirement.from, "a component upstream of '" + resolved.target + "'",
                         component_names(pipeline_));
                return;
            }
            sources = {*from};
        }
        for (const ComponentId source : sources) {
            if (is_upstream(pipeline_, source, writers)) {
                resolved.from = source;
                pipeline_.requirements.push_back(resolved);
            }
        }
    }

    Pipeline& pipeline_;
    std::vector<Problem>& problems_;
};

}  // namespace

std::optional<ComponentId> Pipeline::find(const std::string& name) const {
    for (ComponentId id = 0; id < components.size(); ++id) {
        if (components[id].document.name == name) {
            return id;
        }
    }
    return std::nullopt;
}

std::vector<Fault> Pipeline::faults_of(ComponentId process) const {
    const Assumptions& own = component(process).document.assume;
    std::vector<Fault> faults(std::begin(kDefaultFaults), std::end(kDefaultFaults));
    if (own.faults) {
        faults = *own.faults;
    } else if (document.assume.faults) {
        faults = *document.assume.faults;
    }
    for (const Assumptions* assumptions : {&own, &document.assume}) {
        for (const ExcludedFault& excluded : assumptions->except) {
            std::erase(faults, excluded.fault);
        }
    }
    return faults;
}

std::optional<AssumedTime> Pipeline::assumed(ComponentId id, const std::string& time) const {
    for (const Assumptions* assumptions : {&component(id).document.assume, &document.assume}) {
        const auto found = assumptions->times.find(time);
        if (found != assumptions->times.end()) {
            return found->second;
        }
    }
    return std::nullopt;
}

ObjectReference resolve_object(const Pipeline& pipeline, const Template& name, std::vector<Problem>& problems) {
    ObjectReference object;
    object.name = name;
    const std::string first = name.pieces.empty() || name.pieces.front().is_placeholder ? "" : name.pieces.front().text;
    // The longest declared component that is a prefix before '.' or '/'.
    for (std::size_t end = first.size(); end-- > 0;) {
        if (first[end] != '.' && first[end] != '/') {
            continue;
        }
        const std::string prefix = first.substr(0, end);
        const auto component = pipeline.find(prefix);
        if (prefix == "global_temp" || (component && pipeline.component(*component).type->role == Role::kStore)) {
            object.scope = component ? ObjectScope::kStore : ObjectScope::kApplication;
            object.store = component.value_or(0);
            object.name.pieces.front().text = first.substr(end + 1);
            object.name.text = name.text.substr(end + 1);
            return object;
        }
    }
    if (first.find_first_of("./") == std::string::npos) {
        object.scope = ObjectScope::kSession;
        return object;
    }
    const std::string prefix = first.substr(0, first.find_first_of("./"));
    const std::string nearest = did_you_mean(prefix, component_names(pipeline));
    problems.push_back(
        {"dangling-reference", name.where, "'" + name.text + "' is in no store of this document",
         "a store's name before the '.'",
         nearest.empty() ? "declare '" + prefix + "' under \"components\"" : "did you mean '" + nearest + "'?"});
    object.scope = ObjectScope::kSession;
    return object;
}

std::string to_string(const Pipeline& pipeline, const ObjectReference& object) {
    switch (object.scope) {
        case ObjectScope::kStore:
            return pipeline.component(object.store).document.name + '.' + object.name.text;
        case ObjectScope::kSession:
            return object.name.text;
        case ObjectScope::kApplication:
            return "global_temp." + object.name.text;
    }
    throw InternalError("unknown object scope");
}

const DeclaredObject* declaration_of(const Pipeline& pipeline, const ObjectReference& object) {
    if (object.scope != ObjectScope::kStore) {
        return nullptr;
    }
    const bool folds = pipeline.component(object.store).type->protocol == Protocol::kTables &&
                       pipeline.component(object.store).settings.meaning("identifier_folding") == "lower";
    for (const DeclaredObject& declared : pipeline.component(object.store).document.objects) {
        if (matches(declared.name, object.name, folds)) {
            return &declared;
        }
    }
    return nullptr;
}

Pipeline resolve(const Document& document, const Catalogue& catalogue) {
    Pipeline pipeline;
    pipeline.document = document;
    std::vector<Problem> problems;
    add_components(pipeline, catalogue, problems);
    if (!problems.empty()) {
        throw InputError(std::move(problems));
    }
    add_default_programs(pipeline);
    move_temporary_tables(pipeline, problems);
    check_components(pipeline, problems);
    resolve_reconciliations(pipeline, problems);
    if (problems.empty()) {
        if (document.require) {
            RequirementResolver resolver(pipeline, problems);
            for (const Requirement& requirement : *document.require) {
                resolver.resolve(requirement);
            }
        } else {
            add_default_requirements(pipeline);
        }
    }
    if (problems.empty() && pipeline.requirements.empty()) {
        problems.push_back({"nothing-required", document.where, "there is nothing to verify",
                            "a process that puts records of an origin into an object", ""});
    }
    if (!problems.empty()) {
        throw InputError(std::move(problems));
    }
    add_findings(pipeline);
    return pipeline;
}

}  // namespace oncecheck

#include <algorithm>
#include <set>

#include "model/document/reader.h"
#include "model/pipeline/checks.h"
#include "model/pipeline/graph.h"
#include "model/pipeline/naming.h"
#include "model/pipeline/steps.h"

namespace oncecheck {

namespace {

void find_unused_components(Pipeline& pipeline) {
    std::set<std::string> used;
    std::vector<Problem> ignored;
    for (ComponentId id = 0; id < pipeline.components.size(); ++id) {
        const Component& component = pipeline.component(id).document;
        used.insert(component.run_by);
        for (const std::vector<Connection>* connections : {&component.reads, &component.writes}) {
            for (const Connection& connection : *connections) {
                used.insert(connection.object.text);
            }
        }
        for (const ObjectUse& use : object_uses(pipeline, id)) {
            if (use.object.scope == ObjectScope::kStore) {
                used.insert(pipeline.component(use.object.store).document.name);
            }
        }
    }
    for (const PipelineComponent& component : pipeline.components) {
        const bool uses_others = component.type->role == Role::kProcess || component.type->role == Role::kObserver;
        if (!uses_others && !used.contains(component.document.name)) {
            pipeline.findings.push_back(
                {"unused-object", component.document.where, "nothing uses '" + component.document.name + "'"});
        }
    }
}

void find_names(Pipeline& pipeline) {
    for (ComponentId process = 0; process < pipeline.components.size(); ++process) {
        std::set<std::string> seen;
        for (const ObjectUse& use : object_uses(pipeline, process)) {
            if (!seen.insert(use.object.name.text).second) {
                continue;
            }
            const RenderedName name = render(use.object.name, naming_rules(pipeline, use.object), NameValues{});
            for (const std::string& placeholder : name.dropped) {
                pipeline.findings.push_back({"name-cut", use.object.name.where,
                                             "the store cuts the name '" + use.object.name.text + "' so that {" +
                                                 placeholder +
                                                 "} is lost: names that differ only there are one object"});
            }
            const std::vector<TemplatePiece>& pieces = use.object.name.pieces;
            for (std::size_t i = 1; i < pieces.size(); ++i) {
                if (pieces[i - 1].is_placeholder && pieces[i].is_placeholder) {
                    pipeline.findings.push_back({"adjacent-placeholders", use.object.name.where,
                                                 "{" + pieces[i - 1].text + "} and {" + pieces[i].text +
                                                     "} stand side by side: 1 and 12 may read as 11 and 2"});
                }
            }
        }
    }
}

void find_keys(Pipeline& pipeline) {
    for (const PipelineComponent& component : pipeline.components) {
        if (component.type->protocol != Protocol::kTables || component.settings.meaning("enforces_keys") == "yes") {
            continue;
        }
        for (const DeclaredObject& object : component.document.objects) {
            if (!object.primary_key.empty()) {
                pipeline.findings.push_back({"key-not-enforced", object.where,
                                             "'" + component.document.name + "' does not enforce the primary key of '" +
                                                 object.name.text + "'"});
            }
        }
    }
}

void find_checkpoints(Pipeline& pipeline) {
    for (const PipelineComponent& component : pipeline.components) {
        if (component.type->protocol != Protocol::kMicroBatch) {
            continue;
        }
        if (component.settings.meaning("progress") == "temporary") {
            pipeline.findings.push_back(
                {"checkpoint-temporary", component.document.where,
                 "'" + component.document.name + "' has no checkpoint location: each start begins anew"});
        } else if (component.settings.meaning("put_if_absent") == "unknown") {
            pipeline.findings.push_back({"checkpoint-store-unknown", component.document.where,
                                         "it is not known whether the checkpoint store of '" + component.document.name +
                                             "' refuses to overwrite a file; taken as not"});
        }
    }
}

// A table that is written and never read is an end where records are put into it; anything else is worth a remark.
void find_one_sided_objects(Pipeline& pipeline) {
    struct Sides {
        SourcePosition where;
        std::string name;
        bool written = false;
        bool read = false;
        bool declared = false;
        bool takes_in = false;
    };
    std::map<std::string, Sides> objects;
    for (ComponentId process = 0; process < pipeline.components.size(); ++process) {
        for (const ObjectUse& use : object_uses(pipeline, process)) {
            if (!targets_object(*use.step) || use.step->verb == Verb::kClaim) {
                continue;
            }
            for (const std::string& name : possible_identities(pipeline, process, use.object)) {
                Sides& sides = objects[name];
                sides.where = use.object.name.where;
                sides.name = to_string(pipeline, use.object);
                sides.declared = sides.declared || declaration_of(pipeline, use.object) != nullptr;
                const bool fills = takes_in_records(*use.step) || use.step->has_values || use.step->verb == Verb::kSwap;
                sides.read = sides.read || use.is_source || use.step->verb == Verb::kCount;
                sides.written = sides.written || (!use.is_source && fills);
            }
        }
    }
    std::set<std::string> reported;
    for (const auto& [unused, sides] : objects) {
        if (sides.read && !sides.written && reported.insert(sides.name).second) {
            pipeline.findings.push_back(
                {"read-never-written", sides.where, "'" + sides.name + "' is read, and no step puts rows into it"});
        }
        if (!sides.read && !sides.written && reported.insert(sides.name).second) {
            pipeline.findings.push_back(
                {"written-never-read", sides.where, "'" + sides.name + "' is prepared, and nothing uses it"});
        }
    }
}

// A declared table that no step names; a name that is nearly the same is likely a slip.
void find_unused_tables(Pipeline& pipeline) {
    for (ComponentId store = 0; store < pipeline.components.size(); ++store) {
        std::vector<std::string> undeclared;
        std::set<const DeclaredObject*> used;
        for (ComponentId process = 0; process < pipeline.components.size(); ++process) {
            for (const ObjectUse& use : object_uses(pipeline, process)) {
                if (use.object.scope != ObjectScope::kStore || use.object.store != store) {
                    continue;
                }
                const DeclaredObject* declared = declaration_of(pipeline, use.object);
                used.insert(declared);
                if (declared == nullptr) {
                    undeclared.push_back(use.object.name.text);
                }
            }
        }
        const Component& component = pipeline.component(store).document;
        for (const DeclaredObject& object : component.objects) {
            if (used.contains(&object)) {
                continue;
            }
            const std::string nearest = did_you_mean(object.name.text, undeclared);
            pipeline.findings.push_back(
                {"unused-object", object.where,
                 "nothing uses the table '" + component.name + '.' + object.name.text + "'" +
                     (nearest.empty() ? "" : "; did a step that says '" + nearest + "' mean it?")});
        }
    }
}

// Conditions of the catalogue that rule no fault out, and do not hold: worth knowing, not decided here.
void find_conditions(Pipeline& pipeline) {
    for (ComponentId id = 0; id < pipeline.components.size(); ++id) {
        const PipelineComponent& component = pipeline.component(id);
        const FormulaEnvironment known = component.settings.environment(
            [](const std::string&) -> std::optional<FormulaValue> { return std::nullopt; });
        for (const ConditionSpec& condition : component.type->conditions) {
            if (!condition.excludes.empty() || holds(condition.formula, known) != std::optional<bool>(false)) {
                continue;
            }
            SourcePosition where = component.document.where;
            for (const std::string& name : condition.formula.names()) {
                const auto setting = component.settings.all().find(name);
                if (setting != component.settings.all().end() && setting->second.stated) {
                    where = setting->second.where;
                }
            }
            pipeline.findings.push_back({"condition-not-met", where,
                                         "'" + component.document.name + "' does not meet " + condition.id + " (" +
                                             condition.formula.text() + "): " + condition.consequence});
        }
    }
}

}  // namespace

void add_findings(Pipeline& pipeline) {
    find_unused_components(pipeline);
    find_names(pipeline);
    find_keys(pipeline);
    find_checkpoints(pipeline);
    find_one_sided_objects(pipeline);
    find_unused_tables(pipeline);
    find_conditions(pipeline);
    std::sort(pipeline.findings.begin(), pipeline.findings.end(), [](const Finding& a, const Finding& b) {
        return std::tie(a.where.file, a.where.line, a.where.column, a.rule, a.message) <
               std::tie(b.where.file, b.where.line, b.where.column, b.rule, b.message);
    });
}

}  // namespace oncecheck

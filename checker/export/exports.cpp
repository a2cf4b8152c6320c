#include "checker/export/exports.h"

#include <algorithm>

#include "checker/compose/system_check.h"
#include "checker/export/drawing.h"
#include "checker/export/graph_text.h"
#include "checker/export/identifiers.h"
#include "checker/export/itf.h"
#include "checker/export/promela.h"
#include "checker/export/smtlib.h"
#include "checker/export/tla.h"
#include "model/document/reader.h"

namespace oncecheck {

namespace {

// "no-loss:warehouse.ledger"
std::string name_of(const ResolvedRequirement& requirement) {
    return std::string(to_string(requirement.kind)) + ':' + requirement.target;
}

bool is_meant(const ResolvedRequirement& requirement, const std::string& name) {
    return name == to_string(requirement.kind) || name == name_of(requirement);
}

void check_requirement(const Pipeline& pipeline, const std::string& name) {
    std::vector<std::string> names;
    for (const ResolvedRequirement& requirement : pipeline.requirements) {
        if (is_meant(requirement, name)) {
            return;
        }
        names.push_back(name_of(requirement));
        names.emplace_back(to_string(requirement.kind));
    }
    const std::string nearest = did_you_mean(name, names);
    throw UsageError("the document has no requirement '" + name + "'" +
                     (nearest.empty() ? "; its requirements are named like no-loss or no-loss:store.table"
                                      : "; did you mean '" + nearest + "'?"));
}

void keep_properties_of(const Pipeline& pipeline, const std::string& requirement, HopSystem& hop) {
    std::vector<Property> properties;
    std::vector<PropertyMeaning> meanings;
    for (std::size_t index = 0; index < hop.meanings.size(); ++index) {
        if (is_meant(pipeline.requirements[hop.meanings[index].requirement], requirement)) {
            properties.push_back(hop.system.properties[index]);
            meanings.push_back(hop.meanings[index]);
        }
    }
    hop.system.properties = std::move(properties);
    hop.meanings = std::move(meanings);
}

// The transition systems of the document, each with a name for its files.
struct NamedSystem {
    std::string file;
    TransitionSystem system;
};

std::vector<NamedSystem> named_systems(const Pipeline& pipeline, const ExportOptions& options) {
    if (options.requirement) {
        check_requirement(pipeline, *options.requirement);
    }
    std::vector<NamedSystem> named;
    Identifiers files;
    for (PlannedSystem& planned : systems(pipeline, plan(pipeline, options.plan, options.limits))) {
        if (options.requirement) {
            keep_properties_of(pipeline, *options.requirement, planned.hop);
        }
        named.push_back({files.add(planned.name), std::move(planned.hop.system)});
    }
    return named;
}

std::string title_of(const Pipeline& pipeline, const TransitionSystem& system) {
    const Document& document = pipeline.document;
    return system.name + ": a transition system of the pipeline '" + document.pipeline + "' (" + document.file +
           (document.variant.empty() ? "" : ", variant " + document.variant) + "), by oncecheck " ONCECHECK_VERSION;
}

Export promela(const Pipeline& pipeline, const ExportOptions& options) {
    Export result;
    for (const NamedSystem& one : named_systems(pipeline, options)) {
        result.files.push_back({one.file + ".pml", render_promela(one.system, title_of(pipeline, one.system))});
    }
    return result;
}

// Each property with itself as the invariant, or runs of a length.
Export smtlib(const Pipeline& pipeline, const ExportOptions& options) {
    Export result;
    for (const NamedSystem& one : named_systems(pipeline, options)) {
        Identifiers names;
        for (const Property& property : one.system.properties) {
            const std::string base = one.file + '.' + names.add(property.name) + '.';
            if (options.steps) {
                result.files.push_back({base + "run-" + std::to_string(*options.steps) + ".smt2",
                                        render_smtlib_run(one.system, property, *options.steps)});
                continue;
            }
            for (const Obligation obligation : kObligations) {
                result.files.push_back({base + to_string(obligation) + ".smt2",
                                        render_smtlib(one.system, obligation, !property.bad, property)});
            }
        }
    }
    return result;
}

Export tla(const Pipeline& pipeline, const ExportOptions& options) {
    Export result;
    for (const NamedSystem& one : named_systems(pipeline, options)) {
        TransitionSystem system = one.system;
        system.name = one.file;  // a module bears the name of its file
        result.files.push_back({tla_module_name(system) + ".tla", render_tla_module(system)});
        result.files.push_back({tla_module_name(system) + ".cfg", render_tla_configuration(system)});
    }
    return result;
}

// The runs that violate a property, and those after which completion is out of reach.
Export itf(const Pipeline& pipeline, const ExportOptions& options) {
    Export result;
    for (const NamedSystem& one : named_systems(pipeline, options)) {
        const CheckResult checked = check_system(one.system, EngineChoice::kAuto, options.limits, {}).result;
        Identifiers names;
        const auto add = [&](const Outcome& outcome, const std::string& property) {
            const std::string file = one.file + '.' + names.add(property) + ".itf.json";
            if (const auto* found = std::get_if<Counterexample>(&outcome)) {
                const TraceMeaning meaning{pipeline.document.file, property, found->trap_states};
                result.files.push_back({file, render_itf(one.system, found->trace, meaning)});
            } else if (const auto* unknown = std::get_if<Unknown>(&outcome)) {
                result.undecided.push_back(one.system.name + ", " + property + ": " + unknown->reason);
            }
        };
        for (std::size_t index = 0; index < checked.properties.size(); ++index) {
            add(checked.properties[index], one.system.properties[index].name);
        }
        if (checked.progress && !options.requirement) {
            add(*checked.progress, "progress");
        }
    }
    return result;
}

Export dot(const Pipeline& pipeline, const ExportOptions&) {
    return {{{identifier_of(pipeline.document.pipeline) + ".dot", render_dot(draw(pipeline))}}, {}};
}

Export mermaid(const Pipeline& pipeline, const ExportOptions&) {
    return {{{identifier_of(pipeline.document.pipeline) + ".mmd", render_mermaid(draw(pipeline))}}, {}};
}

}  // namespace

const std::vector<ExportFormat>& export_formats() {
    static const std::vector<ExportFormat> kFormats{
        {"smtlib", "proof obligations in SMT-LIB 2.6, for any solver", smtlib},
        {"promela", "transition systems for SPIN", promela},
        {"tla", "transition systems as TLA+ modules, with configurations for TLC", tla},
        {"itf", "runs that violate a requirement, in the Informal Trace Format", itf},
        {"dot", "the graph, for Graphviz", dot},
        {"mermaid", "the graph, for pages that render Mermaid", mermaid},
    };
    return kFormats;
}

}  // namespace oncecheck

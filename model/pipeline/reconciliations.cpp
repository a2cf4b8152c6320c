#include "model/pipeline/reconciliations.h"

#include <algorithm>

#include "model/document/reader.h"
#include "model/pipeline/graph.h"

namespace oncecheck {

namespace {

class Resolver {
  public:
    Resolver(Pipeline& pipeline, std::vector<Problem>& problems) : pipeline_(pipeline), problems_(problems) {}

    void resolve(ComponentId id) {
        const PipelineComponent& component = pipeline_.component(id);
        const std::optional<Reconciliation>& stated = component.document.reconciliation;
        if (component.type->protocol != Protocol::kReconciliation) {
            if (stated) {
                add("not-a-reconciliation", stated->where,
                    "'" + component.document.name + "' is no reconciliation: it compares nothing",
                    "the type of a reconciliation", "");
            }
            return;
        }
        if (!stated || stated->compares.size() != 2) {
            add("missing-key", component.document.where, "'" + component.document.name + "' compares nothing",
                "\"compares\": [source, sink]", "");
            return;
        }
        resolve(id, *stated);
    }

  private:
    void add(const std::string& code, const SourcePosition& where, const std::string& message,
             const std::string& expected, const std::string& hint) {
        problems_.push_back({code, where, message, expected, hint});
    }

    void dangling(const Template& name, const std::string& message, const std::string& expected,
                  const std::vector<std::string>& candidates) {
        const std::string nearest = did_you_mean(name.text, candidates);
        add("dangling-reference", name.where, message, expected,
            nearest.empty() ? "" : "did you mean '" + nearest + "'?");
    }

    void resolve(ComponentId id, const Reconciliation& stated) {
        const std::optional<ComponentId> source = source_of(stated.compares[0]);
        const std::optional<ObjectReference> sink = sink_of(stated.compares[1]);
        if (!source || !sink) {
            return;
        }
        ResolvedReconciliation resolved{id, *source, *sink, stated.by, {}, to_string(pipeline_, *sink)};
        for (const ComponentId writer : writers_of(pipeline_, *sink)) {
            if (reads(writer, *source)) {
                resolved.processes.push_back(writer);
            }
        }
        if (resolved.processes.empty()) {
            add("not-connected", stated.compares[1].where,
                "no process takes records from '" + stated.compares[0].text + "' to '" + resolved.target + "'",
                "a log, and a table that a process fills from it", "");
            return;
        }
        pipeline_.reconciliations.push_back(std::move(resolved));
    }

    [[nodiscard]] bool reads(ComponentId process, ComponentId log) const {
        const std::vector<Connection>& all = pipeline_.component(process).document.reads;
        return std::any_of(all.begin(), all.end(),
                           [&](const Connection& connection) { return pipeline_.find(connection.object.text) == log; });
    }

    std::optional<ComponentId> source_of(const Template& name) {
        const auto found = pipeline_.find(name.text);
        if (!found) {
            std::vector<std::string> logs;
            for (const PipelineComponent& component : pipeline_.components) {
                if (component.type->protocol == Protocol::kLog) {
                    logs.push_back(component.document.name);
                }
            }
            dangling(name, "there is no component '" + name.text + "'", "a log of this document", logs);
            return std::nullopt;
        }
        if (pipeline_.component(*found).type->protocol != Protocol::kLog) {
            add("unsupported", name.where,
                "this version does not support a reconciliation with a '" + pipeline_.component(*found).document.type +
                    "' as its source yet",
                "a log of this document", "");
            return std::nullopt;
        }
        return found;
    }

    std::optional<ObjectReference> sink_of(const Template& name) {
        std::vector<Problem> found;
        ObjectReference sink = resolve_object(pipeline_, name, found);
        if (!found.empty()) {
            problems_.insert(problems_.end(), found.begin(), found.end());
            return std::nullopt;
        }
        if (sink.scope == ObjectScope::kStore && !writers_of(pipeline_, sink).empty()) {
            return sink;
        }
        std::vector<std::string> written;
        for (const EndObject& end : ends(pipeline_)) {
            written.push_back(to_string(pipeline_, end.object));
        }
        dangling(name, "no process puts records into '" + name.text + "'", "a table that a process fills", written);
        return std::nullopt;
    }

    Pipeline& pipeline_;
    std::vector<Problem>& problems_;
};

}  // namespace

void resolve_reconciliations(Pipeline& pipeline, std::vector<Problem>& problems) {
    Resolver resolver(pipeline, problems);
    for (ComponentId id = 0; id < pipeline.components.size(); ++id) {
        resolver.resolve(id);
    }
}

}  // namespace oncecheck

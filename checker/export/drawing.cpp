#include "checker/export/drawing.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "model/pipeline/graph.h"
#include "model/pipeline/steps.h"

namespace oncecheck {

namespace {

class Drawer {
  public:
    explicit Drawer(const Pipeline& pipeline) : pipeline_(pipeline) {}

    Drawing run() {
        drawing_.title = pipeline_.document.pipeline;
        for (ComponentId id = 0; id < pipeline_.components.size(); ++id) {
            const PipelineComponent& component = pipeline_.component(id);
            drawing_.nodes.push_back({component.document.name, component.document.type, component.type->role});
            add_connections(id);
            add_uses(id);
            if (const auto runner = pipeline_.find(component.document.run_by); runner) {
                edge(*runner, id, "runs", true);
            }
        }
        for (const ResolvedReconciliation& one : pipeline_.reconciliations) {
            edge(one.source, one.component, "", true);
            edge(one.sink.store, one.component, one.sink.name.text, true);
        }
        add_hops();
        return std::move(drawing_);
    }

  private:
    void add_connections(ComponentId id) {
        const Component& component = pipeline_.component(id).document;
        for (const Connection& connection : component.reads) {
            if (const auto store = pipeline_.find(connection.object.text)) {
                edge(*store, id, "");
            }
        }
        for (const Connection& connection : component.writes) {
            if (const auto store = pipeline_.find(connection.object.text)) {
                edge(id, *store, "");
            }
        }
    }

    // Objects in stores that steps touch: an arrow to the store for what they write, from it for what they read.
    void add_uses(ComponentId id) {
        for (const ObjectUse& use : object_uses(pipeline_, id)) {
            if (use.object.scope == ObjectScope::kStore) {
                const bool writes = !use.is_source && writes_target(*use.step);
                edge(writes ? id : use.object.store, writes ? use.object.store : id, use.object.name.text);
            }
        }
    }

    void edge(std::size_t from, std::size_t to, const std::string& label, bool dotted = false) {
        const auto same = std::find_if(drawing_.edges.begin(), drawing_.edges.end(), [&](const DrawnEdge& one) {
            return one.from == from && one.to == to && one.dotted == dotted;
        });
        if (same == drawing_.edges.end()) {
            drawing_.edges.push_back({from, to, label, dotted});
            labels_[{from, to}] = {label};
        } else if (labels_[{from, to}].insert(label).second) {
            same->label += (same->label.empty() ? "" : ", ") + label;
        }
    }

    void add_hops() {
        const std::vector<std::vector<ComponentId>> found = hops(pipeline_);
        std::map<std::size_t, std::set<std::size_t>> touching;  // store: hops
        std::map<ComponentId, std::size_t> hop_of;
        for (std::size_t number = 0; number < found.size(); ++number) {
            drawing_.hops.push_back({"hop " + std::to_string(number + 1), found[number]});
            for (const ComponentId process : found[number]) {
                hop_of[process] = number;
            }
        }
        for (const DrawnEdge& one : drawing_.edges) {
            for (const auto& [process, other] : {std::pair(one.from, one.to), std::pair(one.to, one.from)}) {
                if (hop_of.contains(process) && !hop_of.contains(other) && !one.dotted) {
                    touching[other].insert(hop_of[process]);
                }
            }
        }
        for (const auto& [store, numbers] : touching) {
            if (numbers.size() == 1) {
                drawing_.hops[*numbers.begin()].nodes.push_back(store);
            }
        }
    }

    const Pipeline& pipeline_;
    Drawing drawing_;
    std::map<std::pair<std::size_t, std::size_t>, std::set<std::string>> labels_;
};

}  // namespace

std::vector<std::size_t> Drawing::outside() const {
    std::vector<std::size_t> found;
    for (std::size_t node = 0; node < nodes.size(); ++node) {
        const bool framed = std::any_of(hops.begin(), hops.end(), [&](const DrawnHop& hop) {
            return std::find(hop.nodes.begin(), hop.nodes.end(), node) != hop.nodes.end();
        });
        if (!framed) {
            found.push_back(node);
        }
    }
    return found;
}

Drawing draw(const Pipeline& pipeline) { return Drawer(pipeline).run(); }

}  // namespace oncecheck

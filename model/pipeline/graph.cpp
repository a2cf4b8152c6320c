#include "model/pipeline/graph.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/connected_components.hpp>
#include <map>
#include <set>

#include "model/pipeline/naming.h"
#include "model/pipeline/steps.h"

namespace oncecheck {

namespace {

using FlowGraph = boost::adjacency_list<boost::setS, boost::vecS, boost::directedS>;
using SharingGraph = boost::adjacency_list<boost::setS, boost::vecS, boost::undirectedS>;

bool is_process(const Pipeline& pipeline, ComponentId id) {
    return pipeline.component(id).type->role == Role::kProcess;
}

std::optional<ComponentId> connected(const Pipeline& pipeline, const Connection& connection) {
    return pipeline.find(connection.object.text);
}

FlowGraph flow_graph(const Pipeline& pipeline) {
    FlowGraph graph(pipeline.components.size());
    for (ComponentId id = 0; id < pipeline.components.size(); ++id) {
        const Component& component = pipeline.component(id).document;
        for (const Connection& connection : component.reads) {
            if (const auto source = connected(pipeline, connection)) {
                boost::add_edge(*source, id, graph);
            }
        }
        for (const Connection& connection : component.writes) {
            if (const auto target = connected(pipeline, connection)) {
                boost::add_edge(id, *target, graph);
            }
        }
    }
    return graph;
}

// Who touches an identity, and whether anyone writes it.
struct Touch {
    std::vector<std::size_t> processes;
    bool written = false;
};

std::map<std::string, Touch> touches(const Pipeline& pipeline, const std::vector<ComponentId>& processes) {
    std::map<std::string, Touch> found;
    for (std::size_t i = 0; i < processes.size(); ++i) {
        for (const ObjectUse& use : object_uses(pipeline, processes[i])) {
            const bool written = !use.is_source && (writes_target(*use.step) || !targets_object(*use.step));
            for (const std::string& name : possible_identities(pipeline, processes[i], use.object)) {
                Touch& touch = found[name];
                touch.processes.push_back(i);
                touch.written = touch.written || written;
            }
        }
    }
    return found;
}

// Objects that a step of the process reads as a source: its staging objects.
bool is_source_somewhere(const Pipeline& pipeline, ComponentId process, const ObjectReference& object) {
    for (ComponentId other = 0; other < pipeline.components.size(); ++other) {
        for (const ObjectUse& use : object_uses(pipeline, other)) {
            if (use.is_source && can_be_equal(pipeline, process, object, other, use.object)) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

std::vector<ObjectUse> object_uses(const Pipeline& pipeline, ComponentId process) {
    std::vector<ObjectUse> uses;
    std::vector<Problem> ignored;
    const auto visit = [&](const Step& step) {
        if (!step.target.text.empty()) {
            uses.push_back({resolve_object(pipeline, step.target, ignored), &step, false});
        }
        if (!step.partner.text.empty()) {
            uses.push_back({resolve_object(pipeline, step.partner, ignored), &step, false});
        }
        if (step.source) {
            uses.push_back({resolve_object(pipeline, *step.source, ignored), &step, true});
        }
    };
    const Component& component = pipeline.component(process).document;
    for (const Program* program : {&component.on_start, &component.steps, &component.on_error}) {
        for_each_step(*program, visit);
    }
    return uses;
}

std::vector<ComponentId> origins(const Pipeline& pipeline) {
    std::set<ComponentId> read;
    std::set<ComponentId> written;
    std::vector<ComponentId> found;
    for (const PipelineComponent& component : pipeline.components) {
        for (const Connection& connection : component.document.reads) {
            if (const auto source = connected(pipeline, connection)) {
                read.insert(*source);
            }
        }
        for (const Connection& connection : component.document.writes) {
            if (const auto target = connected(pipeline, connection)) {
                written.insert(*target);
            }
        }
    }
    for (ComponentId id = 0; id < pipeline.components.size(); ++id) {
        const PipelineComponent& component = pipeline.component(id);
        const bool silent_process = is_process(pipeline, id) && component.document.reads.empty();
        const bool source_store = component.type->role == Role::kStore && read.contains(id) && !written.contains(id);
        if (silent_process || source_store) {
            found.push_back(id);
        }
    }
    return found;
}

std::vector<EndObject> ends(const Pipeline& pipeline) {
    std::vector<EndObject> found;
    for (ComponentId process = 0; process < pipeline.components.size(); ++process) {
        for (const ObjectUse& use : object_uses(pipeline, process)) {
            if (use.is_source || !takes_in_records(*use.step) || is_source_somewhere(pipeline, process, use.object)) {
                continue;
            }
            const auto same = std::find_if(found.begin(), found.end(), [&](const EndObject& end) {
                return end.object.scope == use.object.scope && end.object.store == use.object.store &&
                       end.object.name == use.object.name;
            });
            if (same == found.end()) {
                found.push_back({use.object, writers_of(pipeline, use.object)});
            }
        }
    }
    return found;
}

bool is_upstream(const Pipeline& pipeline, ComponentId from, const std::vector<ComponentId>& processes) {
    const FlowGraph graph = flow_graph(pipeline);
    std::vector<boost::default_color_type> colors(boost::num_vertices(graph), boost::white_color);
    const auto color_map = boost::make_iterator_property_map(colors.begin(), boost::get(boost::vertex_index, graph));
    boost::breadth_first_search(graph, from, boost::color_map(color_map));
    return std::any_of(processes.begin(), processes.end(),
                       [&](ComponentId process) { return colors[process] != boost::white_color; });
}

std::vector<std::vector<ComponentId>> hops(const Pipeline& pipeline) {
    std::vector<ComponentId> processes;
    for (ComponentId id = 0; id < pipeline.components.size(); ++id) {
        if (is_process(pipeline, id)) {
            processes.push_back(id);
        }
    }
    SharingGraph graph(processes.size());
    for (const auto& [unused_name, touch] : touches(pipeline, processes)) {
        for (const std::size_t process : touch.processes) {
            if (touch.written && process != touch.processes.front()) {
                boost::add_edge(touch.processes.front(), process, graph);
            }
        }
    }
    std::vector<std::size_t> hop_of(processes.size());
    if (!processes.empty()) {
        boost::connected_components(graph, hop_of.data());
    }
    std::map<std::size_t, std::vector<ComponentId>> grouped;
    for (std::size_t i = 0; i < processes.size(); ++i) {
        grouped[hop_of[i]].push_back(processes[i]);
    }
    std::vector<std::vector<ComponentId>> result;
    for (auto& [unused, members] : grouped) {
        result.push_back(std::move(members));
    }
    std::sort(result.begin(), result.end());
    return result;
}

std::vector<ComponentId> writers_of(const Pipeline& pipeline, const ObjectReference& object) {
    std::vector<ComponentId> writers;
    for (ComponentId process = 0; process < pipeline.components.size(); ++process) {
        for (const ObjectUse& use : object_uses(pipeline, process)) {
            if (!use.is_source && takes_in_records(*use.step) &&
                can_be_equal(pipeline, process, use.object, process, object)) {
                writers.push_back(process);
                break;
            }
        }
    }
    return writers;
}

}  // namespace oncecheck

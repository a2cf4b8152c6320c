#include "checker/compose/plan.h"

#include <algorithm>
#include <set>

#include "checker/engines/explicit_engine.h"
#include "model/pipeline/graph.h"
#include "model/semantics/producer.h"

namespace oncecheck {

namespace {

bool about_target(RequirementKind kind) {
    return kind != RequirementKind::kIsolatedStaging && kind != RequirementKind::kProgress;
}

class Planner {
  public:
    Planner(const Pipeline& pipeline, const PlanOptions& options, const Limits& limits)
        : pipeline_(pipeline), options_(options), limits_(limits) {}

    std::vector<PlannedHop> run() const {
        std::vector<PlannedHop> planned;
        for (const std::vector<ComponentId>& processes : hops(pipeline_)) {
            PlannedHop hop;
            const std::vector<ComponentId> queries = of_protocol(processes, Protocol::kMicroBatch);
            if (!queries.empty()) {
                hop.queries = plan_queries(queries);
            }
            for (const ComponentId producer : of_protocol(processes, Protocol::kProducer)) {
                PlannedProducer one{producer, counting_from(producer), producer_faults(producer)};
                if (!one.requirements.empty()) {
                    hop.producers.push_back(std::move(one));
                }
            }
            planned.push_back(std::move(hop));
        }
        return planned;
    }

  private:
    std::vector<ComponentId> of_protocol(const std::vector<ComponentId>& hop, Protocol protocol) const {
        std::vector<ComponentId> found;
        std::copy_if(hop.begin(), hop.end(), std::back_inserter(found),
                     [&](ComponentId id) { return pipeline_.component(id).type->protocol == protocol; });
        return found;
    }

    PlannedQueries plan_queries(const std::vector<ComponentId>& queries) const {
        PlannedQueries planned{.processes = queries,
                               .requirements = concerned(queries),
                               .options = {},
                               .open = {},
                               .sentences = {},
                               .undecided = {}};
        planned.options.size = options_.size;
        planned.options.slice = options_.slice;
        planned.options.records_repeat = records_may_repeat(queries);
        for (const ComponentId query : queries) {
            FaultDecision decision = decide_faults(pipeline_, query);
            planned.options.faults[query] = decision.certain;
            for (OpenFault& fault : decision.open) {
                planned.open.emplace_back(query, std::move(fault));
            }
            planned.sentences.insert(planned.sentences.end(), decision.sentences.begin(), decision.sentences.end());
            planned.undecided.insert(planned.undecided.end(), decision.undecided.begin(), decision.undecided.end());
        }
        return planned;
    }

    std::vector<std::size_t> concerned(const std::vector<ComponentId>& processes) const {
        std::vector<std::size_t> found;
        for (std::size_t index = 0; index < pipeline_.requirements.size(); ++index) {
            const ResolvedRequirement& requirement = pipeline_.requirements[index];
            const std::vector<ComponentId> meant =
                about_target(requirement.kind) ? writers_of(pipeline_, requirement.object) : requirement.processes;
            if (std::any_of(meant.begin(), meant.end(), [&](ComponentId id) {
                    return std::find(processes.begin(), processes.end(), id) != processes.end();
                })) {
                found.push_back(index);
            }
        }
        return found;
    }

    std::vector<std::size_t> counting_from(ComponentId producer) const {
        std::vector<std::size_t> found;
        for (std::size_t index = 0; index < pipeline_.requirements.size(); ++index) {
            if (pipeline_.requirements[index].from == producer) {
                found.push_back(index);
            }
        }
        return found;
    }

    ProcessFaults producer_faults(ComponentId producer) const {
        ProcessFaults faults;
        for (const Fault fault : pipeline_.faults_of(producer)) {
            faults.crash = faults.crash || fault == Fault::kCrash;
            faults.lost_ack = faults.lost_ack || fault == Fault::kLostAck;
        }
        return faults;
    }

    // Whether a producer can put a record twice into a log that the queries read: asked of its own system.
    bool records_may_repeat(const std::vector<ComponentId>& queries) const {
        for (ComponentId id = 0; id < pipeline_.components.size(); ++id) {
            const bool feeds =
                pipeline_.component(id).type->protocol == Protocol::kProducer && is_upstream(pipeline_, id, queries);
            if (feeds && repeats(id)) {
                return true;
            }
        }
        return false;
    }

    bool repeats(ComponentId producer) const {
        std::vector<std::size_t> all;
        for (std::size_t index = 0; index < pipeline_.requirements.size(); ++index) {
            if (about_target(pipeline_.requirements[index].kind)) {
                all.push_back(index);
            }
        }
        const HopSystem system = build_producer(pipeline_, producer, all, producer_faults(producer));
        const ExplicitEngine search;
        const Engine& engine = options_.engine != nullptr ? *options_.engine : search;
        const CheckResult result = engine.check(system.system, limits_, {});
        for (std::size_t index = 0; index < result.properties.size(); ++index) {
            if (system.meanings[index].flaw == Flaw::kDuplicate &&
                !std::holds_alternative<Exhausted>(result.properties[index])) {
                return true;
            }
        }
        return false;
    }

    const Pipeline& pipeline_;
    const PlanOptions& options_;
    const Limits& limits_;
};

// Collects systems under names that do not repeat.
class SystemList {
  public:
    explicit SystemList(const Pipeline& pipeline) : pipeline_(pipeline) {}

    void add(const std::vector<ComponentId>& processes, const std::string& note, std::vector<HopSystem> built) {
        std::string base;
        for (const ComponentId id : processes) {
            base += (base.empty() ? "" : " and ") + pipeline_.component(id).document.name;
        }
        base += note;
        for (HopSystem& one : built) {
            std::string name = base + (one.followed ? ", " + *one.followed : "");
            for (int number = 2; !names_.insert(name).second; ++number) {
                name = base + (one.followed ? ", " + *one.followed : "") + ", " + std::to_string(number);
            }
            one.system.name = name;
            systems_.push_back({name, std::move(one)});
        }
    }

    std::vector<PlannedSystem> take() { return std::move(systems_); }

  private:
    const Pipeline& pipeline_;
    std::set<std::string> names_;
    std::vector<PlannedSystem> systems_;
};

}  // namespace

HopOptions PlannedQueries::with(const std::pair<ComponentId, OpenFault>& fault) const {
    HopOptions more = options;
    more.faults[fault.first] = united(more.faults[fault.first], fault.second.added);
    return more;
}

std::vector<PlannedHop> plan(const Pipeline& pipeline, const PlanOptions& options, const Limits& limits) {
    return Planner(pipeline, options, limits).run();
}

std::vector<PlannedSystem> systems(const Pipeline& pipeline, const std::vector<PlannedHop>& plan) {
    SystemList list(pipeline);
    for (const PlannedHop& hop : plan) {
        if (hop.queries) {
            const PlannedQueries& queries = *hop.queries;
            list.add(queries.processes, "",
                     build_hop(pipeline, queries.processes, queries.requirements, queries.options));
            for (const auto& fault : queries.open) {
                list.add(queries.processes, ", with " + fault.second.name,
                         build_hop(pipeline, queries.processes, queries.requirements, queries.with(fault)));
            }
        }
        for (const PlannedProducer& producer : hop.producers) {
            std::vector<HopSystem> built;
            built.push_back(build_producer(pipeline, producer.process, producer.requirements, producer.faults));
            list.add({producer.process}, "", std::move(built));
        }
    }
    return list.take();
}

}  // namespace oncecheck

#include "checker/certificate/bearing.h"

#include <algorithm>
#include <set>

#include "checker/compose/premises.h"
#include "model/semantics/producer.h"

namespace oncecheck {

namespace {

class Collection {
  public:
    Collection(const Pipeline& pipeline, std::size_t requirement)
        : pipeline_(pipeline), index_(requirement), requirement_(pipeline.requirements[requirement]) {}

    void add(const PlannedQueries& queries) {
        if (std::find(queries.requirements.begin(), queries.requirements.end(), index_) == queries.requirements.end()) {
            return;
        }
        bearing_.faults.insert(bearing_.faults.end(), queries.sentences.begin(), queries.sentences.end());
        bearing_.undecided.insert(bearing_.undecided.end(), queries.undecided.begin(), queries.undecided.end());
        std::string name;
        for (const ComponentId id : queries.processes) {
            name += (name.empty() ? "" : " and ") + pipeline_.component(id).document.name;
        }
        bearing_.certain = joined(std::move(bearing_.certain), built(queries, queries.options, name));
        for (const auto& fault : queries.open) {
            const std::string process = pipeline_.component(fault.first).document.name;
            bearing_.open.push_back(
                {fault.second, process,
                 built(queries, queries.with(fault), name + ", with " + fault.second.name + " of " + process)});
        }
    }

    void add(const PlannedProducer& producer) {
        if (requirement_.from != producer.process) {
            return;
        }
        bearing_.faults.push_back(fault_sentence(pipeline_, producer));
        std::vector<HopSystem> systems;
        systems.push_back(build_producer(pipeline_, producer.process, {index_}, producer.faults));
        std::vector<BearingSystem> bearing =
            selected(std::move(systems), pipeline_.component(producer.process).document.name);
        for (BearingSystem& system : bearing) {
            system.progress = false;
            std::erase_if(system.properties, [&](std::size_t property) {
                return system.hop.meanings[property].flaw == Flaw::kDuplicate &&
                       absorbs_repeats(pipeline_, requirement_);
            });
        }
        std::erase_if(bearing, [](const BearingSystem& system) { return system.properties.empty(); });
        bearing_.certain = joined(std::move(bearing_.certain), std::move(bearing));
    }

    Bearing take(const PlanOptions& options) {
        bearing_.assumptions = assumption_sentences(pipeline_);
        bearing_.universe.push_back(size_sentence(options.size));
        std::set<std::string> sentences;
        for (const BearingSystem& system : bearing_.certain) {
            sentences.insert(system.hop.followed ? system.name + ": follows " + *system.hop.followed
                                                 : system.name + ": " + system.hop.universe);
            sentences.insert(system.hop.bounds.begin(), system.hop.bounds.end());
        }
        bearing_.universe.insert(bearing_.universe.end(), sentences.begin(), sentences.end());
        return std::move(bearing_);
    }

  private:
    static std::vector<BearingSystem> joined(std::vector<BearingSystem> left, std::vector<BearingSystem> right) {
        std::move(right.begin(), right.end(), std::back_inserter(left));
        return left;
    }

    std::vector<BearingSystem> built(const PlannedQueries& queries, const HopOptions& options,
                                     const std::string& name) {
        return selected(build_hop(pipeline_, queries.processes, {index_}, options), name);
    }

    // Those of the systems that decide something about the requirement.
    std::vector<BearingSystem> selected(std::vector<HopSystem> systems, const std::string& name) {
        const bool progress =
            requirement_.kind == RequirementKind::kExactlyOnce || requirement_.kind == RequirementKind::kProgress;
        std::vector<BearingSystem> result;
        for (HopSystem& hop : systems) {
            BearingSystem system{
                .name = name + (hop.followed ? ", " + *hop.followed : ""), .hop = {}, .properties = {}};
            for (int number = 2; !names_.insert(system.name).second; ++number) {
                system.name = name + (hop.followed ? ", " + *hop.followed : "") + ", " + std::to_string(number);
            }
            for (std::size_t property = 0; property < hop.meanings.size(); ++property) {
                if (hop.meanings[property].requirement == index_) {
                    system.properties.push_back(property);
                }
            }
            system.progress = progress && !hop.system.complete.is_constant(0);
            system.hop = std::move(hop);
            system.hop.system.name = system.name;
            if (!system.properties.empty() || system.progress) {
                result.push_back(std::move(system));
            }
        }
        return result;
    }

    const Pipeline& pipeline_;
    std::size_t index_;
    const ResolvedRequirement& requirement_;
    std::set<std::string> names_;
    Bearing bearing_;
};

}  // namespace

Bearing bearing_on(const Pipeline& pipeline, const std::vector<PlannedHop>& planned, const PlanOptions& options,
                   std::size_t requirement) {
    Collection collection(pipeline, requirement);
    for (const PlannedHop& hop : planned) {
        if (hop.queries) {
            collection.add(*hop.queries);
        }
        for (const PlannedProducer& producer : hop.producers) {
            collection.add(producer);
        }
    }
    return collection.take(options);
}

}  // namespace oncecheck

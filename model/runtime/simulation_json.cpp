#include "model/runtime/simulation_json.h"

#include <nlohmann/json.hpp>

namespace oncecheck {

namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json violations_of(std::size_t requirement, const SimulationResult& result) {
    Json violations = Json::array();
    for (const ViolationCount& violation : result.violations) {
        if (violation.requirement == requirement) {
            violations.push_back({{"flaw", violation.flaw},
                                  {"runs", violation.runs},
                                  {"first_seed", violation.first_seed},
                                  {"example", violation.example}});
        }
    }
    return violations;
}

}  // namespace

std::string simulation_to_json(const Pipeline& pipeline, const SimulationOptions& options,
                               const SimulationResult& result) {
    Json json;
    json["pipeline"] = pipeline.document.pipeline;
    json["variant"] = text_or_null(pipeline.document.variant);
    json["store"] = result.product;
    json["seed"] = options.schedule.seed;
    json["fault_rate"] = options.schedule.fault_rate;
    json["runs"] = result.runs;
    json["complete_runs"] = result.complete_runs;
    json["violating_runs"] = result.violating_runs;
    json["moves"] = result.moves;
    json["faults"] = Json::object();
    for (const auto& [kind, times] : result.faults) {
        json["faults"][kind] = times;
    }
    json["requirements"] = Json::array();
    for (std::size_t index = 0; index < pipeline.requirements.size(); ++index) {
        const ResolvedRequirement& requirement = pipeline.requirements[index];
        Json one;
        one["kind"] = to_string(requirement.kind);
        one["target"] = requirement.target;
        one["from"] = requirement.from ? Json(pipeline.component(*requirement.from).document.name) : Json(nullptr);
        one["expect"] = requirement.expect ? Json(to_string(*requirement.expect)) : Json(nullptr);
        one["violations"] = violations_of(index, result);
        json["requirements"].push_back(std::move(one));
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace oncecheck

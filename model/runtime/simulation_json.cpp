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

Json most_of(const std::map<int, int>& times) { return times.empty() ? Json(nullptr) : Json(times.rbegin()->first); }
Json median_of(const std::map<int, int>& times) { return times.empty() ? Json(nullptr) : Json(median(times)); }

Json detection_of(const Pipeline& pipeline, const DetectionCount& detection) {
    Json json;
    json["from"] = pipeline.component(detection.from).document.name;
    json["flaw"] = detection.flaw;
    json["runs"] = detection.runs;
    json["noticed"] = detection.noticed;
    json["median_moves"] = median_of(detection.moves);
    json["most_moves"] = most_of(detection.moves);
    json["median_windows"] = median_of(detection.windows);
    json["most_windows"] = most_of(detection.windows);
    json["first_missed_seed"] = detection.first_missed_seed ? Json(*detection.first_missed_seed) : Json(nullptr);
    return json;
}

Json reconciliation_of(const Pipeline& pipeline, const ResolvedReconciliation& reconciliation,
                       const ReconciliationCount& count) {
    Json json;
    json["component"] = pipeline.component(reconciliation.component).document.name;
    json["compares"] = {pipeline.component(reconciliation.source).document.name, reconciliation.target};
    json["by"] = to_string(reconciliation.by);
    json["comparisons"] = count.comparisons;
    json["detections"] = Json::array();
    for (const DetectionCount& detection : count.detections) {
        json["detections"].push_back(detection_of(pipeline, detection));
    }
    const bool any = count.false_alarm_runs > 0;
    json["false_alarms"] = {{"runs", count.false_alarm_runs},
                            {"first_seed", any ? Json(count.first_false_seed) : Json(nullptr)},
                            {"example", text_or_null(count.false_example)}};
    return json;
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
    json["reconciliations"] = Json::array();
    for (std::size_t index = 0; index < result.reconciliations.size(); ++index) {
        json["reconciliations"].push_back(
            reconciliation_of(pipeline, pipeline.reconciliations[index], result.reconciliations[index]));
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace oncecheck

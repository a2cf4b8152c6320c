#include "checker/crossvalidate/trace_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checker/compose/plan.h"
#include "model/transition/evaluator.h"

namespace oncecheck {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kMark = "oncecheck-trace";

std::vector<std::string> variable_names(const TransitionSystem& system) {
    std::vector<std::string> names;
    for (const Variable& variable : system.variables) {
        names.push_back(variable.name);
    }
    return names;
}

[[noreturn]] void refuse(const std::string& file, const std::string& message, const std::string& hint) {
    throw InputError({{"trace-file", {file, 0, 0, ""}, message, "a trace that 'oncecheck replay --save' wrote", hint}});
}

Trace read_trace(const Json& json) {
    Trace trace;
    trace.initial = json.at("initial").get<State>();
    for (const Json& step : json.at("steps")) {
        trace.steps.push_back({step.at("action").get<std::size_t>(), step.at("after").get<State>()});
    }
    return trace;
}

// The system has these variables, and its actions read the same.
bool is_of(const TransitionSystem& system, const Json& json) {
    if (variable_names(system) != json.at("variables").get<std::vector<std::string>>()) {
        return false;
    }
    const Json& steps = json.at("steps");
    return std::all_of(steps.begin(), steps.end(), [&](const Json& step) {
        const auto action = step.at("action").get<std::size_t>();
        return action < system.actions.size() && system.actions[action].label.text == step.at("text");
    });
}

// Progress has no property; any other flaw has one that the last state violates.
bool violates(const HopSystem& hop, std::size_t requirement, FoundViolation& violation) {
    if (violation.flaw == "stuck") {
        return true;
    }
    for (std::size_t index = 0; index < hop.meanings.size(); ++index) {
        if (hop.meanings[index].requirement == requirement && violation.flaw == to_string(hop.meanings[index].flaw) &&
            evaluate(hop.system.properties[index].bad, violation.counterexample.trace.last()) != 0) {
            violation.property = index;
            return true;
        }
    }
    return false;
}

TraceFile find_system(const Json& json, const std::string& name, const Pipeline& pipeline,
                      const VerifyOptions& options) {
    TraceFile file;
    file.requirement = json.at("requirement").get<std::size_t>();
    file.violation.flaw = json.at("flaw").get<std::string>();
    file.violation.counterexample.trace = read_trace(json);
    if (file.requirement >= pipeline.requirements.size()) {
        refuse(name, "the document has no such requirement", "give the document that the trace was made of");
    }
    Limits limits;
    for (PlannedSystem& planned : systems(pipeline, plan(pipeline, {options.size, options.slice}, limits))) {
        const Trace& trace = file.violation.counterexample.trace;
        if (planned.hop.model == nullptr || !is_of(planned.hop.system, json) || replay(planned.hop.system, trace) ||
            !violates(planned.hop, file.requirement, file.violation)) {
            continue;
        }
        file.violation.counterexample.faults = fault_count(planned.hop.system, trace);
        file.violation.system = std::make_shared<const HopSystem>(std::move(planned.hop));
        return file;
    }
    refuse(name, "the trace is no run of the document that violates the requirement",
           "give the document, variant, --records, --batches and --attempts that it was made with");
}

}  // namespace

bool is_trace(const std::string& text) {
    const Json json = Json::parse(text, nullptr, false);
    return json.is_object() && json.contains(kMark);
}

std::string trace_to_json(const Pipeline& pipeline, const TraceFile& file) {
    const TransitionSystem& system = file.violation.system->system;
    const Trace& trace = file.violation.counterexample.trace;
    Json json{{kMark, 1},
              {"pipeline", pipeline.document.pipeline},
              {"variant", pipeline.document.variant},
              {"requirement", file.requirement},
              {"flaw", file.violation.flaw},
              {"variables", variable_names(system)},
              {"initial", trace.initial},
              {"steps", Json::array()}};
    for (const TraceStep& step : trace.steps) {
        const ActionLabel& label = system.actions[step.action].label;
        json["steps"].push_back({{"action", step.action},
                                 {"process", label.process},
                                 {"slot", label.slot},
                                 {"text", label.text},
                                 {"fault", label.fault},
                                 {"after", step.after}});
    }
    return json.dump(2) + '\n';
}

TraceFile trace_from_json(const std::string& text, const std::string& name, const Pipeline& pipeline,
                          const VerifyOptions& options) {
    try {
        return find_system(Json::parse(text), name, pipeline, options);
    } catch (const nlohmann::json::exception& error) {
        refuse(name, std::string("the file is no trace: ") + error.what(), "");
    }
}

}  // namespace oncecheck

#include "checker/export/itf.h"

#include <nlohmann/json.hpp>

#include "checker/export/action_text.h"
#include "checker/export/tla.h"

namespace oncecheck {

namespace {

using Json = nlohmann::ordered_json;

Json integer(std::size_t value) { return {{"#bigint", std::to_string(value)}}; }

Json state_object(const State& state, const std::vector<std::string>& names, Json meta, const std::string& action) {
    Json object{{"#meta", std::move(meta)}};
    for (std::size_t index = 0; index < names.size(); ++index) {
        object[names[index]] = integer(state[index]);
    }
    object["mbt::actionTaken"] = action;
    return object;
}

}  // namespace

std::string render_itf(const TransitionSystem& system, const Trace& trace, const TraceMeaning& meaning) {
    const std::vector<std::string> names = tla_variables(system);
    Json meta{{"format", "ITF"},
              {"format-description", "https://apalache-mc.org/docs/adr/015adr-trace.html"},
              {"description", "a run of '" + system.name + "' that violates " + meaning.violated},
              {"source", meaning.source},
              {"violated", meaning.violated},
              {"faults", fault_count(system, trace)}};
    if (meaning.trap_states != 0) {
        meta["trapStates"] = meaning.trap_states;
    }
    for (std::size_t index = 0; index < names.size(); ++index) {
        meta["variables"][names[index]] = system.variables[index].name;
    }
    Json variables = names;
    variables.push_back("mbt::actionTaken");
    Json states = Json::array({state_object(trace.initial, names, {{"index", 0}}, "init")});
    for (std::size_t index = 0; index < trace.steps.size(); ++index) {
        const Action& action = system.actions.at(trace.steps[index].action);
        Json state_meta{{"index", index + 1}};
        if (const std::string place = action_place(action); !place.empty()) {
            state_meta["where"] = place;
        }
        states.push_back(
            state_object(trace.steps[index].after, names, std::move(state_meta), oncecheck::action_text(action)));
    }
    // Names and texts of documents are UTF-8; what is not is replaced and never thrown.
    return Json{{"#meta", std::move(meta)}, {"vars", std::move(variables)}, {"states", std::move(states)}}.dump(
               2, ' ', false, Json::error_handler_t::replace) +
           '\n';
}

}  // namespace oncecheck

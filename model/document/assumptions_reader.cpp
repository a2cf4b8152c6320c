#include "model/document/assumptions_reader.h"

#include <algorithm>
#include <utility>

#include "model/document/reader.h"

namespace oncecheck {

namespace {

void read_faults(Assumptions& assumptions, const JsonValue& value, Reading& reading) {
    assumptions.faults.emplace();
    if (!value.is_array()) {
        reading.wrong_type(value, "a list of faults");
    }
    for (const JsonValue& item : value.items) {
        if (item.is_object()) {
            reading.problem("unsupported", item.where, "this version does not support faults with an aim",
                            alternatives(all_names(kFaultNames)));
            continue;
        }
        const std::optional<Fault> fault = read_choice(item, kFaultNames, kUnsupportedFaults, reading);
        std::vector<Fault>& faults = *assumptions.faults;
        if (fault && std::find(faults.begin(), faults.end(), *fault) == faults.end()) {
            faults.push_back(*fault);
        }
    }
}

// {"zombie": "reason"}: every key is a fault.
void read_excluded_by_key(Assumptions& assumptions, const JsonValue& value, Reading& reading) {
    const std::vector<std::string> names = all_names(kFaultNames);
    for (const JsonMember& json : value.members) {
        const Named<Fault>* const fault = find_name(kFaultNames, json.key);
        if (fault != nullptr) {
            assumptions.except.push_back({fault->value, read_name(json.value, reading), json.key_where});
        } else if (contains(kUnsupportedFaults, json.key)) {
            unsupported_key(json, reading);
        } else {
            unknown_key(json, names, reading);
        }
    }
}

// {"fault": "zombie", "reason": "..."}
constexpr Member<ExcludedFault> kExcludedFault[] = {
    {"fault",
     [](ExcludedFault& excluded, const JsonValue& value, Reading& reading) {
         excluded.fault = read_choice(value, kFaultNames, kUnsupportedFaults, reading).value_or(Fault::kCrash);
     }},
    {"reason", member<&ExcludedFault::reason, read_name>},
};

void read_excluded(Assumptions& assumptions, const JsonValue& item, Reading& reading) {
    if (!item.is_object()) {
        reading.wrong_type(item, "an object {fault: reason}", "a fault that is ruled out needs a reason");
    } else if (item.find("fault") != nullptr || item.find("reason") != nullptr) {
        ExcludedFault excluded;
        excluded.where = item.where;
        read_object(excluded, item, kExcludedFault, reading);
        require_key(item, "fault", reading);
        require_key(item, "reason", reading);
        assumptions.except.push_back(std::move(excluded));
    } else if (item.members.size() != 1) {
        reading.problem("value", item.where, "one key names the fault that is ruled out", "{fault: reason}");
    } else {
        read_excluded_by_key(assumptions, item, reading);
    }
}

void read_except(Assumptions& assumptions, const JsonValue& value, Reading& reading) {
    assumptions.except.clear();
    if (value.is_object()) {
        read_excluded_by_key(assumptions, value, reading);
    } else if (!value.is_array()) {
        reading.wrong_type(value, "a list of {fault: reason}");
    }
    for (const JsonValue& item : value.items) {
        read_excluded(assumptions, item, reading);
    }
}

// A time is kept under its own key, which the pointer of its place ends with.
void read_time(Assumptions& assumptions, const JsonValue& value, Reading& reading) {
    if (const std::optional<AssumedTime> time = read_duration(value, reading)) {
        const std::string& pointer = value.where.pointer;
        assumptions.times[pointer.substr(pointer.rfind('/') + 1)] = *time;
    }
}

constexpr Member<Assumptions> kAssumptions[] = {
    {"faults", read_faults},
    {"except", read_except},
    {"max_outage", read_time},
    {"min_restart_delay", read_time},
    {"max_pause", read_time},
    {"max_retry_horizon", read_time},
    {"max_checkpoint_duration", read_time},
    {"max_event_age", read_time},
};

}  // namespace

std::optional<AssumedTime> read_duration(const JsonValue& value, Reading& reading) {
    constexpr const char* kExpected = "a duration such as \"45m\" (units: ms, s, m, h, d)";
    if (!value.is_string()) {
        const bool number = value.kind == JsonValue::Kind::kInteger || value.kind == JsonValue::Kind::kReal;
        reading.wrong_type(value, kExpected, number ? "a number has no unit; write \"" + value.text + "ms\"" : "");
        return std::nullopt;
    }
    const std::optional<std::string> text = find_text(value, reading);
    const std::optional<std::int64_t> milliseconds = text ? parse_duration(*text) : std::nullopt;
    if (text && !milliseconds) {
        reading.problem("value", value.where, in_quotes(*text) + " is no duration", kExpected);
    }
    return milliseconds ? std::optional(AssumedTime{*milliseconds, value.where}) : std::nullopt;
}

void read_assumptions(Assumptions& assumptions, const JsonValue& value, Reading& reading) {
    read_object(assumptions, value, kAssumptions, reading);
}

}  // namespace oncecheck

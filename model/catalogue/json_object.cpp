#include "model/catalogue/json_object.h"

namespace oncecheck {

using nlohmann::json;

namespace {

const json& empty_object() {
    static const json kEmpty = json::object();
    return kEmpty;
}

}  // namespace

void ProblemSink::add(const std::string& pointer, const std::string& message, const std::string& expected) {
    Problem problem;
    problem.code = "catalogue";
    problem.where.file = file_;
    problem.where.pointer = pointer;
    problem.message = message;
    problem.expected = expected;
    problems_->push_back(std::move(problem));
}

void ProblemSink::add_at(int line, const std::string& message, const std::string& expected) {
    add("", message, expected);
    problems_->back().where.line = line;
}

std::string escape_pointer(const std::string& token) {
    std::string escaped;
    for (const char c : token) {
        if (c == '~') {
            escaped += "~0";
        } else if (c == '/') {
            escaped += "~1";
        } else {
            escaped += c;
        }
    }
    return escaped;
}

JsonObject::JsonObject(const json& value, std::string pointer, ProblemSink& sink)
    : value_(&value), pointer_(std::move(pointer)), sink_(&sink) {
    if (!value.is_object()) {
        sink.add(pointer_, "this is no object", "an object");
        value_ = &empty_object();
    }
}

void JsonObject::problem(const std::string& key, const std::string& message, const std::string& expected) {
    sink_->add(pointer(key), message, expected);
}

const json* JsonObject::get(const std::string& key) {
    asked_.insert(key);
    const auto member = value_->find(key);
    return member == value_->end() ? nullptr : &*member;
}

std::string JsonObject::optional_string(const std::string& key) {
    const json* const member = get(key);
    if (member == nullptr) {
        return {};
    }
    if (!member->is_string()) {
        problem(key, "this is no string", "a string");
        return {};
    }
    return member->get<std::string>();
}

std::string JsonObject::required_string(const std::string& key) {
    if (get(key) == nullptr) {
        sink_->add(pointer_, "'" + key + "' is missing", "the key '" + key + "'");
        return {};
    }
    const std::string text = optional_string(key);
    if (text.empty() && get(key)->is_string()) {
        problem(key, "'" + key + "' is empty", "a text");
    }
    return text;
}

std::vector<std::string> JsonObject::strings(const std::string& key) {
    std::vector<std::string> result;
    const json* const member = get(key);
    if (member == nullptr) {
        return result;
    }
    if (!member->is_array()) {
        problem(key, "this is no list", "a list of strings");
        return result;
    }
    for (std::size_t i = 0; i < member->size(); ++i) {
        if ((*member)[i].is_string()) {
            result.push_back((*member)[i].get<std::string>());
        } else {
            sink_->add(pointer(key) + "/" + std::to_string(i), "this is no string", "a string");
        }
    }
    return result;
}

bool JsonObject::flag(const std::string& key) {
    const json* const member = get(key);
    if (member == nullptr) {
        return false;
    }
    if (!member->is_boolean()) {
        problem(key, "this is neither true nor false", "true or false");
        return false;
    }
    return member->get<bool>();
}

std::vector<JsonObject> JsonObject::objects(const std::string& key) {
    std::vector<JsonObject> result;
    const json* const member = get(key);
    if (member != nullptr && !member->is_array()) {
        problem(key, "this is no list", "a list of objects");
    } else if (member != nullptr) {
        for (std::size_t i = 0; i < member->size(); ++i) {
            result.emplace_back((*member)[i], pointer(key) + "/" + std::to_string(i), *sink_);
        }
    }
    return result;
}

std::map<std::string, JsonObject> JsonObject::members(const std::string& key) {
    std::map<std::string, JsonObject> result;
    const json* const member = get(key);
    if (member != nullptr && !member->is_object()) {
        problem(key, "this is no object", "an object");
    } else if (member != nullptr) {
        for (const auto& [name, value] : member->items()) {
            result.emplace(name, JsonObject(value, pointer(key) + "/" + escape_pointer(name), *sink_));
        }
    }
    return result;
}

void JsonObject::finish() {
    for (const auto& [key, value] : value_->items()) {
        if (!asked_.contains(key)) {
            problem(key, "unknown key '" + key + "'");
        }
    }
}

}  // namespace oncecheck

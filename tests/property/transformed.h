// Documents that say the same in other words, or let more happen: what metamorphic tests compare. Each function takes
// the JSON of a document and gives another; what does not apply leaves it as it is.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace oncecheck {

using Json = nlohmann::ordered_json;

inline Json parsed_json(const std::string& text) {
    return Json::parse(text, nullptr, true, true);  // with comments
}

// The same document wherever its text stands: names of SQL files are those of files in `folder`.
inline void root_files(Json& node, const std::filesystem::path& folder) {
    if (node.is_string() && node.get<std::string>().ends_with(".sql")) {
        node = (folder / node.get<std::string>()).string();
    }
    if (node.is_structured()) {
        for (Json& inner : node) {
            root_files(inner, folder);
        }
    }
}

// Calls visit(steps) for every list of steps of the document, inner ones first; transactions are not entered.
inline void for_each_program(Json& document, const std::function<void(Json& steps)>& visit) {
    const std::function<void(Json&)> walk = [&](Json& node) {
        if (node.is_object()) {
            for (auto& [key, value] : node.items()) {
                if (key != "transaction" && key != "require" && key != "variants") {
                    walk(value);
                }
            }
        } else if (node.is_array()) {
            std::for_each(node.begin(), node.end(), walk);
            const bool steps = !node.empty() && node.front().is_object();
            if (steps) {
                visit(node);
            }
        }
    };
    walk(document);
}

inline Json with_faults(Json document, const std::vector<std::string>& more) {
    Json& faults = document["assume"]["faults"];
    for (const std::string& fault : more) {
        if (std::find(faults.begin(), faults.end(), fault) == faults.end()) {
            faults.push_back(fault);
        }
    }
    return document;
}

inline void erase_everywhere(Json& node, const std::string& key) {
    if (node.is_object()) {
        node.erase(key);
    }
    if (node.is_structured()) {
        for (Json& inner : node) {
            erase_everywhere(inner, key);
        }
    }
}

inline Json with_default_isolation(Json document) {
    erase_everywhere(document["components"], "isolation");
    if (document.contains("let")) {
        erase_everywhere(document["let"], "isolation");
    }
    return document;
}

inline Json with_reversed_components(Json document) {
    Json reversed = Json::object();
    const Json& components = document["components"];
    std::vector<std::string> names;
    for (const auto& [name, unused] : components.items()) {
        names.push_back(name);
    }
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
        reversed[*name] = components[*name];
    }
    document["components"] = std::move(reversed);
    return document;
}

// Letters of a name turned by half the alphabet: as long as before, and in another order.
inline std::string turned(std::string name) {
    for (char& letter : name) {
        if (std::islower(static_cast<unsigned char>(letter)) != 0) {
            letter = static_cast<char>('a' + (letter - 'a' + 13) % 26);
        }
    }
    return name;
}

// Other names for all components but those named like their type, and for all tables of the stores.
inline Json renamed(const Json& document) {
    std::set<std::string> types;
    for (const Json& component : document["components"]) {
        types.insert(component.is_string() ? component.get<std::string>() : component["type"].get<std::string>());
    }
    std::string text = document.dump();
    for (const auto& [name, component] : document["components"].items()) {
        if (component.is_object() && component.contains("tables")) {
            for (const auto& [table, unused] : component["tables"].items()) {
                const std::size_t brace = std::min(table.find('{'), table.size());
                const std::string key = turned(table.substr(0, brace)) + table.substr(brace);
                const std::size_t place = text.find('"' + table + "\":");
                text.replace(place + 1, table.size(), key);
            }
        }
        if (component.is_object() && component["type"] == "postgresql") {
            const std::regex name_in_store("\"" + name + "\\.([a-zA-Z_]*)");
            std::string result;
            auto end = text.cbegin();
            for (std::sregex_iterator it(text.cbegin(), text.cend(), name_in_store), none; it != none; ++it) {
                result.append(end, (*it)[0].first).append("\"" + name + '.' + turned((*it)[1]));
                end = (*it)[0].second;
            }
            text = result.append(end, text.cend());
        }
    }
    for (const auto& [name, unused] : document["components"].items()) {
        if (!types.contains(name)) {
            text = std::regex_replace(text, std::regex("\"" + name + "([\".])"), "\"" + turned(name) + "$1");
        }
    }
    return Json::parse(text);
}

// Each statement of the driver in a transaction of its own. Left as they are: loads by executors, which no transaction
// can hold; claims and fences, which mean something else in one; steps with an error rule; objects of sessions.
inline Json with_a_transaction_a_step(Json document) {
    for_each_program(document, [](Json& steps) {
        for (Json& step : steps) {
            bool alone = false;
            for (const char* verb : {"insert", "merge", "delete", "truncate", "append"}) {
                alone = alone || (step.contains(verb) && step[verb].get<std::string>().starts_with("db."));
            }
            const bool by_executors = step.contains("append") && step.value("by", "") != "driver";
            const bool of_session = (step.contains("using") && !step["using"].get<std::string>().starts_with("db."));
            if (alone && !by_executors && !of_session && !step.contains("on_error")) {
                step = Json{{"transaction", Json::array({step})}};
            }
        }
    });
    return document;
}

}  // namespace oncecheck

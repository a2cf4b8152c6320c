// A JSON object being read strictly: every key is asked for once, what nobody asked for is a problem. Shared by the
// parts of the catalogue reader; nlohmann-json stays inside them.
//
// Every problem has the code "catalogue", the file and the JSON pointer of the value that is wrong.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/errors.h"

namespace oncecheck {

// Where problems of one file go.
class ProblemSink {
  public:
    ProblemSink(std::string file, std::vector<Problem>& problems) : file_(std::move(file)), problems_(&problems) {}

    void add(const std::string& pointer, const std::string& message, const std::string& expected = {});
    // At a line of a file that is no JSON, where there are no pointers yet.
    void add_at(int line, const std::string& message, const std::string& expected);

  private:
    std::string file_;
    std::vector<Problem>* problems_;
};

// "a/b" as one token of a JSON pointer (RFC 6901).
[[nodiscard]] std::string escape_pointer(const std::string& token);

class JsonObject {
  public:
    // `value` and `sink` have to outlive the object. A value that is no object is a problem and reads as empty.
    JsonObject(const nlohmann::json& value, std::string pointer, ProblemSink& sink);

    [[nodiscard]] std::string pointer(const std::string& key) const { return pointer_ + "/" + escape_pointer(key); }
    // Null if the key is absent.
    [[nodiscard]] const nlohmann::json* get(const std::string& key);
    // A problem if it is absent, not a string, or empty.
    [[nodiscard]] std::string required_string(const std::string& key);
    // Absent is an empty string; anything but a string is a problem.
    [[nodiscard]] std::string optional_string(const std::string& key);
    [[nodiscard]] std::vector<std::string> strings(const std::string& key);
    // Absent is false.
    [[nodiscard]] bool flag(const std::string& key);
    // The elements of an array of objects, each with its pointer; absent is none.
    [[nodiscard]] std::vector<JsonObject> objects(const std::string& key);
    // The members of an object of objects, by name; absent is none.
    [[nodiscard]] std::map<std::string, JsonObject> members(const std::string& key);
    // One of the words of a table of {word, value}; anything else is a problem.
    template <typename Value, std::size_t size>
    [[nodiscard]] Value word(const std::string& key, const std::pair<const char*, Value> (&table)[size]);
    // Reports the keys that nobody asked for. Called last.
    void finish();
    void problem(const std::string& key, const std::string& message, const std::string& expected = {});

  private:
    const nlohmann::json* value_;
    std::string pointer_;
    ProblemSink* sink_;
    std::set<std::string> asked_;
};

template <typename Value, std::size_t size>
Value JsonObject::word(const std::string& key, const std::pair<const char*, Value> (&table)[size]) {
    const std::string text = required_string(key);
    std::string expected;
    for (const auto& [name, value] : table) {
        if (text == name) {
            return value;
        }
        expected += expected.empty() ? name : std::string(", ") + name;
    }
    if (!text.empty()) {
        problem(key, "'" + text + "' is not known here", expected);
    }
    return table[0].second;
}

}  // namespace oncecheck

// The machinery of the readers. A schema object is a table of members, each a key and a small function that reads the
// value of that key into the object:
//
//     constexpr Member<Records> kRecords[] = {{"id", member<&Records::id, read_name>}, ...};
//
// Readers of values never throw: they add a problem, return something harmless, and go on, so that one run names
// everything. Strings that are "$name" are replaced by what `let` gives that name before anyone sees them.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "model/document/json.h"
#include "model/document/names.h"
#include "model/document/problems.h"
#include "model/document/source_text.h"
#include "model/document/template.h"

namespace oncecheck {

// What the readers of one document (or variant) share.
struct Reading {
    std::vector<Problem>& problems;
    std::map<std::string, const JsonValue*> let;  // names and the values that they stand for
    std::string folder;                           // of the document; configuration files are relative to it
    std::vector<std::string> components;          // their names, in the order of the document
    const FileReading& named_files;               // reads them
    int& steps_left;                              // how many more steps may be read, `let` unfolded
    std::vector<std::string> unfolding;           // the names of `let` that are being read, outermost first
    int body_depth = 0;                           // how many transactions and backgrounds are being read

    void problem(const char* code, const SourcePosition& where, std::string message, std::string expected = "",
                 std::string hint = "");
    void wrong_type(const JsonValue& value, const std::string& expected, std::string hint = "");
    // True if further problems would be dropped, so that suggestions need not be looked for.
    [[nodiscard]] bool full() const { return problems.size() >= kMaxProblems; }
};

// A member of a schema object. No `read`: the format has the key, this version of the tool does not support it.
template <class Target>
struct Member {
    const char* key;
    void (*read)(Target&, const JsonValue&, Reading&);
};

// ---- `let`

// A string "$name", whose name is letters, digits, "_" and "-"; anything else is plain text.
[[nodiscard]] bool is_reference(const JsonValue& value);
[[nodiscard]] bool is_let_name(const std::string& name);
// What the reference stands for (perhaps another reference); null, with a problem, if `let` does not have the name.
[[nodiscard]] const JsonValue* look_up(const JsonValue& reference, Reading& reading);

// ---- values

// A string, perhaps empty, of a value or of the `let` value that it refers to; nothing after a problem.
[[nodiscard]] std::optional<std::string> find_text(const JsonValue& value, Reading& reading);
// The same; empty after a problem.
[[nodiscard]] std::string read_text(const JsonValue& value, Reading& reading);
// A string that is not empty.
[[nodiscard]] std::string read_name(const JsonValue& value, Reading& reading);
// A name, or a list of at least one.
[[nodiscard]] std::vector<std::string> read_names(const JsonValue& value, Reading& reading);
[[nodiscard]] Template read_template(const JsonValue& value, Reading& reading);
// A template, or a list of at least one.
[[nodiscard]] std::vector<Template> read_templates(const JsonValue& value, Reading& reading);
// {column: template}; numbers and booleans are constants.
[[nodiscard]] std::map<std::string, Template> read_columns(const JsonValue& value, Reading& reading);
[[nodiscard]] bool read_boolean(const JsonValue& value, Reading& reading);
// An integer from 1 to the largest int; 1 after a problem.
[[nodiscard]] int read_positive(const JsonValue& value, Reading& reading);
// Vendor settings: {name: scalar}.
[[nodiscard]] Settings read_settings(const JsonValue& value, Reading& reading);

// Adds the problem of a word that is none of `names`: "unsupported" if the format has it, else "value".
void unknown_word(const std::string& word, const SourcePosition& where, const std::vector<std::string>& names,
                  std::span<const char* const> unsupported, Reading& reading);

// One of the names; empty after a problem.
template <class Value, std::size_t kSize>
[[nodiscard]] std::optional<Value> read_choice(const JsonValue& value, const Named<Value> (&names)[kSize],
                                               std::span<const char* const> unsupported, Reading& reading) {
    const std::optional<std::string> word = find_text(value, reading);
    if (!word) {
        return std::nullopt;
    }
    if (const Named<Value>* found = find_name(names, *word)) {
        return found->value;
    }
    unknown_word(*word, value.where, all_names(names), unsupported, reading);
    return std::nullopt;
}

// ---- members of tables

template <auto kField, auto kRead, class Target>
void member(Target& target, const JsonValue& value, Reading& reading) {
    target.*kField = kRead(value, reading);
}

template <auto kField, const auto& kNames, class Target>
void choice(Target& target, const JsonValue& value, Reading& reading) {
    if (const auto chosen = read_choice(value, kNames, {}, reading)) {
        target.*kField = *chosen;
    }
}

// Accepts a key and does nothing with it, because it has been read already.
template <class Target>
void read_elsewhere(Target&, const JsonValue&, Reading&) {}

// Adds the problem of a key that no table has.
void unknown_key(const JsonMember& json, const std::vector<std::string>& known, Reading& reading);
void unsupported_key(const JsonMember& json, Reading& reading);
// Adds a problem (code "missing-key") unless the object has the key.
void require_key(const JsonValue& object, const std::string& key, Reading& reading);

template <class Target>
[[nodiscard]] std::vector<std::string> supported_keys(std::initializer_list<std::span<const Member<Target>>> tables) {
    std::vector<std::string> keys;
    for (const std::span<const Member<Target>> table : tables) {
        for (const Member<Target>& candidate : table) {
            if (candidate.read != nullptr) {
                keys.emplace_back(candidate.key);
            }
        }
    }
    return keys;
}

// Reads every member of the object by the first of the tables that has its key. Requires an object.
template <class Target>
void read_members(Target& target, const JsonValue& object,
                  std::initializer_list<std::span<const Member<std::type_identity_t<Target>>>> tables,
                  Reading& reading) {
    for (const JsonMember& json : object.members) {
        const Member<Target>* found = nullptr;
        for (const std::span<const Member<Target>> table : tables) {
            for (const Member<Target>& candidate : table) {
                found = found == nullptr && json.key == candidate.key ? &candidate : found;
            }
        }
        if (found == nullptr) {
            unknown_key(json, supported_keys<Target>(tables), reading);
        } else if (found->read == nullptr) {
            unsupported_key(json, reading);
        } else {
            found->read(target, json.value, reading);
        }
    }
}

// The same for a value that may be anything; adds a problem if it is no object.
template <class Target>
void read_object(Target& target, const JsonValue& value, std::span<const Member<std::type_identity_t<Target>>> table,
                 Reading& reading) {
    if (value.is_object()) {
        read_members(target, value, {table}, reading);
    } else {
        reading.wrong_type(value, "an object");
    }
}

}  // namespace oncecheck

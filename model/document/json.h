// JSON with // and /* */ comments as a tree in which every value and key knows its place in the text.
//
// nlohmann-json keeps the last of duplicate keys and no positions; its SAX interface, fed through an iterator that
// counts, gives both. The tree is plain data: numbers keep the spelling of the text, members their order. Nesting
// and the size of the tree are bounded, so that no input exhausts the stack or the memory.
#pragma once

#include <string>
#include <vector>

#include "model/errors.h"

namespace oncecheck {

struct JsonMember;

struct JsonValue {
    enum class Kind { kNull, kBoolean, kInteger, kReal, kString, kArray, kObject };

    Kind kind = Kind::kNull;
    std::string text;                 // of a scalar: the string, or the spelling of the number, boolean or null
    std::vector<JsonValue> items;     // of an array
    std::vector<JsonMember> members;  // of an object, in the order of the text; no key twice
    SourcePosition where;

    [[nodiscard]] bool is_string() const { return kind == Kind::kString; }
    [[nodiscard]] bool is_array() const { return kind == Kind::kArray; }
    [[nodiscard]] bool is_object() const { return kind == Kind::kObject; }
    // The member of that key, or null. Linear in the number of members.
    [[nodiscard]] const JsonValue* find(const std::string& key) const;
};

struct JsonMember {
    std::string key;
    SourcePosition key_where;  // the place of the key, the pointer of the value
    JsonValue value;
};

inline constexpr int kMaxJsonNesting = 128;

// Parses the text; `file` goes into the positions. Throws InputError with the codes "utf-8", "empty", "syntax",
// "nesting", "duplicate-key" and "size". A byte order mark is skipped.
[[nodiscard]] JsonValue parse_json(const std::string& text, const std::string& file);

// "a string", "an object", ...: for messages.
[[nodiscard]] const char* describe(JsonValue::Kind kind);

// The pointer of a member or item below `pointer` (RFC 6901: "~" becomes "~0" and "/" becomes "~1").
[[nodiscard]] std::string child_pointer(const std::string& pointer, const std::string& key);

}  // namespace oncecheck

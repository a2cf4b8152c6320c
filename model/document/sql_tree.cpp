#include "model/document/sql_tree.h"

#include <pg_query.h>

#include <charconv>
#include <memory>

#include "model/document/problems.h"

namespace oncecheck {

namespace {

constexpr const char* kPlaceholderHint =
    "values and names that change are placeholders, such as {batch}; see the README of model/document";

struct ParseResult {
    explicit ParseResult(const std::string& text) : value(pg_query_parse(text.c_str())) {}
    ParseResult(const ParseResult&) = delete;
    ParseResult& operator=(const ParseResult&) = delete;
    ~ParseResult() { pg_query_free_parse_result(value); }

    PgQueryParseResult value;
};

// The byte at which the character of that number (from 1) starts.
std::size_t byte_of(const std::string& text, int character) {
    std::size_t at = 0;
    for (int count = 1; at < text.size() && count < character; ++count) {
        ++at;
        while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) {
            ++at;
        }
    }
    return at;
}

}  // namespace

SqlTree::SqlTree(const SqlText& file, const ScannedStatement& statement) : file_(file), source_(statement) {
    const ParseResult result(statement.parsed);
    if (result.value.error != nullptr) {
        const std::size_t at = byte_of(statement.parsed, result.value.error->cursorpos);
        throw SqlRefusal{{"syntax", file.position(statement.offset + at),
                          "this is no SQL: " + shortened(result.value.error->message), "a statement of PostgreSQL",
                          kPlaceholderHint}};
    }
    try {
        root_ = parse_json(result.value.parse_tree, "");
    } catch (const InputError&) {
        throw SqlRefusal{{"nesting", file.position(statement.offset), "this statement is too deep",
                          "fewer expressions within one another", ""}};
    }
    const std::vector<JsonValue>& statements = items_of(root_, "stmts");
    const JsonValue* const node = statements.size() == 1 ? statements.front().find("stmt") : nullptr;
    if (node == nullptr || node->members.size() != 1) {
        throw SqlRefusal{{"syntax", file.position(statement.offset), "this is not one statement", "one statement", ""}};
    }
    statement_ = &node->members.front();
}

SourcePosition SqlTree::position(const JsonValue& node) const {
    const JsonValue* inside = &node;
    if (node.members.size() == 1 && node.members.front().value.is_object()) {
        inside = &node.members.front().value;
    }
    const std::string location = text_of(*inside, "location");
    std::size_t offset = 0;
    std::from_chars(location.data(), location.data() + location.size(), offset);
    return file_.position(source_.offset + std::min(offset, source_.text.size()));
}

void SqlTree::refuse(const JsonValue& node, const std::string& message, const std::string& expected,
                     const std::string& hint) const {
    throw SqlRefusal{{"sql", position(node), message, expected, hint}};
}

Template SqlTree::template_of(const std::string& text, const JsonValue& node) const {
    std::vector<Problem> problems;
    Template parsed = parse_template(text, position(node), problems);
    if (!problems.empty()) {
        throw SqlRefusal{problems.front()};
    }
    return parsed;
}

std::string SqlTree::number_at(const JsonValue& node) const {
    const std::string location = text_of(node, "location");
    std::size_t at = 0;
    std::from_chars(location.data(), location.data() + location.size(), at);
    std::string number;
    for (; at < source_.parsed.size(); ++at) {
        const char c = source_.parsed[at];
        const bool sign = number.empty() && (c == '-' || c == '+');
        const bool in_number = (c >= '0' && c <= '9') || c == '.' || c == 'e' || c == 'E' || c == '_';
        if (sign || in_number) {
            number += c;
        } else if (c != ' ' || (!number.empty() && number != "-" && number != "+")) {
            break;
        }
    }
    return number;
}

const JsonValue* node_of(const JsonValue& node, const char* kind) {
    return node.members.size() == 1 && node.members.front().key == kind ? &node.members.front().value : nullptr;
}

std::string kind_of(const JsonValue& node) { return node.members.size() == 1 ? node.members.front().key : ""; }

std::string text_of(const JsonValue& inside, const char* key) {
    const JsonValue* const value = inside.find(key);
    return value == nullptr ? "" : value->text;
}

bool is_true(const JsonValue& inside, const char* key) { return text_of(inside, key) == "true"; }

const std::vector<JsonValue>& items_of(const JsonValue& inside, const char* key) {
    static const std::vector<JsonValue> kNone;
    const JsonValue* const value = inside.find(key);
    return value == nullptr ? kNone : value->items;
}

std::vector<std::string> strings_of(const std::vector<JsonValue>& nodes) {
    std::vector<std::string> texts;
    for (const JsonValue& node : nodes) {
        const JsonValue* const text = node_of(node, "String");
        texts.push_back(text == nullptr ? "" : text_of(*text, "sval"));
    }
    return texts;
}

const JsonValue& required(const SqlTree& tree, const JsonValue& inside, const char* key) {
    const JsonValue* const value = inside.find(key);
    if (value == nullptr) {
        tree.refuse(inside, "this form of the statement cannot be expressed",
                    "one of the forms in the README of model/document");
    }
    return *value;
}

const JsonValue& only_item(const SqlTree& tree, const JsonValue& inside, const char* key) {
    const std::vector<JsonValue>& items = items_of(inside, key);
    if (items.size() != 1) {
        tree.refuse(items.empty() ? inside : items.back(), "a step has one object", "one table a statement",
                    "write one statement for each; in a transaction if they belong together");
    }
    return items.front();
}

void refuse_parts(const SqlTree& tree, const JsonValue& inside,
                  std::initializer_list<std::pair<const char*, const char*>> parts) {
    for (const auto& [key, name] : parts) {
        if (inside.find(key) != nullptr) {
            tree.refuse(inside, std::string("no step does what ") + name + " does", "the statement without it");
        }
    }
}

}  // namespace oncecheck

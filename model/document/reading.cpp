#include "model/document/reading.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace oncecheck {

namespace {

// How many references may follow one another: "$a" is "$b" is "$c" ...
constexpr int kMaxReferences = 32;

constexpr const char* kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
constexpr const char* kLettersAndDigits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-0123456789";

// The value itself, or what its references lead to; null after a problem.
const JsonValue* resolve(const JsonValue& value, Reading& reading) {
    const JsonValue* resolved = &value;
    for (int count = 0; resolved != nullptr && is_reference(*resolved); ++count) {
        if (count == kMaxReferences) {
            reading.problem("let", value.where, in_quotes(value.text) + " refers to itself",
                            "a name that ends in a value");
            return nullptr;
        }
        resolved = look_up(*resolved, reading);
    }
    return resolved;
}

std::string scalar_text(const JsonValue& value, Reading& reading) {
    const bool constant = value.kind == JsonValue::Kind::kInteger || value.kind == JsonValue::Kind::kReal ||
                          value.kind == JsonValue::Kind::kBoolean;
    return constant ? value.text : read_text(value, reading);
}

Setting::Kind setting_kind(JsonValue::Kind kind) {
    switch (kind) {
        case JsonValue::Kind::kInteger:
        case JsonValue::Kind::kReal:
            return Setting::Kind::kNumber;
        case JsonValue::Kind::kBoolean:
            return Setting::Kind::kBoolean;
        case JsonValue::Kind::kNull:
            return Setting::Kind::kNull;
        case JsonValue::Kind::kString:
        case JsonValue::Kind::kArray:
        case JsonValue::Kind::kObject:
            break;
    }
    return Setting::Kind::kString;
}

// A value of one kind, or a list of at least one of them.
template <class Element, Element (*kRead)(const JsonValue&, Reading&)>
std::vector<Element> one_or_more(const JsonValue& value, const char* expected, Reading& reading) {
    std::vector<Element> elements;
    if (value.is_string()) {
        elements.push_back(kRead(value, reading));
    } else if (!value.is_array()) {
        reading.wrong_type(value, expected);
    } else if (value.items.empty()) {
        reading.problem("value", value.where, "this list is empty", expected);
    }
    for (const JsonValue& item : value.items) {
        elements.push_back(kRead(item, reading));
    }
    return elements;
}

}  // namespace

void Reading::problem(const char* code, const SourcePosition& where, std::string message, std::string expected,
                      std::string hint) {
    add_problem(problems, {code, where, std::move(message), std::move(expected), std::move(hint)});
}

void Reading::wrong_type(const JsonValue& value, const std::string& expected, std::string hint) {
    problem("type", value.where, std::string("this is ") + describe(value.kind), expected, std::move(hint));
}

bool is_let_name(const std::string& name) {
    return !name.empty() && std::string(kLetters).find(name.front()) != std::string::npos &&
           name.find_first_not_of(kLettersAndDigits) == std::string::npos;
}

bool is_reference(const JsonValue& value) {
    return value.is_string() && value.text.starts_with('$') && is_let_name(value.text.substr(1));
}

const JsonValue* look_up(const JsonValue& reference, Reading& reading) {
    const auto found = reading.let.find(reference.text.substr(1));
    if (found != reading.let.end()) {
        return found->second;
    }
    if (reading.full()) {
        return nullptr;
    }
    std::vector<std::string> names;
    for (const auto& [name, value] : reading.let) {
        names.push_back("$" + name);
    }
    reading.problem("let", reference.where, in_quotes(reference.text) + " is not defined", "a name under 'let'",
                    suggestion(reference.text, names));
    return nullptr;
}

std::optional<std::string> find_text(const JsonValue& value, Reading& reading) {
    const JsonValue* resolved = resolve(value, reading);
    if (resolved == nullptr) {
        return std::nullopt;
    }
    if (!resolved->is_string()) {
        reading.wrong_type(*resolved, "a string");
        return std::nullopt;
    }
    return resolved->text;
}

std::string read_text(const JsonValue& value, Reading& reading) { return find_text(value, reading).value_or(""); }

std::string read_name(const JsonValue& value, Reading& reading) {
    const std::optional<std::string> text = find_text(value, reading);
    if (text && text->empty()) {
        reading.problem("value", value.where, "this string is empty", "a name");
    }
    return text.value_or("");
}

std::vector<std::string> read_names(const JsonValue& value, Reading& reading) {
    return one_or_more<std::string, read_name>(value, "a name or a list of names", reading);
}

Template read_template(const JsonValue& value, Reading& reading) {
    const JsonValue* resolved = resolve(value, reading);
    return resolved == nullptr ? Template{}
                               : parse_template(read_name(*resolved, reading), resolved->where, reading.problems);
}

std::vector<Template> read_templates(const JsonValue& value, Reading& reading) {
    return one_or_more<Template, read_template>(value, "a name or a list of names", reading);
}

std::map<std::string, Template> read_columns(const JsonValue& value, Reading& reading) {
    std::map<std::string, Template> columns;
    if (!value.is_object()) {
        reading.wrong_type(value, "an object from columns to values");
    }
    for (const JsonMember& json : value.members) {
        const JsonValue* resolved = resolve(json.value, reading);
        if (resolved != nullptr) {
            columns[json.key] = parse_template(scalar_text(*resolved, reading), resolved->where, reading.problems);
        }
    }
    return columns;
}

bool read_boolean(const JsonValue& value, Reading& reading) {
    if (value.kind != JsonValue::Kind::kBoolean) {
        reading.wrong_type(value, "true or false");
    }
    return value.kind == JsonValue::Kind::kBoolean && value.text == "true";
}

int read_positive(const JsonValue& value, Reading& reading) {
    if (value.kind != JsonValue::Kind::kInteger) {
        reading.wrong_type(value, "a whole number from 1 on");
        return 1;
    }
    int number = 0;
    const char* const end = value.text.data() + value.text.size();
    const auto result = std::from_chars(value.text.data(), end, number);
    if (result.ec != std::errc{} || result.ptr != end || number < 1) {
        reading.problem("value", value.where, value.text + " is out of range", "a whole number from 1 on");
        return 1;
    }
    return number;
}

Settings read_settings(const JsonValue& value, Reading& reading) {
    Settings settings;
    if (!value.is_object()) {
        reading.wrong_type(value, "an object from settings to values");
    }
    for (const JsonMember& json : value.members) {
        const JsonValue* resolved = resolve(json.value, reading);
        if (resolved == nullptr) {
            continue;
        }
        if (resolved->is_array() || resolved->is_object()) {
            reading.wrong_type(*resolved, "a string, a number, true, false or null",
                               "lists are written as the vendor writes them, in one string");
            continue;
        }
        settings[json.key] = {setting_kind(resolved->kind), resolved->text, resolved->where};
    }
    return settings;
}

void unknown_word(const std::string& word, const SourcePosition& where, const std::vector<std::string>& names,
                  std::span<const char* const> unsupported, Reading& reading) {
    if (reading.full()) {
        return;
    }
    if (contains(unsupported, word)) {
        reading.problem("unsupported", where, "this version does not support '" + word + "'", alternatives(names));
        return;
    }
    reading.problem("value", where, in_quotes(word) + " is not known here", alternatives(names),
                    suggestion(word, names));
}

void unknown_key(const JsonMember& json, const std::vector<std::string>& known, Reading& reading) {
    if (reading.full()) {
        return;
    }
    reading.problem("unknown-key", json.key_where, "the key " + in_quotes(json.key) + " is not known here",
                    alternatives(known), suggestion(json.key, known));
}

void unsupported_key(const JsonMember& json, Reading& reading) {
    reading.problem("unsupported", json.key_where, "this version does not support '" + json.key + "'");
}

void require_key(const JsonValue& object, const std::string& key, Reading& reading) {
    if (object.find(key) == nullptr) {
        reading.problem("missing-key", object.where, in_quotes(key) + " is missing");
    }
}

}  // namespace oncecheck

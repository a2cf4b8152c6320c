#include "model/document/reader.h"

#include <charconv>
#include <filesystem>
#include <optional>
#include <utility>

#include "model/document/assumptions_reader.h"
#include "model/document/component_reader.h"
#include "model/document/json.h"
#include "model/document/problems.h"
#include "model/document/reading.h"
#include "model/document/requirement_reader.h"
#include "model/document/source_text.h"

namespace oncecheck {

namespace {

// Bounds on what one file may unfold to, `let` and variants included.
constexpr int kMaxSteps = 200'000;
constexpr std::size_t kMaxVariants = 100;

// ---- the document

void read_assume(Document& document, const JsonValue& value, Reading& reading) {
    read_assumptions(document.assume, value, reading);
}

void read_components(Document& document, const JsonValue& value, Reading& reading) {
    if (!value.is_object()) {
        reading.wrong_type(value, "an object from names to components");
    } else if (value.members.empty()) {
        reading.problem("value", value.where, "there is no component", "at least one component");
    }
    for (const JsonMember& json : value.members) {
        reading.components.push_back(json.key);
    }
    for (const JsonMember& json : value.members) {
        document.components.push_back(read_component(json.key, json.value, reading));
    }
}

void read_require(Document& document, const JsonValue& value, Reading& reading) {
    document.require = read_requirements(value, reading);
}

void check_text(Document&, const JsonValue& value, Reading& reading) { (void)read_text(value, reading); }

constexpr Member<Document> kDocument[] = {
    {"$schema", check_text},
    {"pipeline", member<&Document::pipeline, read_name>},
    {"description", member<&Document::description, read_text>},
    {"assume", read_assume},
    {"let", read_elsewhere},
    {"components", read_components},
    {"require", read_require},
    {"variants", read_elsewhere},
};

constexpr Member<Document> kVariant[] = {
    {"let", read_elsewhere},
    {"expect", [](Document& document, const JsonValue& value,
                  Reading& reading) { document.expect = read_choice(value, kExpectationNames, {}, reading); }},
    {"assume", read_assume},
    {"pipeline", nullptr},
    {"description", nullptr},
    {"components", nullptr},
    {"require", nullptr},
    {"variants", nullptr},
};

// ---- `let` and --set

// A value is a string, a step, or a list of steps; whether the steps are good shows where they are used.
void check_let_value(const JsonMember& json, Reading& reading) {
    if (!is_let_name(json.key)) {
        reading.problem("let", json.key_where, in_quotes(json.key) + " cannot be used as a \"$name\"",
                        "letters, digits, '_' and '-'");
    }
    if (!json.value.is_string() && !json.value.is_array() && !json.value.is_object()) {
        reading.wrong_type(json.value, "a string, a step or a list of steps");
    }
    for (const JsonValue& item : json.value.items) {
        if (!item.is_object() && !is_reference(item)) {
            reading.wrong_type(item, "a step, or the \"$name\" of steps");
        }
    }
}

// Adds the names of `holder`'s `let`. A variant (`must_exist`) may only give other values to names that are there.
void add_let(const JsonValue& holder, bool must_exist, Reading& reading) {
    const JsonValue* const let = holder.find("let");
    if (let == nullptr) {
        return;
    }
    if (!let->is_object()) {
        reading.wrong_type(*let, "an object from names to values");
    }
    std::vector<std::string> known;
    for (const auto& [name, value] : reading.let) {
        known.push_back(name);
    }
    for (const JsonMember& json : let->members) {
        if (must_exist && !reading.let.contains(json.key)) {
            unknown_key(json, known, reading);
        }
        check_let_value(json, reading);
        reading.let[json.key] = &json.value;
    }
}

// ---- the whole file

// Reads one file: the document, then each variant, from the same tree.
class FileReader {
  public:
    FileReader(const std::string& text, const std::string& file, const ReadOptions& options)
        : text_(text), file_(file), options_(options), root_(parse_json(text, file)) {}

    std::vector<Document> read() {
        if (!root_.is_object()) {
            throw InputError({{"type", root_.where, std::string("this is ") + describe(root_.kind), "an object", ""}});
        }
        read_set();
        std::vector<Document> documents;
        documents.push_back(read_document(nullptr));
        if (const JsonValue* variants = root_.find("variants")) {
            read_variants(*variants, documents);
        }
        throw_if_any(problems_);
        return documents;
    }

  private:
    // The values of --set take the place of the `let` values that they replace, in the document and its variants.
    void read_set() {
        const JsonValue* const let = root_.find("let");
        std::vector<std::string> known;
        for (const JsonMember& json : let == nullptr ? std::vector<JsonMember>{} : let->members) {
            known.push_back(json.key);
        }
        for (const auto& [name, text] : options_.set) {
            const JsonValue* const replaced = let == nullptr ? nullptr : let->find(name);
            if (replaced == nullptr) {
                add_problem(problems_, {"set",
                                        {file_, 0, 0, "/let"},
                                        "--set: the document does not define '" + name + "'",
                                        "a name under 'let'",
                                        suggestion(name, known)});
                continue;
            }
            JsonValue value;
            value.kind = JsonValue::Kind::kString;
            value.text = text;
            value.where = replaced->where;
            set_[name] = std::move(value);
        }
    }

    void read_variants(const JsonValue& variants, std::vector<Document>& documents) {
        if (!variants.is_object()) {
            add_problem(problems_, {"type", variants.where, std::string("this is ") + describe(variants.kind),
                                    "an object from names to variants", ""});
        }
        if (variants.members.size() > kMaxVariants) {
            add_problem(problems_, {"size", variants.where, "there are too many variants",
                                    "at most " + std::to_string(kMaxVariants), ""});
            return;
        }
        for (const JsonMember& json : variants.members) {
            if (problems_.size() >= kMaxProblems) {
                return;
            }
            documents.push_back(read_document(&json));
        }
    }

    Document read_document(const JsonMember* variant) {
        Reading reading{problems_,   {}, std::filesystem::path(file_).parent_path().string(), {}, options_.named_files,
                        steps_left_, {}};
        add_let(root_, false, reading);
        if (variant != nullptr) {
            add_let(variant->value, true, reading);
        }
        for (const auto& [name, value] : set_) {
            reading.let[name] = &value;
        }
        Document document;
        document.file = file_;
        document.pipeline = std::filesystem::path(file_).stem().string();
        document.where = root_.where;
        document.text = text_;
        read_members(document, root_, {kDocument}, reading);
        require_key(root_, "components", reading);
        if (variant != nullptr) {
            document.variant = variant->key;
            document.where = variant->key_where;
            if (variant->key.empty()) {
                reading.problem("value", variant->key_where, "this key is empty", "the name of a variant");
            }
            read_object(document, variant->value, kVariant, reading);
        }
        return document;
    }

    const std::string& text_;
    const std::string& file_;
    const ReadOptions& options_;
    JsonValue root_;
    std::map<std::string, JsonValue> set_;
    std::vector<Problem> problems_;
    int steps_left_ = kMaxSteps;
};

}  // namespace

std::vector<Document> read_documents(const std::string& path, const ReadOptions& options) {
    std::vector<Problem> problems;
    const std::optional<std::string> text = read_file(path, {path, 0, 0, ""}, problems);
    throw_if_any(problems);
    return parse_documents(text.value_or(""), path, options);
}

std::vector<Document> parse_documents(const std::string& text, const std::string& file, const ReadOptions& options) {
    return FileReader(text, file, options).read();
}

std::optional<std::int64_t> parse_duration(const std::string& text) {
    struct Unit {
        const char* name;
        std::int64_t milliseconds;
    };
    constexpr Unit kUnits[] = {{"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, number);
    std::int64_t milliseconds = 0;
    for (const Unit& unit : kUnits) {
        if (result.ec == std::errc{} && number >= 0 && std::string(result.ptr, end) == unit.name &&
            !__builtin_mul_overflow(number, unit.milliseconds, &milliseconds)) {
            return milliseconds;
        }
    }
    return std::nullopt;
}

}  // namespace oncecheck

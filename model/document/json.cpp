#include "model/document/json.h"

#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "model/document/problems.h"
#include "model/document/source_text.h"

namespace oncecheck {

namespace {

// Bytes that the tree of one text may take, its pointers included.
constexpr std::size_t kMaxTreeBytes = std::size_t{256} << 20U;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Reads characters and tells how many were read: the parser copies its iterators, so the count lives outside.
struct CountingIterator {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    const char* at = nullptr;
    std::size_t* consumed = nullptr;

    reference operator*() const { return *at; }
    CountingIterator& operator++() {
        ++at;
        ++*consumed;
        return *this;
    }
    bool operator==(const CountingIterator& other) const { return at == other.at; }
    bool operator!=(const CountingIterator& other) const { return at != other.at; }
};

// Builds the tree from the parser's events. A token starts at the first character past the last one that is neither
// blank nor punctuation, because comments have been blanked out.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
  public:
    // `text` has its comments blanked out, `original` has not; both are of one length.
    TreeBuilder(std::string_view text, std::string_view original, const std::string& file,
                std::vector<Problem>& problems)
        : text_(text), file_(file), problems_(problems), cursor_(original) {}

    [[nodiscard]] std::size_t* consumed() { return &consumed_; }
    [[nodiscard]] JsonValue take_root() { return std::move(root_); }

    bool null() override { return scalar(JsonValue::Kind::kNull, "null"); }
    bool boolean(bool value) override { return scalar(JsonValue::Kind::kBoolean, value ? "true" : "false"); }
    bool number_integer(number_integer_t value) override {
        return scalar(JsonValue::Kind::kInteger, std::to_string(value));
    }
    bool number_unsigned(number_unsigned_t value) override {
        return scalar(JsonValue::Kind::kInteger, std::to_string(value));
    }
    bool number_float(number_float_t, const string_t& spelling) override {
        return scalar(JsonValue::Kind::kReal, spelling);
    }
    bool string(string_t& value) override { return scalar(JsonValue::Kind::kString, std::move(value)); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(JsonValue::Kind::kObject); }
    bool start_array(std::size_t) override { return open(JsonValue::Kind::kArray); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& value) override;
    bool parse_error(std::size_t position, const std::string& last_token,
                     const nlohmann::detail::exception& error) override;

  private:
    struct Frame {
        JsonValue* value = nullptr;  // stays where it is: only the innermost container grows
        std::set<std::string> keys;
    };

    bool scalar(JsonValue::Kind kind, std::string text);
    bool open(JsonValue::Kind kind);
    bool close();
    JsonValue* place(JsonValue::Kind kind);
    [[nodiscard]] std::string next_pointer() const;
    void move_to_token();
    bool fail(const char* code, std::string pointer, std::string message);

    std::string_view text_;
    std::string file_;
    std::vector<Problem>& problems_;
    TextCursor cursor_;
    std::size_t consumed_ = 0;
    std::size_t token_end_ = 0;
    std::size_t tree_bytes_ = 0;
    JsonValue root_;
    std::vector<Frame> open_;
};

bool TreeBuilder::key(string_t& value) {
    move_to_token();
    JsonValue& object = *open_.back().value;
    const SourcePosition where{file_, cursor_.line(), cursor_.column(), child_pointer(object.where.pointer, value)};
    if (!open_.back().keys.insert(value).second) {
        add_problem(problems_, {"duplicate-key", where, "the key " + in_quotes(value) + " is here for the second time",
                                "each key once", ""});
    }
    tree_bytes_ += 2 * value.size() + where.pointer.size();
    object.members.push_back({std::move(value), where, {}});
    return true;
}

bool TreeBuilder::parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) {
    // "[json...] parse error at line 1, column 2: syntax error while parsing value - invalid literal; last read: ..."
    std::string message = error.what();
    message.erase(0, message.find("] ") + 2);
    if (const std::size_t start = message.find(" - "); start != std::string::npos) {
        message.erase(0, start + 3);
    }
    if (const std::size_t read = message.find("; last read: "); read != std::string::npos) {
        const std::size_t rest = message.rfind("; expected ");
        message = message.substr(0, read) + (rest != std::string::npos && rest > read ? message.substr(rest) : "");
    }
    cursor_.advance_to(position > 0 ? position - 1 : 0);
    return fail("syntax", open_.empty() ? "" : open_.back().value->where.pointer, "this is not JSON: " + message);
}

bool TreeBuilder::scalar(JsonValue::Kind kind, std::string text) {
    JsonValue* value = place(kind);
    if (value != nullptr) {
        tree_bytes_ += text.size();
        value->text = std::move(text);
    }
    return value != nullptr;
}

bool TreeBuilder::open(JsonValue::Kind kind) {
    JsonValue* value = place(kind);
    if (value == nullptr) {
        return false;
    }
    if (open_.size() >= static_cast<std::size_t>(kMaxJsonNesting)) {
        return fail("nesting", value->where.pointer,
                    "more than " + std::to_string(kMaxJsonNesting) + " levels of nesting");
    }
    open_.push_back({value, {}});
    return true;
}

bool TreeBuilder::close() {
    token_end_ = consumed_;
    open_.pop_back();
    return true;
}

// Adds an empty value at the current place; null if the tree has grown too large.
JsonValue* TreeBuilder::place(JsonValue::Kind kind) {
    move_to_token();
    JsonValue value;
    value.kind = kind;
    value.where = {file_, cursor_.line(), cursor_.column(), next_pointer()};
    tree_bytes_ += sizeof(JsonValue) + file_.size() + value.where.pointer.size();
    if (tree_bytes_ > kMaxTreeBytes) {
        fail("size", value.where.pointer, "the document is too large");
        return nullptr;
    }
    if (open_.empty()) {
        root_ = std::move(value);
        return &root_;
    }
    JsonValue& parent = *open_.back().value;
    if (parent.is_array()) {
        parent.items.push_back(std::move(value));
        return &parent.items.back();
    }
    parent.members.back().value = std::move(value);
    return &parent.members.back().value;
}

std::string TreeBuilder::next_pointer() const {
    if (open_.empty()) {
        return "";
    }
    const JsonValue& parent = *open_.back().value;
    return parent.is_array() ? child_pointer(parent.where.pointer, std::to_string(parent.items.size()))
                             : parent.members.back().key_where.pointer;
}

void TreeBuilder::move_to_token() {
    const std::size_t start = text_.find_first_not_of(" \t\r\n,:]}", token_end_);
    cursor_.advance_to(start == std::string_view::npos ? text_.size() : start);
    token_end_ = consumed_;
}

bool TreeBuilder::fail(const char* code, std::string pointer, std::string message) {
    add_problem(problems_,
                {code, {file_, cursor_.line(), cursor_.column(), std::move(pointer)}, std::move(message), "", ""});
    return false;
}

// Replaces comments by blanks of the same length; strings are left alone. Returns the offset of a comment that does
// not end, or npos.
std::size_t blank_comments(std::string& text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '"') {
            for (++at; at < text.size() && text[at] != '"'; ++at) {
                at += text[at] == '\\' ? 1U : 0U;
            }
            continue;
        }
        const bool line = text.compare(at, 2, "//") == 0;
        if (!line && text.compare(at, 2, "/*") != 0) {
            continue;
        }
        std::size_t end = line ? text.find_first_of("\r\n", at) : text.find("*/", at + 2);
        if (end == std::string::npos && !line) {
            return at;
        }
        end = end == std::string::npos ? text.size() : end + (line ? 0U : 2U);
        for (; at < end; ++at) {
            text[at] = text[at] == '\n' || text[at] == '\r' ? text[at] : ' ';
        }
        --at;
    }
    return std::string::npos;
}

}  // namespace

const JsonValue* JsonValue::find(const std::string& key) const {
    for (const JsonMember& member : members) {
        if (member.key == key) {
            return &member.value;
        }
    }
    return nullptr;
}

JsonValue parse_json(const std::string& text, const std::string& file) {
    std::vector<Problem> problems;
    if (!check_utf8(text, file, problems)) {
        throw InputError(problems);
    }
    std::string_view original = text;
    if (original.starts_with(kByteOrderMark)) {
        original.remove_prefix(kByteOrderMark.size());
    }
    std::string blanked(original);
    if (const std::size_t comment = blank_comments(blanked); comment != std::string::npos) {
        TextCursor cursor(original);
        cursor.advance_to(comment);
        throw InputError(
            {{"syntax", {file, cursor.line(), cursor.column(), ""}, "this comment does not end", "'*/'", ""}});
    }
    if (blanked.find_first_not_of(" \t\r\n") == std::string::npos) {
        throw InputError({{"empty", {file, 1, 1, ""}, "there is nothing in this file", "a JSON object", ""}});
    }
    TreeBuilder builder(blanked, original, file, problems);
    const CountingIterator first{blanked.data(), builder.consumed()};
    const CountingIterator last{blanked.data() + blanked.size(), builder.consumed()};
    const bool complete = nlohmann::json::sax_parse(first, last, &builder);
    throw_if_any(problems);
    if (!complete) {
        throw InputError({{"syntax", {file, 1, 1, ""}, "this is not JSON", "a JSON object", ""}});
    }
    return builder.take_root();
}

const char* describe(JsonValue::Kind kind) {
    switch (kind) {
        case JsonValue::Kind::kNull:
            return "null";
        case JsonValue::Kind::kBoolean:
            return "a boolean";
        case JsonValue::Kind::kInteger:
        case JsonValue::Kind::kReal:
            return "a number";
        case JsonValue::Kind::kString:
            return "a string";
        case JsonValue::Kind::kArray:
            return "a list";
        case JsonValue::Kind::kObject:
            return "an object";
    }
    return "nothing";
}

std::string child_pointer(const std::string& pointer, const std::string& key) {
    std::string text = pointer + '/';
    for (const char character : key) {
        if (character == '~') {
            text += "~0";
        } else if (character == '/') {
            text += "~1";
        } else {
            text += character;
        }
    }
    return text;
}

}  // namespace oncecheck

#include "model/document/sql_names.h"

#include <algorithm>
#include <charconv>

#include "model/document/problems.h"

namespace oncecheck {

namespace {

constexpr const char* kBatch = "batch";
constexpr const char* kSession = "pg_temp";

// The first character that a name of an object cannot have here, or 0: those that separate stores and patterns, and
// capitals, which tell objects apart only in quotes.
char strange_character(const std::string& name) {
    bool inside = false;
    for (const char c : name) {
        inside = c == '{' || (inside && c != '}');
        if (!inside && (c == '.' || c == '/' || c == '*' || (c >= 'A' && c <= 'Z'))) {
            return c;
        }
    }
    return '\0';
}

std::vector<std::string> parts_of(const SqlTree& tree, const JsonValue& range) {
    std::vector<std::string> parts;
    for (const char* key : {"catalogname", "schemaname", "relname"}) {
        if (range.find(key) != nullptr) {
            parts.push_back(tree.restored(text_of(range, key)));
        }
    }
    return parts;
}

}  // namespace

std::optional<Template> SqlNames::source(const SqlTree& tree, const JsonValue& range) {
    const std::vector<std::string> parts = parts_of(tree, range);
    if (parts.size() == 1 && parts.front() == kBatch) {
        return std::nullopt;
    }
    return target(tree, range);
}

Template SqlNames::target(const SqlTree& tree, const JsonValue& range) {
    const std::vector<std::string> parts = parts_of(tree, range);
    if (parts.size() == 2) {
        std::size_t location = 0;
        const std::string text = text_of(range, "location");
        std::from_chars(text.data(), text.data() + text.size(), location);
        qualifiers_.emplace(location, parts.front());
    }
    return resolve(tree, range, parts);
}

Template SqlNames::dropped(const SqlTree& tree, const JsonValue& at, std::vector<std::string> parts) {
    for (std::string& part : parts) {
        part = tree.restored(part);
    }
    const std::string& text = tree.source().parsed;
    if (parts.size() == 2) {
        const std::size_t dot = text.find('.');
        const std::size_t blank = text.find_last_of(" \t\r\n", dot);
        qualifiers_.emplace(blank == std::string::npos ? 0 : blank + 1, parts.front());
    }
    return resolve(tree, at, parts);
}

Template SqlNames::renamed(const SqlTree& tree, const JsonValue& range, const std::string& name) {
    std::vector<std::string> parts = parts_of(tree, range);
    parts.back() = tree.restored(name);
    return resolve(tree, range, parts);
}

Template SqlNames::resolve(const SqlTree& tree, const JsonValue& at, const std::vector<std::string>& parts) {
    const std::string& name = parts.back();
    if (const char strange = strange_character(name); strange != '\0') {
        tree.refuse(at,
                    in_quotes(name) + " cannot be told from other names: it has a '" + std::string(1, strange) + "'",
                    "a name in small letters, without '.', '/' and '*'");
    }
    if (parts.size() == 1 && name == kBatch) {
        tree.refuse(at, "'batch' is the rows of the batch, which no statement changes", "the name of a table");
    }
    if (parts.size() == 1 && temporary_.contains(name)) {
        return tree.template_of(name, at);
    }
    if (parts.size() == 2 && parts.front() == kSession) {
        tree.refuse(at, "this names the session's schema", "the table's bare name");
    }
    if (parts.size() == 1) {
        if (store_.empty()) {
            tree.refuse(at, "nothing says in which store '" + shortened(name) + "' is", "\"writes\" with one store",
                        "or put the store's name before it: warehouse." + shortened(name));
        }
        return tree.template_of(store_ + '.' + name, at);
    }
    if (parts.size() > 2 || std::find(components_.begin(), components_.end(), parts.front()) == components_.end()) {
        tree.refuse(at, in_quotes(parts.front()) + " is no store of this document",
                    "the table's bare name, or the name of a store before it",
                    "schemas of a database are not told apart: two of their names may mean one table");
    }
    return tree.template_of(parts.front() + '.' + name, at);
}

void SqlNames::note_temporary(const SqlTree& tree) {
    const JsonMember& statement = tree.statement();
    const JsonValue* const into = statement.value.find("into");
    const JsonValue* const relation = into != nullptr ? into->find("rel") : statement.value.find("relation");
    const bool creates = statement.key == "CreateStmt" || statement.key == "CreateTableAsStmt";
    if (!creates || relation == nullptr || text_of(*relation, "relpersistence") != "t") {
        return;
    }
    const std::vector<std::string> parts = parts_of(tree, *relation);
    if (parts.size() > 1) {
        tree.refuse(*relation, "a temporary table belongs to the session, not to a store", "its bare name");
    }
    temporary_.insert(parts.front());
}

std::string SqlNames::store_text(const SqlTree& tree) const {
    std::string text = tree.source().text;
    for (auto qualifier = qualifiers_.rbegin(); qualifier != qualifiers_.rend(); ++qualifier) {
        const auto& [start, name] = *qualifier;
        const std::size_t dot = text.find('.', start);
        std::string written = dot == std::string::npos ? "" : text.substr(start, dot - start);
        for (char& c : written) {
            c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        }
        if (written != name && written != '"' + name + '"') {
            tree.refuse({}, "the name of a store is not written plainly before a table", "names as 'store.table'",
                        "without blanks, comments and escapes inside the name");
        }
        text.erase(start, dot + 1 - start);
    }
    return text;
}

std::string alias_of(const SqlTree& tree, const JsonValue& range) {
    const JsonValue* const alias = range.find("alias");
    return tree.restored(alias == nullptr ? text_of(range, "relname") : text_of(*alias, "aliasname"));
}

}  // namespace oncecheck

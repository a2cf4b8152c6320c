// A parsed SQL statement: the tree of libpg_query (PostgreSQL's own grammar), and what every reader of it needs.
//
// A node is an object with one member, {"ColumnRef": {"fields": [...], "location": 52}}; locations are bytes of the
// statement. What a step program cannot express is refused: `refuse` throws, and the statement that holds it ends
// there, so that one statement has one problem.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "model/document/json.h"
#include "model/document/sql_text.h"
#include "model/document/template.h"
#include "model/errors.h"

namespace oncecheck {

// Thrown by the readers of SQL and caught by `read_sql_program`; never leaves it.
struct SqlRefusal {
    Problem problem;
};

class SqlTree {
  public:
    // Parses one statement, which must live as long as the tree. Throws SqlRefusal (code "syntax", or "nesting" for a
    // tree that is too deep).
    SqlTree(const SqlText& file, const ScannedStatement& statement);
    SqlTree(const SqlTree&) = delete;
    SqlTree& operator=(const SqlTree&) = delete;

    // The statement's own node.
    [[nodiscard]] const JsonMember& statement() const { return *statement_; }
    // The text as it is to be executed: as written, placeholders included.
    [[nodiscard]] const ScannedStatement& source() const { return source_; }
    // The place of a node that has a location; the statement's otherwise.
    [[nodiscard]] SourcePosition position(const JsonValue& node) const;
    // Code "sql": a step cannot express this.
    [[noreturn]] void refuse(const JsonValue& node, const std::string& message, const std::string& expected,
                             const std::string& hint = "") const;
    // An identifier as the user wrote it.
    [[nodiscard]] std::string restored(const std::string& identifier) const { return file_.restored(identifier); }
    // A template at the place of the node. Throws SqlRefusal for a bad placeholder.
    [[nodiscard]] Template template_of(const std::string& text, const JsonValue& node) const;
    // The spelling of a number, which starts at the node.
    [[nodiscard]] std::string number_at(const JsonValue& node) const;

  private:
    const SqlText& file_;
    const ScannedStatement& source_;
    JsonValue root_;
    const JsonMember* statement_ = nullptr;
};

// ---- nodes

// The inside of a node of that kind ({"ColumnRef": {...}}), or null.
[[nodiscard]] const JsonValue* node_of(const JsonValue& node, const char* kind);
// The name of the node's kind.
[[nodiscard]] std::string kind_of(const JsonValue& node);
// The text of a member, or an empty string.
[[nodiscard]] std::string text_of(const JsonValue& inside, const char* key);
// The member is there and true.
[[nodiscard]] bool is_true(const JsonValue& inside, const char* key);
// The items of a member that is a list; empty if there is none.
[[nodiscard]] const std::vector<JsonValue>& items_of(const JsonValue& inside, const char* key);
// The strings of a list of String nodes; another node is an empty string.
[[nodiscard]] std::vector<std::string> strings_of(const std::vector<JsonValue>& nodes);

// ---- what a statement must have, and must not have

// The member, without which the statement is refused.
[[nodiscard]] const JsonValue& required(const SqlTree& tree, const JsonValue& inside, const char* key);
// The only item of a list, for one step is one effect.
[[nodiscard]] const JsonValue& only_item(const SqlTree& tree, const JsonValue& inside, const char* key);
// Refuses the statement if it has one of the members, each with its name in SQL.
void refuse_parts(const SqlTree& tree, const JsonValue& inside,
                  std::initializer_list<std::pair<const char*, const char*>> parts);

}  // namespace oncecheck

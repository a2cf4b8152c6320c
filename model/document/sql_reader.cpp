#include "model/document/sql_reader.h"

#include <deque>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

#include "model/document/names.h"
#include "model/document/problems.h"
#include "model/document/source_text.h"
#include "model/document/sql_names.h"
#include "model/document/sql_statements.h"
#include "model/document/sql_text.h"
#include "model/document/sql_tree.h"

namespace oncecheck {

namespace {

// A rename of a table; three of them swap two.
struct Rename {
    Template from;
    Template to;
    std::string sql;
    SourcePosition position;
};

constexpr const char* kSwap = "a -> spare, b -> a, spare -> b, one after the other in a transaction";

std::optional<Isolation> isolation_named(const std::string& name) {
    constexpr Named<Isolation> kLevels[] = {{Isolation::kReadCommitted, "read uncommitted"},  // PostgreSQL has no lower
                                            {Isolation::kReadCommitted, "read committed"},
                                            {Isolation::kRepeatableRead, "repeatable read"},
                                            {Isolation::kSerializable, "serializable"}};
    const Named<Isolation>* const found = find_name(kLevels, name);
    return found == nullptr ? std::nullopt : std::optional(found->value);
}

// Reads statement after statement into one program.
class ProgramReader {
  public:
    ProgramReader(const SqlText& text, const SqlSurroundings& surroundings, std::vector<Problem>& problems)
        : text_(text),
          names_(surroundings.store, surroundings.components),
          steps_left_(surroundings.steps_left),
          problems_(problems) {}

    Program read() {
        parse();
        for (const SqlTree& tree : trees_) {
            guarded([&] { names_.note_temporary(tree); });
        }
        for (const SqlTree& tree : trees_) {
            guarded([&] { read_statement(tree); });
        }
        guarded([&] { check_end(); });
        return std::move(program_);
    }

  private:
    void parse() {
        for (const ScannedStatement& statement : text_.statements()) {
            if (steps_left_ == 0) {
                add_problem(problems_, {"size", text_.position(0), "the document has too many steps", "", ""});
                return;
            }
            --steps_left_;
            guarded([&] { trees_.emplace_back(text_, statement); });
        }
    }

    template <class Action>
    void guarded(Action action) {
        try {
            action();
        } catch (const SqlRefusal& refusal) {
            add_problem(problems_, refusal.problem);
        }
    }

    [[noreturn]] static void refuse(const SourcePosition& where, std::string message, std::string expected,
                                    std::string hint = "") {
        throw SqlRefusal{{"sql", where, std::move(message), std::move(expected), std::move(hint)}};
    }

    void read_statement(const SqlTree& tree) {
        const ScannedStatement& statement = tree.source();
        const JsonMember& node = tree.statement();
        const bool is_rename = node.key == "RenameStmt" && transaction_;
        if (!is_rename) {
            check_renames();
        }
        if (node.key == "TransactionStmt") {
            check_undirected(statement);
            read_transaction(tree, node.value);
        } else if (node.key == "VariableSetStmt" && text_of(node.value, "name") == "TRANSACTION") {
            check_undirected(statement);
            read_set_transaction(tree, node.value);
        } else if (is_rename) {
            check_undirected(statement);
            read_rename(tree, node.value);
        } else {
            Step step = read_sql_statement(tree, names_);
            for (const SqlDirective& directive : statement.directives) {
                obey(directive, step);
            }
            current().push_back(std::move(step));
        }
    }

    Program& current() { return transaction_ ? transaction_->body : program_; }

    // ---- transactions

    void read_transaction(const SqlTree& tree, const JsonValue& node) {
        const std::string kind = text_of(node, "kind");
        const bool begins = kind == "TRANS_STMT_BEGIN" || kind == "TRANS_STMT_START";
        if (!begins && kind != "TRANS_STMT_COMMIT") {
            tree.refuse({}, "a step program has no rollback and no savepoint", "BEGIN or COMMIT");
        }
        if (begins == transaction_.has_value() || is_true(node, "chain")) {
            tree.refuse({}, begins ? "a transaction is open already" : "no transaction is open, or another one follows",
                        "BEGIN, statements, COMMIT");
        }
        if (!begins) {
            program_.push_back(std::move(*transaction_));
            transaction_.reset();
            return;
        }
        transaction_.emplace();
        transaction_->verb = Verb::kTransaction;
        transaction_->position = tree.position({});
        transaction_->sql = tree.source().text;
        take_modes(tree, items_of(node, "options"));
    }

    void read_set_transaction(const SqlTree& tree, const JsonValue& node) {
        if (!transaction_ || !transaction_->body.empty() || !renames_.empty()) {
            tree.refuse({}, "this has no effect but as the first statement of a transaction",
                        "BEGIN, then SET TRANSACTION");
        }
        take_modes(tree, items_of(node, "args"));
        transaction_->sql += ";\n" + tree.source().text;
    }

    void take_modes(const SqlTree& tree, const std::vector<JsonValue>& modes) {
        for (const JsonValue& mode : modes) {
            const JsonValue* const element = node_of(mode, "DefElem");
            const std::string name = element == nullptr ? "" : text_of(*element, "defname");
            const JsonValue* const argument = element == nullptr ? nullptr : element->find("arg");
            const JsonValue* const constant = argument == nullptr ? nullptr : node_of(*argument, "A_Const");
            const JsonValue* const string = constant == nullptr ? nullptr : constant->find("sval");
            const std::optional<Isolation> level =
                string == nullptr ? std::nullopt : isolation_named(text_of(*string, "sval"));
            if (name != "transaction_isolation" || !level) {
                tree.refuse(mode, "this mode of a transaction cannot be expressed", "ISOLATION LEVEL and its name");
            }
            transaction_->isolation = level;
        }
    }

    void check_end() {
        check_renames();
        if (transaction_) {
            refuse(transaction_->position, "this transaction is not committed", "COMMIT at its end");
        }
        for (const Template& spare : spares_) {
            check_unused(spare, program_);
        }
    }

    // ---- swaps by renames

    void read_rename(const SqlTree& tree, const JsonValue& node) {
        const JsonValue* const relation = node.find("relation");
        if (text_of(node, "renameType") != "OBJECT_TABLE" || is_true(node, "missing_ok") || relation == nullptr) {
            tree.refuse({}, "this rename cannot be expressed", kSwap);
        }
        names_.start_statement();
        Rename rename{names_.target(tree, *relation), {}, "", tree.position({})};
        rename.to = names_.renamed(tree, *relation, text_of(node, "newname"));
        rename.sql = names_.store_text(tree);
        renames_.push_back(std::move(rename));
        if (renames_.size() == 3) {
            add_swap();
        }
    }

    void add_swap() {
        const std::vector<Rename> renames = std::exchange(renames_, {});
        const Template& spare = renames[0].to;
        const bool swaps = renames[1].to == renames[0].from && renames[2].from == spare &&
                           renames[2].to == renames[1].from && !(spare == renames[1].from) &&
                           !(renames[0].from == renames[1].from);
        if (!swaps) {
            refuse(renames[0].position, "these three renames do not swap two tables", kSwap);
        }
        Step step;
        step.verb = Verb::kSwap;
        step.target = renames[0].from;
        step.partner = renames[1].from;
        step.position = renames[0].position;
        step.sql = renames[0].sql + ";\n" + renames[1].sql + ";\n" + renames[2].sql;
        spares_.push_back(spare);
        current().push_back(std::move(step));
    }

    void check_renames() {
        if (!renames_.empty()) {
            const SourcePosition where = renames_.front().position;
            renames_.clear();
            refuse(where, "this rename is no part of a swap of two tables", kSwap,
                   "a table that takes another's place is TRUNCATE and INSERT in a transaction, or a swap");
        }
    }

    void check_unused(const Template& spare, const Program& program) const {
        for (const Step& step : program) {
            if (step.target == spare || step.partner == spare || (step.source && *step.source == spare)) {
                refuse(step.position, "the spare name " + in_quotes(spare.text) + " of a swap is used here",
                       "a name that only the renames use");
            }
            check_unused(spare, step.body);
        }
    }

    // ---- directives

    static void check_undirected(const ScannedStatement& statement) {
        if (!statement.directives.empty()) {
            refuse(statement.directives.front().where, "this statement takes no directive", "no comment 'oncecheck:'");
        }
    }

    void obey(const SqlDirective& directive, Step& step) const {
        std::istringstream stream(directive.words);
        const std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
        if (words == std::vector<std::string>{"by", "executors"}) {
            load_by_executors(directive, step);
            return;
        }
        const Named<OnError>* const on_error =
            words.size() == 2 && words.front() == "on_error" ? find_name(kOnErrorNames, words.back()) : nullptr;
        if (on_error == nullptr) {
            refuse(directive.where, "there is no directive " + in_quotes(directive.words),
                   "'by executors', or 'on_error' and " + alternatives(all_names(kOnErrorNames)));
        }
        if (transaction_) {
            refuse(directive.where, "an error in a transaction ends it, whatever the program does about it",
                   "the directive at a statement outside a transaction");
        }
        step.on_error = on_error->value;
    }

    static void load_by_executors(const SqlDirective& directive, Step& step) {
        const bool plain = step.verb == Verb::kInsert && !step.source && !step.has_values && step.dedupe_by.empty() &&
                           step.where.empty();
        if (!plain) {
            refuse(directive.where, "executors load the rows of the batch as they are",
                   "INSERT INTO table SELECT ... FROM batch");
        }
        if (step.target.text.find('.') == std::string::npos) {
            refuse(directive.where, "executors have sessions of their own, which do not see this temporary table",
                   "a table that all sessions see, or no directive");
        }
        step.verb = Verb::kAppend;
        step.by = LoadedBy::kExecutors;
    }

    const SqlText& text_;
    SqlNames names_;
    int& steps_left_;
    std::vector<Problem>& problems_;
    std::deque<SqlTree> trees_;  // of the statements that could be parsed
    Program program_;
    std::optional<Step> transaction_;
    std::vector<Rename> renames_;  // that may become a swap
    std::vector<Template> spares_;
};

}  // namespace

Program read_sql_program(const std::string& text, const std::string& file, const SqlSurroundings& surroundings,
                         std::vector<Problem>& problems) {
    const SourcePosition start{file, 1, 1, surroundings.pointer};
    if (text.size() > kMaxSqlBytes) {
        add_problem(problems, {"size", start, "the SQL file is larger than 256 KB", "a smaller file", ""});
        return {};
    }
    if (!check_utf8(text, file, problems)) {
        return {};
    }
    const std::size_t before = problems.size();
    const SqlText parsed(text, file, surroundings.pointer, problems);
    if (problems.size() > before) {
        return {};
    }
    if (parsed.statements().empty()) {
        add_problem(problems, {"empty", start, "there is no statement", "at least one statement", ""});
    }
    return ProgramReader(parsed, surroundings, problems).read();
}

}  // namespace oncecheck

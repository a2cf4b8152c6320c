#include "model/runtime/deployed_sql.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "model/pipeline/steps.h"

namespace oncecheck {

namespace {

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '{' || c == '}' ||
           (static_cast<unsigned char>(c) & 0x80U) != 0;
}

// Copies a statement token by token. Requires a text that the reader of deployed SQL has understood.
class Rewriter {
  public:
    Rewriter(const StatementStyle& style, std::string_view text) : style_(style), text_(text) {}

    std::string rewrite() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\'' || c == '"') {
                copy_quoted(c);
            } else if (text_.substr(at_, 2) == "--") {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (text_.substr(at_, 2) == "/*") {
                skip_comment();
            } else if (is_word(c)) {
                copy_word();
            } else {
                has_star_ = has_star_ || c == '*';
                result_ += c;
                ++at_;
            }
        }
        return std::move(result_);
    }

    [[nodiscard]] bool names_batch() const { return names_batch_; }
    [[nodiscard]] bool has_star() const { return has_star_; }

  private:
    std::string render(std::string_view text) const {
        std::vector<Problem> ignored;
        return render_text(parse_template(std::string(text), {}, ignored), *style_.values);
    }

    // 'run {batch}' and "stg_{batch}": what values bring along is quoted too.
    void copy_quoted(char quote) {
        std::string inside;
        for (++at_; at_ < text_.size(); ++at_) {
            if (text_[at_] == quote) {
                if (at_ + 1 == text_.size() || text_[at_ + 1] != quote) {
                    break;
                }
                ++at_;
            }
            inside += text_[at_];
        }
        ++at_;
        std::string rendered(1, quote);
        for (const char c : render(inside)) {
            rendered.append(c == quote ? 2 : 1, c);
        }
        result_ += rendered += quote;
    }

    void skip_comment() {
        int depth = 0;
        do {
            const std::string_view two = text_.substr(at_, 2);
            depth += two == "/*" ? 1 : two == "*/" ? -1 : 0;
            at_ += two == "/*" || two == "*/" ? 2 : 1;
        } while (depth > 0 && at_ < text_.size());
        result_ += ' ';
    }

    // A placeholder by itself is a value; within a word it is part of a name, which may have to be quoted now.
    void copy_word() {
        const std::size_t start = at_;
        while (at_ < text_.size() && is_word(text_[at_])) {
            ++at_;
        }
        const std::string_view word = text_.substr(start, at_ - start);
        const bool before_dot = at_ < text_.size() && text_[at_] == '.';
        const bool after_dot = !result_.empty() && result_.back() == '.';
        if (before_dot && is_store(word)) {
            ++at_;
        } else if (word.find('{') == std::string_view::npos) {
            names_batch_ = names_batch_ || (!after_dot && lower_case(word) == "batch");
            result_ += word;
        } else if (word.front() == '{' && word.find('}') == word.size() - 1) {
            result_ += quote_value(render(word), true);
        } else {
            result_ += unquoted_name(render(word));
        }
    }

    bool is_store(std::string_view word) const {
        const Pipeline& pipeline = style_.schema->pipeline();
        const std::optional<ComponentId> found = pipeline.find(std::string(word));
        return found && pipeline.component(*found).type->protocol == Protocol::kTables;
    }

    const StatementStyle& style_;
    std::string_view text_;
    std::size_t at_ = 0;
    std::string result_;
    bool names_batch_ = false;
    bool has_star_ = false;
};

}  // namespace

std::optional<std::string> deployed_statement(const StatementStyle& style, const Step& step,
                                              const std::vector<RowValues>& batch) {
    if (step.sql.empty() || style.dialect != Dialect::kPostgresql || step.verb == Verb::kCreate ||
        step.verb == Verb::kSwap) {
        return std::nullopt;
    }
    Rewriter rewriter(style, step.sql);
    std::string sql = rewriter.rewrite();
    if (rewriter.has_star() && !step.set.empty()) {
        return std::nullopt;
    }
    const bool takes_batch = takes_in_records(step) || step.verb == Verb::kDelete;
    if (takes_batch && !step.source && rewriter.names_batch()) {
        sql = "WITH batch " + batch_sql(style, batch) + ' ' + sql;
    }
    return sql;
}

}  // namespace oncecheck

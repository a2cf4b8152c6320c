// Recursive descent over the grammar in formula.h: one function a level, lowest precedence first.
#include <cctype>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "model/catalogue/formula.h"

namespace oncecheck {

namespace {

// Bounds the nesting of parentheses and `not`, and the length of a chain of + - *, which nests to the left.
constexpr int kMaxDepth = 64;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_name_character(char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '_' || c == '-'; }

bool is_keyword(std::string_view word) {
    for (const std::string_view keyword : {"and", "or", "not", "in", "starts_with", "true", "false", "unset"}) {
        if (word == keyword) {
            return true;
        }
    }
    return false;
}

constexpr std::pair<std::string_view, FormulaOperator> kComparisons[] = {
    {"<=", FormulaOperator::kLessEqual}, {">=", FormulaOperator::kGreaterEqual}, {"!=", FormulaOperator::kNotEqual},
    {"=", FormulaOperator::kEqual},      {"<", FormulaOperator::kLess},          {">", FormulaOperator::kGreater},
};

class Parser {
  public:
    explicit Parser(const std::string& text) : text_(text) {}

    Formula parse() {
        Formula result = disjunction();
        if (at_end()) {
            return result;
        }
        fail("an operator or the end");
    }

  private:
    // Counts the levels that are open; thrown away with the parser when it is exceeded.
    class Level {
      public:
        explicit Level(Parser& parser) : depth_(parser.depth_) {
            if (++depth_ > kMaxDepth) {
                parser.fail("at most " + std::to_string(kMaxDepth) + " levels");
            }
        }
        ~Level() { --depth_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

      private:
        int& depth_;
    };

    [[noreturn]] void fail(const std::string& expected) const {
        throw std::invalid_argument("column " + std::to_string(position_ + 1) + ": expected " + expected);
    }

    void skip_space() {
        while (position_ < text_.size() && is_space(text_[position_])) {
            ++position_;
        }
    }

    bool at_end() {
        skip_space();
        return position_ == text_.size();
    }

    bool accept(std::string_view symbol) {
        skip_space();
        if (text_.compare(position_, symbol.size(), symbol) != 0) {
            return false;
        }
        position_ += symbol.size();
        return true;
    }

    std::string_view peek_word() {
        skip_space();
        std::size_t end = position_;
        if (end < text_.size() && is_letter(text_[end])) {
            while (end < text_.size() && is_name_character(text_[end])) {
                ++end;
            }
        }
        return std::string_view(text_).substr(position_, end - position_);
    }

    bool accept_word(std::string_view word) {
        if (peek_word() != word) {
            return false;
        }
        position_ += word.size();
        return true;
    }

    std::size_t start() {
        skip_space();
        return position_;
    }

    // The text of a part is what was read of it, without the space after it.
    Formula make(std::size_t from, Formula::Node node) const {
        std::size_t end = position_;
        while (end > from && is_space(text_[end - 1])) {
            --end;
        }
        return Formula(std::move(node), text_.substr(from, end - from));
    }

    Formula combine(std::size_t from, FormulaOperator op, std::vector<Formula> operands) const {
        Formula::Node node;
        node.op = op;
        node.operands = std::move(operands);
        return make(from, std::move(node));
    }

    Formula disjunction() {
        const Level level(*this);
        const std::size_t from = start();
        std::vector<Formula> operands{conjunction()};
        while (accept_word("or")) {
            operands.push_back(conjunction());
        }
        return operands.size() == 1 ? operands.front() : combine(from, FormulaOperator::kOr, std::move(operands));
    }

    Formula conjunction() {
        const std::size_t from = start();
        std::vector<Formula> operands{negation()};
        while (accept_word("and")) {
            operands.push_back(negation());
        }
        return operands.size() == 1 ? operands.front() : combine(from, FormulaOperator::kAnd, std::move(operands));
    }

    Formula negation() {
        const Level level(*this);
        const std::size_t from = start();
        if (!accept_word("not")) {
            return comparison();
        }
        Formula operand = negation();
        return combine(from, FormulaOperator::kNot, {std::move(operand)});
    }

    Formula comparison() {
        const std::size_t from = start();
        Formula left = sum();
        if (accept_word("starts_with")) {
            Formula right = sum();
            return combine(from, FormulaOperator::kStartsWith, {std::move(left), std::move(right)});
        }
        if (accept_word("in")) {
            return membership(from, std::move(left));
        }
        for (const auto& [symbol, op] : kComparisons) {
            if (accept(symbol)) {
                Formula right = sum();
                return combine(from, op, {std::move(left), std::move(right)});
            }
        }
        return left;
    }

    Formula membership(std::size_t from, Formula left) {
        std::vector<Formula> operands{std::move(left)};
        if (!accept("(")) {
            fail("'('");
        }
        do {
            operands.push_back(sum());
        } while (accept(","));
        if (!accept(")")) {
            fail("',' or ')'");
        }
        return combine(from, FormulaOperator::kIn, std::move(operands));
    }

    Formula sum() {
        const std::size_t from = start();
        Formula left = product();
        for (int length = 1;; ++length) {
            std::optional<FormulaOperator> op;
            if (accept("+")) {
                op = FormulaOperator::kAdd;
            } else if (accept("-")) {
                op = FormulaOperator::kSubtract;
            }
            if (!op) {
                return left;
            }
            left = extend(from, *op, std::move(left), product(), length);
        }
    }

    Formula product() {
        const std::size_t from = start();
        Formula left = atom();
        for (int length = 1; accept("*"); ++length) {
            left = extend(from, FormulaOperator::kMultiply, std::move(left), atom(), length);
        }
        return left;
    }

    Formula extend(std::size_t from, FormulaOperator op, Formula left, Formula right, int length) const {
        if (length > kMaxDepth) {
            fail("at most " + std::to_string(kMaxDepth) + " operands");
        }
        return combine(from, op, {std::move(left), std::move(right)});
    }

    Formula constant(std::size_t from, FormulaValue value) const {
        Formula::Node node;
        node.constant = std::move(value);
        return make(from, std::move(node));
    }

    Formula atom() {
        const std::size_t from = start();
        if (accept("(")) {
            Formula inner = disjunction();
            if (!accept(")")) {
                fail("')'");
            }
            return inner;
        }
        if (accept("'")) {
            return string(from);
        }
        const std::string_view word = peek_word();
        if (!word.empty()) {
            return named(from, word);
        }
        return number(from);
    }

    Formula string(std::size_t from) {
        const std::size_t end = text_.find('\'', position_);
        if (end == std::string::npos) {
            position_ = text_.size();
            fail("a closing quote");
        }
        std::string value = text_.substr(position_, end - position_);
        position_ = end + 1;
        return constant(from, std::move(value));
    }

    Formula named(std::size_t from, std::string_view word) {
        if (word == "true" || word == "false") {
            position_ += word.size();
            return constant(from, word == "true");
        }
        if (word == "unset") {
            position_ += word.size();
            return constant(from, std::monostate{});
        }
        if (is_keyword(word)) {
            fail("a value");
        }
        Formula::Node node;
        node.op = FormulaOperator::kName;
        node.name = std::string(word);
        position_ += word.size();
        return make(from, std::move(node));
    }

    Formula number(std::size_t from) {
        std::int64_t value = 0;
        const char* const begin = text_.data() + position_;
        const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
        if (error == std::errc::result_out_of_range) {
            fail("a number of at most 64 bits");
        }
        if (error != std::errc{}) {
            fail("a value");
        }
        position_ += static_cast<std::size_t>(end - begin);
        if (position_ < text_.size() && is_name_character(text_[position_])) {
            fail("a number without a suffix");
        }
        return constant(from, value);
    }

    const std::string& text_;
    std::size_t position_ = 0;
    int depth_ = 0;
};

}  // namespace

Formula Formula::parse(const std::string& text) { return Parser(text).parse(); }

}  // namespace oncecheck

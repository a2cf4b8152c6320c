// Symbolic execution of statements: a path is a condition under which it is taken, and what it has written so far.
// Reading a variable gives what the path has written, or else the variable itself; so statements compose inside a
// transaction, and a path that fails or skips leaves nothing behind.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/transition/expression.h"
#include "model/transition/system.h"

namespace oncecheck {

enum class PathEnd {
    kOpen,     // may go on
    kSkipped,  // a claim was already there: nothing of the transaction happens, and that is success
    kFailed,   // an error: nothing of the transaction happens
};

class Path {
  public:
    [[nodiscard]] Expression get(VariableId variable) const {
        const auto found = writes_.find(variable);
        return found != writes_.end() ? found->second : Expression::variable(variable);
    }
    void set(VariableId variable, Expression value) { writes_.insert_or_assign(variable, std::move(value)); }
    void require(const Expression& condition) { guard_.push_back(condition); }
    // Forgets what was written to variables that are not among `kept`.
    void keep_writes(const std::set<VariableId>& kept) {
        std::erase_if(writes_, [&](const auto& write) { return !kept.contains(write.first); });
    }
    void end(PathEnd how, std::string why) {
        end_ = how;
        why_ = std::move(why);
        writes_.clear();
    }

    [[nodiscard]] Expression guard() const { return conjunction(guard_); }
    [[nodiscard]] const std::map<VariableId, Expression>& writes() const { return writes_; }
    [[nodiscard]] PathEnd how() const { return end_; }
    [[nodiscard]] const std::string& why() const { return why_; }

  private:
    std::vector<Expression> guard_;
    std::map<VariableId, Expression> writes_;
    PathEnd end_ = PathEnd::kOpen;
    std::string why_;
};

using Paths = std::vector<Path>;

// What an action assigns.
using Writes = std::map<VariableId, Expression>;

// `base`, except where `over` says otherwise.
[[nodiscard]] inline Writes overridden(Writes base, const Writes& over) {
    for (const auto& [variable, value] : over) {
        base.insert_or_assign(variable, value);
    }
    return base;
}

// The count is not zero.
[[nodiscard]] inline Expression some(const Expression& count) { return less(Expression::constant(0), count); }

[[nodiscard]] inline Paths with(Paths ended, Path open) {
    ended.push_back(std::move(open));
    return ended;
}

// At least two rows in all.
[[nodiscard]] inline Expression twice(const std::vector<Expression>& counts) {
    std::vector<Expression> ways;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        ways.push_back(less(Expression::constant(1), counts[i]));
        for (std::size_t j = i + 1; j < counts.size(); ++j) {
            ways.push_back(conjunction({some(counts[i]), some(counts[j])}));
        }
    }
    return disjunction(ways);
}

// Splits off the failing path: with the condition it ends there, without it the path goes on.
inline void fail_if(const Expression& condition, const std::string& why, Path& path, Paths& ended) {
    if (condition.is_constant(0)) {
        return;
    }
    Path failed = path;
    failed.require(condition);
    failed.end(PathEnd::kFailed, why);
    ended.push_back(std::move(failed));
    path.require(!condition);
}

}  // namespace oncecheck

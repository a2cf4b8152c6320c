// One explicit search for several questions, about systems that differ in nothing but what is asked: their states are
// the same, and are found once.
#pragma once

#include <optional>
#include <vector>

#include "checker/certificate/obligations.h"
#include "checker/engines/engine.h"

namespace oncecheck {

// What is asked of a system.
struct Question {
    const TransitionSystem& system;
    std::vector<std::size_t> properties;
    bool progress = false;
};

// The system with nothing but what is asked.
[[nodiscard]] TransitionSystem reduced(const Question& question);

class SharedSearch {
  public:
    explicit SharedSearch(const Question& first);

    // Whether the search answers the question, too: the same variables, the same actions but for their labels, the same
    // variables that matter (checker/engines/slice.h), and the same states complete if both ask for progress. It is
    // then searched for together with the others. Before the search only.
    [[nodiscard]] bool admits(const Question& question) const;
    void add(const Question& question);
    // Whether the question is one of those that were added, or adds nothing to them.
    [[nodiscard]] bool answers(const Question& question) const;
    [[nodiscard]] bool is_shared() const { return questions_ > 1; }

    // Searches, the first time. Of the question's properties and progress; Unknown where a limit was reached. Requires
    // a question that was added.
    [[nodiscard]] CheckResult result(const Question& question, const Limits& limits);
    // That all that is asked holds, if result() says so and the search has seen all states.
    [[nodiscard]] std::optional<Proof> proof(const Question& question) const;

  private:
    void search(const Limits& limits);
    [[nodiscard]] std::size_t index_of(const Expression& bad) const;

    TransitionSystem system_;  // with all that is asked
    std::size_t questions_ = 1;
    std::vector<bool> matters_;
    std::optional<CheckResult> result_;
    std::optional<Diagram> set_;
    std::optional<Ranking> ranking_;
};

}  // namespace oncecheck

// An SMT-LIB 2.6 script about a transition system, written assertion by assertion.
//
// The next-state relation is a selector, as in checker/smt: `action` is the number of one action, whose guard and
// assignments are one assertion, and a variable keeps its value unless the action is one that sets it. Assertions are
// named, so that an unsatisfiable core reads as steps of the document: number, meaning, place (file#JSON pointer).
#pragma once

#include <string>
#include <vector>

#include "checker/export/smtlib_terms.h"
#include "model/transition/system.h"

namespace oncecheck {

// A constant whose value is the number of an action.
struct Selector {
    std::string symbol;
    unsigned bits = 1;

    [[nodiscard]] std::string is(std::size_t number) const;
};

// Actions by number: from `first` on, without `end`.
struct ActionRange {
    std::size_t first = 0;
    std::size_t end = 0;
};

class SmtlibScript {
  public:
    // Opens with comments that say what is asked and what an answer means, and sets these options to true. `system`
    // must outlive this.
    SmtlibScript(const TransitionSystem& system, const std::string& question, const std::string& meaning,
                 const std::vector<std::string>& options = {});

    // The variables of one moment, each in its range.
    void declare(const SmtlibTerms& state);
    void declare(const Selector& selector);
    void assert_initial(const SmtlibTerms& state);
    // One step; `suffix` tells the names of its assertions and of its selector from those of other steps.
    void assert_next(const SmtlibTerms& before, const SmtlibTerms& after, const std::string& suffix);
    // One step by one of these actions.
    void assert_next(const SmtlibTerms& before, const SmtlibTerms& after, const std::string& suffix,
                     const ActionRange& actions);
    // `after` is what the action with the number `selector` leads to, whether it is enabled or not.
    void assert_effect(const SmtlibTerms& before, const SmtlibTerms& after, const Selector& selector);
    // A term: the selected action is one of those for which `allowed` is true, and it is enabled.
    [[nodiscard]] std::string enabled(const SmtlibTerms& before, const Selector& selector,
                                      const std::vector<bool>& allowed) const;

    void assert_named(const std::string& term, const std::string& name);
    void line(const std::string& command);

    // Ends the script with the question; nothing can be added after.
    [[nodiscard]] std::string ask();

  private:
    [[nodiscard]] std::string effect(const SmtlibTerms& before, const SmtlibTerms& after, const Action& action) const;
    void assert_kept(const SmtlibTerms& before, const SmtlibTerms& after, const Selector& selector,
                     const ActionRange& actions);

    const TransitionSystem& system_;
    std::string text_;
};

}  // namespace oncecheck

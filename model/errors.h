// Errors, one type an audience: what the user wrote (InputError), how the command was called (UsageError), what a
// solver could not do (SolverError), and what is our own mistake (InternalError).
//
// Input problems are collected and thrown together, so that one run names everything there is to mend. Tests assert
// the code and the pointer of a problem, never its prose.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace oncecheck {

// A place in a file that the user wrote. Lines and columns count from 1; 0 means "not known".
// `pointer` is the JSON pointer (RFC 6901) of the value, or a setting's name in a configuration file.
struct SourcePosition {
    std::string file;
    int line = 0;
    int column = 0;
    std::string pointer;

    bool operator==(const SourcePosition&) const = default;
};

// "file:line:column", without the parts that are not known.
[[nodiscard]] std::string to_string(const SourcePosition& position);

// One thing that is wrong with the input. `code` is stable (kebab-case); `expected` and `hint` may be empty.
struct Problem {
    std::string code;
    SourcePosition where;
    std::string message;
    std::string expected;
    std::string hint;

    bool operator==(const Problem&) const = default;
};

// One line for people: where, what, what was expected, what to do.
[[nodiscard]] std::string to_string(const Problem& problem);

// The document, a file that it names, or a catalogue file cannot be used. Exit code 2.
class InputError : public std::runtime_error {
  public:
    // Requires at least one problem.
    explicit InputError(std::vector<Problem> problems);
    [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }

  private:
    std::vector<Problem> problems_;
};

// The command line cannot be used. Exit code 2.
class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// A solver failed in a way that is neither an answer nor a limit. Exit code 4.
class SolverError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Something that must not happen: a trace that does not replay, engines that contradict each other. Exit code 4.
class InternalError : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

// A finding: something worth saying that is not an error, with the rule that it comes from (specs/rules).
struct Finding {
    std::string rule;
    SourcePosition where;
    std::string message;

    bool operator==(const Finding&) const = default;
};

}  // namespace oncecheck

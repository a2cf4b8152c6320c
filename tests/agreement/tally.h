// What a run of the comparison has seen so far, from several threads.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>

#include "tests/agreement/subject.h"

namespace oncecheck {

class Tally {
  public:
    void add_examined(const Examined& examined, bool generated);
    void add_compared(std::size_t subjects);
    void add_questions(std::size_t questions);  // to cvc5
    void add_skipped(const std::string& why);
    void add_disagreement();

    [[nodiscard]] std::size_t disagreements() const;
    [[nodiscard]] std::string line() const;  // a sentence for progress and summary

  private:
    mutable std::mutex mutex_;
    std::size_t of_documents_ = 0;
    std::size_t generated_ = 0;
    std::size_t states_ = 0;
    std::size_t violated_ = 0;
    std::size_t held_ = 0;
    std::size_t progress_violated_ = 0;
    std::size_t progress_held_ = 0;
    std::size_t compared_ = 0;
    std::size_t questions_ = 0;
    std::size_t disagreements_ = 0;
    std::map<std::string, std::size_t> deciding_;  // besides the explicit engine, which decides all
    std::map<std::string, std::size_t> skipped_;
};

}  // namespace oncecheck

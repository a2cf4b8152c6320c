#include "tests/agreement/tally.h"

namespace oncecheck {

void Tally::add_examined(const Examined& examined, bool generated) {
    const std::lock_guard lock(mutex_);
    (generated ? generated_ : of_documents_) += 1;
    for (const Subject& subject : examined.subjects) {
        states_ += subject.states;
    }
    violated_ += examined.violated;
    held_ += examined.held;
    if (examined.progress) {
        (*examined.progress ? progress_held_ : progress_violated_) += 1;
    }
    for (const std::string& engine : examined.deciding) {
        ++deciding_[engine];
    }
}

void Tally::add_compared(std::size_t subjects) {
    const std::lock_guard lock(mutex_);
    compared_ += subjects;
}

void Tally::add_questions(std::size_t questions) {
    const std::lock_guard lock(mutex_);
    questions_ += questions;
}

void Tally::add_skipped(const std::string& why) {
    const std::lock_guard lock(mutex_);
    ++skipped_[why];
}

void Tally::add_disagreement() {
    const std::lock_guard lock(mutex_);
    ++disagreements_;
}

std::size_t Tally::disagreements() const {
    const std::lock_guard lock(mutex_);
    return disagreements_;
}

std::string Tally::line() const {
    const std::lock_guard lock(mutex_);
    std::string text = std::to_string(of_documents_) + " systems of documents, " + std::to_string(generated_) +
                       " generated; properties: " + std::to_string(violated_) + " violated, " + std::to_string(held_) +
                       " hold; progress: " + std::to_string(progress_violated_) + " violated, " +
                       std::to_string(progress_held_) + " holds; SPIN: " + std::to_string(compared_) + " models, " +
                       std::to_string(states_) + " states; cvc5: " + std::to_string(questions_) + " questions";
    for (const auto& [engine, count] : deciding_) {
        text += "; " + engine + " decides " + std::to_string(count);
    }
    for (const auto& [why, count] : skipped_) {
        text += "; " + std::to_string(count) + ' ' + why;
    }
    return text + "; " + std::to_string(disagreements_) + " disagreements";
}

}  // namespace oncecheck

// What one pipeline of the campaign has shown, as a value and as a line of JSON.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "checker/report/report.h"

namespace oncecheck {

// Model and runtime say different things about one pipeline. `document` and `moves` are as small as shrinking has made
// them.
struct Disagreement {
    enum class Kind {
        kVerdict,  // a run violates a requirement that the checker says holds
        kStep,     // an event of a run is no step of the model
    };
    Kind kind = Kind::kVerdict;
    std::string sort;  // which flaw of which kind of requirement; which kind of event: shrinking leaves it as it is
    std::string what;  // a sentence
    std::uint64_t schedule = 0;
    std::string document;
    std::vector<std::string> moves;  // of the run that shows it, in words

    bool operator==(const Disagreement&) const = default;
};
// "verdict", "step".
[[nodiscard]] const char* to_string(Disagreement::Kind kind);

struct ExaminedPipeline {
    enum class Outcome {
        kAgrees,
        kDisagrees,
        kRefused,     // the document is no pipeline that the checker takes
        kOtherStore,  // the runtime needs another store for it
        kTooLarge,    // no verdict within the limits
    };
    std::uint64_t seed = 0;
    std::string name;  // of the document
    Outcome outcome = Outcome::kAgrees;
    std::string reason;  // of the last three, in a sentence
    std::map<std::string, Verdict> verdicts;
    int schedules = 0;
    int complete = 0;                  // schedules that reached completion
    std::size_t events = 0;            // each of them followed by the model
    int outside = 0;                   // schedules that went beyond the universe ...
    int violated_beyond = 0;           // ... and violated what holds in it but not in the next larger one
    std::map<std::string, int> flaws;  // "loss" -> runs that showed it
    int violations = 0;                // requirements that the checker says are violated ...
    int shown = 0;                     // ... and that some run has violated
    std::optional<Disagreement> disagreement;

    bool operator==(const ExaminedPipeline&) const = default;
};
// "agrees", "disagrees", "refused", "other-store", "too-large".
[[nodiscard]] const char* to_string(ExaminedPipeline::Outcome outcome);

// One line, without the line's end.
[[nodiscard]] std::string json_line(const ExaminedPipeline& examined);

}  // namespace oncecheck

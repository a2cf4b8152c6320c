// Whether what is stated about times can be true at all. Inconsistent statements would exclude every fault, so nothing
// is decided under them: they are an input error that names the statements which contradict each other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "checker/smt/answer.h"
#include "model/catalogue/formula.h"
#include "model/errors.h"

namespace oncecheck {

// Something that must hold: a stated time, or a fact about what times mean. Names are times, >= 0 ms.
struct TimeStatement {
    Formula formula;
    SourcePosition where;  // empty for facts
};

// "assume.max_outage = 45 min", as stated at `where`. `name` is the full name in formulas.
[[nodiscard]] TimeStatement stated_time(const std::string& name, std::int64_t milliseconds,
                                        const SourcePosition& where);

// What holds between assumed times because of what they mean:
//   assume.min_restart_delay <= assume.max_outage    an outage lasts at least until the successor's first step
[[nodiscard]] std::vector<TimeStatement> facts_about_times();

// kSat: consistent. kUnsat: `problem` (code "inconsistent-times") stands at the first contradicting statement that has
// a place and names all of them; the caller throws it. kUnknown: Z3 does not know.
struct Consistency {
    Answer answer = Answer::kUnknown;
    std::optional<Problem> problem;
};
[[nodiscard]] Consistency check_consistency(std::span<const TimeStatement> statements, const SolverLimits& limits = {});

}  // namespace oncecheck

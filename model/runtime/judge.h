// Which requirements of the document a run violates, judged by what SQL reads from the sink and not by the runtime's
// own books (FORMAT, Requirements):
//
//   appended target   each record is there once
//   keyed target      one row for each key, that of the newest version; where a merge adds up: each record counted once
//   isolated-staging  an apply step took the rows of its own batch, all of them, once each
//   progress          the run has come to an end although no faults stood in its way
//
// Losses and old versions are judged only in complete runs; duplicates in any, where no step removes rows of the
// target. A target is keyed by its enforced primary key, or else by the `on` of its writers if all of them merge.
#pragma once

#include <string>
#include <vector>

#include "model/runtime/runtime.h"

namespace oncecheck {

struct RunViolation {
    std::size_t requirement = 0;  // index into Pipeline::requirements
    // "loss", "duplicate", "stale", "stuck", "foreign rows", "missing rows" or "doubled rows".
    std::string flaw;
    std::string message;  // a sentence: which record, what is there

    bool operator==(const RunViolation&) const = default;
};

// Requirements about objects that the run did not fill (other processes do), and targets with a key that is no column
// of a record, are not judged. `drained`: the run went on without faults until it was complete or showed that it never
// will be. At most one violation for each requirement and flaw.
[[nodiscard]] std::vector<RunViolation> judge(const Pipeline& pipeline, Runtime& runtime, bool drained);

}  // namespace oncecheck

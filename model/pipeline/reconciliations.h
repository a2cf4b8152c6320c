// The reconciliations of a document: which log each compares with which table, and what may be wrong about that.
//
// A reconciliation is an observer. It is in no graph and no hop, and no requirement is about it; `simulate` says what
// it would have noticed.
#pragma once

#include <vector>

#include "model/pipeline/pipeline.h"

namespace oncecheck {

// Fills in Pipeline::reconciliations. Adds a problem for a source that is no log ("dangling-reference", "unsupported"),
// a sink into which no process puts records ("dangling-reference"), two sides that no process joins ("not-connected"),
// and keys of a reconciliation where there is none ("not-a-reconciliation").
void resolve_reconciliations(Pipeline& pipeline, std::vector<Problem>& problems);

}  // namespace oncecheck

// Which record a row holds, where it carries no coordinates: deployed SQL often inserts chosen columns only.
#pragma once

#include <vector>

#include "model/pipeline/pipeline.h"
#include "model/runtime/run.h"

namespace oncecheck {

// The record whose id the row has, else the one whose key and version it has; index into `records`. -1: neither is
// there, or is that of a record.
[[nodiscard]] int record_by_columns(const Pipeline& pipeline, const std::vector<RunRecordEntry>& records,
                                    const RowValues& row);

}  // namespace oncecheck

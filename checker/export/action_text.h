// What an action means, in a line for a comment, and where in the document it comes from.
#pragma once

#include <string>

#include "model/transition/system.h"

namespace oncecheck {

// "cards (1): truncates db.stg [zombie]": process, slot, text, kind of fault or "by the environment".
[[nodiscard]] std::string action_text(const Action& action);

// "pipeline.json#/components/cards/foreachBatch/0"; empty if the place is not known.
[[nodiscard]] std::string action_place(const Action& action);

}  // namespace oncecheck

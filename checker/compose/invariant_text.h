// Inductive invariants in words: clauses with the names of the variables, which are those of the user's document.
#pragma once

#include "checker/compose/hop_check.h"
#include "checker/report/report.h"

namespace oncecheck {

// "never (enrich/A position = 7 and db.payments has payments_topic[1] = 0)" for a clause, else the expression.
[[nodiscard]] std::string clause_text(const TransitionSystem& system, const Expression& clause);

[[nodiscard]] ReportedInvariant describe_invariant(const FoundInvariant& found);

}  // namespace oncecheck

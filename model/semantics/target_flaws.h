// What can be wrong with the content of a target, as conditions on a state. A target is keyed by its enforced primary
// key, or else by the `on` of its writers if all of them merge; any other target is appended, and so is one that adds
// up.
//
//   appended: loss(r) = no row of record r          duplicate(r) = two rows of r
//   keyed:    loss(k) = no row of key k             duplicate(k) = two rows of k
//             stale(k) = a row of k, none of its newest record
#pragma once

#include <optional>

#include "model/semantics/hop_model.h"

namespace oncecheck {

// For some followed record, or key, of the requirement's origin.
struct TargetFlaws {
    Expression loss = falsity();
    Expression duplicate = falsity();
    Expression stale = falsity();
    bool duplicates_stay = false;  // rows are never removed: two rows are a violation at once
};

// Empty if no process of the model touches the target.
[[nodiscard]] std::optional<TargetFlaws> target_flaws(const HopModel& model, const ResolvedRequirement& requirement);

}  // namespace oncecheck

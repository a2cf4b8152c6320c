// The meanings that the translation asks each protocol for, and the values that it understands. A catalogue file must
// give all of its protocol's meanings and no value outside this table; what the values mean is said in specs/README.md.
//
// A case or `otherwise` of another meaning than these is allowed in a file and not checked.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "model/catalogue/catalogue.h"

namespace oncecheck {

struct RequiredMeaning {
    Protocol protocol = Protocol::kNone;
    std::string_view name;
    std::vector<std::string_view> values;  // empty: a positive whole number, as text
};

// Every row of the table.
[[nodiscard]] std::span<const RequiredMeaning> required_meanings();

// Null if the protocol does not ask for a meaning of that name.
[[nodiscard]] const RequiredMeaning* find_required_meaning(Protocol protocol, std::string_view name);

// True if the translation understands this value.
[[nodiscard]] bool is_allowed(const RequiredMeaning& meaning, std::string_view value);

}  // namespace oncecheck

// Times for people: the whole units of a number of milliseconds, largest first, none that is zero.
#pragma once

#include <cstdint>
#include <string>

namespace oncecheck {

// "13 min 25 s", "7 d", "250 ms", "0 ms"; "-5 s" for negative times.
[[nodiscard]] std::string format_duration(std::int64_t milliseconds);

// The largest of the units (in ms) that divides the time; of 0, a day. How round a time is.
[[nodiscard]] std::int64_t whole_unit(std::int64_t milliseconds);

}  // namespace oncecheck

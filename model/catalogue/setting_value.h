// The value of a vendor's setting, read from its text: true/false, whole numbers, durations in milliseconds, one of a
// list of words, or any text.
//
// A duration is a number in the setting's own unit ("604800000", "10") or carries a vendor's suffix ("500ms", "10s",
// "30min", "5m", "1h", "2d", "10 seconds", PostgreSQL's '5min'). Negative numbers are sentinels (-1: without limit)
// and stay as they are. Neither fractions nor sums of units ("1h 30m") are read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/catalogue/catalogue.h"
#include "model/catalogue/formula.h"

namespace oncecheck {

// Milliseconds, or nothing if the text is no duration, does not fit 64 bits, or has neither suffix nor a unit that is
// a time. Microseconds and nanoseconds are rounded up.
[[nodiscard]] std::optional<std::int64_t> parse_vendor_duration(const std::string& text, const std::string& unit);

// Nothing if the text does not fit the type. Words of an enumeration come back as the catalogue spells them; case
// does not matter.
[[nodiscard]] std::optional<FormulaValue> parse_setting_value(const SettingSpec& spec, const std::string& text);

// What a value of this setting looks like, for messages: "a whole number (ms)", "one of 'all', '-1', '0', '1'".
[[nodiscard]] std::string describe_type(const SettingSpec& spec);

}  // namespace oncecheck

#include "model/catalogue/setting_value.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <initializer_list>
#include <string_view>

#include "model/catalogue/text.h"

namespace oncecheck {

namespace {

struct TimeUnit {
    std::initializer_list<std::string_view> names;
    std::int64_t numerator;  // milliseconds = count * numerator / denominator
    std::int64_t denominator;
};

// The suffixes of Spark (JavaUtils.timeStringAs and CalendarInterval), PostgreSQL (GUC time units) and our own format.
const TimeUnit kTimeUnits[] = {
    {{"ns", "nanosecond", "nanoseconds"}, 1, 1'000'000},
    {{"us", "microsecond", "microseconds"}, 1, 1'000},
    {{"ms", "millisecond", "milliseconds"}, 1, 1},
    {{"s", "sec", "second", "seconds"}, 1'000, 1},
    {{"m", "min", "minute", "minutes"}, 60'000, 1},
    {{"h", "hour", "hours"}, 3'600'000, 1},
    {{"d", "day", "days"}, 86'400'000, 1},
    {{"week", "weeks"}, 604'800'000, 1},
};

const TimeUnit* find_unit(std::string_view name) {
    for (const TimeUnit& unit : kTimeUnits) {
        if (std::find(unit.names.begin(), unit.names.end(), name) != unit.names.end()) {
            return &unit;
        }
    }
    return nullptr;
}

// The whole number at the start of the text; `rest` is what follows it.
std::optional<std::int64_t> leading_number(std::string_view text, std::string_view& rest) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) {
        return std::nullopt;
    }
    rest = text.substr(static_cast<std::size_t>(end - text.data()));
    return value;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
    std::string_view rest;
    const std::optional<std::int64_t> value = leading_number(text, rest);
    return rest.empty() ? value : std::nullopt;
}

std::optional<FormulaValue> parse_boolean(const std::string& text) {
    const std::string word = to_lower(text);
    if (word == "true" || word == "on") {
        return FormulaValue(true);
    }
    if (word == "false" || word == "off") {
        return FormulaValue(false);
    }
    return std::nullopt;
}

std::optional<FormulaValue> parse_word(const std::vector<std::string>& words, const std::string& text) {
    for (const std::string& word : words) {
        if (to_lower(word) == to_lower(text)) {
            return FormulaValue(word);
        }
    }
    return std::nullopt;
}

template <typename Value>
std::optional<FormulaValue> lift(const std::optional<Value>& value) {
    return value ? std::optional<FormulaValue>(*value) : std::nullopt;
}

std::string with_unit(const std::string& text, const std::string& unit) {
    return unit.empty() ? text : text + " (" + unit + ")";
}

}  // namespace

std::optional<std::int64_t> parse_vendor_duration(const std::string& text, const std::string& unit) {
    std::string_view rest;
    const std::optional<std::int64_t> count = leading_number(text, rest);
    if (!count) {
        return std::nullopt;
    }
    if (rest.empty() && *count < 0) {
        return count;
    }
    const std::string_view suffix = rest.empty() ? std::string_view(unit) : rest.substr(rest.front() == ' ' ? 1 : 0);
    const TimeUnit* const scale = find_unit(to_lower(std::string(suffix)));
    std::int64_t scaled = 0;
    if (scale == nullptr || __builtin_mul_overflow(*count, scale->numerator, &scaled)) {
        return std::nullopt;
    }
    return scaled / scale->denominator + (scaled % scale->denominator > 0 ? 1 : 0);
}

std::optional<FormulaValue> parse_setting_value(const SettingSpec& spec, const std::string& text) {
    switch (spec.type) {
        case SettingType::kString:
            return FormulaValue(text);
        case SettingType::kBoolean:
            return parse_boolean(text);
        case SettingType::kInteger:
            return lift(parse_integer(text));
        case SettingType::kDuration:
            return lift(parse_vendor_duration(text, spec.unit));
        case SettingType::kEnumeration:
            return parse_word(spec.values, text);
    }
    return std::nullopt;
}

std::string describe_type(const SettingSpec& spec) {
    switch (spec.type) {
        case SettingType::kString:
            return "text";
        case SettingType::kBoolean:
            return "true or false";
        case SettingType::kInteger:
            return with_unit("a whole number", spec.unit);
        case SettingType::kDuration:
            return with_unit("a duration, as a whole number", spec.unit) + " or with a suffix such as 30s, 5min, 1h";
        case SettingType::kEnumeration:
            break;
    }
    std::string text = "one of";
    for (const std::string& word : spec.values) {
        text += (text.size() == 6 ? " '" : ", '") + word + "'";
    }
    return text;
}

}  // namespace oncecheck

#include "checker/conditions/duration_text.h"

#include <array>
#include <string_view>

namespace oncecheck {

namespace {

struct Unit {
    std::uint64_t milliseconds;
    std::string_view name;
};

constexpr std::array kUnits = {Unit{86'400'000, "d"}, Unit{3'600'000, "h"}, Unit{60'000, "min"}, Unit{1'000, "s"},
                               Unit{1, "ms"}};

}  // namespace

std::string format_duration(std::int64_t milliseconds) {
    if (milliseconds == 0) {
        return "0 ms";
    }
    const bool negative = milliseconds < 0;
    std::uint64_t rest =
        negative ? ~static_cast<std::uint64_t>(milliseconds) + 1 : static_cast<std::uint64_t>(milliseconds);
    std::string text(negative ? "-" : "");
    std::string_view separator;
    for (const Unit& unit : kUnits) {
        const std::uint64_t count = rest / unit.milliseconds;
        rest %= unit.milliseconds;
        if (count != 0) {
            text.append(separator).append(std::to_string(count)).append(" ").append(unit.name);
            separator = " ";
        }
    }
    return text;
}

std::int64_t whole_unit(std::int64_t milliseconds) {
    for (const Unit& unit : kUnits) {
        const auto size = static_cast<std::int64_t>(unit.milliseconds);
        if (milliseconds % size == 0) {
            return size;
        }
    }
    return 1;
}

}  // namespace oncecheck

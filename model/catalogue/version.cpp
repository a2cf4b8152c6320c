#include <string_view>

#include "model/catalogue/catalogue.h"

namespace oncecheck {

namespace {

// Takes the next part off the front: "3.5.1" gives "3" and leaves "5.1". An empty rest gives empty parts.
std::string_view next_part(std::string_view& rest) {
    const std::size_t dot = rest.find('.');
    const std::string_view part = rest.substr(0, dot);
    rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
    return part;
}

std::string_view digits_of(std::string_view part) {
    const std::size_t end = part.find_first_not_of("0123456789");
    part = part.substr(0, end);
    const std::size_t first = part.find_first_not_of('0');
    return first == std::string_view::npos ? std::string_view() : part.substr(first);
}

std::string_view tail_of(std::string_view part) {
    const std::size_t end = part.find_first_not_of("0123456789");
    return end == std::string_view::npos ? std::string_view() : part.substr(end);
}

int sign(int value) { return value < 0 ? -1 : (value > 0 ? 1 : 0); }

// Numbers of any length: the longer is the greater, digits decide between equally long ones.
int compare_parts(std::string_view left, std::string_view right) {
    const std::string_view a = digits_of(left);
    const std::string_view b = digits_of(right);
    if (a.size() != b.size()) {
        return a.size() < b.size() ? -1 : 1;
    }
    const int by_number = sign(a.compare(b));
    return by_number != 0 ? by_number : sign(tail_of(left).compare(tail_of(right)));
}

}  // namespace

int compare_versions(const std::string& left, const std::string& right) {
    std::string_view a = left;
    std::string_view b = right;
    while (!a.empty() || !b.empty()) {
        const int result = compare_parts(next_part(a), next_part(b));
        if (result != 0) {
            return result;
        }
    }
    return 0;
}

}  // namespace oncecheck

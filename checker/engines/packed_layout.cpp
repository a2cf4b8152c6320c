#include "checker/engines/packed_layout.h"

#include <algorithm>
#include <bit>

namespace oncecheck {

PackedLayout::PackedLayout(const TransitionSystem& system, const std::vector<bool>& kept)
    : fields_(system.variables.size()), used_bits_(1, 0) {
    for (const bool control : {true, false}) {
        for (VariableId id = 0; id < system.variables.size(); ++id) {
            if (kept[id] && system.variables[id].control == control) {
                place(id, system.variables[id].largest);
            }
        }
    }
}

void PackedLayout::place(VariableId variable, Value largest) {
    const auto width = static_cast<unsigned>(std::max(1, static_cast<int>(std::bit_width(largest))));
    auto word = std::find_if(used_bits_.begin(), used_bits_.end(), [&](unsigned used) { return used + width <= 64; });
    if (word == used_bits_.end()) {
        word = used_bits_.insert(word, 0);
    }
    fields_[variable] = Field{.word = static_cast<std::uint8_t>(word - used_bits_.begin()),
                              .shift = static_cast<std::uint8_t>(*word),
                              .mask = static_cast<std::uint32_t>((std::uint64_t{1} << width) - 1)};
    *word += width;
}

}  // namespace oncecheck

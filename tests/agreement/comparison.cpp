#include "tests/agreement/comparison.h"

#include "checker/export/promela.h"
#include "tests/agreement/spin.h"

namespace oncecheck {

namespace {

constexpr std::size_t kManyStates = 200'000;  // from here on better code is worth a longer compilation

std::string length_text(const std::optional<std::size_t>& length) {
    return length ? "violated after " + std::to_string(*length) + " steps" : "never violated";
}

void compare_states(std::size_t ours, std::size_t spins) {
    if (ours != spins) {
        throw Disagreement(std::to_string(ours) + " states, by SPIN " + std::to_string(spins));
    }
}

// `first` is SPIN's number of the subject's first property; its runs are `longer` by so many steps.
void compare_properties(const Subject& subject, const SpinResult& spin, std::size_t first, std::size_t longer) {
    for (std::size_t index = 0; index < subject.shortest.size(); ++index) {
        const auto found = spin.violated.find(first + index);
        std::optional<std::size_t> length;
        if (found != spin.violated.end()) {
            length = found->second - longer;
        }
        if (length != subject.shortest[index]) {
            throw Disagreement(subject.name + ": " + subject.system.properties[index].name + " is " +
                               length_text(subject.shortest[index]) + ", by SPIN " + length_text(length));
        }
    }
}

}  // namespace

void compare_alone(const Subject& subject, const std::filesystem::path& folder) {
    const SpinResult spin = run_spin(render_promela(subject.system, subject.name),
                                     {subject.states, "-DPROPERTIES", subject.states >= kManyStates}, folder);
    compare_states(subject.states, spin.states);
    compare_properties(subject, spin, 1, 0);
}

void compare_together(const std::vector<Subject>& subjects, const std::filesystem::path& folder) {
    std::vector<TransitionSystem> systems;
    std::size_t states = 1;
    for (const Subject& subject : subjects) {
        systems.push_back(subject.system);
        states += subject.states;
    }
    const SpinResult spin = run_spin(render_promela_choice(systems), {states, "", false}, folder);
    std::size_t first = 1;
    for (const Subject& subject : subjects) {
        compare_properties(subject, spin, first, 1);
        first += subject.shortest.size();
    }
    compare_states(states, spin.states);
}

}  // namespace oncecheck

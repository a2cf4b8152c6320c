#include "tests/agreement/comparison.h"

#include <cstdlib>
#include <fstream>

#include "checker/export/promela.h"
#include "checker/export/smtlib.h"
#include "tests/agreement/spin.h"

namespace oncecheck {

namespace {

constexpr std::size_t kShortRun = 5;          // steps of a run that cvc5 is asked about
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

std::string answer_of_cvc5(const std::string& script, const std::filesystem::path& folder) {
    std::ofstream(folder / "question.smt2", std::ios::binary) << script;
    const std::string command =
        "cd '" + folder.string() + "' && timeout 300 cvc5 --lang smt2 question.smt2 >answer 2>&1 </dev/null";
    if (std::system(command.c_str()) != 0) {
        return "an error";
    }
    std::string answer;
    std::getline(std::ifstream(folder / "answer"), answer);
    return answer;
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

std::size_t compare_with_cvc5(const Subject& subject, const std::filesystem::path& folder) {
    for (std::size_t index = 0; index < subject.shortest.size(); ++index) {
        const std::optional<std::size_t>& length = subject.shortest[index];
        if (!length || *length == 0 || *length > kShortRun) {
            continue;
        }
        const auto expect = [&](std::size_t steps, const std::string& expected) {
            const std::string answer = answer_of_cvc5(
                render_smtlib_run(subject.system, subject.system.properties[index], static_cast<int>(steps)), folder);
            if (answer != expected) {
                throw Disagreement("cvc5 says '" + answer + "' to a run of " + std::to_string(steps) + " steps for " +
                                   subject.system.properties[index].name + ", expected " + expected);
            }
        };
        expect(*length, "sat");
        expect(*length - 1, "unsat");
        return 2;
    }
    return 0;
}

}  // namespace oncecheck

// Measures the explicit search of the largest transition systems of documents, and writes each for SPIN.
//
// usage: measure_systems COUNT DIRECTORY DOCUMENT...
//
// Takes of each document the system with the most states, and of these the COUNT largest; writes them as
// DIRECTORY/1.pml,
// ..., the largest first, and prints a line for each:
//
//   states seconds cpu_seconds bytes_per_state document
//
// The search is for a property that reads every variable and that no state violates, on one thread, repeated until it
// has taken long enough for the clock; times are those of one search.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "checker/compose/plan.h"
#include "checker/engines/explicit_engine.h"
#include "checker/export/promela.h"
#include "model/catalogue/catalogue.h"
#include "model/document/reader.h"

namespace oncecheck {

namespace {

struct Candidate {
    TransitionSystem system;
    std::string document;
    std::size_t states = 0;
};

// Values that no variable has: a property that reads everything that changes, so that the engine stores it.
TransitionSystem read_whole(TransitionSystem system) {
    std::vector<Expression> beyond;
    for (VariableId id = 0; id < system.variables.size(); ++id) {
        beyond.push_back(less(Expression::constant(system.variables[id].largest), Expression::variable(id)));
    }
    system.properties = {{"reads everything", disjunction(beyond)}};
    system.complete = falsity();
    return system;
}

std::vector<Candidate> candidates(const std::vector<std::string>& files, const Catalogue& catalogue) {
    std::vector<Candidate> found;
    for (const std::string& file : files) {
        std::optional<Candidate> largest;
        const Pipeline pipeline = resolve(read_documents(file, {}).front(), catalogue);
        for (const PlannedSystem& planned : systems(pipeline, plan(pipeline, {}, {}))) {
            const std::size_t states = ExplicitEngine().check(read_whole(planned.hop.system), {}, {}).states;
            if (!largest || states > largest->states) {
                largest = Candidate{planned.hop.system, file, states};
            }
        }
        if (largest) {
            found.push_back(std::move(*largest));
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Candidate& left, const Candidate& right) { return left.states > right.states; });
    return found;
}

void measure(const Candidate& candidate) {
    constexpr double kLongEnough = 0.3;
    const TransitionSystem whole = read_whole(candidate.system);
    const auto started = std::chrono::steady_clock::now();
    const std::clock_t started_cpu = std::clock();
    double cpu = 0;
    int searches = 0;
    std::size_t bytes = 0;
    while (cpu < kLongEnough) {
        const CheckResult result = ExplicitEngine().check(whole, {}, {});
        bytes = result.bytes;
        ++searches;
        cpu = static_cast<double>(std::clock() - started_cpu) / CLOCKS_PER_SEC;
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
    std::cout << candidate.states << ' ' << seconds.count() / searches << ' ' << cpu / searches << ' '
              << static_cast<double>(bytes) / static_cast<double>(candidate.states) << ' ' << candidate.document
              << '\n';
}

void run(std::size_t count, const std::string& directory, const std::vector<std::string>& files) {
    std::vector<Candidate> all = candidates(files, Catalogue::load(ONCECHECK_SOURCE_SPECS));
    all.resize(std::min(count, all.size()));
    for (std::size_t index = 0; index < all.size(); ++index) {
        std::ofstream(directory + '/' + std::to_string(index + 1) + ".pml")
            << render_promela(all[index].system, all[index].document);
        measure(all[index]);
    }
}

}  // namespace

}  // namespace oncecheck

int main(int count, char** arguments) {
    try {
        if (count < 4) {
            throw std::invalid_argument("usage: measure_systems COUNT DIRECTORY DOCUMENT...");
        }
        oncecheck::run(std::stoul(arguments[1]), arguments[2], {arguments + 3, arguments + count});
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "measure_systems: " << error.what() << '\n';
        return 1;
    }
}

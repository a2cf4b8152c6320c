// Measures the explicit search of a document's unsliced transition system; run_spin_benchmark puts SPIN beside it.
//
// usage: measure_search all|violations JOBS DOCUMENT
//
//   all         every state, for a property that none violates: how fast a state is found, and how many bytes it takes
//   violations  as far as it takes to violate every property of the document: how long a person waits
//
// Every micro-batch query of the document is in one hop and may crash; other faults are left out. Prints one figure a
// line, its name first.
#include <ctime>

#include <chrono>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <variant>

#include "checker/engines/explicit_engine.h"
#include "model/catalogue/catalogue.h"
#include "model/document/reader.h"
#include "model/pipeline/pipeline.h"
#include "model/semantics/hop.h"

namespace oncecheck {

namespace {

TransitionSystem unsliced_system(const std::string& file, const Catalogue& catalogue) {
    const Pipeline pipeline = resolve(read_documents(file, {}).front(), catalogue);
    HopOptions options;
    options.slice = false;
    std::vector<ComponentId> queries;
    for (ComponentId id = 0; id < pipeline.components.size(); ++id) {
        if (pipeline.component(id).type->protocol == Protocol::kMicroBatch) {
            queries.push_back(id);
            options.faults[id].crash = true;
        }
    }
    std::vector<std::size_t> requirements(pipeline.requirements.size());
    std::iota(requirements.begin(), requirements.end(), 0);
    return build_hop(pipeline, queries, requirements, options).front().system;
}

// Reads every variable, so that the engine stores all of them, and is bad in no state: no value exceeds its largest.
Property reads_everything(const TransitionSystem& system) {
    std::vector<Expression> beyond;
    for (VariableId id = 0; id < system.variables.size(); ++id) {
        beyond.push_back(less(Expression::constant(system.variables[id].largest), Expression::variable(id)));
    }
    return {.name = "reads-everything", .bad = conjunction(std::move(beyond))};
}

void print(const std::string& name, double figure) { std::cout << name << ' ' << figure << '\n'; }

// The document's violations end the search only if progress is not asked for.
void measure(TransitionSystem system, bool all, int jobs) {
    system.complete = falsity();
    if (all) {
        system.properties = {reads_everything(system)};
    }
    Limits limits;
    limits.jobs = jobs;
    const auto started = std::chrono::steady_clock::now();
    const std::clock_t started_cpu = std::clock();
    const CheckResult result = ExplicitEngine().check(system, limits, {});
    const std::clock_t cpu = std::clock() - started_cpu;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
    for (const Outcome& outcome : result.properties) {
        const bool as_wanted =
            all ? std::holds_alternative<Exhausted>(outcome) : std::holds_alternative<Counterexample>(outcome);
        if (!as_wanted) {
            throw std::runtime_error("a property does not have the verdict that the measurement is for");
        }
    }
    std::cout << std::fixed;
    std::cout.precision(6);
    print("seconds", seconds.count());
    print("cpu_seconds", static_cast<double>(cpu) / CLOCKS_PER_SEC);
    std::cout.precision(0);
    print("states", static_cast<double>(result.states));
    if (const auto* exhausted = std::get_if<Exhausted>(&result.properties.front())) {
        print("transitions", static_cast<double>(exhausted->transitions));
    }
    print("states_per_second", static_cast<double>(result.states) / seconds.count());
    std::cout.precision(1);
    print("bytes_per_state", static_cast<double>(result.bytes) / static_cast<double>(result.states));
}

}  // namespace

}  // namespace oncecheck

int main(int argc, char** argv) try {
    const std::string what = argc == 4 ? argv[1] : "";
    if (what != "all" && what != "violations") {
        std::cerr << "usage: measure_search all|violations JOBS DOCUMENT\n";
        return 2;
    }
    const auto catalogue = oncecheck::Catalogue::load(ONCECHECK_SOURCE_SPECS);
    oncecheck::measure(oncecheck::unsliced_system(argv[3], catalogue), what == "all", std::stoi(argv[2]));
    return 0;
} catch (const std::exception& error) {
    std::cerr << "measure_search: " << error.what() << '\n';
    return 1;
}

// Our engines beside SPIN and, on short runs, cvc5, on documents and on generated systems.
//
// usage: compare_with_spin [--generated N] [--seed S] [--jobs J] [--bundles DIR] [--time MS] [--plant]
//                          [DOCUMENT_OR_FOLDER...]
//
// Every system of every document (and of their variants) is exported and given to SPIN alone; N systems are generated,
// nineteen of twenty at random and the rest from random pipelines, and given to SPIN by the batch. Prints progress and
// a summary; exit code 1 if anybody contradicts anybody, with a bundle for each case below DIR. --time is what engines
// but the explicit one have for a generated system, together, 300 by default; five times as much for others. --plant
// leaves the last action out of what SPIN is given, to show that this is noticed. README.md says what is compared.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iostream>
#include <thread>

#include "checker/compose/plan.h"
#include "checker/crossvalidate/random_pipeline.h"
#include "checker/export/bundle.h"
#include "model/catalogue/catalogue.h"
#include "model/document/reader.h"
#include "tests/agreement/comparison.h"
#include "tests/agreement/spin.h"
#include "tests/agreement/tally.h"
#include "tests/engines/random_system.h"

namespace oncecheck {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct CompareOptions {
    std::size_t generated = 0;
    std::uint64_t seed = 1;
    std::size_t jobs = 2;
    fs::path bundles = ".";
    std::chrono::milliseconds time{300};
    bool plant = false;
    std::vector<fs::path> documents;
};

constexpr std::size_t kChunk = 50;                          // generated systems of one piece of work
constexpr std::size_t kSearchBytes = std::size_t{4} << 20;  // for the search of a generated system
constexpr std::size_t kBatchStates = 400'000;
constexpr std::size_t kBatchActions = 3'000;
constexpr std::size_t kBatchSystems = 120;

// A folder of its own that goes when it is no longer needed.
class Scratch {
  public:
    Scratch() {
        std::string pattern = (fs::temp_directory_path() / "agreement-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) {
            throw std::runtime_error("cannot make a folder below " + fs::temp_directory_path().string());
        }
        folder_ = pattern;
    }
    ~Scratch() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    [[nodiscard]] const fs::path& folder() const { return folder_; }

  private:
    fs::path folder_;
};

// A system with what it comes from, for bundles.
struct Source {
    std::string document;
    std::string name;
};

// One thread's work: examines systems, gathers subjects into batches, asks SPIN.
class Worker {
  public:
    Worker(const CompareOptions& options, const Catalogue& catalogue, Tally& tally)
        : options_(options), catalogue_(catalogue), tally_(tally) {}

    void compare_document(const fs::path& file) {
        for (const Document& document : read_documents(file.string(), {})) {
            const Pipeline pipeline = resolve(document, catalogue_);
            for (const PlannedSystem& planned : systems(pipeline, plan(pipeline, {}, {}))) {
                const Source source{document.text, document.file + " " + document.variant};
                compare(planned.hop.system, source, true);
            }
        }
        flush();
    }

    void compare_generated(std::uint64_t seed) {
        for (std::size_t number = 0; number < kChunk; ++number, ++seed) {
            if (number % 20 == 19) {
                compare_random_pipeline(seed);
            } else {
                const std::string name = "random system, seed " + std::to_string(seed);
                TransitionSystem system = RandomSystem(seed, 0).make();
                system.name = name;
                compare(system, {"", name}, false);
            }
        }
        flush();
    }

  private:
    // One system of the pipeline: the others are much like it.
    void compare_random_pipeline(std::uint64_t seed) {
        const std::string text = RandomPipeline(seed).make().dump(2);
        const std::string name = "random pipeline, seed " + std::to_string(seed);
        try {
            const Pipeline pipeline = resolve(parse_documents(text, "random.json", {}).front(), catalogue_);
            const std::vector<PlannedSystem> planned = systems(pipeline, plan(pipeline, {}, {}));
            if (!planned.empty()) {
                compare(planned[seed % planned.size()].hop.system, {text, name}, false);
            }
        } catch (const InputError&) {
            tally_.add_skipped("pipelines refused");
        }
    }

    void compare(const TransitionSystem& system, const Source& source, bool alone) {
        try {
            if (!alone && !fits(system, kSearchBytes)) {
                tally_.add_skipped("generated systems too large");
                return;
            }
            Examined examined = examine(system, {.engines = options_.time * (alone ? 5 : 1)});
            tally_.add_examined(examined, !alone);
            if (alone || system.name.ends_with('0')) {  // a tenth of the generated ones
                tally_.add_questions(compare_with_cvc5(planted(examined.subjects.front()), scratch_.folder()));
            }
            if (alone) {
                compare_alone(planted(examined.subjects.front()), scratch_.folder());
                tally_.add_compared(1);
                examined.subjects.erase(examined.subjects.begin());
            }
            for (Subject& subject : examined.subjects) {
                add({planted(std::move(subject)), source});
            }
        } catch (const Disagreement& found) {
            report(system, source, found.what());
        } catch (const SpinError& error) {
            report(system, source, error.what());
        }
    }

    Subject planted(Subject subject) const {
        if (options_.plant && subject.system.actions.size() > 1) {
            subject.system.actions.pop_back();
        }
        return subject;
    }

    struct Waiting {
        Subject subject;
        Source source;
    };

    void add(Waiting waiting) {
        states_ += waiting.subject.states;
        actions_ += waiting.subject.system.actions.size();
        batch_.push_back(std::move(waiting));
        if (states_ > kBatchStates || actions_ > kBatchActions || batch_.size() >= kBatchSystems) {
            flush();
        }
    }

    // If a batch disagrees, its subjects are asked about alone, to find out which.
    void flush() {
        std::vector<Waiting> batch;
        std::swap(batch, batch_);
        states_ = 0;
        actions_ = 0;
        if (batch.empty()) {
            return;
        }
        std::vector<Subject> subjects;
        for (const Waiting& waiting : batch) {
            subjects.push_back(waiting.subject);
        }
        try {
            compare_together(subjects, scratch_.folder());
            tally_.add_compared(subjects.size());
        } catch (const std::runtime_error& error) {
            if (compare_one_by_one(batch) == 0) {
                report(
                    subjects.front().system, batch.front().source,
                    std::string("a batch that begins with this system, though no system of it does: ") + error.what());
            }
        }
    }

    std::size_t compare_one_by_one(const std::vector<Waiting>& batch) {
        std::size_t found = 0;
        for (const Waiting& waiting : batch) {
            try {
                compare_alone(waiting.subject, scratch_.folder());
                tally_.add_compared(1);
            } catch (const std::runtime_error& error) {
                ++found;
                report(waiting.subject.system, waiting.source, error.what());
            }
        }
        return found;
    }

    void report(const TransitionSystem& system, const Source& source, const std::string& what) {
        tally_.add_disagreement();
        if (options_.plant) {
            return;
        }
        const Dispute dispute{system.properties.empty() ? "" : system.properties.front().name,
                              system,
                              {{"comparison with SPIN", what, std::nullopt}},
                              source.document,
                              source.name};
        const fs::path bundle = write_to_fresh_directory(options_.bundles, "disagreement", render_bundle(dispute));
        std::cerr << "agreement: " + source.name + ", " + system.name + ": " + what + "; bundle: " + bundle.string() +
                         '\n';
    }

    const CompareOptions& options_;
    const Catalogue& catalogue_;
    Tally& tally_;
    Scratch scratch_;
    std::vector<Waiting> batch_;
    std::size_t states_ = 0;
    std::size_t actions_ = 0;
};

std::vector<fs::path> documents_in(const std::vector<fs::path>& places) {
    std::vector<fs::path> found;
    for (const fs::path& place : places) {
        if (!fs::is_directory(place)) {
            found.push_back(place);
            continue;
        }
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(place)) {
            if (entry.path().extension() == ".json") {
                found.push_back(entry.path());
            }
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::uint64_t number(const std::string& option, const std::string& text) {
    std::size_t used = 0;
    const std::uint64_t value = std::stoull(text, &used);
    if (used != text.size()) {
        throw std::invalid_argument(option + " needs a number");
    }
    return value;
}

CompareOptions read_options(const std::vector<std::string>& arguments) {
    CompareOptions options;
    for (std::size_t index = 0; index < arguments.size(); ++index) {
        const std::string& option = arguments[index];
        const auto value = [&] { return index + 1 < arguments.size() ? arguments[++index] : std::string(); };
        if (option == "--generated") {
            options.generated = number(option, value());
        } else if (option == "--seed") {
            options.seed = number(option, value());
        } else if (option == "--jobs") {
            options.jobs = std::max<std::size_t>(1, number(option, value()));
        } else if (option == "--bundles") {
            options.bundles = value();
        } else if (option == "--time") {
            options.time = std::chrono::milliseconds(number(option, value()));
        } else if (option == "--plant") {
            options.plant = true;
        } else if (option.starts_with("--")) {
            throw std::invalid_argument("there is no option " + option);
        } else {
            options.documents.emplace_back(option);
        }
    }
    return options;
}

// The largest documents last in the alphabet would keep one thread busy alone at the end; so generated work comes last.
std::vector<std::function<void(Worker&)>> pieces_of_work(const CompareOptions& options) {
    std::vector<std::function<void(Worker&)>> work;
    for (const fs::path& file : documents_in(options.documents)) {
        work.emplace_back([file](Worker& worker) { worker.compare_document(file); });
    }
    for (std::size_t done = 0; done < options.generated; done += kChunk) {
        work.emplace_back([seed = options.seed + done](Worker& worker) { worker.compare_generated(seed); });
    }
    return work;
}

int run(const CompareOptions& options) {
    const Catalogue catalogue = Catalogue::load(ONCECHECK_SOURCE_SPECS);
    const auto started = Clock::now();
    const std::vector<std::function<void(Worker&)>> work = pieces_of_work(options);
    Tally tally;
    std::atomic<std::size_t> next = 0;
    std::atomic<std::size_t> failed = 0;
    const auto work_off = [&] {
        for (std::size_t index = next++; index < work.size(); index = next++) {
            try {
                Worker worker(options, catalogue, tally);
                work[index](worker);
            } catch (const std::exception& error) {
                ++failed;
                std::cerr << std::string("agreement: ") + error.what() + '\n';
            }
        }
    };
    std::vector<std::thread> threads;
    std::atomic<std::size_t> running = options.jobs;
    for (std::size_t job = 0; job < options.jobs; ++job) {
        threads.emplace_back([&] {
            work_off();
            --running;
        });
    }
    for (auto last = Clock::now(); running > 0;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        if (Clock::now() - last > std::chrono::seconds(15)) {
            last = Clock::now();
            std::cerr << "agreement: " + std::to_string(std::min(next.load(), work.size())) + " of " +
                             std::to_string(work.size()) + " pieces: " + tally.line() + '\n';
        }
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - started).count();
    std::cout << "agreement: " << tally.line() << " (seed " << options.seed << ", " << seconds << " s)\n";
    if (options.plant) {
        std::cout << (tally.disagreements() > 0 ? "agreement: the planted mistake is noticed\n"
                                                : "agreement: the planted mistake is NOT noticed\n");
        return tally.disagreements() > 0 ? 0 : 1;
    }
    return tally.disagreements() == 0 && failed == 0 ? 0 : 1;
}

}  // namespace

}  // namespace oncecheck

int main(int count, char** arguments) {
    try {
        return oncecheck::run(oncecheck::read_options({arguments + 1, arguments + count}));
    } catch (const std::exception& error) {
        std::cerr << "compare_with_spin: " << error.what() << '\n';
        return 2;
    }
}

#include "model/runtime/simulation_files.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include <nlohmann/json.hpp>

#include "model/runtime/files.h"
#include "model/runtime/frames.h"
#include "model/runtime/log.h"
#include "model/runtime/run_json.h"

namespace oncecheck {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

std::string options_text(const Pipeline& pipeline, const SimulationOptions& options) {
    const Schedule& schedule = options.schedule;
    RunRecord inputs;
    inputs.inputs = inputs_of(options, 0);
    Json json;
    json["document"] = pipeline.document.text;
    json["variant"] = pipeline.document.variant;
    json["runs"] = options.runs;
    json["seed"] = schedule.seed;
    json["fault_rate"] = schedule.fault_rate;
    json["most_faults"] = schedule.most_faults;
    json["most_moves"] = schedule.most_moves;
    json["most_restarts"] = schedule.most_restarts;
    json["inputs"] = Json::parse(run_to_json(inputs));
    return json.dump(2);
}

Json number_or_null(const std::optional<int>& number) { return number ? Json(*number) : Json(nullptr); }

std::optional<int> number_from(const Json& json) {
    return json.is_null() ? std::nullopt : std::optional<int>(json.get<int>());
}

Json reconciliation_to(const RunReconciliation& run) {
    Json json;
    json["comparisons"] = run.comparisons;
    json["sightings"] = Json::array();
    for (const Sighting& one : run.sightings) {
        json["sightings"].push_back(
            {one.from, one.flaw, one.noticed, number_or_null(one.moves), number_or_null(one.windows)});
    }
    json["false_alarms"] = run.false_alarms;
    json["example"] = run.example;
    return json;
}

RunReconciliation reconciliation_from(const Json& json) {
    RunReconciliation run;
    run.comparisons = json.at("comparisons").get<int>();
    for (const Json& one : json.at("sightings")) {
        run.sightings.push_back({one.at(0).get<ComponentId>(), one.at(1).get<std::string>(), one.at(2).get<bool>(),
                                 number_from(one.at(3)), number_from(one.at(4))});
    }
    run.false_alarms = json.at("false_alarms").get<int>();
    run.example = json.at("example").get<std::string>();
    return run;
}

std::string summary_text(const RunSummary& run) {
    Json json;
    json["seed"] = run.seed;
    json["complete"] = run.complete;
    json["moves"] = run.moves;
    json["faults"] = run.faults;
    json["violations"] = Json::array();
    for (const RunViolation& violation : run.violations) {
        json["violations"].push_back({violation.requirement, violation.flaw, violation.message});
    }
    json["reconciliations"] = Json::array();
    for (const RunReconciliation& one : run.reconciliations) {
        json["reconciliations"].push_back(reconciliation_to(one));
    }
    return json.dump();
}

RunSummary summary_from(const std::string& text) {
    const Json json = Json::parse(text);
    RunSummary run;
    run.seed = json.at("seed").get<std::uint64_t>();
    run.complete = json.at("complete").get<bool>();
    run.moves = json.at("moves").get<int>();
    run.faults = json.at("faults").get<std::map<std::string, int>>();
    for (const Json& violation : json.at("violations")) {
        run.violations.push_back({violation.at(0).get<std::size_t>(), violation.at(1).get<std::string>(),
                                  violation.at(2).get<std::string>()});
    }
    for (const Json& one : json.at("reconciliations")) {
        run.reconciliations.push_back(reconciliation_from(one));
    }
    return run;
}

// What lives on disk: the files of topics and checkpoints, and the content of the stores.
struct DurableState {
    std::map<std::string, std::string> files;
    std::map<std::string, Content> objects;
};

std::map<std::string, std::string> files_of(const std::string& directory) {
    std::map<std::string, std::string> files;
    for (const char* part : {"topics", "checkpoints"}) {
        const fs::path folder = fs::path(directory) / part;
        if (!fs::exists(folder)) {
            continue;
        }
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            const std::string name = entry.path().filename();
            if (entry.is_regular_file() && name.front() != '.' && entry.path().extension() != ".tmp") {
                std::ifstream stream(entry.path(), std::ios::binary);
                files[fs::relative(entry.path(), directory)] = {std::istreambuf_iterator<char>(stream),
                                                                std::istreambuf_iterator<char>()};
            }
        }
    }
    return files;
}

std::map<std::string, Content> objects_of(const Content& content) {
    std::map<std::string, Content> objects;
    for (const ObjectContent& object : content) {
        objects[std::to_string(static_cast<int>(object.place.scope)) + ' ' + std::to_string(object.place.store) + ' ' +
                object.place.name + ' ' + object.name]
            .push_back(object);
    }
    return objects;
}

// Every part of `found` has to be as in one of the two states; a part that is missing counts as a value of its own.
template <typename Value>
void require_between(const std::map<std::string, Value>& found, const std::map<std::string, Value>& before,
                     const std::map<std::string, Value>& after) {
    const auto value = [](const std::map<std::string, Value>& in, const std::string& key) {
        const auto at = in.find(key);
        return at == in.end() ? std::optional<Value>() : std::optional<Value>(at->second);
    };
    std::map<std::string, Value> all = found;
    all.insert(before.begin(), before.end());
    all.insert(after.begin(), after.end());
    for (const auto& [key, unused] : all) {
        const std::optional<Value> there = value(found, key);
        if (there != value(before, key) && there != value(after, key)) {
            throw InternalError("after a kill '" + key + "' is not what the run had come to");
        }
    }
}

// A run that was under way when the simulation was killed: its moves, and what was on disk.
struct KilledRun {
    std::vector<Move> moves;
    DurableState found;
};

class FileSimulation {
  public:
    FileSimulation(const Pipeline& pipeline, const SimulationOptions& options, const SimulationProgress& progress)
        : pipeline_(pipeline), options_(options), progress_(progress), directory_(options.runtime.directory) {}

    SimulationResult run() {
        check_options();
        const std::string done = directory_ + "/done";
        for (const std::string& summary : recover_frames(done)) {
            result_.add(summary_from(summary));
        }
        std::optional<KilledRun> killed = reopen();
        if (result_.runs == options_.runs) {
            result_.product = Runtime(pipeline_, inputs_of(options_, 0), run_options(true)).stores().product();
        }
        while (result_.runs < options_.runs) {
            const RunSummary summary = one_run(result_.runs, killed);
            killed.reset();
            append_frame(done, summary_text(summary));
            fs::remove_all(run_directory());
            result_.add(summary);
            progress_(result_);
        }
        return std::move(result_);
    }

  private:
    [[nodiscard]] std::string run_directory() const { return directory_ + "/run"; }
    [[nodiscard]] std::string moves_file() const { return run_directory() + "/moves"; }

    [[nodiscard]] RuntimeOptions run_options(bool in_memory) const {
        RuntimeOptions options = options_.runtime;
        options.directory = in_memory ? "" : run_directory();
        return options;
    }

    void check_options() {
        fs::create_directories(directory_);
        const auto files = files_in_directory(directory_);
        const std::string text = options_text(pipeline_, options_);
        if (!files->put_if_absent("options", text) && files->read("options") != text) {
            throw UsageError("the directory '" + directory_ +
                             "' holds a simulation of another document or with other options; name another one");
        }
    }

    // The run that a kill has left, taken out of the way.
    std::optional<KilledRun> reopen() {
        const std::string found = directory_ + "/found";
        if (!fs::exists(found) && fs::exists(run_directory())) {
            fs::rename(run_directory(), found);
        }
        fs::remove_all(run_directory());
        const std::vector<std::string> frames = recover_frames(found + "/moves");
        if (frames.empty() || frames.front() != std::to_string(result_.runs)) {
            fs::remove_all(found);  // it had not begun, or is done
            return std::nullopt;
        }
        KilledRun killed;
        for (std::size_t frame = 1; frame < frames.size(); ++frame) {
            killed.moves.push_back(move_from_json(frames[frame], found + "/moves"));
        }
        reopen_topics(found);
        killed.found.files = files_of(found);
        StoreOptions store;
        store.url = found + "/store";
        store.reopen = true;
        if (fs::exists(store.url)) {
            killed.found.objects = objects_of(open_stores(pipeline_, store)->content());
        }
        return killed;
    }

    // Opening cuts torn tails off.
    static void reopen_topics(const std::string& found) {
        if (fs::exists(found + "/topics")) {
            for (const auto& topic : fs::directory_iterator(found + "/topics")) {
                const TopicLog opened(kPartitionsOfARun, topic.path());
            }
        }
    }

    RunSummary one_run(int run, const std::optional<KilledRun>& killed) {
        fs::remove_all(run_directory());
        fs::create_directories(run_directory());
        Runtime runtime(pipeline_, inputs_of(options_, run), run_options(false));
        result_.product = runtime.stores().product();
        append_frame(moves_file(), std::to_string(run));
        std::size_t made = 0;
        DurableState before;
        const auto state = [&] { return DurableState{files_of(run_directory()), objects_of(runtime.content())}; };
        const auto compare = [&](const DurableState& after) {
            require_between(killed->found.files, before.files, after.files);
            require_between(killed->found.objects, before.objects, after.objects);
            fs::remove_all(directory_ + "/found");
        };
        const std::size_t known = killed ? killed->moves.size() : 0;
        if (killed && known == 0) {
            fs::remove_all(directory_ + "/found");
        }
        const Scheduler::Observer journal = [&](const Move& move) {
            if (made < known && killed->moves[made] != move) {
                throw InternalError("after a kill the schedule makes another move than was journalled");
            }
            if (known > 0 && made + 1 == known) {
                before = state();
            } else if (known > 0 && made == known) {
                compare(state());
            }
            append_frame(moves_file(), move_to_json(move));
            ++made;
        };
        const RunSummary summary = run_and_reconcile(pipeline_, runtime, schedule_of(options_, run), journal);
        if (known > 0 && made == known) {
            compare(state());
        }
        return summary;
    }

    const Pipeline& pipeline_;
    const SimulationOptions& options_;
    const SimulationProgress& progress_;
    std::string directory_;
    SimulationResult result_;
};

}  // namespace

SimulationResult simulate_in_files(const Pipeline& pipeline, const SimulationOptions& options,
                                   const SimulationProgress& progress) {
    return FileSimulation(pipeline, options, progress).run();
}

}  // namespace oncecheck

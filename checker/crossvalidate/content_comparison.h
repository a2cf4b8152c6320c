// What the stores of a run hold against what a state of the model says: for each object of the model the rows of each
// class, counted up to the cap at which the model stops counting.
//
// Names differ: a table of the run has the UUID of a query or attempt in its name, one of the model a token. They are
// matched by the steps that named them: the same step, done by the same incarnation for the same batch, means the same
// object. Objects that are private to an attempt count only while it lasts; those of sessions are not compared, nor are
// tables in which rows are accumulated, nor columns that hold a moment.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "checker/crossvalidate/hypothesis.h"
#include "checker/crossvalidate/run_reading.h"

namespace oncecheck {

class ContentComparison {
  public:
    // Everything has to outlive the comparison. Requires run.contents.
    ContentComparison(const HopSystem& hop, const RunRecord& run, const RunReading& reading, const ProgramUnits& units);

    // Looks at what the stores hold after the event. False if that is what they held after the last one looked at.
    bool look_at(std::size_t event);
    // What a unit does to its objects is in the state already, and will be in the stores when it commits.
    struct Early {
        int actor = -1;
        int attempt = -1;  // index into RunRecord::attempts
        const Step* step = nullptr;
    };
    // What differs, in words; none: nothing. Objects of units that are early are not compared.
    [[nodiscard]] std::optional<std::string> difference(const State& state, const Hypothesis& hypothesis,
                                                        const std::vector<Early>& early);

  private:
    // Whoever has named an object of the run.
    struct Naming {
        int actor = -1;
        int attempt = -1;  // index into RunRecord::attempts
        const Template* name = nullptr;
    };
    struct Row {
        int record = -1;  // index into HopSystem::records; -2: of no record of the universe
        const std::vector<SqlValue>* values = nullptr;
    };
    struct Held {
        const std::vector<Naming>* namings = nullptr;
        bool current = true;  // false: nobody could read it, and the rows are old
        std::vector<Row> rows;
    };
    using Key = std::tuple<ObjectScope, ComponentId, std::string, std::string>;  // application, name
    using Contained = std::map<const ObjectInstance*, std::vector<const Held*>>;

    void note_namings(const RunReading& reading, const ProgramUnits& units);
    void note_naming(const Template& name, const std::string& rendered, const Naming& by);
    void note_ends(std::size_t event);
    [[nodiscard]] int record_of(const RunRecordEntry& entry) const;
    [[nodiscard]] Row read_row(const std::vector<SqlValue>& values) const;
    [[nodiscard]] std::optional<std::size_t> column(const std::string& name) const;
    [[nodiscard]] const ObjectInstance* object_of(const Naming& naming, const State& state,
                                                  const Hypothesis& hypothesis);
    [[nodiscard]] const BatchContext* context_of(const Naming& naming, const State& state, const Tracked& who) const;
    [[nodiscard]] std::set<const ObjectInstance*> targets_of(const std::vector<Early>& early, const State& state,
                                                             const Hypothesis& hypothesis);
    [[nodiscard]] bool is_left_behind(const ObjectInstance& object, const Hypothesis& hypothesis) const;
    [[nodiscard]] Contained contained(const State& state, const Hypothesis& hypothesis);
    [[nodiscard]] std::optional<std::string> difference(const ObjectInstance& object,
                                                        const std::vector<const Held*>& held, const State& state,
                                                        const Hypothesis& hypothesis) const;
    [[nodiscard]] bool is_of_class(const Row& row, const RowClass& of, const std::vector<std::string>& tags,
                                   const Hypothesis& hypothesis) const;
    [[nodiscard]] std::string in_model_terms(std::string value, const Hypothesis& hypothesis) const;
    [[nodiscard]] std::string describe(const Row& row) const;

    const HopSystem& hop_;
    const HopModel& model_;
    const RunRecord& run_;
    const RunReading& reading_;
    std::map<Key, std::vector<Naming>> namings_;
    std::map<std::string, std::size_t> columns_;
    std::map<std::tuple<std::size_t, int, const BatchContext*, const Template*>, const ObjectInstance*> objects_;
    struct Plane {
        std::size_t process = 0;
        int slot = 0;
        int batch = -1;  // -1: of any
    };
    std::map<std::string, Plane> planes_;      // of attempts
    std::set<std::pair<int, int>> attempted_;  // actor and batch: has begun an attempt
    std::vector<const ObjectInstance*> compared_;
    std::vector<int> current_;  // by actor: its attempt, index into RunRecord::attempts; -1: none
    std::size_t events_ = 0;    // noted in current_
    const Content* last_ = nullptr;
    std::vector<Held> held_;
};

}  // namespace oncecheck
